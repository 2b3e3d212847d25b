"""What a search finds: a list for each way of ranking, side by side where there is room."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui.keys import bindings
from veracite.tui.service import Found, advice
from veracite.tui.widgets.library_details import MODES, hit_text
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.index.documents import Evidence, Passage
    from veracite.index.retrieval import Mode


class HitList(OptionList):
    """The hits of one way of ranking, the best first.

    Args:
        mode: The way of ranking.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("hits")

    class Wanted(Message):
        """A hit is to be looked at closely.

        Args:
            passages: Of all the hits.
            number: Which of them, from 0.
            file: Whether its file is to be opened.
        """

        def __init__(self, passages: Sequence["Passage"], number: int, file: bool) -> None:
            super().__init__()
            self.passages = passages
            self.number = number
            self.file = file

    def __init__(self, mode: "Mode") -> None:
        super().__init__(id=f"hits-{mode}")
        self.mode = mode
        self._found: tuple[Evidence, ...] = ()

    def show(self, found: tuple["Evidence", ...], query: str) -> None:
        """List what was found for these words."""
        self._found = found
        self.clear_options()
        self.add_options([hit_text(item, query) for item in found])
        self.highlighted = 0 if found else None
        self.border_title = Content(f"{MODES[self.mode]} {len(found)}")

    def miss(self) -> None:
        """Say that this way of ranking has nothing to go by yet."""
        self.show((), "")
        self.border_title = Content(f"{MODES[self.mode]}: not encoded yet")

    def action_open(self) -> None:
        """Have the file of the highlighted hit opened."""
        self._want(file=True)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Have the hit shown in its surroundings."""
        event.stop()
        self._want(file=False)

    def _want(self, *, file: bool) -> None:
        if self.highlighted is not None:
            passages = [item.passage for item in self._found]
            self.post_message(self.Wanted(passages, self.highlighted, file))


class LibraryHits(Horizontal):
    """Every way of ranking; a narrow screen has room for one, ``mode``.

    Args:
        search: Looks in a library for words; called beside the screen.
    """

    def __init__(self, search: Callable[[str, str], Found]) -> None:
        super().__init__(id="hits")
        self._search = search
        self._wanted = self._found = ("", "")
        """The library and the words that are looked for, and those whose hits are shown."""
        self._searching = False
        self._lists: dict[Mode, HitList] = {mode: HitList(mode) for mode in MODES}
        self.mode: Mode = "hybrid"

    def compose(self) -> ComposeResult:
        """One list beside the other."""
        yield from self._lists.values()

    def on_mount(self) -> None:
        """Nothing is found yet."""
        self._show({})
        self._mark()

    def look_for(self, library: str, query: str) -> None:
        """Show what a library has for some words, and nothing for none.

        One search runs at a time; of those that are wanted meanwhile only the last one follows.
        """
        self._wanted = (library, query)
        if not self._searching:
            self._searching = True
            self._follow()

    def look_again(self) -> None:
        """The same words may find something else now."""
        self._found = ("", "")
        self.look_for(*self._wanted)

    @work
    async def _follow(self) -> None:
        while self._wanted != self._found:
            library, query = wanted = self._wanted
            try:
                found = await apart(partial(self._search, library, query)) if query else {}
            except USER_ERRORS as error:
                message = neutralise(f"{error.message} {advice(error)}")
                self.notify(message, severity="error", markup=False)
                found = {}
            self._found = wanted
            self._show(found)
        self._searching = False

    @property
    def current(self) -> HitList:
        """The list of the way of ranking that is looked at."""
        return self._lists[self.mode]

    def _show(self, found: Found) -> None:
        for mode, hits in self._lists.items():
            if found and mode not in found:
                hits.miss()
            else:
                hits.show(found.get(mode, ()), self._found[1])

    def turn(self) -> None:
        """Go to the next way of ranking."""
        modes = list(self._lists)
        focused = self.current.has_focus
        self.mode = modes[(modes.index(self.mode) + 1) % len(modes)]
        self._mark()
        if focused:
            self.current.focus()

    def _mark(self) -> None:
        for mode, hits in self._lists.items():
            hits.set_class(mode == self.mode, "-current")
