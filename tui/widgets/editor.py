"""Where the text is written, pasted and changed."""

import os
import re
from dataclasses import replace

from textual.widgets.text_area import Edit, EditResult

from veracite.engine.display import neutralise
from veracite.tui.flow import folded, longest_line
from veracite.tui.widgets.marked_text import MarkedText

__all__ = ["Editor"]

_OBEYED = re.compile("[^\t\u200c\u200d]+")
"""Everything but tabs and the joiners that Persian, Indic scripts and emoji are written with."""


class Editor(MarkedText):
    """Holds the text that is checked; claims that are untouched keep their colours."""

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id)
        self.placeholder = (
            "Paste or type the text that you want checked, or open a file with Ctrl+O. "
            "F5 checks it."
        )

    def check_consume_key(self, key: str, character: str | None = None) -> bool:
        """Whether the key writes something here; Textual forgets that Enter does."""
        return key == "enter" or super().check_consume_key(key, character)

    def edit(self, edit: Edit) -> EditResult:
        """Take an edit, whatever it holds made harmless; told where a line must be broken."""
        text = harmless(edit.text)
        fit = folded(text)
        if fit != text:
            self.notify(
                f"A line of {longest_line(text):,} characters is broken into several: no longer "
                "one can be edited here."
            )
        return super().edit(replace(edit, text=fit))

    def change(self, text: str) -> None:
        """Make the text read like this, in one edit."""
        old = self.text
        start = len(os.path.commonprefix([old, text]))  # noqa: RUF071 (characters are meant)
        rest = (old[start:][::-1], text[start:][::-1])
        tail = len(os.path.commonprefix(rest))  # noqa: RUF071
        self.history.checkpoint()
        self.replace(
            text[start : len(text) - tail],
            self.location_of(start),
            self.location_of(len(old) - tail),
        )
        self.history.checkpoint()

    def load_text(self, text: str) -> None:
        """Begin anew with this text, made harmless, its lines broken where they must be."""
        super().load_text(folded(harmless(text)))


def harmless(text: str) -> str:
    """The text with nothing in it that a terminal would obey, line ends as ``\\n``."""
    return _OBEYED.sub(lambda match: neutralise(match[0], lines=True), text)
