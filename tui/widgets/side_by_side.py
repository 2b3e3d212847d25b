"""Two texts side by side, such as what the claim says and what the document says."""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from veracite.tui.claim_sheet import Comparison

__all__ = ["SideBySide"]


class SideBySide(Vertical):
    """Each takes half of the width, as many lines as it needs."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(classes="-titled" if comparison.title else None)
        self.comparison = comparison

    def compose(self) -> ComposeResult:
        """The title, if there is one, above both."""
        if self.comparison.title is not None:
            yield Static(self.comparison.title)
        with Horizontal():
            yield Static(self.comparison.left)
            yield Static(self.comparison.right, classes="right")
