"""Searching the library that is looked at, and reading what is found."""

from functools import partial

from textual import on
from textual.widgets import ContentSwitcher, Input

from veracite.engine.libraries import DEFAULT_LIBRARY
from veracite.tui.screens.library_base import LibraryBase
from veracite.tui.screens.library_reader import LibraryReader
from veracite.tui.screens.passage import open_file
from veracite.tui.widgets.library_hits import HitList

__all__ = ["SearchActions"]


class SearchActions(LibraryBase):
    """The part of the Library room that is about the search and its hits."""

    def action_search(self) -> None:
        """Go to the search."""
        if self._required():
            self.input.focus()

    def action_ranking(self) -> None:
        """Look at the hits of the next way of ranking."""
        self.hits.turn()

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.hits.look_for(self._chosen or "", event.value.strip())
        self.query_one(ContentSwitcher).current = "hits" if event.value else "shelf"
        self.refresh_bindings()

    @on(Input.Submitted, "#search")
    def _into_hits(self) -> None:
        self.hits.current.focus()

    @on(HitList.Wanted)
    def _hit(self, event: HitList.Wanted) -> None:
        if event.file:
            path = event.passages[event.number].document.path
            self.run_worker(open_file(self.notify, path))
        else:
            fetch = partial(self._shelf.around, self._chosen or DEFAULT_LIBRARY)
            self.app.push_screen(LibraryReader(event.passages, event.number, fetch))
