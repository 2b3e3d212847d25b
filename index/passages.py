"""Blocks to passages of about 100 words, cut on sentence borders; and passages to sentences.

A passage never runs over a heading. Small blocks of a section are joined, long ones cut. Sentence
borders are a function of the raw text alone: whoever asks again, without knowing the blocks, finds
the same ones.
"""

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from operator import attrgetter
from string import ascii_uppercase

from veracite.index.cleaning import Markup, clean
from veracite.index.documents import BAR, Block, Cell, Cut, Extraction, Sentence, Span
from veracite.index.sentences import sentence_spans, stripped

TARGET_WORDS = 100
"""Words of a passage, as in CEG section 3.2."""
MOST_WORDS = 150
"""No passage has more; a longer sentence is cut."""
_CHARACTERS_PER_WORD = 10
"""So that scripts without spaces and endless tokens are cut as well."""
_HEADING_CHARACTERS = 200
_FEW_WORDS = 25
_LEADER = re.compile(r"(?<!\.)(?<!\.[ \t])(?:\.[ \t]?){4,}+[ \t]*(\d{1,4})[ \t]*$", re.M)
"""The dots that lead to a page number, at a line's end."""
_FEWEST_ENTRIES, _MOST_BETWEEN = 5, 3
"""Of a table of contents: entries, and blocks between two that end without a page number."""
_CLAUSE_END = re.compile(r"[,;:)\]\u2014]\s+|\s[-\u2013]\s+")
_SPACE = re.compile(r"\s+")
_TOKEN = re.compile(r"\S+")
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


@dataclass(frozen=True, slots=True)
class _Unit:
    """A sentence, or a part of one that is too long."""

    span: Span
    words: int
    block: int


def cut(extraction: Extraction) -> list[Cut]:
    """Cut a document into passages, in order and without overlap.

    Together they hold every sentence of every block that is no heading and no table of contents.
    """
    markup = markup_of(extraction.extractor)
    result: list[Cut] = []
    for heading, blocks in _sections(extraction, markup):
        units = [
            unit
            for number, block in enumerate(blocks)
            for unit in _units(extraction.text, block, number, markup)
        ]
        for group in _groups(units):
            start, end = group[0].span.start, group[-1].span.end
            if text := clean(extraction.text[start:end], markup).text:
                page = page_of(extraction.pages, start)
                result.append(Cut(start, end, page, heading, text, passage_id(heading, text)))
    return result


def passage_id(heading: str | None, text: str) -> str:
    """The SHA-256 of a passage's heading and text, as 64 hexadecimal digits."""
    content = f"{heading or ''}\0{text}"
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def _sections(extraction: Extraction, markup: Markup) -> Iterator[tuple[str | None, list[Block]]]:
    """The runs of blocks between headings, each with the path of headings above it."""
    title = _heading_text(extraction.title or "")
    path: list[tuple[int, str]] = []
    blocks: list[Block] = []
    contents = _contents(extraction)
    for at, block in enumerate(extraction.blocks):
        if block.kind != "heading" and at not in contents:
            blocks.append(block)
            continue
        if blocks:
            yield _joined_path(title, path), blocks
            blocks = []
        if at in contents:
            continue
        text = _heading_text(clean(extraction.text[block.start : block.end], markup).text)
        path = [above for above in path if above[0] < block.level]
        path += [(block.level, text)] if text else []
    if blocks:
        yield _joined_path(title, path), blocks


def _contents(extraction: Extraction) -> set[int]:
    """Which blocks are a table of contents: dots lead to page numbers that never fall."""
    found: set[int] = set()
    first = last = 0
    pages: list[int] = []
    for at, block in enumerate(extraction.blocks):
        own = [int(number) for number in _LEADER.findall(extraction.text, block.start, block.end)]
        if not own:
            continue
        follows = pages and at - last <= _MOST_BETWEEN + 1 and pages[-1] <= own[0]
        if not follows or own != sorted(own):
            first, pages = at, []
        pages += own
        last = at
        if len(pages) >= _FEWEST_ENTRIES:
            found.update(range(first, at + 1))
    return found


def _heading_text(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= _HEADING_CHARACTERS:
        return text
    return text[: _HEADING_CHARACTERS - 1].rstrip() + "…"


def _joined_path(title: str, path: list[tuple[int, str]]) -> str | None:
    names = [title] if title else []
    for _, text in path:
        if not names or _letters(text) != _letters(names[-1]):
            names.append(text)
    return " > ".join(names) or None


def _letters(text: str) -> str:
    """What two ways of writing a title have in common: "Report: 2023" and "Report 2023"."""
    return "".join(character for character in text.casefold() if character.isalnum())


def _units(raw: str, block: Block, number: int, markup: Markup) -> Iterator[_Unit]:
    for span in raw_spans(raw, block.start, block.end, markup):
        text = clean(raw[span.start : span.end], markup).text
        words = _weight(text)
        if words <= MOST_WORDS:
            yield _Unit(span, words, number)
        else:
            for part in _parts(raw, span, words):
                yield _Unit(part, _weight(raw[part.start : part.end]), number)


def _weight(text: str) -> int:
    """Words, or what counts as many."""
    return max(len(text.split()), -(-len(text) // _CHARACTERS_PER_WORD))


def _parts(raw: str, span: Span, words: int) -> Iterator[Span]:
    """Cut an overlong sentence into parts of about equal length, at clauses where there are any."""
    ends = [match.end() for match in _TOKEN.finditer(raw, span.start, span.end)]
    start = span.start
    count = -(-words // MOST_WORDS)
    while start < span.end:
        left = len(ends) - bisect_right(ends, start)
        weight = max(left, -(-(span.end - start) // _CHARACTERS_PER_WORD))
        if count <= 1 and weight <= MOST_WORDS:
            stop = span.end
        else:
            count = max(2, count)
            target = min(MOST_WORDS, -(-weight // count))
            near = raw[start : min(span.end, start + target * _CHARACTERS_PER_WORD + 1)]
            stop = start + _cut_position(near, target)
        if part := stripped(raw, start, stop):
            yield part
        start = stop
        count -= 1


def _cut_position(text: str, words: int) -> int:
    """Where to cut so that about so many words stand before: after a clause, else after a word."""
    limit = min(len(text), words * _CHARACTERS_PER_WORD)
    ends = [match.start() for match in _SPACE.finditer(text, 1, limit)][:words]
    if not ends:
        return limit
    clauses = [m.end() for m in _CLAUSE_END.finditer(text, ends[-1] * 3 // 5, ends[-1])]
    return clauses[-1] if clauses else ends[-1]


def _groups(units: list[_Unit]) -> Iterator[list[_Unit]]:
    """Units to passages, as near to the target as sentence borders allow."""
    groups: list[list[_Unit]] = []
    words = 0
    for unit in units:
        if groups and _still_fits(words, unit, groups[-1][-1]):
            groups[-1].append(unit)
            words += unit.words
        else:
            groups.append([unit])
            words = unit.words
    if len(groups) > 1:
        last, previous = (sum(unit.words for unit in group) for group in (groups[-1], groups[-2]))
        if last < _FEW_WORDS and last + previous <= MOST_WORDS:
            groups[-2:] = [groups[-2] + groups[-1]]
    yield from groups


def _still_fits(words: int, unit: _Unit, previous: _Unit) -> bool:
    together = words + unit.words
    if together > MOST_WORDS:
        return False
    if unit.block != previous.block and words >= TARGET_WORDS * 7 // 10:
        return False
    return together <= TARGET_WORDS or together - TARGET_WORDS < TARGET_WORDS - words


def sentences(document: Extraction, start: int, end: int) -> list[Sentence]:
    """The sentences of one passage.

    Args:
        document: Where it stands; its blocks are not needed.
        start: Where the passage starts in its text.
        end: Where it ends.
    """
    raw, pages, markup = document.text, document.pages, markup_of(document.extractor)
    found: list[Sentence] = []
    for span in raw_spans(raw, start, end, markup):
        if text := clean(raw[span.start : span.end], markup).text:
            page = page_of(pages, span.start)
            told = cells(document, span)
            sheet = _line(raw, pages[page - 1]) if told and page else None
            lines = raw[span.start : span.end].splitlines()
            cleaned = [clean(line, markup).text for line in lines] if len(lines) > 1 else []
            found.append(
                Sentence(
                    span.start, span.end, page, text, sheet, told, tuple(filter(None, cleaned))
                )
            )
    return found


def cells(document: Extraction, span: Span) -> tuple[Cell, ...]:
    """The cells of a spreadsheet that a stretch of its text runs over."""
    raw, rows, found = document.text, document.rows, list[Cell]()
    first = bisect_right(rows, span.start, key=attrgetter("start")) - 1
    for row in islice(rows, max(0, first), None):
        if row.start >= span.end:
            break
        columns = [_column(n) for n in range(row.columns.bit_length()) if row.columns >> n & 1]
        names = [f"{column}{row.number}" for column in columns]
        parts = _line(raw, row.start).split(BAR)
        if len(parts) != len(names):
            names, parts = [f"{names[0]}:{names[-1]}"], [BAR.join(parts)]
        end = row.start
        for name, part in zip(names, parts, strict=True):
            start, end = end, end + len(part)
            if start < span.end and end > span.start:
                found.append(Cell(name, part))
            end += len(BAR)
    return tuple(found)


def _line(raw: str, start: int) -> str:
    return raw[start : (raw.find("\n", start) + 1 or len(raw) + 1) - 1]


def _column(column: int) -> str:
    """A column, from 0, as spreadsheet programs name it."""
    above, last = divmod(column, 26)
    return (_column(above - 1) if above else "") + ascii_uppercase[last]


def markup_of(extractor: str) -> Markup:
    """The notation of the raw text that the named extractor makes ("markdown/1", "pdf/1")."""
    return "markdown" if extractor.startswith("markdown/") else "none"


def page_of(pages: Sequence[int], position: int) -> int | None:
    """The page that a position of the raw text is on, if pages start anywhere."""
    return max(1, bisect_right(pages, position)) if pages else None


def raw_spans(raw: str, start: int, end: int, markup: Markup) -> Iterator[Span]:
    """The raw spans of the sentences in ``raw[start:end]``, markup at their ends included."""
    for piece in _pieces(raw, start, end):
        if markup == "markdown":
            marks = _MARKDOWN_MARKS.match(raw, piece.start, piece.end)
            piece = Span(marks.end() if marks else piece.start, piece.end)
        cleaned = clean(raw[piece.start : piece.end], markup)
        spans = [cleaned.to_raw(span.start, span.end) for span in sentence_spans(cleaned.text)]
        position = piece.start
        for span, following in zip_longest(spans, spans[1:]):
            stop = piece.end
            if following:
                # What cleaning took away between two sentences goes with the side it touches.
                gap_start = piece.start + span.end
                gap = raw[gap_start : piece.start + following.start]
                spaces = list(_SPACE.finditer(gap))
                stop = gap_start + (spaces[-1].start() if spaces else len(gap))
            if found := stripped(raw, position, stop):
                yield found
            position = stop


def _pieces(raw: str, start: int, end: int) -> Iterator[Span]:
    """What a sentence never runs across: blank lines, which part rows of tables too, list items."""
    position = start
    for match in (*_PIECE_BREAK.finditer(raw, start, end), None):
        if piece := stripped(raw, position, match.start() if match else end):
            yield piece
        position = match.end() if match else end
