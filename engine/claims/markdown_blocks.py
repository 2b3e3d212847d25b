"""The blocks of a draft in Markdown, read by markdown-it-py, as exact spans of the source."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from veracite.engine.claims.draft_blocks import DraftBlock, SourceLines
from veracite.index.documents import Span

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"---[ \t]*\n((?:[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|$)")
_KEY = re.compile(r"[\w-]+\s*:")
_CODE_SIGN = re.compile(
    r"[{}<>=;|\\$#@_`^~]|\(\)|->|::|^\s*(?:def|class|import|from|sudo|pip|cd|ls)\s"
)
_ADDRESS_OR_PRICE = re.compile(r"https?://[^\s()]+|[$€£]\d[\d.,]*|\b\d[\d.,]*%?(?!\w)")


def markdown_blocks(lines: SourceLines) -> Iterator[DraftBlock]:
    """The blocks of a draft in Markdown, as markdown-it finds them; bullets that Markdown does not
    know and footnotes are not told apart yet."""
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
    yield from _walk(tokens, lines)


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


def _walk(tokens: "Sequence[Token]", lines: SourceLines) -> Iterator[DraftBlock]:
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


def _content_spans(token: "Token", lines: SourceLines) -> tuple[Span, ...]:
    first = token.map[0] if token.map else 0
    located = (lines.locate(first + i, line) for i, line in enumerate(token.content.split("\n")))
    return tuple(span for span in located if span is not None)


def _is_false_heading(heading: "Token", spans: Sequence[Span], lines: SourceLines) -> bool:
    """A paragraph that a line of dashes happens to follow is no heading."""
    last = lines.source[spans[-1].start : spans[-1].end]
    underlined = heading.markup in ("-", "=")
    return underlined and (len(spans) > 2 or (last.endswith(".") and len(last.split()) > 5))


def _whole_lines(token: "Token", lines: SourceLines) -> tuple[Span, ...]:
    first = token.map[0] if token.map else 0
    wanted = token.content.split("\n")
    if token.type == "fence":
        first += 1
    located = (lines.locate(first + i, line) for i, line in enumerate(wanted))
    return tuple(span for span in located if span is not None)


def _cells(lines: SourceLines, number: int) -> tuple[Span, ...]:
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
