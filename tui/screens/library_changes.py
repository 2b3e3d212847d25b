"""What changes a library: what it follows, a sync, its end."""

from collections.abc import Callable, Generator
from functools import partial

from textual import on

from veracite.engine.display import neutralise
from veracite.engine.events import Event
from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.index.progress import FileFailed, FileRead, Synced
from veracite.tui.progress import warnings
from veracite.tui.screens.library_base import LibraryBase
from veracite.tui.screens.library_prompts import Confirmation, NamePrompt, for_path
from veracite.tui.widgets.library_details import Sources
from veracite.tui.worker import Runner

__all__ = ["ChangeActions"]


class ChangeActions(LibraryBase):
    """The part of the Library room that works on libraries, on one at a time."""

    def action_add(self) -> None:
        """Ask for a folder or a file to follow."""
        if self._free():
            self._ask_for_path(self._chosen or DEFAULT_LIBRARY)

    def action_new(self) -> None:
        """Ask for a name, and for the first folder or file."""
        if self._free():
            self.app.push_screen(
                NamePrompt(self._shelf.require_new),
                lambda name: self._ask_for_path(name) if name else None,
            )

    def action_sync(self) -> None:
        """Read what is new or changed."""
        if self._free() and (chosen := self._required()):
            self._begin(partial(self._shelf.sync, chosen.name))

    def action_delete(self) -> None:
        """Delete the library, once that was confirmed."""
        if not (self._free() and (chosen := self._required())):
            return
        question = (
            f"The index of {chosen.name} is deleted and has to be made anew. "
            "The documents themselves stay where they are."
        )
        delete = partial(self._begin, partial(self._shelf.delete, chosen.name))
        self._confirm("Delete library", question, "Delete", delete)

    @on(Sources.Removed)
    def _remove(self, event: Sources.Removed) -> None:
        if not (self._free() and (chosen := self._required())):
            return
        question = (
            f"The library {chosen.name} forgets what it read from {event.path}. "
            "The documents themselves stay where they are."
        )
        remove = partial(self._begin, partial(self._shelf.remove, chosen.name, event.path))
        self._confirm("Remove source", question, "Remove", remove)

    # The ways to get there

    def _free(self) -> bool:
        """Whether nothing is being worked on here; told if something is."""
        if self._working:
            self.notify("A library is being worked on. Escape stops it.")
        return not self._working

    def _ask_for_path(self, name: str) -> None:
        def added(name: str | None) -> None:
            if name:
                self._chosen = name
                self._begin(partial(self._shelf.sync, name))
                self._look_again()

        self.app.push_screen(for_path(name, self._shelf.add), added)

    def _confirm(self, title: str, question: str, yes: str, then: Callable[[], None]) -> None:
        def answered(agreed: bool | None) -> None:
            if agreed:
                then()

        self.app.push_screen(Confirmation(title, question, yes), answered)

    def _begin(self, work: Callable[[], Generator[Event, None, None]]) -> None:
        waits = self._turn.locked()
        self._working, self._last_word, self._last_failed = True, "", False
        self.status.say("Waiting until the other room is done …" if waits else "Beginning …")
        self.runner.start(work)

    # What happens

    @on(Runner.Happened)
    def _happened(self, message: Runner.Happened) -> None:
        event = message.event
        self.status.follow(event)
        if isinstance(event, FileRead | FileFailed) and event.done == event.total:
            self._look_again()  # encoding may take long
        if isinstance(event, Synced):
            self._last_word = str(self.status.content)
        for warning in warnings(event):
            self.notify(neutralise(warning), severity="warning", markup=False)

    @on(Runner.Failed)
    def _failed(self, message: Runner.Failed) -> None:
        self._last_word = f"{message.message} {message.advice}"
        self._last_failed = True
        if not self.is_current:  # else it is in the line below, to its end
            self.notify(neutralise(self._last_word), severity="error", markup=False)

    @on(Runner.Ended)
    def _ended(self, message: Runner.Ended) -> None:
        self._working = False
        if message.stopped and not self._last_word:
            self._last_word = "Stopped. What was read is kept; s goes on."
        self.hits.look_again()
        self._look_again()
