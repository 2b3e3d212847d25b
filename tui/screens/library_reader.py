"""A reader for what a search found: each passage with what stands before and after it."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content

from veracite.tui.library_sheets import place
from veracite.tui.screens.around import AroundScreen
from veracite.tui.screens.passage import open_file

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings
    from veracite.index.documents import Passage

__all__ = ["LibraryReader"]


class LibraryReader(AroundScreen):
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

    @property
    def passage(self) -> "Passage":
        """The one that is shown."""
        return self._passages[self._number]

    def on_mount(self) -> None:
        """Begin with the passage that was asked for."""
        self.action_passage(0)

    def action_passage(self, step: int) -> None:
        """Go to another hit, going round at the end."""
        self._number = (self._number + step) % len(self._passages)
        of = f"{self._number + 1} of {len(self._passages)}, n p"
        self._box.border_title = Content(place(self.passage))
        self._box.border_subtitle = f"{of}  o opens the file  Esc closes"
        self.read(partial(self._fetch, self.passage), self.passage.text)

    def action_open(self) -> None:
        """Open the file in the system's viewer."""
        self.run_worker(open_file(self.notify, self.passage.document.path))
