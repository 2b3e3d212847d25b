"""A reader for what a search found: each passage with what stands before and after it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.tui.library_sheets import place
from veracite.tui.passage_sheet import parts
from veracite.tui.screens.passage import open_file
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings
    from veracite.index.documents import Passage

__all__ = ["LibraryReader"]


class LibraryReader(ModalScreen[None]):
    """One passage at a time.

    Args:
        passages: Of the hits, the best first.
        number: Which to begin with, from 0.
        fetch: Reads what stands around a passage; called beside the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter", "dismiss", "Close", key_display="esc"),
        Binding("n,right", "passage(1)", "Next hit"),
        Binding("p,left", "passage(-1)", "Previous hit"),
        Binding("o", "open", "Open the file"),
    ]

    def __init__(
        self,
        passages: Sequence["Passage"],
        number: int,
        fetch: Callable[["Passage"], "Surroundings"],
    ) -> None:
        super().__init__()
        self._passages = passages
        self._number = number
        self._fetch = fetch
        self._box = VerticalScroll(classes="box wide")
        self._parts = [Static(id=name) for name in ("before", "quote", "after")]

    @property
    def passage(self) -> "Passage":
        """The one that is shown."""
        return self._passages[self._number]

    def compose(self) -> ComposeResult:
        """A box that scrolls, the passage apart so that it can be scrolled to."""
        with self._box:
            yield from self._parts

    def on_mount(self) -> None:
        """Begin with the passage that was asked for."""
        self.action_passage(0)

    def action_passage(self, step: int) -> None:
        """Go to another hit, going round at the end."""
        self._number = (self._number + step) % len(self._passages)
        of = f"{self._number + 1} of {len(self._passages)}, n p"
        self._box.border_title = Content(place(self.passage))
        self._box.border_subtitle = f"{of}  o opens the file  Esc closes"
        self._read(self.passage)

    def action_open(self) -> None:
        """Open the file in the system's viewer."""
        self.run_worker(open_file(self.notify, self.passage.document.path))

    @work(exclusive=True)
    async def _read(self, passage: "Passage") -> None:
        try:
            found = await apart(partial(self._fetch, passage))
        except USER_ERRORS as error:
            self._show(
                Content.styled(neutralise(f"{error.message} {error.advice}"), "$text-error"),
                Content(neutralise(passage.text, lines=True)),
                Content(""),
            )
        else:
            self._show(*parts(found))

    def _show(self, *contents: Content) -> None:
        for static, content in zip(self._parts, contents, strict=True):
            static.update(content)
            static.display = bool(content.plain.strip())
        self.call_after_refresh(self._box.scroll_to_widget, self._parts[1], animate=False)
