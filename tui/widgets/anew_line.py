"""The line in the Library room that says how far a library is encoded anew."""

from veracite.tui.reencoder import State
from veracite.tui.widgets.library_status import LibraryStatus

__all__ = ["AnewLine"]


class AnewLine(LibraryStatus):
    """One line; none while nothing is encoded anew."""

    DEFAULT_CSS = """
    AnewLine { height: 1; padding: 0 2; }
    """

    def show(self, state: State | None) -> None:
        """Say how far it is, and for how long."""
        self.display = state is not None
        if state is not None:
            stage = f"Encoding with {state.encoder}"
            self._progress(stage, state.done, state.total, state.library)
