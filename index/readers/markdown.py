"""Markdown: blocks by a CommonMark parser over the file's own text: quotes are verbatim in it.

Only of tables the rows stand there as lines that can be read alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from veracite.index.documents import Block, BlockKind, Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes, paragraphs
from veracite.index.readers.html import add_page
from veracite.index.readers.plain import decoded
from veracite.index.readers.tables import lines

if TYPE_CHECKING:
    from markdown_it.token import Token

EXTRACTOR = "markdown/5"

_FRONT_MATTER = re.compile(
    r"\A(?:---|\+\+\+)[ \t]*\r?\n(.*?)^(?:---|\+\+\+|\.\.\.)[ \t]*$", re.S | re.M
)
_TITLE = re.compile(
    r"^title[ \t]*[:=][ \t]*(?P<quote>[\"']?)(?P<title>.+?)(?P=quote)[ \t]*$", re.M | re.I
)
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_QUOTE_MARKS = re.compile(r"[ \t]*(?:>[ \t]?)*[ \t]*")
_ITEM_MARK = re.compile(r"(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)+(?:\[[ xX]\][ \t]+)?")
_HEADING_MARK = re.compile(r"#{1,6}(?:[ \t]+|\Z)")
_HEADING_TAIL = re.compile(r"[ \t]+#+[ \t]*\Z")
_SETEXT_RULE = re.compile(r"[\r\n]+[ \t>]*(?:=+|-+)[ \t]*\Z")
_TAG_ONLY = re.compile(r"(?:\s|<!--.*?-->|<[^<>]*>)*", re.S)
_HIDDEN_HTML = re.compile(r"\s*<(?:script|style|!--)", re.I)
_HTML_ROW = re.compile(r"<tr\b", re.I)


class _Table(NamedTuple):
    """A table of the file and what is read of it."""

    start: int
    end: int
    told: Sequence[tuple[BlockKind, str]]


def read(path: Path) -> Extraction:
    """Read a Markdown file; raises ReadError as the plain text reader does."""
    return extraction(decoded(file_bytes(path)))


def extraction(text: str) -> Extraction:
    """What a Markdown text holds; raises ReadError where it holds nothing."""
    front = _FRONT_MATTER.match(text)
    body = front.end() if front else 0
    # Nested deeper than the parser goes, a text still is a text.
    text, blocks = _with_rows(text, _blocks(text, body))
    blocks = blocks or paragraphs(text, body)
    if not blocks:
        raise ReadError("The file holds no text.", "Leave it out.")
    title = _TITLE.search(front.group(1)) if front else None
    named = title.group("title") if title else None
    return Extraction(text, blocks, EXTRACTOR, named or _first_heading(text, blocks))


def _first_heading(text: str, blocks: tuple[Block, ...]) -> str | None:
    from veracite.index.cleaning import clean

    for block in blocks:
        if block.kind == "heading" and block.level == 1:
            return clean(text[block.start : block.end], "markdown").text or None
    return None


def _with_rows(text: str, found: Iterable[Block | _Table]) -> tuple[str, tuple[Block, ...]]:
    """The text with what is read of its tables in their place, and all of its blocks."""
    parts: list[str] = []
    blocks: list[Block] = []
    position = length = 0
    for one in found:
        if isinstance(one, Block):
            moved = length - position
            blocks.append(replace(one, start=one.start + moved, end=one.end + moved))
            continue
        parts.append(text[position : one.start])
        length += one.start - position
        for kind, told in one.told:
            blocks.append(Block(kind, length, length + len(told)))
            parts.append(f"{told}\n\n")
            length += len(told) + 2
        position = one.end
    return "".join(parts) + text[position:], tuple(blocks)


def _blocks(text: str, body: int) -> Iterator[Block | _Table]:
    from markdown_it import MarkdownIt

    # The parser counts lines as "\n", "\r\n" or "\r" end them; so do these starts.
    starts = [match.start() + body for match in _LINE.finditer(text[body:])]
    starts.append(len(text))
    parser = MarkdownIt("commonmark", {"maxNesting": 100}).enable("table").disable("inline")
    items = start = end = 0
    rows: list[list[str]] = []
    # NUL is the one character that the parser replaces.
    for token in parser.parse(text[body:]):
        if token.type == "list_item_open":
            items += 1
        elif token.type == "list_item_close":
            items -= 1
        elif token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append(token.content)
        elif token.type == "table_close":
            named = len(rows[0]) == 1 or any(rows[0][1:])  # else the first row is a title
            yield _Table(start, end, [("table", row) for row in lines(rows, named)])
            rows.clear()
        if token.map is None or rows or token.type == "thead_open":
            continue
        start = starts[min(token.map[0], len(starts) - 1)]
        end = starts[min(token.map[1], len(starts) - 1)]
        block = _block(text, token, start, end, items > 0)
        if block is not None and block.start < block.end:
            yield block


def _block(text: str, token: "Token", start: int, end: int, in_item: bool) -> Block | _Table | None:
    """What a token opens, without its marks; None for what is no block of its own."""
    match token.type:
        case "heading_open":
            return _heading(text, start, end, int(token.tag[1]))
        case "paragraph_open":
            return _trimmed(text, "list_item" if in_item else "paragraph", start, end)
        case "fence":
            return _fenced(text, start, end)
        case "code_block":
            return _inner(text, "code", start, end)
        case "html_block":
            hidden = _HIDDEN_HTML.match(text, start, end)
            if hidden or _TAG_ONLY.fullmatch(text, start, end):
                return None
            if _HTML_ROW.search(text, start, end):
                page = Assembly()
                add_page(page, text[start:end].encode("utf-8", "replace"))
                shown = page.extraction(EXTRACTOR, None)
                told = [(block.kind, shown.text[block.start : block.end]) for block in shown.blocks]
                return _Table(start, end, told)
            return _trimmed(text, "paragraph", start, end)
    return None


def _inner(text: str, kind: BlockKind, start: int, end: int, level: int = 0) -> Block:
    """The block without white space at its ends."""
    inner = text[start:end]
    start += len(inner) - len(inner.lstrip())
    return Block(kind, start, start + len(inner.strip()), level)


def _trimmed(text: str, kind: BlockKind, start: int, end: int) -> Block:
    for mark in (_QUOTE_MARKS, _ITEM_MARK, _QUOTE_MARKS):
        found = mark.match(text, start, end)
        if found and (mark is not _ITEM_MARK or kind == "list_item"):
            start = found.end()
    return _inner(text, kind, start, end)


def _heading(text: str, start: int, end: int, level: int) -> Block:
    block = _trimmed(text, "list_item", start, end)
    start, end = block.start, block.end
    if mark := _HEADING_MARK.match(text, start, end):
        start = mark.end()
        if tail := _HEADING_TAIL.search(text, start, end):
            end = tail.start()
    elif rule := _SETEXT_RULE.search(text, start, end):
        end = rule.start()
    return _inner(text, "heading", start, end, level=level)


def _fenced(text: str, start: int, end: int) -> Block:
    block = _inner(text, "code", text.find("\n", start, end) + 1 or end, end)
    last_line = max(text.rfind("\n", block.start, block.end), block.start - 1) + 1
    closed = text[last_line : block.end].strip(" \t>`~") == ""
    return _inner(text, "code", block.start, last_line if closed else block.end)
