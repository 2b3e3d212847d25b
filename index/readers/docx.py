"""DOCX: the body's paragraphs and tables in order, then the footnotes."""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes

if TYPE_CHECKING:
    from lxml.etree import _Element

EXTRACTOR = "docx/2"

_MOST_ENTRIES = 10_000
_MOST_BYTES = 500 * 1024 * 1024
"""Of all entries, unpacked."""
_MOST_XML = 100 * 1024 * 1024
_MOST_RATIO = 200
_RATIO_COUNTS_FROM = 20 * 1024 * 1024

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SKIPPED = frozenset(
    {_FALLBACK, *(_W + name for name in ("del", "moveFrom", "instrText", "delText", "pPr", "rPr"))}
)
_STRICT = {
    b"http://purl.oclc.org/ooxml/officeDocument/relationships": (
        b"http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    ),
    b"http://purl.oclc.org/ooxml/wordprocessingml/main": (
        b"http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    ),
}
"""The names that matter here in Strict Open XML, and what Word and LibreOffice usually write."""
_STRICT_NAME = re.compile(rb"(?<=[\"'])(?:" + b"|".join(map(re.escape, _STRICT)) + rb")(?=[\"'/])")
_HEADING_NAME = re.compile(r"heading (\d)", re.I)


def read(path: Path) -> Extraction:
    """Read a Word document.

    Raises:
        ReadError: No DOCX, damaged, too large when unpacked, or without text.
    """
    content = file_bytes(path)
    _check_archive(content)
    document = _opened(content)
    walk = _Walk(_heading_levels(document))
    walk.blocks(document.element.body)
    for note in _footnotes(document):
        walk.blocks(note)
    extraction = walk.assembly.extraction(EXTRACTOR, _title(document))
    if not extraction.blocks:
        raise ReadError(
            "The document holds no text.",
            "If its pages are images, add their text with an OCR program.",
        )
    return extraction


def _check_archive(content: bytes) -> None:
    if content.startswith(b"\xd0\xcf\x11\xe0"):
        raise ReadError(
            "The document is encrypted or in the old DOC format.",
            "Save it as DOCX without a password.",
        )
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise _damaged() from error
    size = sum(entry.file_size for entry in entries)
    bomb = any(
        entry.file_size > _RATIO_COUNTS_FROM
        and entry.file_size > _MOST_RATIO * max(entry.compress_size, 1)
        for entry in entries
    )
    large_xml = any(
        entry.file_size > _MOST_XML and entry.filename.endswith((".xml", ".rels"))
        for entry in entries
    )
    if bomb or large_xml or size > _MOST_BYTES or len(entries) > _MOST_ENTRIES:
        raise ReadError(
            "The document unpacks to far more than its size and was not opened.",
            "Check where it comes from before you open it.",
        )


def _damaged() -> ReadError:
    return ReadError(
        "The file is damaged or is not a DOCX document.",
        "Open it in Word or LibreOffice and save it.",
    )


def _opened(content: bytes) -> Any:
    from docx import Document
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        return Document(io.BytesIO(_transitional(content)))
    except (
        OpcError,
        LxmlError,
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        AttributeError,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        OSError,
        EOFError,
    ) as error:
        # python-docx leaves whatever it stumbles over in a damaged package as it is.
        raise _damaged() from error


def _transitional(content: bytes) -> bytes:
    """The document under the usual names, if it is Strict Open XML: the same format otherwise."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        if not _STRICT_NAME.search(archive.read("_rels/.rels")):
            return content
        with zipfile.ZipFile(result, "w") as renamed:
            for name in dict.fromkeys(archive.namelist()):
                part = archive.read(name)
                if name.endswith((".xml", ".rels")):
                    part = _STRICT_NAME.sub(lambda match: _STRICT[match.group()], part)
                renamed.writestr(name, part)
    return result.getvalue()


def _title(document: Any) -> str | None:
    try:
        return str(document.core_properties.title or "") or None
    except (KeyError, ValueError, AttributeError):
        return None


def _heading_levels(document: Any) -> dict[str, int]:
    """Style id to heading level, through the styles that a style is based on."""
    try:
        styles = {style.get(_W + "styleId"): style for style in document.styles.element}
    except (KeyError, AttributeError):
        return {}
    levels: dict[str, int] = {}
    for style_id in styles:
        current, seen = style_id, set()
        while current in styles and current not in seen:
            seen.add(current)
            if level := _own_level(styles[current]):
                levels[style_id] = level
                break
            current = _value(styles[current], "basedOn")
    return levels


def _own_level(style: "_Element") -> int:
    name = _value(style, "name") or ""
    if match := _HEADING_NAME.fullmatch(name):
        return int(match.group(1))
    if name.casefold() == "title":
        return 1
    return _outline_level(style)


def _outline_level(element: "_Element") -> int:
    level = element.find(f"{_W}pPr/{_W}outlineLvl")
    value = level.get(_W + "val", "9") if level is not None else "9"
    return int(value) + 1 if value in "012345678" else 0


def _value(element: "_Element", name: str) -> str | None:
    child = element.find(_W + name)
    return child.get(_W + "val") if child is not None else None


def _footnotes(document: Any) -> Iterator["_Element"]:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    for relation in document.part.rels.values():
        if relation.is_external or not relation.reltype.endswith(("/footnotes", "/endnotes")):
            continue
        try:
            root = etree.fromstring(relation.target_part.blob, parser)
        except etree.LxmlError:
            continue  # the body is worth having without its notes
        for note in root:
            if note.get(_W + "type") is None:  # the others are separator lines
                yield note


class _Walk:
    """Collects the blocks of a body, a cell or a note."""

    def __init__(self, levels: dict[str, int]) -> None:
        self.assembly = Assembly()
        self._levels = levels

    def blocks(self, container: "_Element") -> None:
        """Add the paragraphs and tables under an element, content controls included."""
        stack = list(reversed(container))
        while stack:
            element = stack.pop()
            if element.tag in _SKIPPED:
                continue
            if element.tag == _W + "p":
                self._paragraph(element)
                stack += reversed(list(_outermost(element, "txbxContent")))
            elif element.tag == _W + "tbl":
                self._table(element)
            else:
                stack += reversed(element)

    def _paragraph(self, paragraph: "_Element") -> None:
        text = _text(paragraph)
        style = paragraph.find(f"{_W}pPr/{_W}pStyle")
        name = style.get(_W + "val", "") if style is not None else ""
        level = self._levels.get(name, 0) or _outline_level(paragraph)
        if level:
            self.assembly.add("heading", " ".join(text.split()), level)
        elif paragraph.find(f"{_W}pPr/{_W}numPr") is not None or name.startswith("List"):
            self.assembly.add("list_item", text)
        else:
            self.assembly.add("paragraph", text)

    def _table(self, table: "_Element") -> None:
        for row in table.iterchildren(_W + "tr"):
            cells = (" ".join(_text(cell).split()) for cell in _outermost(row, "tc"))
            self.assembly.add("table", " | ".join(cell for cell in cells if cell))


def _outermost(parent: "_Element", name: str) -> Iterator["_Element"]:
    """The elements of a name under the parent (a row's cells, a paragraph's text boxes) that stand
    in no other one; of a text box's two notations only the first.
    """
    stack = list(reversed(parent))
    while stack:
        element = stack.pop()
        if element.tag == _W + name:
            yield element
        elif element.tag not in _SKIPPED:
            stack += reversed(element)


def _text(element: "_Element") -> str:
    """What the element shows, without text boxes and what was deleted."""
    parts: list[str] = []
    stack = list(reversed(element))
    while stack:
        child = stack.pop()
        tag = child.tag
        if tag in _SKIPPED or tag == _W + "txbxContent":
            continue
        if tag == _W + "t":
            parts.append(child.text or "")
        elif tag in (_W + "tab", _W + "p", _W + "tr"):
            parts.append(" ")
        elif tag in (_W + "br", _W + "cr"):
            parts.append("\n")
        elif tag == _W + "noBreakHyphen":
            parts.append("-")
        if tag != _W + "t":
            stack += reversed(child)
    return "".join(parts)
