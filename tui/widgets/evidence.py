"""The pane beside the text: what was found about one claim, or how the check stands."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from veracite.engine.words import Verdict
from veracite.tui.sheets import quotation, verdict_head
from veracite.tui.widgets.quote import Quote

__all__ = ["Evidence"]


class Evidence(VerticalScroll):
    """Shows one thing at a time, from its beginning."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._head = Static(id="evidence-head")
        self._shown: object = None

    def compose(self) -> ComposeResult:
        """What was found, and below it the quotes."""
        yield self._head

    def show(self, content: Content) -> None:
        """Show a text and no quotes."""
        self._show(content, content, ())

    def show_verdict(self, verdict: Verdict) -> None:
        """Show a verdict, why, and the passages it rests on."""
        quotes = tuple(Quote(quotation(citation)) for citation in verdict.citations)
        self._show(verdict, verdict_head(verdict), quotes)

    def _show(self, what: object, head: Content, quotes: tuple[Quote, ...]) -> None:
        if what == self._shown:
            return
        self._shown = what
        with self.app.batch_update():
            self.query(Quote).remove()
            self._head.update(head)
            self.mount_all(quotes)
            self.scroll_home(animate=False)
