"""A block of a draft, and the lines of the source that it stands in."""

import re
from dataclasses import dataclass
from typing import Literal

from veracite.index.documents import Span

DraftKind = Literal[
    "heading", "paragraph", "list_item", "table_head", "table_row", "code", "html", "footnote"
]
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")


@dataclass(frozen=True, slots=True)
class DraftBlock:
    """One block of a draft."""

    kind: DraftKind
    spans: tuple[Span, ...]
    """Its content in the source, markers left out: one span a line (of a table row, one a cell)."""
    level: int = 0
    """Of a heading, from 1."""
    depth: int = 0
    """How many lists it stands in."""


@dataclass(frozen=True, slots=True)
class SourceLines:
    """The lines of the source: where each starts and ends, line break left out."""

    source: str
    spans: tuple[Span, ...]

    def __getitem__(self, number: int) -> str:
        span = self.spans[number]
        return self.source[span.start : span.end]

    def locate(self, number: int, content: str) -> Span | None:
        """Where on a line its content stands, markers left out; None if blank or not found."""
        content = content.strip()
        if not content or number >= len(self.spans):
            return None
        found = self[number].replace("\0", "�").rfind(content)
        if found < 0:
            return None
        start = self.spans[number].start + found
        return Span(start, start + len(content))


def source_lines(source: str) -> SourceLines:
    """The lines of a draft, without a byte order mark, which would hide the first marker."""
    start = 1 if source.startswith("\ufeff") else 0
    spans = []
    for match in _LINE.finditer(source, start):
        if match.start() < len(source):
            spans.append(Span(match.start(), match.start() + len(match.group().rstrip("\r\n"))))
    return SourceLines(source, tuple(spans))
