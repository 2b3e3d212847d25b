"""The first line: which text is checked against which documents."""

from textual.content import Content
from textual.widgets import Static

__all__ = ["TopLine"]


class TopLine(Static):
    """Veracite, the text, the documents."""

    def show(self, text: str, changed: bool, documents: str) -> None:
        """Name the text, say whether it differs from its file, name the documents."""
        self.update(
            Content.assemble(
                ("Veracite", "bold $primary"),
                "   ",
                (text, "bold"),
                (" (edited)" if changed else "", "$muted"),
                ("  against  ", "$muted"),
                documents,
            )
        )
