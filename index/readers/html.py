"""HTML: what a browser would show, block element by block element."""

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.index.documents import BlockKind, Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.plain import decoded

if TYPE_CHECKING:
    from lxml.html import HtmlElement

EXTRACTOR = "html/8"

_DROPPED = frozenset(
    "script style noscript template head nav svg canvas iframe object embed audio video form button"
    " select textarea input option map area datalist dialog menu math frameset".split()
)
_INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp"
    " rt ruby s samp small span strike strong sub sup time tt u var wbr center".split()
)
_OF_WIKIS = frozenset(["mw-editsection", "mw-jump-link", "wb-langlinks-edit"])
"""Classes of what MediaWiki puts beside an article: "[edit]", "Jump to content"."""
_KINDS: dict[str, tuple[BlockKind, int]] = {
    **{f"h{level}": ("heading", level) for level in range(1, 7)},
    **dict.fromkeys(["li", "dt", "dd"], ("list_item", 0)),
    "tr": ("table", 0),
    "pre": ("code", 0),
}
"""Kind and level of what the elements of blocks hold; of others it is a paragraph."""
_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w-]{2,40})""", re.I)
_XML_ENCODING = re.compile(rb"""\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w-]{2,40})""")
_XML_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_HUGE_TAG = re.compile(r"<(\w+)\s[^<>]{250000,}>")
"""Its attributes, of which the parser's time grows with the square, say nothing that is shown."""
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_POWER = re.compile(r"\s*[-−]?\d")
"""A raised number: "10" with it would be read as another one."""
_TABLE_MARK = "\x1f"
_ROW_GROUPS = ("thead", "tbody", "tfoot")
_MOST_COLUMNS, _MOST_ROWS = 1_000, 65_534
"""That a cell may take, by the standard."""


def read(path: Path) -> Extraction:
    """Read a web page that was saved as a file; raises ReadError where it shows no text."""
    assembly = Assembly()
    title = add_page(assembly, file_bytes(path))
    return assembly.whole(
        EXTRACTOR,
        title,
        "The page shows no text; its content may be made by scripts.",
        "Save the page from a browser as plain text or PDF.",
    )


def add_page(assembly: Assembly, content: bytes) -> str | None:
    """Add what a page shows, and return its title.

    Raises:
        ReadError: It is no HTML.
    """
    from lxml import etree
    from lxml.html import HTMLParser, document_fromstring

    source = _NOT_XML.sub("", _XML_DECLARATION.sub("", _source(content)))
    parser = HTMLParser(huge_tree=True, remove_comments=True)
    try:
        root = document_fromstring(_HUGE_TAG.sub(r"<\1>", source), parser=parser)
    except (etree.LxmlError, ValueError) as error:
        raise ReadError(
            "The file holds no readable HTML.", "Open it in a browser and save it again."
        ) from error
    if any("depth" in str(entry.message) for entry in parser.error_log):
        raise ReadError(
            "The elements of the page are nested too deeply.",
            "Save the page from a browser as plain text or PDF.",
        )
    body = root.find("body")
    _Walk(assembly).element(body if body is not None else root)
    return root.findtext("head/title") or root.findtext(".//title")


def _source(content: bytes) -> str:
    """Bytes to text: byte order mark or UTF-8 first, then what the page says of itself."""
    with suppress(UnicodeDecodeError):
        return content.decode("utf-8-sig")
    head = content[:4096]
    named = _META_CHARSET.search(head) or _XML_ENCODING.search(head)
    if named and not content.startswith((b"\xff\xfe", b"\xfe\xff")) and b"\0" not in head:
        encoding = named.group(1).decode("ascii", "replace").lower()
        # Pages that say ISO-8859-1 mean Windows-1252, as every browser knows.
        encoding = {"iso-8859-1": "cp1252", "latin1": "cp1252"}.get(encoding, encoding)
        with suppress(LookupError):
            return content.decode(encoding, "replace")
    return decoded(content)


class _Walk:
    """Goes through the tree without recursion: depth is the document's choice, not ours."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._text: list[str] = []
        self._kind: BlockKind = "paragraph"
        self._level = 0
        self._rows: list[list[str]] = []
        """Of the table that is being read."""
        self._headers = 0
        """How many of its first rows have several cells and these are header cells."""
        self._is_header = True
        """Whether the row that is being read has."""
        self._spans: list[tuple[int, int]] = []
        """How many columns and rows each cell of the row takes that is being read."""
        self._reaching: dict[int, tuple[str, int]] = {}
        """By column, what reaches down from the rows above, and into how many rows."""
        self._preformatted = 0
        self._in_row = 0

    def element(self, root: "HtmlElement") -> None:
        """Add all that is shown of an element."""
        stack: list[tuple[HtmlElement, bool]] = [(root, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                self._leave(str(node.tag))
                self._append(node.tail if node is not root else None)
                continue
            if not isinstance(node.tag, str) or _is_dropped(node):
                self._append(node.tail)
                continue
            self._enter(node)
            self._append(node.text)
            stack.append((node, True))
            stack += [(child, False) for child in reversed(node)]
        self._flush()
        self._end_table()

    def _append(self, text: str | None) -> None:
        if text:
            self._text.append(text if self._preformatted else _BLANKS.sub(" ", text))

    def _enter(self, node: "HtmlElement") -> None:
        tag = str(node.tag)
        if tag in _INLINE:
            raised = tag == "sup" and _POWER.match(node.text_content())
            if raised and "".join(self._text[-1:])[-1:].isdigit():
                self._text.append("^")
            return
        if tag == "br":
            self._text.append("\n")
        elif tag in ("td", "th"):
            if self._in_row:
                self._text.append(_TABLE_MARK)
                self._kind = "table"  # again, where another table stood in the cell before
                self._is_header &= tag == "th"
                columns = min(_number(node, "colspan") or 1, _MOST_COLUMNS)
                self._spans.append((columns, _number(node, "rowspan") or _MOST_ROWS))
        elif self._in_row and tag not in ("tr", "table"):
            self._text.append(" ")
        else:
            self._flush()
            self._kind, self._level = _kind_of(tag, self._kind)
            self._preformatted += tag == "pre"
            self._in_row += tag == "tr"

    def _leave(self, tag: str) -> None:
        if tag in _INLINE or tag in ("br", "td", "th"):
            return
        if self._in_row and tag not in ("tr", "table"):
            self._text.append(" ")
            return
        self._flush()
        if tag == "table":
            self._end_table()
        elif tag in _ROW_GROUPS:
            self._reaching.clear()
        self._preformatted -= tag == "pre" and self._preformatted > 0
        self._in_row -= tag == "tr" and self._in_row > 0
        self._kind, self._level = "paragraph", 0

    def _flush(self) -> None:
        """End the block that is being collected."""
        text = "".join(self._text)
        self._text.clear()
        if self._kind == "table":
            before, *cells = text.split(_TABLE_MARK)
            spans, self._spans = self._spans, []
            if before.strip():
                cells, spans = [before, *cells], [(1, 1), *spans]
            filled = sum(map(bool, map(str.strip, cells))) + len(self._reaching)
            names = self._is_header and filled > 1 and self._headers == len(self._rows)
            row = self._spread(cells, spans, names)
            if cells:
                self._headers += names
                self._rows.append(row)
            self._is_header = True
            return
        if text.strip():
            self._end_table()
        if self._kind != "code":
            told = (_BLANKS.sub(" ", line).strip() for line in text.split("\n"))
            text = re.sub(r"\n{2,}", "\n\n", "\n".join(told))
        self._assembly.add(self._kind, text, self._level)

    def _spread(
        self, cells: Sequence[str], spans: Sequence[tuple[int, int]], names: bool
    ) -> list[str]:
        """A row's cells by column: those that reach down into it again, and names of columns."""
        above, self._reaching = self._reaching, {}
        row: list[str] = []

        def put(text: str, rows: int) -> None:
            if rows > 1:
                self._reaching[len(row)] = text, rows - 1
            row.append(text)

        for text, (columns, rows) in zip(cells, spans, strict=True):
            while len(row) in above:
                put(*above[len(row)])
            for told in (text, *[text if names else ""] * (columns - 1)):
                put(told, rows)
        while len(row) <= max(above, default=-1):
            put(*above.get(len(row), ("", 1)))
        return row

    def _end_table(self) -> None:
        self._assembly.add_table(self._rows, self._headers)
        self._rows.clear()
        self._headers = 0
        self._reaching.clear()


def _kind_of(tag: str, around: BlockKind) -> tuple[BlockKind, int]:
    # A paragraph inside a list item still belongs to it.
    inside = around == "list_item" and tag in ("p", "div")
    return _KINDS.get(tag, ("list_item" if inside else "paragraph", 0))


def _number(cell: "HtmlElement", name: str) -> int:
    said = (cell.get(name) or "").strip()
    return int(said[:5]) if said.isdecimal() else 1


def _is_dropped(node: "HtmlElement") -> bool:
    if node.tag in _DROPPED or node.get("hidden") is not None:
        return True
    # What a list says of the page in another language is a link alone.
    link = node.find(".//a[@hreflang]") if node.tag == "li" else None
    if link is not None and link.text_content().strip() == node.text_content().strip():
        return True
    if node.get("aria-hidden") == "true" or node.get("role") in ("navigation", "search"):
        return True
    if not _OF_WIKIS.isdisjoint((node.get("class") or "").split()):
        return True
    return bool(_HIDDEN_STYLE.search(node.get("style") or ""))
