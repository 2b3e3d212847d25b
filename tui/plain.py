"""What is drawn on a terminal that does not write Unicode."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

__all__ = ["Plain"]

_INSTEAD = str.maketrans(
    {
        "✓": "+",
        "✗": "x",
        "·": ".",
        "○": "o",
        "≠": "#",
        "≈": "=",
        "∅": "-",
        "→": ">",
        "←": "<",
        "↑": "^",
        "↓": "v",
        "⏎": "=",
        "…": "~",
        "“": '"',
        "”": '"',
        "‘": "'",
        "’": "'",
        "–": "-",
        "—": "-",
        "•": "*",
        **dict.fromkeys("▸▶", ">"),
        **dict.fromkeys("▾▼", "v"),
        **dict.fromkeys("─━═▔▁▂▄▀▃▅▆▇▊", "-"),
        **dict.fromkeys("│┃║▏▎▌▐▕█▍▋▉", "|"),
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼╸╺╹╻", "+"),
    }
)
"""Each as wide as what it stands for."""


class Plain(LineFilter):
    """Draws with the characters that an encoding has; what it lacks becomes ``?``.

    Args:
        encoding: Of the terminal.
    """

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    def apply(self, segments: list[Segment], _background: Color) -> list[Segment]:
        """A line with other characters, as wide as before."""
        return [
            segment
            if segment.text.isascii()
            else Segment(self._written(segment.text), segment.style, segment.control)
            for segment in segments
        ]

    def _written(self, text: str) -> str:
        return "".join(self._characters(text.translate(_INSTEAD)))

    def _characters(self, text: str) -> Iterable[str]:
        for character in text:
            try:
                character.encode(self._encoding)
            except (UnicodeEncodeError, LookupError):
                yield "?" * cell_len(character)
            else:
                yield character
