"""The pane beside the text: what was found about one claim, or how the check stands."""

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from veracite.engine.words import Verdict
from veracite.tui.claim_sheet import comparisons, quotation, verdict_head
from veracite.tui.widgets.quote import Quote
from veracite.tui.widgets.side_by_side import SideBySide

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
        if self._shown != content:
            self._shown = content
            self._fill(content)

    def show_verdict(self, verdict: Verdict) -> None:
        """Show a verdict, why, what stands against what, and the passages it rests on; where room
        is scarce, from near the quote on."""
        lead = None if self.size.height >= _ROOMY else _SHORT_LEAD
        if self._shown != (verdict, lead):
            self._shown = (verdict, lead)
            claim = verdict.claim.statement
            quotes = (Quote(quotation(each, claim, lead)) for each in verdict.citations)
            self._fill(verdict_head(verdict), *map(SideBySide, comparisons(verdict)), *quotes)

    def on_resize(self) -> None:
        """Another height may show more or less of the passages."""
        self.set_class(self.size.height < _ROOMY, "-scarce")
        if isinstance(self._shown, tuple):
            self.show_verdict(self._shown[0])

    def _fill(self, head: Content, *below: Widget) -> None:
        with self.app.batch_update():
            self.query("SideBySide, Quote").remove()
            self._head.update(head)
            self.mount_all(below)
            self.scroll_home(animate=False)
