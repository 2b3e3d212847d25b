"""Raw text to the text that is indexed and judged, with a way back.

Per character, so that every cleaned span has its raw span: whitespace runs become one space, words
hyphenated at a line's end are joined, invisible and control characters are dropped, ligatures are
expanded. Nothing is composed or decomposed (NFC would move text between characters).

A word broken as "informa-\\ntion" loses its hyphen if both halves are lower-case letters and it is
no likely compound: neither half is one that commonly makes them ("well-\\nknown", "fact-\\nbased"),
and not both halves are common words while the whole is not ("data-\\ndriven"; the common words are
those of ``punkt.json``). Every other hyphen at a line's end stays, without the line break
("Anglo-\\nSaxon", "1990-\\n1995").
"""

import json
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import attrgetter
from typing import Literal, NamedTuple

from veracite.index.documents import Span
from veracite.index.markup import NUMBERS, TERMINAL, Edit, notation

Markup = Literal["none", "markdown"]

_INVISIBLE = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e0fff"
)
_SPECIAL = re.compile(
    rf"""
    (?=[-\u2010\[\s{_INVISIBLE}\ufb00-\ufb06])(?![ ][^\s{_INVISIBLE}](?<=[^\s{_INVISIBLE}][ ].))(?:
      (?P<hyphen>(?<=[^\W\d_])[-\u2010\u00ad][{_INVISIBLE}]*[ \t]*(?:\r\n?|\n)[ \t]*(?=[^\W_]))
    | (?P<mark>(?<=[^\s\[({{{_INVISIBLE}])\[{NUMBERS}\])
    | (?P<blank>(?!(?<=[^\s{_INVISIBLE}])[ ](?![\s{_INVISIBLE}]|\Z))
        (?:{TERMINAL}|[\s{_INVISIBLE}])+)
    | (?P<ligature>[\ufb00-\ufb06])
    )
    """,
    re.VERBOSE,
)
_WORD_BEFORE = re.compile(r"[^\W\d_]+\Z")
_WORD_AFTER = re.compile(r"[^\W_]+")

_COMPOUND_FIRST = frozenset(
    "after all anti bi co cost counter cross decision deep double drug e early evidence ex"
    " far fast first five follow four front full government half hand hard heat high home ill"
    " in know large late left life light line long low machine mid middle mother multi near"
    " new non off old on one open over own post pre pro purpose quasi real right second self"
    " semi seven short single six small so state sub super ten third three time trade two"
    " ultra up user water well wide world year".split()
)
_COMPOUND_LAST = frozenset(
    "aged based born by century day dependent driven due edge effective free friendly grade"
    " in induced known led length level like line made making mile minded minute month off old"
    " only out owned page party point proof quality range rate related rich round run scale"
    " sensitive side size specific standing style term third thirds time to type up value wide"
    " wing year".split()
)
_CLOSING = frozenset(".,;:!?)")
_SUSPENDED = frozenset(["and", "or", "to", "und", "et"])


class Piece(NamedTuple):
    """A stretch of cleaned text and where it stood."""

    at: int
    """Where it starts in the cleaned text."""
    start: int
    end: int
    """Its raw span."""
    verbatim: bool
    """Whether it is its raw span character by character, or stands for it as a whole."""


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Cleaned text and where each of its characters stood."""

    text: str
    pieces: tuple[Piece, ...]
    """In order; together they are the text."""

    def to_raw(self, start: int, end: int) -> Span:
        """The raw span of ``text[start:end]``; raises ValueError outside ``0..len(text)``."""
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"no such span: {start}..{end} of {len(self.text)}")
        if start == end == len(self.text):
            raw_end = self.pieces[-1].end if self.pieces else 0
            return Span(raw_end, raw_end)
        first = self._character(start)
        return Span(first.start, self._character(end - 1).end if end > start else first.start)

    def _character(self, position: int) -> Span:
        piece = self.pieces[bisect_right(self.pieces, position, key=attrgetter("at")) - 1]
        if not piece.verbatim:
            return Span(piece.start, piece.end)
        start = piece.start + position - piece.at
        return Span(start, start + 1)

    def from_raw(self, position: int) -> int:
        """How many characters of ``text`` end at or before this position of the raw text."""
        number = bisect_right(self.pieces, position, key=attrgetter("end"))
        if number == len(self.pieces):
            return len(self.text)
        piece = self.pieces[number]
        return piece.at + (max(0, position - piece.start) if piece.verbatim else 0)


def clean(raw: str, markup: Markup = "none") -> Cleaned:
    """Clean one stretch of raw text; offsets in the result count from the stretch's start.

    Args:
        raw: Any text, hostile or not.
        markup: What notation the raw text is in; "markdown" takes its inline markup away too.
    """
    if markup == "markdown":
        return clean_with(raw, notation(raw).edits)
    return edited(raw, _edits(raw))


def clean_with(raw: str, edits: Sequence[Edit]) -> Cleaned:
    """Clean a stretch of raw text whose notation and citation marks these edits take away."""
    first = edited(raw, closed_up(raw, edits))
    return composed(edited(first.text, _edits(first.text, marks=False)), first)


def _edits(raw: str, *, marks: bool = True) -> list[Edit]:
    edits: list[Edit] = []
    for match in _SPECIAL.finditer(raw):
        start, end = match.span()
        kind = match.lastgroup
        if kind == "hyphen":
            edits.append(Edit(start, end, _joint(raw, start, end)))
        elif kind == "mark":
            edits += [Edit(start, end)] if marks else []
        elif kind == "ligature":
            edits.append(Edit(start, end, unicodedata.normalize("NFKD", match.group())))
        elif start == 0 or end == len(raw) or not any(map(str.isspace, match.group())):
            edits.append(Edit(start, end, ""))
        else:
            edits.append(Edit(start, end, " "))
    return edits


def _joint(raw: str, start: int, end: int) -> str:
    """What stands between the two halves of a word that a line's end broke at a hyphen."""
    if raw[start] == "\u00ad":
        return ""
    before_match = _WORD_BEFORE.search(raw, max(0, start - 40), start)
    after_match = _WORD_AFTER.match(raw, end)
    before = before_match.group() if before_match else ""
    after = after_match.group() if after_match else ""
    if after in _SUSPENDED:
        return "- "
    compound = before in _COMPOUND_FIRST or after in _COMPOUND_LAST
    common = _common_words()
    if len(before) > 2 and len(after) > 2 and before in common and after in common:
        compound = compound or before + after not in common
    broken = before.islower() and after.isalpha() and after.islower() and len(before) > 1
    # "up-to-\ndate": the word before the break is itself the tail of a compound.
    chained = start - len(before) > 0 and raw[start - len(before) - 1] in "-\u2010"
    return "" if broken and not compound and not chained else "-"


@cache
def _common_words() -> frozenset[str]:
    stored = json.loads(files("veracite.index").joinpath("punkt.json").read_text("utf-8"))
    return frozenset(stored["ortho_context"])


def edited(raw: str, edits: Sequence[Edit]) -> Cleaned:
    """Apply edits, which are in order and do not overlap, and keep the way back."""
    parts: list[str] = []
    pieces: list[Piece] = []
    position = length = 0
    for edit in (*edits, Edit(len(raw), len(raw))):
        kept, made = raw[position : edit.start], edit.text
        if kept:
            parts.append(kept)
            pieces.append(Piece(length, position, edit.start, True))
        if made:
            parts.append(made)
            pieces.append(Piece(length + len(kept), edit.start, edit.end, False))
        position, length = edit.end, length + len(kept) + len(made)
    return Cleaned("".join(parts), tuple(pieces))


def composed(outer: Cleaned, inner: Cleaned) -> Cleaned:
    """The way back from ``outer`` through ``inner``, whose text ``outer`` was made from."""
    pieces: list[Piece] = []
    for piece in outer.pieces:
        if not piece.verbatim:
            span = inner.to_raw(piece.start, piece.end)
            pieces.append(Piece(piece.at, span.start, span.end, False))
            continue
        number = bisect_right(inner.pieces, piece.start, key=attrgetter("at")) - 1
        position = piece.start
        while position < piece.end:
            last = number + 1 == len(inner.pieces)
            bound = len(inner.text) if last else inner.pieces[number + 1].at
            stop = min(bound, piece.end)
            span = inner.to_raw(position, stop)
            at = piece.at + position - piece.start
            pieces.append(Piece(at, span.start, span.end, inner.pieces[number].verbatim))
            position, number = stop, number + 1
    return Cleaned(outer.text, tuple(pieces))


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
