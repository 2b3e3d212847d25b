"""Rows of upstream files: JSON, JSON lines, CSV, TSV and Excel, also in folders and archives.

Lines end at ``\\n`` alone: FELM's texts hold U+2028, which ``str.splitlines`` would cut at.
"""

import contextlib
import csv
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from veracite.engine.errors import InputError

_DATA = {".json", ".jsonl", ".jsonlines", ".ndjson", ".csv", ".tsv", ".xlsx"}
"""What is data in a folder or an archive; a licence or a page of notes beside it is not."""
_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_LONGEST = 2**31 - 1
_WRAPPERS = ("data", "Data")
"""Where ALCE's results, SQuAD and TriviaQA keep their rows."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file, or one file in a zip archive."""

    path: Path
    member: str | None = None
    """Its name in the archive."""
    collected: bool = False
    """Found in a folder or an archive, not named by the user."""

    @property
    def name(self) -> str:
        """As messages show it: the file's name without its folders."""
        return PurePosixPath(self.member).name if self.member else self.path.name

    @property
    def kind(self) -> str:
        """The name's ending in lower case, without ``.gz``: ``.jsonl``."""
        return PurePosixPath(self.name.lower().removesuffix(".gz")).suffix

    @property
    def stem(self) -> str:
        """The name without its endings."""
        return self.name.split(".")[0]

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The content, decompressed.

        Raises:
            InputError: It cannot be read, or is damaged: also while it is being read.
        """
        try:
            with contextlib.ExitStack() as opened:
                if self.member is None:
                    stream: IO[bytes] = opened.enter_context(self.path.open("rb"))
                else:
                    archive = opened.enter_context(zipfile.ZipFile(self.path))
                    stream = opened.enter_context(archive.open(self.member))
                start = stream.read(2)
                stream.seek(0)
                if start == _GZIP:
                    stream = cast(IO[bytes], opened.enter_context(gzip.GzipFile(fileobj=stream)))
                yield stream
        except (gzip.BadGzipFile, zipfile.BadZipFile, EOFError, zlib.error) as error:
            raise InputError(
                f"{self.name} is damaged ({error}).", "Get the file again and compare its size."
            ) from None
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"{self.name} cannot be read ({reason}).", "Check the path and who may read it."
            ) from None


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a file."""

    fields: Mapping[str, object]
    part: Part
    where: str
    """Its place in words: ``line 3``."""
    place: str
    """An id for a record without one of its own, also where several files are read as one set."""


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that cannot be read."""

    part: Part
    where: str
    reason: str


def parts_of(paths: Sequence[Path]) -> tuple[Part, ...]:
    """The files to read, in the order given; those of a folder or an archive by name.

    Raises:
        InputError: A path does not exist, or holds no data.
    """
    return tuple(part for path in paths for part in _parts(path))


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
            for number, (where, fields) in enumerate(_sheets(stream, part.name), start=1):
                yield Row(fields, part, where, str(number))
        elif part.kind in (".csv", ".tsv"):
            yield from _table(part, stream)
        else:
            yield from _json(part, stream)


def _parts(path: Path) -> list[Part]:
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.is_file()]
        return _data(path, {f.relative_to(path).parts: Part(f, collected=True) for f in files})
    if not path.exists():
        raise InputError(f"There is no file {path}.", "Check the spelling of the path.")
    if path.suffix.lower() != ".zip":
        return [Part(path)]
    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(
            f"{path.name} is damaged or no zip archive ({error}).", "Get the file again."
        ) from None
    return _data(path, {PurePosixPath(n).parts: Part(path, n, collected=True) for n in names})


def _data(path: Path, found: Mapping[tuple[str, ...], Part]) -> list[Part]:
    """Only what is data, sorted: no licences, no hidden files, no resource forks."""
    kept = [
        found[steps]
        for steps in sorted(found)
        if found[steps].kind in _DATA and not any(s.startswith((".", "__MACOSX")) for s in steps)
    ]
    if not kept:
        raise InputError(
            f"{path.name} holds no file of labelled data.",
            "Give a folder or archive with .jsonl, .json, .csv, .tsv or .xlsx files.",
        )
    return kept


def _json(part: Part, stream: IO[bytes]) -> Iterator[Row | Broken]:
    first, second = _head(stream)
    stream.seek(0)
    if not first:
        return
    if first[:1] != b"[" and (second[:1] == b"{" or (second and _parsed(first) is not None)):
        for number, line in enumerate(stream, start=1):
            if line.strip():
                yield _record(part, "line", number, _parsed(line.removeprefix(_BOM)))
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
        yield _record(part, "row", number, value)


def _head(stream: IO[bytes]) -> tuple[bytes, bytes]:
    """The first two lines that are not blank."""
    lines = (line.removeprefix(_BOM).strip() for line in stream)
    filled = (line for line in lines if line)
    return next(filled, b""), next(filled, b"")


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


def _record(part: Part, unit: str, number: int, value: object) -> Row | Broken:
    where = f"{unit} {number}"
    if isinstance(value, dict):
        return Row(value, part, where, str(number))
    return Broken(part, where, "no valid JSON" if value is None else "no JSON object")


def _table(part: Part, stream: IO[bytes]) -> Iterator[Row | Broken]:
    first, _ = _head(stream)
    stream.seek(0)
    tabs = part.kind == ".tsv" or b"\t" in first
    names: list[str] = []
    for number, values in _tab_records(stream) if tabs else _comma_records(part, stream):
        where = f"line {number}"
        if values is None:
            yield Broken(part, where, "no valid UTF-8")
            continue
        if not any(value.strip() for value in values):
            continue
        if not names:
            names = [name.strip().lower() for name in values]
            # DPR's question files have no header; their second column is a list.
            if not any(value.startswith("[") and value.endswith("]") for value in values):
                continue
            names = [str(place) for place in range(1, len(values) + 1)]
        if len(values) != len(names):
            yield Broken(part, where, f"not the header's {len(names)} columns")
        else:
            yield Row(dict(zip(names, values, strict=True)), part, where, str(number))


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
    quoted = re.fullmatch(r'"((?:[^"]|"")*)"', value)
    return quoted[1].replace('""', '"') if quoted else value


def _sheets(stream: IO[bytes], name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """The rows of all sheets of a workbook with their place, the header's names as keys."""
    import openpyxl

    try:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        for sheet in book.worksheets:
            yield from _sheet(sheet.title, sheet.iter_rows(values_only=True))
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise InputError(
            f"{name} is a damaged workbook ({error}).", "Get the file again."
        ) from None


def _sheet(
    title: str, records: Iterable[tuple[object, ...]]
) -> Iterator[tuple[str, dict[str, object]]]:
    names: list[str] = []
    for number, values in enumerate(records, start=1):
        if all(value is None for value in values):
            continue
        if names:
            yield f"sheet {title!r}, row {number}", dict(zip(names, values, strict=False))
        else:
            names = ["" if value is None else str(value).strip().lower() for value in values]
