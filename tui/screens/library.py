"""The Library room: the libraries, what is in them, and searching them."""

from collections.abc import Iterable

from textual import events, on
from textual.app import SystemCommand
from textual.widgets import OptionList

from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.tui.screens.library_changes import ChangeActions
from veracite.tui.screens.library_encoding import EncodingActions
from veracite.tui.screens.library_search import SearchActions
from veracite.tui.widgets.library_hits import HitList

__all__ = ["LibraryScreen"]

_SECONDS_BETWEEN = 0.5
"""From one look at how far a library is encoded anew to the next."""


class LibraryScreen(ChangeActions, SearchActions, EncodingActions):
    """The Library room; see ``LibraryBase``."""

    def on_mount(self) -> None:
        """See what is there."""
        self.list.focus()
        self.status.say("Looking for the libraries …")
        self.anew.show(None)
        self.call_after_refresh(self._begin_to_look)
        self.set_interval(_SECONDS_BETWEEN, self.show_encoding)

    def _begin_to_look(self) -> None:
        """After the first frame, which waits for nothing."""
        self._look_again()
        self._encode_anew()

    def on_screen_resume(self) -> None:
        """Another room, or another process, may have changed something."""
        if self.holdings:
            self._encode_anew()
        if self.holdings and not self._working:
            self._look_again()

    def on_unmount(self) -> None:
        """Stop what is running; nobody waits for it."""
        self.runner.stop()

    def commands(self) -> Iterable[SystemCommand]:
        """What the command palette offers here."""
        yield SystemCommand("Search", "Look for passages in the library", self.action_search)
        yield SystemCommand("Ranking", "Hybrid, BM25 or dense", self.action_ranking)
        yield SystemCommand("Add", "Add a folder or a file to the library", self.action_add)
        yield SystemCommand("New library", "Under a name of its own", self.action_new)
        yield SystemCommand("Sync", "Read what is new or changed", self.action_sync)
        yield SystemCommand("Stop", "Stop the sync", self.action_stop)
        yield SystemCommand(
            "Encode anew", "Go on, where the encoder was changed", self.action_encode_anew
        )
        yield SystemCommand("Sources", "Go to them, and take one out", self.action_sources)
        yield SystemCommand("Use", "Use the library in Check and Ask", self.action_use)
        yield SystemCommand("Delete library", "Its index, not its documents", self.action_delete)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for the libraries while one sees them, keys for the hits while one sees those; none
        for what needs a library before there is one."""
        searching = bool(self.input.value)
        if action in ("sync", "use", "delete"):
            return not searching and self.chosen is not None
        if action == "sources":
            return not searching and self.details.sources.display
        if action in ("add", "new"):
            return not searching
        if action == "search":
            return self.chosen is not None
        return searching if action == "ranking" else True

    def on_key(self, event: events.Key) -> None:
        """Say why a key of this room can do nothing now."""
        bindings = self._bindings.copy()
        bindings.apply_keymap(self.app._keymap)
        if event.key not in self.active_bindings:
            for binding in bindings.key_to_bindings.get(event.key, ()):
                self.notify(self._why_not(binding.action))

    def _why_not(self, action: str) -> str:
        """Where ``check_action`` does not let it."""
        if action == "ranking":
            return "There are no hits yet: / searches the library."
        if self.input.value:
            return "This is for the libraries, not for the hits: Escape goes back to them."
        if action == "sources" and self.chosen:
            return "This library has no sources: a adds a folder or a file."
        return self._why_none()

    # What the user asks for

    def action_back(self) -> None:
        """From the hits to the search, from there to the libraries; else stop."""
        if isinstance(self.focused, HitList):
            self.input.focus()
        elif self.input.has_focus or self.input.value:
            self.input.clear()
            self.list.focus()
        else:
            self.action_stop()

    def action_stop(self) -> None:
        """Stop the sync, or else encoding anew; what was read and encoded is kept."""
        if self._working:
            self.runner.stop()
            self.status.say("Stopping …")
        else:
            self._stop_encoding()

    def action_use(self) -> None:
        """Have Check and Ask go by this library."""
        if chosen := self._required():
            self.run_worker(self._put_to_use(chosen.name))

    def action_sources(self) -> None:
        """Go to what the library follows."""
        self.details.sources.enter()

    async def _put_to_use(self, name: str) -> None:
        await self._use(None if name == DEFAULT_LIBRARY else name)
        self._show_list()
        self.notify(f"Check and Ask now go by the library {name}.", markup=False)

    @on(OptionList.OptionHighlighted, "#libraries")
    def _choose(self, event: OptionList.OptionHighlighted) -> None:
        if event.option.id != self._chosen:
            self._chosen, self._behind = event.option.id, None
            self._show_chosen()

    @on(OptionList.OptionSelected, "#libraries")
    def _enter(self) -> None:
        if self.details.sources.display:
            self.action_sources()
        else:
            self.details.focus()
