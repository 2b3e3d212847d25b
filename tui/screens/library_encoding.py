"""How the Library room follows a library that is encoded anew, with an encoder just chosen."""

from veracite.engine.display import neutralise
from veracite.tui.screens.library_base import LibraryBase
from veracite.tui.worker import Runner

__all__ = ["EncodingActions"]


class EncodingActions(LibraryBase):
    """The part of the Library room that is about encoding anew, which goes on in all rooms."""

    def action_encode_anew(self) -> None:
        """Go on encoding the library in use with the encoder that was chosen."""
        if self._reencoder is not None:
            self._reencoder.resume(self._in_use())

    def show_encoding(self) -> None:
        """Show how far a library is encoded anew, and tell what came of it."""
        if self._reencoder is None:
            return
        if (state := self._reencoder.state) != self._anew:
            self._anew = state
            self.anew.show(state)
        for told in self._reencoder.told():
            if told.failed:
                self.post_message(Runner.Failed(told.message, told.advice, told.details))
            else:
                self.notify(neutralise(f"{told.message} {told.advice}"), markup=False)
            self._look_again()

    def _encode_anew(self) -> None:
        """Begin, if the library in use was encoded with another encoder."""
        if self._reencoder is not None:
            self._reencoder.begin(self._in_use())

    def _stop_encoding(self) -> None:
        if self._reencoder is not None and self._reencoder.state is not None:
            self._reencoder.cancel()
            self.status.say("Encoding stopped. The command Encode anew (Ctrl+P) goes on with it.")
