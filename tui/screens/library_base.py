"""What the Library room is made of, and how it shows what it knows."""

import threading
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import ContentSwitcher, Footer, Input, OptionList
from textual.widgets.option_list import Option

from veracite.engine.errors import USER_ERRORS
from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.tui import library_sheets as sheets
from veracite.tui.advice import advice
from veracite.tui.engine import Against
from veracite.tui.reencoder import EncodesAnew, State
from veracite.tui.screens.library_keys import LIBRARY_KEYS
from veracite.tui.shelf import Holding, Shelf
from veracite.tui.widgets.anew_line import AnewLine
from veracite.tui.widgets.library_details import LibraryDetails
from veracite.tui.widgets.library_hits import LibraryHits
from veracite.tui.widgets.library_status import LibraryStatus
from veracite.tui.widgets.panes import BREAKPOINTS
from veracite.tui.widgets.room_bar import RoomBar
from veracite.tui.worker import Runner, apart

__all__ = ["LibraryBase"]


class LibraryBase(Screen[None]):
    """The libraries at the left, the one that is chosen at the right; hits while one searches.

    Args:
        shelf: Has the libraries.
        turn: Held while the engine works.
        in_use: What Check and Ask go by now.
        use: Has both rooms go by others.
        chosen: The name of the library to look at first; None is the first one.
    """

    # Textual declares it in a way that mypy takes for an instance's.
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    BINDINGS: ClassVar[list[BindingType]] = [*LIBRARY_KEYS]

    def __init__(
        self,
        shelf: Shelf,
        turn: threading.Lock,
        in_use: Callable[[], Against],
        use: Callable[[Against], Awaitable[None]],
        chosen: str | None = None,
    ) -> None:
        super().__init__()
        self.holdings: tuple[Holding, ...] = ()
        self._listed = False
        """Whether it is known which libraries there are."""
        self.runner = Runner(shelf.cancel, self.post_message, turn)
        self._shelf = shelf
        self._turn = turn
        self._in_use = in_use
        self._use = use
        self._chosen = chosen
        self._behind: Mapping[Path, int] | None = None
        """The changes since the last sync, of the library that is looked at."""
        self._working = False
        self._last_word = ""
        """What came of the work that is over."""
        self._last_failed = False
        self._reencoder = shelf.reencoder if isinstance(shelf, EncodesAnew) else None
        self._anew: State | None = None
        """How far a library is encoded anew, as it is shown."""
        self.top = RoomBar("library", id="top")
        self.input = Input(placeholder="/ searches this library", id="search", compact=True)
        self.list = OptionList(id="libraries")
        self.details = LibraryDetails()
        self.hits = LibraryHits(shelf.search)
        self.status = LibraryStatus(id="status")
        self.anew = AnewLine(id="anew")

    def compose(self) -> ComposeResult:
        """The search above; below it what is there, or what is found."""
        yield self.top
        yield self.input
        with ContentSwitcher(initial="shelf", id="body"):
            with Horizontal(id="shelf"):
                yield self.list
                yield self.details
            yield self.hits
        yield self.anew
        yield self.status
        yield Footer(compact=True, show_command_palette=False)

    @property
    def chosen(self) -> Holding | None:
        """The library that is looked at."""
        return next((held for held in self.holdings if held.name == self._chosen), None)

    # What is read beside the screen

    @work(group="holdings", exclusive=True)
    async def _look_again(self) -> None:
        try:
            self.holdings, self._listed = await apart(self._shelf.holdings), True
        except USER_ERRORS as error:
            self.status.say(f"{error.message} {advice(error)}", error=True)
            return
        names = [held.name for held in self.holdings]
        if self._chosen not in names:
            self._chosen = names[0] if names else None
        if not self._working:
            self.status.say(self._last_word, error=self._last_failed)
        self._show_list()
        self._show_chosen()

    @work(group="behind", exclusive=True)
    async def _read_behind(self, name: str) -> None:
        try:
            behind = await apart(partial(self._shelf.behind, name))
        except USER_ERRORS:  # what is wrong with the library is shown already
            return
        if name == self._chosen:
            self._behind = behind
            self.details.show(self.chosen, behind)

    # What is shown

    def _show_list(self) -> None:
        names = [held.name for held in self.holdings]
        used = self._in_use() or DEFAULT_LIBRARY
        self.list.clear_options()
        self.list.add_options(
            Option(sheets.summary(held, held.name == used), id=held.name) for held in self.holdings
        )
        self.list.highlighted = names.index(self._chosen) if self._chosen else None
        self.list.display = bool(names)

    def _show_chosen(self) -> None:
        self.top.about(sheets.subject(self._chosen))
        self.input.disabled = self.chosen is None
        self.refresh_bindings()
        self.details.show(self.chosen, self._behind)
        if self.chosen and self.chosen.status:
            self._read_behind(self.chosen.name)

    def _required(self) -> Holding | None:
        """The library that is looked at; told if there is none."""
        if self.chosen is None:
            self.notify(self._why_none())
        return self.chosen

    def _why_none(self) -> str:
        if self._listed:
            return "There is no library yet: a adds a folder or a file."
        return "The libraries are not listed yet; the line at the bottom says why."
