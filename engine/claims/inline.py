"""A draft's block to plain prose that still knows where each character stood.

A thin layer over ``veracite.index.cleaning``: it joins the lines of a block and takes away what is
the draft's own and no part of what it says: citation marks, images, links that only name a source.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from veracite.engine.claims.marks import MARKDOWN_DRAFT, PLAIN_DRAFT
from veracite.index.cleaning import Cleaned, clean_with
from veracite.index.documents import Span
from veracite.index.markup import Edit, Link, notation


@dataclass(frozen=True, slots=True)
class Removed:
    """A stretch of the source that the prose leaves out (a citation mark, an emphasis marker)."""

    start: int
    end: int
    leads: bool
    """True if it belongs to what follows (an opening marker), False if to what stands before."""


@dataclass(frozen=True, slots=True)
class Prose:
    """Plain text of one block."""

    text: str
    """One line: no markup, no citation marks, no control characters, single spaces."""
    breaks: tuple[int, ...]
    """Positions in ``text`` where a line that was meant to end does end, ascending."""
    removed: tuple[Removed, ...]
    """In order of position, not overlapping."""
    links_only: bool
    """True if every word of it stands in a link."""
    cleaned: Cleaned
    """The text's way back to the block."""
    lines: "_Lines"
    """The block's way back to the source."""

    def span(self, start: int, end: int) -> Span:
        """Where ``text[start:end]``, which is not empty, stands in the source."""
        return self.lines.to_source(self.cleaned.to_raw(start, end))


_SOURCE_LINK = re.compile(
    r"\(?(?:[\w-]+\.)+[a-z]{2,10}(?:/\S*)?\)?|sources?|link|ref(?:erence)?", re.I
)


def to_prose(source: str, spans: Sequence[Span], *, markdown: bool = True) -> Prose:
    """The prose of a block whose content stands at ``spans`` of the source, one span a line.

    Args:
        markdown: False keeps every character but citation marks and what is invisible.
    """
    lines = _Lines(span for span in spans if span.start < span.end)
    block = "\n".join(source[span.start : span.end] for span in lines.spans)
    found = notation(block, MARKDOWN_DRAFT if markdown else PLAIN_DRAFT)
    edits = _without_sources(block, found.edits, found.links)
    cleaned = clean_with(block, edits)
    ends = _line_ends(block, edits) + (_hard_breaks(source, lines) if markdown else [])
    breaks = {cleaned.from_raw(position) for position in ends}
    removed = []
    for edit in edits:
        if not edit.text:
            span = lines.to_source(Span(edit.start, edit.end))
            removed.append(Removed(span.start, span.end, edit.role == "opens"))
    return Prose(
        cleaned.text,
        tuple(position for position in sorted(breaks) if 0 < position < len(cleaned.text)),
        tuple(removed),
        _links_only(cleaned, found.links),
        cleaned,
        lines,
    )


class _Lines:
    """The lines of a block: from positions in their text, joined, to positions in the source."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.spans = tuple(spans)
        self.firsts: list[int] = []
        """Where each line starts in their text."""
        position = 0
        for span in self.spans:
            self.firsts.append(position)
            position += span.end - span.start + 1

    def to_source(self, span: Span) -> Span:
        """The source's span of a span that is not empty."""
        return Span(self._position(span.start), self._position(span.end - 1) + 1)

    def _position(self, position: int) -> int:
        line = bisect_right(self.firsts, position) - 1
        return min(self.spans[line].start + position - self.firsts[line], self.spans[line].end)


def _without_sources(block: str, edits: Sequence[Edit], links: Sequence[Link]) -> list[Edit]:
    """The edits, with images and links to a mere source ("[source](...)") taken away whole."""
    kept = list(reversed(edits))
    result: list[Edit] = []
    end = 0
    for link in links:
        shown = block[link.shown.start : link.shown.end].strip(" *_`")
        named = link.shown.start > link.start and _SOURCE_LINK.fullmatch(shown)
        if link.start < end or not (link.is_image or named):
            continue
        start, end = link.start, link.end
        if block[start - 1 : start] == "(" and block[end : end + 1] == ")":
            start, end = start - 1, end + 1
        while kept and kept[-1].start < start:
            result.append(kept.pop())
        while kept and kept[-1].start < end:
            kept.pop()
        result.append(Edit(start, end, role="mark"))
    return result + kept[::-1]


def _links_only(cleaned: Cleaned, links: Sequence[Link]) -> bool:
    outside, position = [], 0
    for link in links:
        outside.append(cleaned.text[position : cleaned.from_raw(link.shown.start)])
        position = max(position, cleaned.from_raw(link.shown.end))
    outside.append(cleaned.text[position:])
    words = any(map(str.isalnum, cleaned.text))
    return words and not any(any(map(str.isalnum, part)) for part in outside)


def _hard_breaks(source: str, lines: _Lines) -> list[int]:
    """Line ends after two spaces, which the lines' spans leave out."""
    following = zip(lines.spans[1:], lines.firsts[1:], strict=True)
    return [
        first - 1
        for line, (after, first) in zip(lines.spans, following, strict=False)
        if source.startswith("  ", line.end) and not source[after.start].islower()
    ]


_OPEN_ENDED = re.compile(
    r"(?:[,;:(–—-]|\b(?:a|an|the|of|in|on|at|to|by|for|from|with|and|or|but|as|that|which|is|was|are|were))$",
    re.I,
)


# "Aircraft Make: Cessna", a line of a form.
_FIELD = re.compile(r"[*_]{0,3}[A-Z][^:.!?,;]{1,60}:(?!//)(?=[*_\s]|$)")


def _line_ends(block: str, edits: Sequence[Edit]) -> list[int]:
    """Where lines end on purpose: hard breaks, and line ends that are no mere wrapping."""
    found = _intended_breaks(block)
    for edit in edits:
        # A line that goes on in small letters goes on with its sentence; a new block does not.
        goes_on = block[edit.end : edit.end + 2].strip()[:1].islower()
        if edit.text == "\n\n" or (edit.text == "\n" and not goes_on):
            found.append(edit.start)
    return found


def _intended_breaks(block: str) -> list[int]:
    """Positions of line ends that are no mere wrapping: titles, addresses, verse, lists.

    A line was not wrapped if the next word would have fitted on it, and it ends like something
    complete while the next one starts like something new.
    """
    lines = block.split("\n")
    width = max(map(len, lines))
    found, position = [], 0
    for line, following in pairwise(lines):
        position += len(line) + 1
        words = following.split(maxsplit=1)
        stripped = line.strip()
        if _FIELD.match(stripped) and _FIELD.match(following.strip()):
            found.append(position - 1)
            continue
        if not words or not stripped or _OPEN_ENDED.search(stripped):
            continue
        bullet = words[0] in "•‣▪●◦–—-*·"
        fits = len(line.rstrip()) + 1 + len(words[0]) <= 0.6 * width
        if bullet or (fits and (words[0][0].isupper() or words[0][0].isdigit())):
            found.append(position - 1)
    return found
