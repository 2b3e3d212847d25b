"""Rows of upstream files: JSON, JSON lines, CSV, TSV and Excel sheets, gzipped or not.

Lines end at ``\\n`` alone: FELM's texts hold U+2028, which ``str.splitlines`` would cut at.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats.parts import Part
from veracite.engine.evaluation.formats.sheets import sheet_rows

__all__ = ["Broken", "Row", "first_row", "rows"]

_BOM = b"\xef\xbb\xbf"
_LONGEST = 2**31 - 1
_WRAPPERS = ("data", "Data")
"""Where ALCE's results, SQuAD and TriviaQA keep their rows."""

_NO_JSON = "no valid JSON"


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file."""

    fields: Mapping[str, object]
    part: Part
    number: int
    """Its place among the part's records, from 1; blank lines count where lines are counted."""
    where: str
    """The same in words: ``line 3``."""
    place: str
    """An id for a record without one of its own, also where several files are read as one set."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that cannot be read."""

    part: Part
    where: str
    reason: str


def first_row(part: Part) -> Row | None:
    """The first record that can be read.

    Raises:
        InputError: The file cannot be read, or is of no known kind.
    """
    return next((row for row in rows(part) if isinstance(row, Row)), None)


def rows(part: Part) -> Iterator[Row | Broken]:
    """The records of a file, one by one.

    Raises:
        InputError: The file cannot be read, is damaged or of no known kind; also midway.
    """
    with part.open() as stream:
        if part.kind == ".xlsx":
            for number, (where, fields) in enumerate(sheet_rows(stream, part.name), start=1):
                yield Row(fields, part, number, where, str(number))
        elif part.kind in (".csv", ".tsv"):
            yield from _table(part, stream)
        else:
            yield from _json(part, stream)


def _json(part: Part, stream: IO[bytes]) -> Iterator[Row | Broken]:
    first, second = _head(stream)
    stream.seek(0)
    if not first:
        return
    if first[:1] != b"[" and (second[:1] == b"{" or (second and _parsed(first) is not None)):
        yield from _lines(part, stream)
        return
    if first[:1] not in (b"{", b"["):
        raise InputError(
            f"{part.name} is neither JSON, JSON lines, CSV, TSV nor an Excel sheet.",
            "Give the set's file as its authors publish it.",
        )
    try:
        whole = json.loads(stream.read().removeprefix(_BOM))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{part.name} is not valid JSON ({error}).", "Get the file again and compare its size."
        ) from None
    for number, value in enumerate(_unwrapped(whole), start=1):
        yield _row(part, number, f"row {number}", value)


def _head(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """The first two lines that are not blank."""
    lines = (line.removeprefix(_BOM).strip() for line in stream)
    filled = (line for line in lines if line)
    return next(filled, b""), next(filled, b"")


def _lines(part: Part, stream: IO[bytes]) -> Iterator[Row | Broken]:
    for number, line in enumerate(stream, start=1):
        if line.strip():
            yield _row(part, number, f"line {number}", _parsed(line.removeprefix(_BOM)))


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _unwrapped(whole: object) -> list[object]:
    if isinstance(whole, list):
        return whole
    if isinstance(whole, dict):
        for key in _WRAPPERS:
            inner = whole.get(key)
            if isinstance(inner, list) and all(isinstance(value, dict) for value in inner):
                return inner
    return [whole]


def _row(part: Part, number: int, where: str, value: object) -> Row | Broken:
    if isinstance(value, dict):
        return Row(value, part, number, where, str(number))
    return Broken(part, where, _NO_JSON if value is None else "no JSON object")


def _table(part: Part, stream: IO[bytes]) -> Iterator[Row | Broken]:
    first, _ = _head(stream)
    stream.seek(0)
    tabs = part.kind == ".tsv" or b"\t" in first
    records = _tab_records(stream) if tabs else _comma_records(part, stream)
    names: list[str] = []
    for number, values in records:
        where = f"line {number}"
        if values is None:
            yield Broken(part, where, "no valid UTF-8")
        elif not any(value.strip() for value in values):
            continue
        elif not names:
            names = [name.strip().lower() for name in values]
            if _headless(values):
                names = [str(place) for place in range(1, len(values) + 1)]
                yield Row(dict(zip(names, values, strict=True)), part, number, where, str(number))
        elif len(values) != len(names):
            yield Broken(part, where, f"not the header's {len(names)} columns")
        else:
            yield Row(dict(zip(names, values, strict=True)), part, number, where, str(number))


def _headless(values: list[str]) -> bool:
    """DPR's question files have no header; their second column is a list."""
    return any(value.startswith("[") and value.endswith("]") for value in values)


def _comma_records(part: Part, stream: IO[bytes]) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(_LONGEST)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
    reader = csv.reader(text)
    begins = 1
    try:
        for values in reader:
            yield begins, values
            begins = reader.line_num + 1
    except UnicodeDecodeError:
        raise InputError(f"{part.name} is not UTF-8 text.", "Save it as UTF-8.") from None
    except csv.Error as error:
        raise InputError(
            f"{part.name} is no valid CSV (line {reader.line_num}: {error}).",
            "Mend or leave it out.",
        ) from None
    finally:
        text.detach()


def _tab_records(stream: IO[bytes]) -> Iterator[tuple[int, list[str] | None]]:
    for number, line in enumerate(stream, start=1):
        try:
            text = line.removeprefix(_BOM).decode("utf-8")
        except UnicodeDecodeError:
            yield number, None
            continue
        yield number, [_unquoted(value) for value in text.rstrip("\r\n").split("\t")]


def _unquoted(value: str) -> str:
    """A field without the quotes that a CSV writer put around it; other quotes stay."""
    if len(value) >= 2 and value[0] == value[-1] == '"':
        inner = value[1:-1].replace('""', "\0")
        if '"' not in inner:
            return inner.replace("\0", '"')
    return value
