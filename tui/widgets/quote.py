"""One citation: where it stands and the passage around the quoted sentence."""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from veracite.tui.claim_sheet import Quotation

__all__ = ["Quote"]


class Quote(Vertical):
    """Its class (``-supports``, ``-contradicts``, ``-nearest``) colours the bar beside it."""

    def __init__(self, quotation: Quotation) -> None:
        super().__init__(classes=f"-{quotation.relation}")
        self.quotation = quotation

    def compose(self) -> ComposeResult:
        """The place above, the passage below."""
        yield Static(self.quotation.head, classes="place")
        yield Static(self.quotation.passage, classes="passage")
