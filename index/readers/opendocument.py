"""OpenDocument: texts, slides and spreadsheets of LibreOffice and others (odt, odp, ods)."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.index.documents import Extraction
from veracite.index.readers import IF_SCANNED, Assembly, file_bytes
from veracite.index.readers.archive import opened, parsed, unless_damaged
from veracite.index.readers.spreadsheet import add_sheet
from veracite.index.readers.tables import ACROSS, Cells, filled

if TYPE_CHECKING:
    from lxml.etree import _Element

EXTRACTOR = "opendocument/5"

_BASE = "{urn:oasis:names:tc:opendocument:xmlns:"
_TEXT, _TABLE = _BASE + "text:1.0}", _BASE + "table:1.0}"
_COVERED = _TABLE + "covered-table-cell"
_DRAWING = _BASE + "drawing:1.0}"
_PAGE = _DRAWING + "page"
_STYLE = _BASE + "style:1.0}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_TYPED = ".//{http://www.w3.org/1998/Math/MathML}annotation"
_HIDDEN = (
    _TEXT + "tracked-changes", _TEXT + "table-of-content", _BASE + "office:1.0}annotation",
    _BASE + "office:1.0}forms", _TEXT + "sequence-decls", _BASE + "presentation:1.0}notes",
)  # fmt: skip
"""What a reader of the document does not see, or sees twice."""
_BLANKS = {_TEXT + "s": " ", _TEXT + "tab": " ", _TEXT + "line-break": "\n"}
_TITLE = ".//{http://purl.org/dc/elements/1.1/}title"
_MOST_CELLS = 1_024
"""How often a cell or row that is said to repeat is repeated."""
_MOST_ALIKE = 20_000
"""Cells of one row that is said to repeat, with all its repetitions."""


def read(path: Path) -> Extraction:
    """Read an OpenDocument file; raises ReadError where it is damaged, locked or empty."""
    kind, program = f"an {path.suffix[1:].upper()} document", "LibreOffice"
    with opened(file_bytes(path), kind, program) as archive, unless_damaged(kind, program):
        content = parsed(archive.read("content.xml"))
        body = content.find(f"{_BASE}office:1.0}}body")
        about = parsed(archive.read("meta.xml")) if "meta.xml" in archive.namelist() else None
        if body is None:
            raise ValueError("it has no body")
        _write_formulas(body, archive)
        _mark_powers(content)
    from lxml import etree

    etree.strip_elements(body, *_HIDDEN, with_tail=False)
    assembly = Assembly()
    for element in _blocks(body):
        _add(assembly, element)
    title = about.findtext(_TITLE) if about is not None else None
    return assembly.whole(EXTRACTOR, title, "The document holds no text.", IF_SCANNED)


def _write_formulas(body: "_Element", archive: zipfile.ZipFile) -> None:
    """Put formulas, which are documents of their own, into the text, as their author typed them."""
    for shown in list(body.iter(_DRAWING + "object")):
        name = f"{shown.get(_HREF, '').removeprefix('./')}/content.xml"
        frame = shown.getparent()
        if frame is not None and name in archive.namelist():
            typed = parsed(archive.read(name)).findtext(_TYPED)
            if typed:
                frame.tag, frame.text = _TEXT + "span", " ".join(typed.split())
                frame.remove(shown)


def _mark_powers(content: "_Element") -> None:
    """Put a sign before what is raised behind a figure: "10" and "6" would be another number."""
    raised = {
        style.get(_STYLE + "name")
        for style in content.iter(_STYLE + "style")
        for shape in style.iterchildren(_STYLE + "text-properties")
        if shape.get(_STYLE + "text-position", "").startswith(("super", *"123456789"))
    }
    for span in content.iter(_TEXT + "span"):
        text = span.text or ""
        last = span.xpath("string(preceding-sibling::node()[1])")
        if span.get(_TEXT + "style-name") in raised and last[-1:].isdigit() and text[:1].isdigit():
            span.text = f"^{text}"


def _blocks(body: "_Element") -> Iterator["_Element"]:
    """Headings, paragraphs, tables and slides in order; what stands in a table is the table's."""
    for element in body.iter(_TEXT + "h", _TEXT + "p", _TABLE + "table", _PAGE):
        if next(element.iterancestors(_TABLE + "table"), None) is None:
            yield element


def _add(assembly: Assembly, element: "_Element") -> None:
    if element.tag == _PAGE:
        assembly.start_page()
    elif element.tag == _TABLE + "table":
        parent = element.getparent()
        if parent is not None and str(parent.tag).endswith("}spreadsheet"):
            assembly.start_page()
            assembly.add("heading", element.get(_TABLE + "name") or "Sheet", 1)
            rows = filled(_rows(element))
            add_sheet(assembly, (["" if told == ACROSS else told for told in row] for row in rows))
            return
        named = element.find(_TABLE + "table-header-rows")
        headers = 0 if named is None else sum(map(any, _rows(named)))
        assembly.add_table(_rows(element), headers)
    elif element.tag == _TEXT + "h":
        level = element.get(_TEXT + "outline-level", "1")
        assembly.add("heading", _shown(element), int(level) if level.isdigit() else 1)
    else:
        in_list = next(element.iterancestors(_TEXT + "list-item"), None) is not None
        assembly.add("list_item" if in_list else "paragraph", _shown(element))


def _rows(table: "_Element") -> Iterator[Cells]:
    for row in table.iter(_TABLE + "table-row"):
        cells: list[str | None] = []
        reach = 0
        for cell in row.iterchildren(_TABLE + "table-cell", _COVERED):
            told: str | None = " ".join(map(_shown, cell.iter(_TEXT + "p", _TEXT + "h")))
            if cell.tag != _COVERED:
                reach = len(cells) + _times(cell, _TABLE + "number-columns-spanned")
            else:
                told = ACROSS if len(cells) < reach else None
            cells += [told] * _times(cell, _TABLE + "number-columns-repeated")
        while cells and cells[-1] == "":
            cells.pop()
        times = _times(row, _TABLE + "number-rows-repeated")
        yield from [cells] * min(times, max(1, _MOST_ALIKE // max(1, len(cells))))


def _times(element: "_Element", name: str) -> int:
    given = element.get(name, "1")
    return min(int(given), _MOST_CELLS) if given.isdigit() else 1


def _shown(element: "_Element") -> str:
    """The element's own text, without that of frames and notes in it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag in _BLANKS:
            count = child.get(_TEXT + "c", "1")
            parts.append(_BLANKS[child.tag] * (min(int(count), 80) if count.isdigit() else 1))
        elif (
            isinstance(child.tag, str)
            and child.tag.startswith(_TEXT)
            and (child.tag != _TEXT + "note")
        ):
            parts.append(_shown(child))
        parts.append(child.tail or "")
    return "".join(parts)
