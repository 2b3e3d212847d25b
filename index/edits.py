"""Edits of a text that keep the way back: every span of the result has its raw span."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from veracite.index.documents import Span

Role = Literal["", "opens", "mark"]


class Edit(NamedTuple):
    """Replace ``raw[start:end]`` by ``text``."""

    start: int
    end: int
    text: str = ""
    role: Role = ""
    """"opens": it belongs to what follows. "mark": a citation or the like, at what stands before;
    if punctuation follows, the space before it goes too."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Cleaned text and where each of its characters stood."""

    text: str
    at: tuple[int, ...]
    """Where each piece starts in ``text``, ascending, from 0."""
    raw: tuple[Span, ...]
    """The raw span of each piece."""
    verbatim: tuple[bool, ...]
    """Whether the piece is its raw span character by character, or stands for it as a whole."""

    def to_raw(self, start: int, end: int) -> Span:
        """The raw span of ``text[start:end]``; raises ValueError outside ``0..len(text)``."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no such span: {start}..{end} of {len(self.text)}")
        if start == end:
            here = self._span(start).start if start < len(self.text) else self._raw_end()
            return Span(here, here)
        return Span(self._span(start).start, self._span(end - 1).end)

    def from_raw(self, position: int) -> int:
        """How many characters of ``text`` end at or before this position of the raw text."""
        piece = bisect_right(self.raw, position, key=lambda span: span.end)
        if piece == len(self.raw):
            return len(self.text)
        into = position - self.raw[piece].start
        return self.at[piece] + (max(0, into) if self.verbatim[piece] else 0)

    def _raw_end(self) -> int:
        return self.raw[-1].end if self.raw else 0

    def _span(self, position: int) -> Span:
        piece = bisect_right(self.at, position) - 1
        span = self.raw[piece]
        if not self.verbatim[piece]:
            return span
        start = span.start + position - self.at[piece]
        return Span(start, start + 1)


def edited(raw: str, edits: Sequence[Edit]) -> Cleaned:
    """Apply edits, which are in order and do not overlap, and keep the way back."""
    parts: list[str] = []
    at: list[int] = []
    spans: list[Span] = []
    verbatim: list[bool] = []
    position = length = 0

    def keep(text: str, start: int, end: int, exact: bool) -> None:
        nonlocal length
        if text:
            parts.append(text)
            at.append(length)
            spans.append(Span(start, end))
            verbatim.append(exact)
            length += len(text)

    for edit in edits:
        keep(raw[position : edit.start], position, edit.start, True)
        keep(edit.text, edit.start, edit.end, False)
        position = edit.end
    keep(raw[position:], position, len(raw), True)
    return Cleaned("".join(parts), tuple(at), tuple(spans), tuple(verbatim))


def composed(outer: Cleaned, inner: Cleaned) -> Cleaned:
    """The way back from ``outer`` through ``inner``, whose text ``outer`` was made from."""
    at: list[int] = []
    spans: list[Span] = []
    verbatim: list[bool] = []
    for start, span, exact in zip(outer.at, outer.raw, outer.verbatim, strict=True):
        if not exact:
            at.append(start)
            spans.append(inner.to_raw(span.start, span.end))
            verbatim.append(False)
            continue
        piece = bisect_right(inner.at, span.start) - 1
        position = span.start
        while position < span.end:
            bound = inner.at[piece + 1] if piece + 1 < len(inner.at) else len(inner.text)
            stop = min(bound, span.end)
            at.append(start + position - span.start)
            spans.append(inner.to_raw(position, stop))
            verbatim.append(inner.verbatim[piece])
            position, piece = stop, piece + 1
    return Cleaned(outer.text, tuple(at), tuple(spans), tuple(verbatim))


def closed_up(raw: str, edits: Sequence[Edit]) -> list[Edit]:
    """The edits, with marks taking along the space before them where punctuation follows.

    "It grew [1], then" becomes "It grew, then".
    """
    result: list[Edit] = []
    following, border = "", len(raw)
    for number in range(len(edits) - 1, -1, -1):
        edit = edits[number]
        if edit.end < border:
            following = raw[edit.end]
        if edit.role == "mark" and not edit.text and following in _CLOSING:
            first = edits[number - 1].end if number else 0
            before = raw[first : edit.start]
            edit = edit._replace(start=first + len(before.rstrip()))
        following = edit.text[:1] or following
        border = edit.start
        result.append(edit)
    return result[::-1]


_CLOSING = frozenset(".,;:!?)")
