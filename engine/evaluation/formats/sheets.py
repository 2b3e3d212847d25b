"""Rows of Excel workbooks: every sheet with its own header."""

import zipfile
from collections.abc import Iterator
from typing import IO

from veracite.engine.errors import InputError

__all__ = ["sheet_rows"]


def sheet_rows(stream: IO[bytes], name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows of all sheets with their place (``sheet 'a', row 3``), the header's names as keys.

    Raises:
        InputError: openpyxl is not there, or the workbook is damaged.
    """
    try:
        import openpyxl
    except ImportError:
        raise InputError(
            f"{name} is an Excel workbook, and openpyxl, which reads it, is not installed.",
            "Install it with: pip install openpyxl",
        ) from None
    try:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        for sheet in book.worksheets:
            yield from _rows(sheet.title, sheet.iter_rows(values_only=True))
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InputError(
            f"{name} is a damaged workbook ({error}).", "Get the file again."
        ) from None


def _rows(
    title: str, rows: Iterator[tuple[object, ...]]
) -> Iterator[tuple[str, dict[str, object]]]:
    names: list[str] | None = None
    for number, values in enumerate(rows, start=1):
        if all(value is None for value in values):
            continue
        if names is None:
            names = ["" if value is None else str(value).strip().lower() for value in values]
        else:
            yield f"sheet {title!r}, row {number}", dict(zip(names, values, strict=False))
