"""How an answer came about: one line with what it cost, the whole story when it is unfolded."""

from collections.abc import Sequence

from textual.content import Content
from textual.markup import escape
from textual.widgets import Collapsible, Static

from veracite.engine.tracing.story import Ending
from veracite.engine.tracing.trace import Entry, Gap
from veracite.tui import conversation_sheets as sheets

__all__ = ["Trace"]


class Trace(Collapsible):
    """The story is told only where it is looked at."""

    def __init__(self) -> None:
        self._story = _Story()
        super().__init__(self._story, title="")

    def show(self, cost: str, entries: Sequence[Entry | Gap], ending: Ending) -> None:
        """What it cost, and what the story is told from; told anew where it is looked at.

        Args:
            ending: Said where there is no result.
        """
        self.title = escape(cost)
        news = (len(entries), ending) != (len(self._story.entries), self._story.ending)
        self._story.entries, self._story.ending = tuple(entries), ending
        if news and not self.collapsed:
            self._story.tell()

    @property
    def told(self) -> str:
        """The story, as far as it was looked at."""
        return str(self._story.content)

    def _watch_collapsed(self, collapsed: bool) -> None:
        if not collapsed:
            self._story.tell()
        super()._watch_collapsed(collapsed)


class _Story(Static):
    """Cut into lines as wide as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: Sequence[Entry | Gap] = ()
        self.ending: Ending = "going on"
        self._width = 0
        """Of what was told last; 0 while nothing was."""

    def on_resize(self) -> None:
        """Other lines, where there is another width."""
        if self._width and self._width != self.size.width:
            self.tell()

    def tell(self) -> None:
        """The story as far as it has come."""
        self._width = self.size.width or self.app.size.width
        nothing = Content("Nothing has happened yet.")
        told = sheets.story(self.entries, self.ending, self._width)
        self.update(told if self.entries else nothing)
