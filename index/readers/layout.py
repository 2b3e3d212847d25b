"""Lines on pages to paragraphs, headings and list items.

What repeats at the same place of several pages (running heads and feet) and bare page numbers are
left out. A paragraph ends where the gap, the type, the indentation or a short last line says so; it
may go on over the end of a page.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, takewhile
from statistics import median

from veracite.index.documents import Block, BlockKind, Extraction
from veracite.index.readers import Assembly

_MARGIN = 0.13
"""Share of the page's height, above and below, in which heads and feet stand."""
_WIDE_MARGIN = 0.17
"""In which they stand if they are on a quarter of the pages."""
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|p\.)?\s*[-–—|]?\s*(?:\d{1,4}|[ivxlc]{1,7})\s*[-–—|]?(?:\s*(?:of|/|von)\s*\d{1,4})?",
    re.I,
)
_DIGITS = re.compile(r"\d+")
_BULLET = re.compile(r"(?:[•●○◦▪■□‣⁃➢✓❖\uf0b7\uf0a7·*–-]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+\S")
_ENDED = re.compile(r"[.!?:;…][\"'”’»)\]]*(?:\[\d+\])?\Z")
_SENTENCE_END = re.compile(r"[.,;][\"'”’»]*\Z")
_NUMBER = re.compile(r"[-+$€£(]*\d[\d.,%/)]*\Z|[-–—]+\Z|N/A\Z", re.I)
_WORD = re.compile(r"[^\W\d_]{3}")
_CODE = re.compile(r"[{}=\\]|\w\(\w*[,)]|__")
_NUMBERED = re.compile(r"(?:\d+[.)]?|[IVX]+[.)]|[A-Z][.)]|chapter|section|part|appendix)\s", re.I)
_POINT = re.compile(r"[•●○◦▪■□‣⁃➢✓❖\uf0b7\uf0a7·*–-]\s")
_MOST_HEADING_WORDS = 20
_NEIGHBOURS = 3
_ENOUGH = 5
"""Lines of a size, from which on their distance is their own."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page; lengths in points, y upwards from the page's foot."""

    text: str
    left: float
    right: float
    bottom: float
    height: float
    """Of the type, ascent to descent."""
    bold: bool
    page_height: float


@dataclass(slots=True)
class _Paragraph:
    kind: BlockKind
    lines: list[Line]
    level: int = 0
    page: int = 0
    breaks: list[tuple[int, int]] = field(default_factory=list)
    """(line, page): from this line on the paragraph stands on this page."""


def laid_out(pages: Sequence[Sequence[Line]], extractor: str, title: str | None) -> Extraction:
    """One extraction from the lines of all pages; it has no blocks if there is no text."""
    body = _without_running_lines(pages)
    size = _body_size(body)
    paragraphs: list[_Paragraph] = []
    for number, lines in enumerate(body):
        found = [_Paragraph("paragraph", group, page=number) for group in _grouped(lines)]
        for paragraph in found:
            _classify(paragraph, size)
        found = _one_heading(found, size)
        if paragraphs and found and _goes_on(paragraphs[-1], found[0]):
            first = found.pop(0)
            paragraphs[-1].breaks.append((len(paragraphs[-1].lines), number))
            paragraphs[-1].lines += first.lines
        paragraphs += found
    _rank_headings(paragraphs, size)
    return _assembled(paragraphs, len(pages), extractor, title)


def _without_running_lines(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Pages without what stands at the same place, in the same words, on several of them."""
    counts: Counter[tuple[str, int]] = Counter()
    for lines in pages:
        for line in lines:
            if _in_margin(line, _WIDE_MARGIN):
                counts.update({_place(line, shift) for shift in (0, 1)})
    needed = 2 if len(pages) <= 4 else 3

    def is_running(line: Line) -> bool:
        if not _in_margin(line, _WIDE_MARGIN):
            return False
        times = max(counts[_place(line, shift)] for shift in (0, 1))
        repeated = times >= (needed if _in_margin(line) else max(needed, len(pages) / 4))
        words = sum(map(str.isalpha, line.text)) > 2
        is_number = _in_margin(line) and _PAGE_NUMBER.fullmatch(line.text.strip())
        return (repeated and words) or bool(is_number)

    kept = []
    for lines in pages:
        # From the edges inwards, up to the first line that is the page's own.
        downwards = sorted(lines, key=lambda line: -line.bottom)
        running = {
            id(line)
            for order in (downwards, downwards[::-1])
            for line in takewhile(is_running, order)
        }
        kept.append([line for line in lines if id(line) not in running])
    return kept


def _in_margin(line: Line, margin: float = _MARGIN) -> bool:
    share = line.bottom / line.page_height if line.page_height else 0.5
    return share < margin or share > 1 - margin


def _place(line: Line, shift: int) -> tuple[str, int]:
    """The line's words without numbers, and its height on the page in steps of 8 points.

    Two grids, half a step apart, so that no two equal lines fall into different steps of both.
    """
    words = _DIGITS.sub("#", line.text.casefold())
    return words, 2 * round((line.bottom + 4 * shift) / 8) + shift


def _body_size(pages: Iterable[Iterable[Line]]) -> float:
    """The height of type that most characters have."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[_rounded(line.height)] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _grouped(lines: Sequence[Line]) -> list[list[Line]]:
    groups: list[list[Line]] = []
    steps: dict[float, list[float]] = defaultdict(list)
    for above, below in pairwise(lines):
        step = above.bottom - below.bottom
        if 0.3 * below.height < step < 2.2 * below.height:
            steps[_rounded(below.height)].append(step)
    usual = median(chain(*steps.values())) if steps else 0.0
    # Notes stand closer than the text above them.
    own = {size: median(told) for size, told in steps.items() if len(told) >= _ENOUGH}
    for number, line in enumerate(lines):
        pitch = own.get(_rounded(line.height), usual)
        if groups and not _starts_paragraph(groups[-1], line, pitch, _room(lines, number - 1)):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _room(lines: Sequence[Line], number: int) -> float:
    """Points that a line leaves empty at its end; its neighbours show how wide the column is."""
    line = lines[number]
    return max(
        near.right - line.right
        for near in lines[max(0, number - _NEIGHBOURS) : number + _NEIGHBOURS + 1]
        if abs(near.left - line.left) < 3 * line.height
    )


def _starts_paragraph(group: list[Line], line: Line, pitch: float, room: float) -> bool:
    above = group[-1]
    step = above.bottom - line.bottom
    short = room > 0.25 * (above.right - above.left + room)
    ended = bool(_ENDED.search(above.text))
    if _BULLET.match(line.text) and (ended or short or len(group) == 1 or _is_item(group)):
        return True
    if abs(step) < 0.3 * line.height:  # the same line: cells of a row, text after a label
        return False
    if step < 0:  # up again: the next column, or a box
        return ended or short or above.bold != line.bold or not _same_size(above, line)
    if not _same_size(above, line):
        return True
    if step > 1.3 * pitch and step > 1.2 * line.height:
        return True
    if above.bold != line.bold and (short or ended):
        return True
    if _is_tabular(above.text) or _is_tabular(line.text):
        return True
    first = group[-2].left if len(group) > 1 and not _is_item(group) else above.left
    if ended and line.left - max(above.left, first) > 0.8 * line.height:
        return True
    # A line that could have taken the next word did end there: an address, a form, a title page.
    next_word = len(line.text.split(maxsplit=1)[0]) * 0.5 * line.height
    return short and (ended or (next_word < room and not line.text[:1].islower()))


def _same_size(one: Line, other: Line) -> bool:
    return max(one.height, other.height) <= 1.12 * min(one.height, other.height)


def _is_item(group: list[Line]) -> bool:
    return bool(_BULLET.match(group[0].text))


def _is_tabular(text: str) -> bool:
    """Whether most of the line is numbers: a row of a table."""
    words = text.split()
    numbers = sum(bool(_NUMBER.match(word)) for word in words)
    return len(words) >= 3 and numbers >= 2 and 2 * numbers >= len(words)


def _classify(paragraph: _Paragraph, size: float) -> None:
    lines = paragraph.lines
    text = " ".join(line.text for line in lines)
    if _is_heading(lines, text, size):
        paragraph.kind = "heading"
    elif _is_item(lines):
        paragraph.kind = "list_item"
    elif _is_tabular(text):
        paragraph.kind = "table"


def _is_heading(lines: list[Line], text: str, size: float) -> bool:
    letters = sum(map(str.isalpha, text))
    if len(text.split()) > _MOST_HEADING_WORDS or letters < 3 or 2 * letters < len(text):
        return False
    if not _WORD.search(text) or _CODE.search(text) or _POINT.match(text):
        return False
    if _SENTENCE_END.search(text) or text[:1].islower() or len(lines) > 3:
        return False
    if all(line.height > 1.12 * size for line in lines):
        return True
    bold = len(lines) <= 2 and all(line.bold and line.height > 0.95 * size for line in lines)
    return bold and not text.endswith(":")


def _one_heading(paragraphs: list[_Paragraph], size: float) -> list[_Paragraph]:
    """Join the lines of a large heading that were taken for headings each."""
    joined: list[_Paragraph] = []
    for paragraph in paragraphs:
        above = joined[-1] if joined else None
        if above and above.kind == paragraph.kind == "heading":
            last, first = above.lines[-1], paragraph.lines[0]
            large = first.height > 1.12 * size and abs(first.height - last.height) < 0.5
            close = 0 < last.bottom - first.bottom < 1.5 * first.height
            few = len(above.lines) + len(paragraph.lines) <= 3
            if large and close and few and not _NUMBERED.match(first.text):
                above.lines += paragraph.lines
                continue
        joined.append(paragraph)
    return joined


def _goes_on(above: _Paragraph, below: _Paragraph) -> bool:
    """Whether the page break fell into a paragraph."""
    if above.kind not in ("paragraph", "list_item") or below.kind != "paragraph":
        return False
    last, first = above.lines[-1], below.lines[0]
    return _same_size(last, first) and not _ENDED.search(last.text) and first.text[:1].islower()


def _rank_headings(paragraphs: list[_Paragraph], size: float) -> None:
    """Levels 1 to 3 by size, the largest first; 4 for bold headings of the text's own size."""
    headings = [paragraph for paragraph in paragraphs if paragraph.kind == "heading"]
    # A book whose body is all headings has none.
    characters = sum(len(line.text) for paragraph in headings for line in paragraph.lines)
    total = sum(len(line.text) for paragraph in paragraphs for line in paragraph.lines)
    if 2 * characters > total:
        for paragraph in headings:
            paragraph.kind = "paragraph"
        return
    sizes = sorted({_rounded(p.lines[0].height) for p in headings}, reverse=True)
    larger = [height for height in sizes if height > 1.12 * size]
    for paragraph in headings:
        height = _rounded(paragraph.lines[0].height)
        paragraph.level = min(larger.index(height) + 1, 3) if height in larger else 4


def _assembled(
    paragraphs: list[_Paragraph], pages: int, extractor: str, title: str | None
) -> Extraction:
    assembly = Assembly()
    starts: list[int] = []
    for paragraph in paragraphs:
        position = assembly.next_start
        starts += [position] * (paragraph.page + 1 - len(starts))
        page_of = dict(paragraph.breaks)
        for number, line in enumerate(paragraph.lines):
            if number in page_of:
                starts += [position] * (page_of[number] + 1 - len(starts))
            position += len(line.text) + 1
        lines = "\n".join(line.text for line in paragraph.lines)
        assembly.add(paragraph.kind, lines, paragraph.level)
    found = assembly.extraction(extractor, title)
    starts += [len(found.text)] * (pages - len(starts))
    title = found.title or _first_title(found.text, found.blocks, starts)
    return replace(found, title=title, pages=tuple(starts))


def _first_title(text: str, blocks: Sequence[Block], pages: list[int]) -> str | None:
    """The largest heading of the first page, where it stands near the top."""
    second = pages[1] if len(pages) > 1 else len(text) + 1
    first_page = [block for block in blocks if block.start < second][:6]
    headings = [block for block in first_page if block.kind == "heading" and block.level == 1]
    return " ".join(text[headings[0].start : headings[0].end].split()) if headings else None
