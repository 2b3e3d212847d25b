"""The pane beside the text: what was found about one claim, or how the check stands."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from veracite.engine.words import Verdict
from veracite.tui.sheets import Quotation, quotation, verdict_head
from veracite.tui.widgets.quote import Quote

__all__ = ["Evidence"]

_ROOMY = 18
"""Rows from which on whole passages are shown."""
_SHORT_LEAD = 60
"""Characters before the quote where they are not."""

_Shown = Content | tuple[Verdict, int | None]
"""A text, or a verdict and how much of the passages comes before the quotes."""


class Evidence(VerticalScroll):
    """Shows one thing at a time, from its beginning."""

    def __init__(self, id: str) -> None:  # noqa: A002 (Textual's own name for it)
        super().__init__(id=id)
        self._head = Static(id="evidence-head")
        self._shown: _Shown | None = None

    def compose(self) -> ComposeResult:
        """What was found, and below it the quotes."""
        yield self._head

    def show(self, content: Content) -> None:
        """Show a text and no quotes."""
        self._show(content, content, ())

    def show_verdict(self, verdict: Verdict) -> None:
        """Show a verdict, why, and the passages it rests on; where room is scarce, from near the
        quote on."""
        lead = None if self.size.height >= _ROOMY else _SHORT_LEAD
        quotes = tuple(quotation(citation, lead) for citation in verdict.citations)
        self._show((verdict, lead), verdict_head(verdict), quotes)

    def on_resize(self) -> None:
        """Another height may show more or less of the passages."""
        if isinstance(self._shown, tuple):
            self.show_verdict(self._shown[0])

    def _show(
        self,
        what: _Shown,
        head: Content,
        quotes: tuple[Quotation, ...],
    ) -> None:
        if what == self._shown:
            return
        self._shown = what
        with self.app.batch_update():
            self.query(Quote).remove()
            self._head.update(head)
            self.mount_all(Quote(quote) for quote in quotes)
            self.scroll_home(animate=False)
