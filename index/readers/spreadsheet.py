"""Spreadsheets: each row as a line, its cells behind the names of their columns (xlsx, csv, tsv).

Values, not formulas; dates as dates. A sheet is a page and has its name as heading.
"""

import csv
import datetime
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.archive import opened, unless_damaged
from veracite.index.readers.plain import decoded
from veracite.index.readers.tables import lines, side_by_side

EXTRACTOR = "spreadsheet/5"

_KIND, _PROGRAM = "an XLSX workbook", "Excel or LibreOffice"
_EMPTY = ("The table holds no text and no figures.", "Leave it out.")
_SEPARATORS = ",;\t|"
_SAMPLE = 64_000
_MOST_COLUMNS = 1_000
_MOST_EMPTY_ROWS = 1_000
"""Of a sheet, the last one behind one another; what lies beyond is not read."""


def read(path: Path) -> Extraction:
    """Read a workbook or a file of separated values.

    Raises:
        ReadError: It is damaged, locked, no text, or empty.
    """
    content = file_bytes(path)
    suffix = path.suffix.lower()
    is_text = suffix in (".csv", ".tsv")
    return _separated(decoded(content), suffix) if is_text else _workbook(content)


def _separated(text: str, suffix: str) -> Extraction:
    try:
        dialect: Any = csv.Sniffer().sniff(text[:_SAMPLE], _SEPARATORS)
    except csv.Error:
        dialect = "excel-tab" if suffix == ".tsv" else "excel"
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    assembly = Assembly()
    try:
        add_sheet(assembly, csv.reader(io.StringIO(text, newline=""), dialect))
    except csv.Error as error:
        raise ReadError(
            f"The rows cannot be told apart ({error}).", "Save it again from a spreadsheet program."
        ) from error
    return assembly.whole(EXTRACTOR, None, *_EMPTY)


def _workbook(content: bytes) -> Extraction:
    from openpyxl import load_workbook

    opened(content, _KIND, _PROGRAM).close()
    assembly = Assembly()
    with unless_damaged(_KIND, _PROGRAM):
        workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        for sheet in workbook.worksheets:
            rows = sheet.iter_rows(max_col=_MOST_COLUMNS + 1)
            assembly.start_page()
            assembly.add("heading", sheet.title, 1)
            add_sheet(assembly, ([_shown(cell) for cell in row] for row in rows))
        title = workbook.properties.title
    return assembly.whole(EXTRACTOR, title, *_EMPTY)


def add_sheet(assembly: Assembly, rows: Iterable[Sequence[str]]) -> None:
    """Add the tables of a sheet, which empty rows part, and empty columns."""
    table: list[Sequence[str]] = []
    first = empty = 0
    for number, row in enumerate(rows, start=1):
        if any(row[_MOST_COLUMNS:]):
            raise ReadError(f"A sheet has more than {_MOST_COLUMNS:,} columns.", "Split it.")
        if any(map(str.strip, row)):
            first = first if table else number
            table.append(row)
            empty = 0
            continue
        _add_tables(assembly, table, first)
        table = []
        empty += 1
        if empty > _MOST_EMPTY_ROWS:  # formatted to its end, as sheets often are
            break
    _add_tables(assembly, table, first)


def _add_tables(assembly: Assembly, rows: Sequence[Sequence[str]], first: int) -> None:
    for left, right in side_by_side(rows):
        parts = [(number, row[left:right]) for number, row in enumerate(rows, start=first)]
        table = [(number, cells) for number, cells in parts if any(map(str.strip, cells))]
        told = lines([cells for _, cells in table])
        for (number, cells), line in zip(table, told, strict=True):
            assembly.add_row(line, number, left, cells)


def _shown(cell: Any) -> str:
    """A cell as its sheet shows it, as far as its format is plain."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime.datetime):
        whole_day = value.time() == datetime.time()
        return value.date().isoformat() if whole_day else value.isoformat(" ", "minutes")
    if isinstance(value, float):
        if "%" in str(cell.number_format):
            return f"{round(100 * value, 4):g} %"
        return f"{round(value, 6):.6f}".rstrip("0").rstrip(".")
    return str(value)
