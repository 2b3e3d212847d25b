"""The structure of a draft: which stretches are prose, which are headings, lists, tables or code.

markdown-it-py reads the blocks; every block comes back as exact spans of the source, one a line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from veracite.index.documents import Span

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["DraftBlock", "DraftKind", "read_blocks"]

DraftKind = Literal[
    "heading", "paragraph", "list_item", "table_head", "table_row", "code", "html", "footnote"
]


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


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|$)")
_KEY = re.compile(r"[\w-]+\s*:")
_BULLET = re.compile(r"[ \t]*[•‣▪●◦·]\s*")
_FOOTNOTE = re.compile(r"[ \t]*\[(?:\^[^\[\]\s]{1,60}|\d{1,3})\]:[ \t]*")
_DASH = re.compile(r"[ \t]*[–—]\s+")
_PLAIN_ITEM = re.compile(r"[ \t]*(?:[•‣▪●◦]\s*|[-*+–—·]\s+|\(?\d{1,3}[.)]\s+)")
_CODE_SIGN = re.compile(
    r"[{}<>=;|\\$#@_`^~]|\(\)|->|::|^\s*(?:def|class|import|from|sudo|pip|cd|ls)\s"
)
_ADDRESS_OR_PRICE = re.compile(r"https?://[^\s()]+|[$€£]\d[\d.,]*|\b\d[\d.,]*%?(?!\w)")


@dataclass(frozen=True, slots=True)
class _Lines:
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


def read_blocks(source: str, *, markdown: bool = True) -> tuple[DraftBlock, ...]:
    """The blocks of a draft in order of position, not overlapping.

    What says nothing (rules, link definitions, front matter, comments) is left out.

    Args:
        markdown: False reads paragraphs between empty lines and nothing else.
    """
    lines = _split_lines(source)
    if markdown:
        found = sorted(_markdown_blocks(lines), key=lambda block: block.spans[0].start)
        blocks = [part for block in found for part in _split_bullets(block, lines)]
    else:
        blocks = list(_plain_blocks(lines))
    return tuple(part for block in blocks for part in _split_footnotes(block, lines))


def _split_lines(source: str) -> _Lines:
    # A byte order mark would hide the first marker.
    start = 1 if source.startswith("\ufeff") else 0
    spans = []
    for match in _LINE.finditer(source, start):
        if match.start() < len(source):
            spans.append(Span(match.start(), match.start() + len(match.group().rstrip("\r\n"))))
    return _Lines(source, tuple(spans))


def _plain_blocks(lines: _Lines) -> Iterator[DraftBlock]:
    block: list[Span] = []
    kind: DraftKind = "paragraph"
    for number, span in enumerate(lines.spans):
        line = lines[number]
        item = _PLAIN_ITEM.match(line)
        if block and (not line.strip() or item):
            yield DraftBlock(kind, tuple(block), depth=int(kind == "list_item"))
            block, kind = [], "paragraph"
        if item and item.end() < len(line):
            kind = "list_item"
            block.append(Span(span.start + item.end(), span.end))
        elif line.strip() and (located := lines.locate(number, line)):
            block.append(located)
    if block:
        yield DraftBlock(kind, tuple(block), depth=int(kind == "list_item"))


def _markdown_blocks(lines: _Lines) -> Iterator[DraftBlock]:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    parser.disable(["inline", "text_join"])
    copy = [lines[number] for number in range(len(lines.spans))]
    _blank_front_matter(copy)
    # Prose that only looks like code (an indented first line, a reply fenced as "markdown") is
    # freed in the copy and read again: lines stay lines, so the spans stay right.
    tokens: list[Token] = []
    for _ in range(4):
        tokens = parser.parse("\n".join(copy))
        if not _free_prose(tokens, copy):
            break
    yield from _walk(tokens, lines, copy)


def _blank_front_matter(copy: list[str]) -> None:
    match = _FRONT_MATTER.match("\n".join(copy[:210]))
    if match is None:
        return
    body = match.group(1).splitlines()
    if all(_KEY.match(line) or line[:1] in " \t-#" for line in body if line.strip()):
        for number in range(len(body) + 2):
            copy[number] = ""


def _free_prose(tokens: "Sequence[Token]", copy: list[str]) -> bool:
    """Take the indentation or the fence from code that is prose; True if anything changed."""
    changed = False
    for token in tokens:
        if token.map is None or token.level > 0:
            continue
        first, last = token.map
        if token.type == "code_block" and _reads_as_prose(
            token.content, continued=last < len(copy) and copy[last].strip() != ""
        ):
            for number in range(first, last):
                copy[number] = copy[number].lstrip(" \t")
            changed = True
        elif token.type == "fence" and _is_prose_fence(token):
            copy[first] = ""
            if copy[last - 1].strip().startswith(token.markup) and last - 1 > first:
                copy[last - 1] = ""
            changed = True
    return changed


def _is_prose_fence(token: "Token") -> bool:
    language = token.info.strip().lower()
    if language in ("markdown", "md"):
        return True
    return language in ("", "text", "txt", "plaintext") and _reads_as_prose(token.content)


def _reads_as_prose(content: str, *, continued: bool = False) -> bool:
    """True for sentences; false for code, listings, drawings and tables set in spaces.

    Args:
        continued: True if more text follows without an empty line: an indented first line.
    """
    content = _ADDRESS_OR_PRICE.sub("thing", content)  # their signs are not code
    lines = [line for line in content.splitlines() if line.strip()]
    words = content.split()
    if len(words) < 4 or any(re.search(r"\S {3,}\S", line) for line in lines[:50]):
        return False
    plain = sum(
        bool(re.fullmatch(r"[(\"'“‘]*[^\W\d_][\w'’-]*[.,;:!?)\"'”’]*", word)) for word in words
    )
    signs = sum(bool(_CODE_SIGN.search(line)) for line in lines)
    ends = re.search(r"[^\W\d_]{2,}[.!?:][\"'”’)]*(?:\s|$)", content) is not None
    return (
        plain >= 0.75 * len(words)
        and signs <= 0.34 * len(lines)
        and (ends or continued or len(words) >= 12)
    )


def _walk(tokens: "Sequence[Token]", lines: _Lines, copy: Sequence[str]) -> Iterator[DraftBlock]:
    """From markdown-it's token stream to blocks."""
    depth, item_starts = 0, False
    heading: Token | None = None
    table = 0
    for token in tokens:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif kind in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
            item_starts = False
        elif kind == "list_item_open":
            item_starts = True
        elif kind in ("heading_open", "heading_close"):
            heading = token if kind == "heading_open" else None
        elif kind in ("thead_open", "tbody_open", "table_close"):
            table = {"thead_open": 1, "tbody_open": 2}.get(kind, 0)
        elif kind == "tr_open" and token.map is not None:
            row = _cells(lines, token.map[0])
            if row:
                yield DraftBlock("table_head" if table == 1 else "table_row", row, depth=depth)
        elif kind == "inline" and not table and token.map is not None:
            spans = _content_spans(token, lines)
            if spans and heading is not None and not _is_false_heading(heading, spans, lines):
                yield DraftBlock("heading", spans, int(heading.tag[1:]), depth)
            elif spans:
                yield DraftBlock("list_item" if item_starts else "paragraph", spans, depth=depth)
            item_starts = False
        elif kind in ("code_block", "fence", "html_block") and token.map is not None:
            spans = _whole_lines(token, lines)
            if spans:
                yield DraftBlock("html" if kind == "html_block" else "code", spans, depth=depth)
            item_starts = False


def _content_spans(token: "Token", lines: _Lines) -> tuple[Span, ...]:
    first = token.map[0] if token.map else 0
    located = (lines.locate(first + i, line) for i, line in enumerate(token.content.split("\n")))
    return tuple(span for span in located if span is not None)


def _is_false_heading(heading: "Token", spans: Sequence[Span], lines: _Lines) -> bool:
    """A paragraph that a line of dashes happens to follow is no heading."""
    last = lines.source[spans[-1].start : spans[-1].end]
    underlined = heading.markup in ("-", "=")
    return underlined and (len(spans) > 2 or (last.endswith(".") and len(last.split()) > 5))


def _whole_lines(token: "Token", lines: _Lines) -> tuple[Span, ...]:
    first = token.map[0] if token.map else 0
    wanted = token.content.split("\n")
    if token.type == "fence":
        first += 1
    located = (lines.locate(first + i, line) for i, line in enumerate(wanted))
    return tuple(span for span in located if span is not None)


def _cells(lines: _Lines, number: int) -> tuple[Span, ...]:
    """The cells of a table's row, empty ones included as empty spans at their place."""
    if number >= len(lines.spans):
        return ()
    line, start = lines[number], lines.spans[number].start
    first = len(line) - len(line.lstrip(" \t>"))
    last = len(line.rstrip())
    if line[first : first + 1] == "|":
        first += 1
    if last > first and line[last - 1] == "|" and line[last - 2 : last - 1] != "\\":
        last -= 1
    spans, position = [], first
    borders = [m.start() for m in re.finditer(r"(?<!\\)\|", line[:last]) if m.start() >= first]
    for border in [*borders, last]:
        cell = line[position:border]
        left = position + len(cell) - len(cell.lstrip())
        spans.append(Span(start + left, start + max(left, position + len(cell.rstrip()))))
        position = border + 1
    return tuple(spans)


def _split_bullets(block: DraftBlock, lines: _Lines) -> Iterator[DraftBlock]:
    """Cut a paragraph whose lines start with bullets that Markdown does not know."""
    if block.kind not in ("paragraph", "list_item"):
        yield block
        return
    kind, depth, group = block.kind, block.depth, list[Span]()
    first = block.spans[0]
    # A dash starts an item only where the block starts with one: it may also be a wrapped dash.
    dashes = _DASH.match(lines.source, first.start, first.end) is not None
    for span in block.spans:
        bullet = _BULLET.match(lines.source, span.start, span.end)
        if dashes and bullet is None:
            bullet = _DASH.match(lines.source, span.start, span.end)
        if bullet and bullet.end() < span.end:
            if group:
                yield DraftBlock(kind, tuple(group), depth=depth)
            kind, depth, group = "list_item", block.depth + 1, [Span(bullet.end(), span.end)]
        else:
            group.append(span)
    if group:
        yield DraftBlock(kind, tuple(group), depth=depth)


def _split_footnotes(block: DraftBlock, lines: _Lines) -> Iterator[DraftBlock]:
    """Cut a paragraph at the lines that define a footnote: "[^1]: Smith, 2020."."""
    if block.kind != "paragraph":
        yield block
        return
    kind: DraftKind = block.kind
    group: list[Span] = []
    for span in block.spans:
        definition = _FOOTNOTE.match(lines.source, span.start, span.end)
        if definition and group:
            yield replace(block, kind=kind, spans=tuple(group))
            group = []
        if definition:
            kind, span = "footnote", Span(definition.end(), span.end)
        if span.start < span.end:
            group.append(span)
    if group:
        yield replace(block, kind=kind, spans=tuple(group))
