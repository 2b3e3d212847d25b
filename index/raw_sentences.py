"""The sentences of a raw text: where each stands in it, markup at its ends included.

Sentence borders are a function of the raw text alone: whoever asks again finds the same ones.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from veracite.index.cleaning import Markup, clean
from veracite.index.documents import Sentence, Span
from veracite.index.sentences import sentence_spans

_PIECE_BREAK = re.compile(
    r"""
      (?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)\s*                             # a blank line
    | (?:\r\n?|\n)(?=[ \t>]*(?:[-*+\u2022\u25cf\u25aa\u2013]|\d{1,3}[.)])[^\S\r\n]) # list item
    """,
    re.VERBOSE,
)
_MARKDOWN_MARKS = re.compile(
    r"(?:[ \t]*(?:>|\||(?:[-*+]|\d{1,3}[.)])(?=[ \t])|\[[ xX]\](?=[ \t])))*\s*"
)
_SPACE = re.compile(r"\s+")


def sentences(
    raw: str, start: int, end: int, pages: Sequence[int], extractor: str
) -> list[Sentence]:
    """The sentences of one passage.

    Args:
        raw: The document's whole raw text.
        start: Where the passage starts in ``raw``.
        end: Where it ends.
        pages: Where each page starts in ``raw``; empty where there are none.
        extractor: Name and version of the reader that made ``raw``.
    """
    markup = markup_of(extractor)
    found: list[Sentence] = []
    for span in raw_spans(raw, start, end, markup):
        text = clean(raw[span.start : span.end], markup).text
        if text:
            found.append(Sentence(span.start, span.end, page_of(pages, span.start), text))
    return found


def markup_of(extractor: str) -> Markup:
    """The notation of the raw text that the named extractor makes ("markdown/1", "pdf/1")."""
    return "markdown" if extractor.startswith("markdown/") else "none"


def page_of(pages: Sequence[int], position: int) -> int | None:
    """The page that a position of the raw text is on, if pages start anywhere."""
    return max(1, bisect_right(pages, position)) if pages else None


def raw_spans(raw: str, start: int, end: int, markup: Markup) -> Iterator[Span]:
    """The raw spans of the sentences in ``raw[start:end]``, markup at their ends included."""
    for piece in _pieces(raw, start, end, markup):
        if markup == "markdown":
            marks = _MARKDOWN_MARKS.match(raw, piece.start, piece.end)
            piece = Span(marks.end() if marks else piece.start, piece.end)
        cleaned = clean(raw[piece.start : piece.end], markup)
        spans = [cleaned.to_raw(span.start, span.end) for span in sentence_spans(cleaned.text)]
        position = piece.start
        for index, span in enumerate(spans):
            stop = piece.end
            if index + 1 < len(spans):
                # What cleaning took away between two sentences goes with the side it touches.
                gap_start = piece.start + span.end
                gap = raw[gap_start : piece.start + spans[index + 1].start]
                spaces = list(_SPACE.finditer(gap))
                stop = gap_start + (spaces[-1].start() if spaces else len(gap))
                following = gap_start + (spaces[-1].end() if spaces else len(gap))
            else:
                following = piece.end
            if found := stripped(raw, position, stop):
                yield found
            position = following


def _pieces(raw: str, start: int, end: int, markup: Markup) -> Iterator[Span]:
    """What a sentence never runs across: blank lines, list items, rows of a Markdown table."""
    position = start
    for match in _PIECE_BREAK.finditer(raw, start, end):
        yield from _rows(raw, position, match.start(), markup)
        position = match.end()
    yield from _rows(raw, position, end, markup)


def _rows(raw: str, start: int, end: int, markup: Markup) -> Iterator[Span]:
    """Lines with a pipe stand alone in Markdown: they are rows of a table."""
    position = start
    if markup == "markdown" and raw.find("|", start, end) >= 0:
        line_start = start
        for line in raw[start:end].splitlines(keepends=True):
            line_end = line_start + len(line)
            if "|" in line:
                if span := stripped(raw, position, line_start):
                    yield span
                if span := stripped(raw, line_start, line_end, " \t\r\n|"):
                    yield span
                position = line_end
            line_start = line_end
    if span := stripped(raw, position, end):
        yield span


def stripped(raw: str, start: int, end: int, marks: str | None = None) -> Span | None:
    """The stretch without white space, or the marks, at its ends; None if nothing is left."""
    text = raw[start:end]
    inner = text.strip(marks)
    if not inner:
        return None
    start += len(text) - len(text.lstrip(marks))
    return Span(start, start + len(inner))
