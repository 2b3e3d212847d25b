"""The structure of a draft: which stretches are prose, which are headings, lists, tables or code.

Every block comes back as exact spans of the source, one a line.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from veracite.engine.claims.draft_blocks import DraftBlock, DraftKind, SourceLines, source_lines
from veracite.engine.claims.markdown_blocks import markdown_blocks
from veracite.index.documents import Span

_BULLET = re.compile(r"[ \t]*[•‣▪●◦·]\s*")
_FOOTNOTE = re.compile(r"[ \t]*\[(?:\^[^\[\]\s]{1,60}|\d{1,3})\]:[ \t]*")
_DASH = re.compile(r"[ \t]*[–—]\s+")
_PLAIN_ITEM = re.compile(r"[ \t]*(?:[•‣▪●◦]\s*|[-*+–—·]\s+|\(?\d{1,3}[.)]\s+)")


def read_blocks(source: str, *, markdown: bool = True) -> tuple[DraftBlock, ...]:
    """The blocks of a draft in order of position, not overlapping.

    What says nothing (rules, link definitions, front matter, comments) is left out.

    Args:
        markdown: False reads paragraphs between empty lines and nothing else.
    """
    lines = source_lines(source)
    if markdown:
        found = sorted(markdown_blocks(lines), key=lambda block: block.spans[0].start)
        blocks = [part for block in found for part in _split_bullets(block, lines)]
    else:
        blocks = list(_plain_blocks(lines))
    return tuple(part for block in blocks for part in _split_footnotes(block, lines))


def _plain_blocks(lines: SourceLines) -> Iterator[DraftBlock]:
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


def _split_bullets(block: DraftBlock, lines: SourceLines) -> Iterator[DraftBlock]:
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


def _split_footnotes(block: DraftBlock, lines: SourceLines) -> Iterator[DraftBlock]:
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
