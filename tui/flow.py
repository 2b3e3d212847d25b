"""Line breaks taken out of paragraphs and put into lines, for a pane of any width."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

__all__ = ["broken", "flow", "folded", "longest_line"]

_SHORTEST = 40
"""Characters; a line that ends before is no full line, so its end was meant."""
_FENCE = re.compile(r"\s*(```|~~~)")
_APART = re.compile(r"\s*$|\s*([#>|]|[-*+]\s|\d+[.)]\s|```|~~~|={3,}|-{3,})|\t| {4}")
"""Lines that begin something of their own: blank lines and Markdown's blocks."""
_ENDS = re.compile(r"\s*[#|].*|.*(  |\\)", re.DOTALL)
"""Headings and tables, and lines whose end Markdown keeps."""


_LONGEST = 1_000
"""Characters of a line that is drawn in no time; each row of it costs what the line is long."""
_FOLDED_AT = 5_000
"""Characters of a line that can be edited; each key costs what the line is long."""


def longest_line(text: str) -> int:
    """Characters of the longest line."""
    return max(map(len, text.split("\n")))


def folded(text: str) -> str:
    """The text with no line longer than can be edited: a line break for a space, or, where there is
    none, between two characters."""
    if len(text) <= _FOLDED_AT:
        return text
    return "\n".join(piece for line in text.split("\n") for piece in _pieces(line))


def _pieces(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > _FOLDED_AT:
        space = line.rfind(" ", start + 1, start + _FOLDED_AT + 1)
        end = space if space > 0 else start + _FOLDED_AT
        yield line[start:end]
        start = end + (space > 0)
    yield line[start:]


def broken(text: str, starts: Sequence[int]) -> str:
    """The text with a line break for the space before some of these places, so that no line is much
    longer than is good for drawing it; no offset changes.

    Args:
        starts: Where sentences start, in order.
    """
    pieces, done, line = [], 0, 0
    for start in starts:
        line = max(line, text.rfind("\n", line, start) + 1)
        if start - line > _LONGEST and text[start - 1] == " ":
            pieces.append(text[done : start - 1])
            done = line = start
    return "\n".join([*pieces, text[done:]])


def flow(text: str) -> str:
    """The text with a space for each line break inside a paragraph; no offset changes."""
    lines = text.split("\n")
    code = False
    joints = []
    for line, following in pairwise([*lines, ""]):
        if _FENCE.match(line):
            code = not code
        kept = code or len(line) < _SHORTEST or _APART.match(following) or _ENDS.fullmatch(line)
        joints.append("\n" if kept else " ")
    return "".join(line + joint for line, joint in zip(lines, joints, strict=True))[:-1]
