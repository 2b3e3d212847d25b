"""DOCX: the body's paragraphs and tables in order, then the footnotes."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracite.index.documents import Extraction
from veracite.index.readers import IF_SCANNED, Assembly, file_bytes
from veracite.index.readers.archive import opened, parsed, slimmed, unless_damaged
from veracite.index.readers.tables import ACROSS, Cells

if TYPE_CHECKING:
    from lxml.etree import _Element

EXTRACTOR = "docx/8"

_KIND, _PROGRAM = "a DOCX document", "Word or LibreOffice"

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HIDDEN = (
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
    *(_W + name for name in ("del", "moveFrom", "tabs")),
)
"""What no reader sees; ``tabs`` are stops, not characters."""
_TEXT = _W + "t"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_EQUATION = _M + "oMath"
_STACKED = ("f", "sSub", "sSup", "sSubSup", "nary", "rad")
_BEFORE = {"den": "/", "sub": "_", "sup": "^"}
_SIMPLE = re.compile(r"[\w.,]*|\([^()]*\)")
_SIGNS = {
    **dict.fromkeys((_W + "tab", _W + "p", _W + "tr"), " "),
    **dict.fromkeys((_W + "br", _W + "cr"), "\n"),
    _W + "noBreakHyphen": "-",
}
"""What elements stand for, in or between texts."""
_STRICT = re.compile(
    rb"(?<=[\"'])http://purl\.oclc\.org/ooxml/"
    rb"(officeDocument(?=/rel)|wordprocessingml(?=/main))/(relationships|main)(?=[\"'/])"
)
"""The names that matter here, in Strict Open XML."""
_USUAL = rb"http://schemas.openxmlformats.org/\1/2006/\2"
"""The same as Word and LibreOffice usually write them."""
_HEADING_NAME = re.compile(r"heading (\d)", re.I)


def read(path: Path) -> Extraction:
    """Read a Word document.

    Raises:
        ReadError: No DOCX, damaged, too large when unpacked, or without text.
    """
    with opened(file_bytes(path), _KIND, _PROGRAM) as archive:
        document = _document(archive)
    levels, assembly = _heading_levels(document), Assembly()
    for container in (document.element.body, *_footnotes(document)):
        _add_blocks(assembly, container, levels)
    return assembly.whole(EXTRACTOR, _title(document), "The document holds no text.", IF_SCANNED)


def _document(archive: zipfile.ZipFile) -> Any:
    from docx import Document

    with unless_damaged(_KIND, _PROGRAM):
        # Strict Open XML is the same format under other names.
        document = Document(slimmed(archive, lambda xml: _STRICT.sub(_USUAL, xml)))
        document.element.body.tag  # noqa: B018  there is none where the part is no document
    return document


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
    return 1 if name.casefold() == "title" else _outline_level(style)


def _outline_level(element: "_Element") -> int:
    value = _value(element, "pPr", "outlineLvl") or "9"
    return int(value) + 1 if value in tuple("012345678") else 0


def _value(element: "_Element", *names: str) -> str | None:
    """What the property to which these names lead is set to; None where it is not."""
    child = element.find("/".join(_W + name for name in names))
    return child.get(_W + "val") if child is not None else None


def _footnotes(document: Any) -> Iterator["_Element"]:
    for relation in document.part.rels.values():
        if relation.is_external or not relation.reltype.endswith(("/footnotes", "/endnotes")):
            continue
        with suppress(ValueError):  # the body is worth having without its notes
            # The others are separator lines.
            yield from (n for n in parsed(relation.target_part.blob) if n.get(_W + "type") is None)


def _add_blocks(assembly: Assembly, container: "_Element", levels: dict[str, int]) -> None:
    """Add the paragraphs and tables of a body or a note, those of text boxes and controls too."""
    from lxml import etree

    etree.strip_elements(container, *_HIDDEN, with_tail=False)
    for element in container.iter(_W + "p", _W + "tbl"):
        if next(element.iterancestors(_W + "tbl"), None) is not None:
            continue  # its row's
        if element.tag == _W + "p":
            _add_paragraph(assembly, element, levels)
            continue
        assembly.add_table(map(_cells, element.iterchildren(_W + "tr")))


def _cells(row: "_Element") -> Cells:
    """The texts of a row's cells."""
    found: list[str | None] = [""] * _columns(row, "trPr", "gridBefore")
    for cell in row.iter(_W + "tc"):
        if next(cell.iterancestors(_W + "tr")) is row:
            merged = cell.find(f"{_W}tcPr/{_W}vMerge")
            goes_on = merged is not None and merged.get(_W + "val") != "restart"
            found += [
                None if goes_on else _text(cell),
                *[ACROSS] * ((_columns(cell, "tcPr", "gridSpan") or 1) - 1),
            ]
    return found


def _columns(element: "_Element", properties: str, name: str) -> int:
    """How many columns a property counts; 0 where it is not set."""
    count = _value(element, properties, name) or ""
    return min(int(count), 64) if count.isdecimal() else 0


def _add_paragraph(assembly: Assembly, paragraph: "_Element", levels: dict[str, int]) -> None:
    text = _text(paragraph)
    name = _value(paragraph, "pPr", "pStyle") or ""
    if level := levels.get(name, 0) or _outline_level(paragraph):
        assembly.add("heading", " ".join(text.split()), level)
    elif name.startswith("TOC"):
        return  # a line of the table of contents
    elif paragraph.find(f"{_W}pPr/{_W}numPr") is not None or name.startswith("List"):
        assembly.add("list_item", text)
    else:
        assembly.add("paragraph", text)


def _text(element: "_Element") -> str:
    """What the element shows, without the text boxes in it."""
    boxes, told, last = _boxes(element), "", None
    for node in element.iter(_TEXT, _EQUATION, *_SIGNS):
        if _boxes(node) != boxes:
            continue
        if node.tag == _EQUATION:
            part = " " * (last is not None and last.tag == _EQUATION) + _equation(node)
        else:
            part = _SIGNS.get(str(node.tag)) or node.text or ""
        # "10" and a raised "6" would be another number.
        told += "^" * (told[-1:].isdigit() and part[:1].isdigit() and _is_raised(node)) + part
        last = node
    return told


def _is_raised(text: "_Element") -> bool:
    run = text.getparent()
    return run is not None and _value(run, "rPr", "vertAlign") == "superscript"


def _equation(element: "_Element") -> str:
    """An equation, or a part of one, on a line: "x^2/(2+a)"."""
    name = str(element.tag).removeprefix(_M)
    if name == "t":
        return element.text or ""
    told = {"nary": "∫", "rad": "√"}.get(name, "")
    sign = element.find(f"{_M}naryPr/{_M}chr")
    if sign is not None:
        told = sign.get(_M + "val", told)
    for child in element:
        kind = str(child.tag).removeprefix(_M)
        part = "" if kind.endswith("Pr") else _equation(child)
        if name in _STACKED and not _SIMPLE.fullmatch(part):
            part = f"({part})"
        told += _BEFORE.get(kind, "") + part if part else ""
    return f"({told})" if name == "d" else told


def _boxes(element: "_Element") -> int:
    """How many text boxes the element stands in."""
    return sum(1 for _ in element.iterancestors(_W + "txbxContent"))
