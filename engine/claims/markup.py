"""The markup of a draft: its blocks, and the plain prose of each.

Every block comes back as exact spans of the source, one a line, and its prose still knows where
each character stood: ``veracite.index.cleaning`` over the joined lines, without what is the draft's
own and no part of what it says (citation marks, images, links that only name a source).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from veracite.engine.claims.citation_marks import MARKDOWN_DRAFT, PLAIN_DRAFT
from veracite.index.cleaning import Cleaned, clean_with, composed, edited
from veracite.index.documents import Span
from veracite.index.markup import Edit, Link, notation

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

DraftKind = Literal[
    "heading", "paragraph", "list_item", "table_head", "table_row", "code", "html", "footnote"
]
_BULLET = re.compile(r"[ \t]*[•‣▪●◦·]\s*")
_FOOTNOTE = re.compile(r"[ \t]*\[(?:\^[^\[\]\s]{1,60}|\d{1,3})\]:[ \t]*")
_PLAIN_ITEM = re.compile(r"[ \t]*(?:[•‣▪●◦]\s*|[-*+–—·]\s+|\(?\d{1,3}[.)]\s+)")
FRONT_MATTER = re.compile(
    r"---[ \t]*\n(?:(?:[\w-]+[ \t]*:|[ \t#-])[^\n]*\n|\n){0,200}?(?:---|\.\.\.)[ \t]*(?=\n|$)"
)
"""Lines of keys and what belongs to them."""
_PROSE = ("markdown", "md", "text", "txt", "plaintext")
"""Languages of a fence around a reply that is no code."""
_ROW = re.compile(r"[ \t>]*\|?(?P<cells>.*?)(?:(?<!\\)\|)?\Z")
_BORDER = re.compile(r"(?<!\\)\|")
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


class _Line(NamedTuple):
    """A line of the source, line break left out."""

    start: int
    text: str

    def locate(self, content: str) -> Span | None:
        """Where its content stands, markers left out; None if blank or not found."""
        content = content.strip()
        found = self.text.replace("\0", "�").rfind(content) if content else -1
        start = self.start + found
        return None if found < 0 else Span(start, start + len(content))


def _lines(source: str) -> list[_Line]:
    """The lines of a draft, without a byte order mark, which would hide the first marker."""
    found = _LINE.finditer(source, 1 if source.startswith("\ufeff") else 0)
    return [_Line(m.start(), m.group().rstrip("\r\n")) for m in found if m.start() < len(source)]


def read_blocks(source: str, *, markdown: bool = True) -> tuple[DraftBlock, ...]:
    """The blocks of a draft in order of position, not overlapping.

    What says nothing (rules, link definitions, front matter, comments) is left out.

    Args:
        markdown: False reads paragraphs between empty lines and nothing else.
    """
    lines = _lines(source)
    blocks = _markdown_blocks(lines) if markdown else _plain_blocks(lines)
    found = sorted(blocks, key=lambda block: block.spans[0].start)
    return tuple(part for block in found for part in _split(block, source, markdown))


def _plain_blocks(lines: list[_Line]) -> Iterator[DraftBlock]:
    """The paragraphs between empty lines."""
    for _, group in groupby(lines, lambda line: bool(line.text.strip())):
        if spans := tuple(filter(None, (line.locate(line.text) for line in group))):
            yield DraftBlock("paragraph", spans)


def _split(block: DraftBlock, source: str, markdown: bool) -> Iterator[DraftBlock]:
    """Cut a block at the lines that start with a bullet or number, where Markdown knows none, and
    at those that define a footnote: "[^1]: Smith, 2020."."""
    if block.kind not in ("paragraph", "list_item"):
        yield block
        return
    item_mark = _BULLET if markdown else _PLAIN_ITEM
    part, group = block, list[Span]()
    for span in block.spans:
        note = _FOOTNOTE.match(source, span.start, span.end)
        note = note if block.kind == "paragraph" else None
        item = item_mark.match(source, span.start, span.end)
        if mark := note or (item if item and item.end() < span.end else None):
            if group:
                yield replace(part, spans=tuple(group))
            kind: DraftKind = "footnote" if note else "list_item"
            part, group = replace(block, kind=kind, depth=block.depth + (note is None)), []
            span = Span(mark.end(), span.end)
        if span.start < span.end:
            group.append(span)
    if group:
        yield replace(part, spans=tuple(group))


def _markdown_blocks(lines: list[_Line]) -> Iterator[DraftBlock]:
    """The blocks of a draft in Markdown, as markdown-it finds them; bullets that Markdown does not
    know and footnotes are not told apart yet."""
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    # Indented lines of a draft are paragraphs far more often than code.
    parser = MarkdownIt("commonmark").enable("table").disable(["inline", "text_join", "code"])
    copy = [line.text for line in lines]
    # What goes becomes an empty line, so that the spans stay right.
    if front := FRONT_MATTER.match("\n".join(copy[:210])):
        for number in range(front.group().count("\n") + 1):
            copy[number] = ""
    tokens = parser.parse("\n".join(copy))
    # The fence around a reply that is no code.
    fences = (t for t in tokens if t.type == "fence" and not t.level)
    if prose := [t.map for t in fences if t.map and t.info.strip().lower() in _PROSE]:
        for first, last in prose:
            copy[first] = ""
            if copy[last - 1].strip().startswith(("```", "~~~")):
                copy[last - 1] = ""
        tokens = parser.parse("\n".join(copy))
    yield from _walk(SyntaxTreeNode(tokens), lines)


def _walk(
    parent: "SyntaxTreeNode", lines: list[_Line], depth: int = 0, *, is_item: bool = False
) -> Iterator[DraftBlock]:
    """From markdown-it's tree to blocks.

    Args:
        depth: How many lists the parent stands in.
        is_item: Whether what it begins with is what a list lists.
    """
    for node in parent.children:
        match node.type:
            case "heading" | "paragraph":
                spans = _spans(node.children[0], lines)
                if spans and node.type == "heading" and not _is_false_heading(node):
                    yield DraftBlock("heading", spans, int(node.tag[1:]), depth)
                elif spans:
                    yield DraftBlock("list_item" if is_item else "paragraph", spans, depth=depth)
            case "fence" | "html_block":
                if spans := _spans(node, lines):
                    yield DraftBlock("code" if node.type == "fence" else "html", spans, depth=depth)
            case "tr" if node.map is not None:
                kind: DraftKind = "table_head" if parent.type == "thead" else "table_row"
                if cells := _cells(lines[node.map[0]]):
                    yield DraftBlock(kind, cells, depth=depth)
            case "bullet_list" | "ordered_list":
                yield from _walk(node, lines, depth + 1)
            case _:
                yield from _walk(node, lines, depth, is_item=is_item or node.type == "list_item")
        is_item = False


def _spans(node: "SyntaxTreeNode", lines: list[_Line]) -> tuple[Span, ...]:
    """Where the lines of a block's content stand."""
    first = (node.map[0] if node.map else 0) + (node.type == "fence")
    parts = zip(lines[first:], node.content.split("\n"), strict=False)
    return tuple(filter(None, (line.locate(content) for line, content in parts)))


def _is_false_heading(heading: "SyntaxTreeNode") -> bool:
    """A paragraph that a line of dashes happens to follow is no heading."""
    lines = heading.children[0].content.split("\n")
    last = lines[-1].strip()
    underlined = heading.markup in ("-", "=")
    return underlined and (len(lines) > 2 or (last.endswith(".") and len(last.split()) > 5))


def _cells(row: _Line) -> tuple[Span, ...]:
    """The cells of a table's row, empty ones included as empty spans at their place."""
    inner = _ROW.match(row.text.rstrip())
    assert inner is not None
    spans, position = [], row.start + inner.start("cells")
    for cell in _BORDER.split(inner["cells"]):
        start = position + len(cell) - len(cell.lstrip())
        spans.append(Span(start, max(start, position + len(cell.rstrip()))))
        position += len(cell) + 1
    return tuple(spans)


@dataclass(frozen=True, slots=True)
class Prose:
    """Plain text of one block."""

    text: str
    """One line: no markup, no citation marks, no control characters, single spaces."""
    breaks: tuple[int, ...]
    """Positions in ``text`` where a line that was meant to end does end, ascending."""
    removed: tuple[Edit, ...]
    """What the prose leaves out of the source (a citation mark, an emphasis marker), in order of
    position, not overlapping."""
    cleaned: Cleaned
    """The text's way back to the source."""
    first: int
    """Where the block starts in the source."""

    def span(self, start: int, end: int) -> Span:
        """Where ``text[start:end]``, which is not empty, stands in the source."""
        return _moved(self.cleaned.to_raw(start, end), self.first)


_SOURCE_LINK = re.compile(
    r"\(?(?:[\w-]+\.)+[a-z]{2,10}(?:/\S*)?\)?|sources?|link|ref(?:erence)?", re.I
)


def to_prose(source: str, spans: Sequence[Span], *, markdown: bool = True) -> Prose:
    """The prose of a block whose content stands at ``spans`` of the source, one span a line.

    Args:
        markdown: False keeps every character but citation marks and what is invisible.
    """
    filled = [span for span in spans if span.start < span.end]
    first, last = (filled[0].start, filled[-1].end) if filled else (0, 0)
    # What stands between the lines (a quotation's marks) goes but for the line break.
    gaps = [Edit(a.end - first, b.start - first, "\n") for a, b in pairwise(filled)]
    block = edited(source[first:last], gaps)
    found = notation(block.text, MARKDOWN_DRAFT if markdown else PLAIN_DRAFT)
    edits = _without_sources(block.text, found.edits, found.links)
    cleaned = clean_with(block.text, edits)
    breaks = {cleaned.from_raw(position) for position in _line_ends(block.text, edits)}
    removed = []
    for edit in edits:
        if not edit.text:
            span = _moved(block.to_raw(edit.start, edit.end), first)
            removed.append(edit._replace(start=span.start, end=span.end))
    return Prose(
        cleaned.text,
        tuple(position for position in sorted(breaks) if 0 < position < len(cleaned.text)),
        tuple(removed),
        composed(cleaned, block),
        first,
    )


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def _without_sources(block: str, edits: Sequence[Edit], links: Sequence[Link]) -> list[Edit]:
    """The edits, with images and links to a mere source ("[source](...)") taken away whole."""
    gone: list[Edit] = []
    for link in links:
        shown = block[link.shown.start : link.shown.end].strip(" *_`")
        named = link.shown.start > link.start and _SOURCE_LINK.fullmatch(shown)
        start, end = link.start, link.end
        if (named or link.is_image) and (not gone or start >= gone[-1].end):
            if block[start - 1 : start] == "(" and block[end : end + 1] == ")":
                start, end = start - 1, end + 1
            gone.append(Edit(start, end, role="mark"))

    def is_left(edit: Edit) -> bool:
        before = bisect_right(gone, edit.start, key=attrgetter("start"))
        return not before or edit.start >= gone[before - 1].end

    return sorted([*filter(is_left, edits), *gone])


_OPEN_ENDED = re.compile(
    r"(?:[,;:(–—-]|\b(?:a|an|the|of|in|on|at|to|by|for|from|with|and|or|but|as|that|which|is|was|are|were))$",
    re.I,
)


# "Aircraft Make: Cessna", a line of a form.
_FIELD = re.compile(r"[*_]{0,3}[A-Z][^:.!?,;]{1,60}:(?!//)(?=[*_\s]|$)")


def _line_ends(block: str, edits: Sequence[Edit]) -> list[int]:
    """Where lines end on purpose: by a sign, or by the looks of it (titles, addresses, lists).

    A line was not wrapped if the next word would have fitted on it, and it ends like something
    complete while the next one starts like something new.
    """
    found = []
    for edit in edits:
        # A line that goes on in small letters goes on with its sentence; a new block does not.
        goes_on = block[edit.end : edit.end + 2].strip()[:1].islower()
        if edit.text == "\n\n" or (edit.text == "\n" and not goes_on):
            found.append(edit.start)
    lines = block.split("\n")
    width = max(map(len, lines))
    position = -1
    for line, following in pairwise(lines):
        position += len(line) + 1
        words = following.split(maxsplit=1)
        stripped = line.strip()
        if _FIELD.match(stripped) and _FIELD.match(following.strip()):
            found.append(position)
        elif words and stripped and not _OPEN_ENDED.search(stripped):
            new = words[0][0].isupper() or words[0][0].isdigit()
            fits = len(line.rstrip()) + 1 + len(words[0]) <= 0.6 * width
            if fits and new:
                found.append(position)
    return found
