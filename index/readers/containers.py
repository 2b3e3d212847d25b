"""Archives, read as the folders that they are: zip, tar, and single compressed files.

A container has no text of its own (an e-mail has). Its module has ``members`` beside ``read``: the
name and the content of each file in it. ``unpacked`` writes these out, within limits.
"""

import bz2
import gzip
import hashlib
import lzma
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import NOT_KNOWN, file_bytes, is_left_out, known

EXTRACTOR = "containers/1"

_MOST_MEMBERS = 10_000
_MOST_BYTES = 500 * 1024 * 1024
"""Of all members, unpacked."""
_LONGEST_NAME = 200
_CHUNK = 1024 * 1024
_COMPRESSED: dict[str, Callable[..., Any]] = {
    ".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open,
}  # fmt: skip
_BROKEN = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError,
    NotImplementedError, ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Member:
    """A file that was unpacked."""

    name: str
    """Its path in the container, which leads nowhere else and is that of no other member."""
    file: str = ""
    """Where it was written."""
    sha256: str = ""
    reason: str | None = None
    """Why it was not written."""


def read(path: Path) -> Extraction:
    """Look whether the archive can be opened.

    Raises:
        ReadError: It is damaged, locked, or no archive.
    """
    file_bytes(path)
    if next(members(path), None) is None:
        raise ReadError("The archive holds no files.", "Leave it out.")
    return Extraction("", (), EXTRACTOR)


def members(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Name and content of each file in an archive; raises ReadError where it cannot be opened."""
    try:
        if zipfile.is_zipfile(path):
            yield from _zipped(path)
        elif tarfile.is_tarfile(path):
            with tarfile.open(path) as archive:
                for entry in archive:
                    if entry.isfile() and (content := archive.extractfile(entry)) is not None:
                        yield entry.name, content
        elif path.suffix.lower() in _COMPRESSED:
            with _COMPRESSED[path.suffix.lower()](path) as content:
                yield path.stem, content
        else:
            raise ReadError("The file is damaged or is not an archive.", "Pack it again.")
    except _BROKEN as error:
        raise ReadError("The archive is damaged.", "Pack it again.") from error


def _zipped(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(path) as archive:
        entries = [one for one in archive.infolist() if one.filename and not one.is_dir()]
        if any(entry.flag_bits & 1 for entry in entries):
            raise ReadError(
                "The archive is protected by a password.", "Pack it again without a password."
            )
        if sum(e.file_size for e in entries) > _MOST_BYTES or len(entries) > _MOST_MEMBERS:
            raise _too_much()
        for entry in entries:
            if not stat.S_ISLNK(entry.external_attr >> 16):
                yield entry.filename, archive.open(entry)


def unpacked(found: Iterable[tuple[str, IO[bytes]]], folder: Path) -> Iterator[Member]:
    """Write the members of a container into a new folder; those of no known format are named.

    Raises:
        ReadError: There are too many, or they are too large.
    """
    left = _MOST_BYTES
    taken: set[str] = set()
    for number, (path, content) in enumerate(found):
        plain = path.encode("utf-8", "replace").decode().replace("\\", "/").replace("\0", "")
        parts = [part for part in plain.split("/") if part.strip(". ")]
        if not parts or any(map(is_left_out, parts)):
            continue
        base = Path(parts[-1])
        if len(parts[-1]) > _LONGEST_NAME:
            base = Path(base.stem[:_LONGEST_NAME] + base.suffix[:_LONGEST_NAME])
        name = "/".join([*(part[:_LONGEST_NAME] for part in parts[:-1]), base.name])
        if name in taken:
            name = "/".join([*parts[:-1], f"{base.stem} ({number + 1}){base.suffix}"])
        taken.add(name)
        if number >= _MOST_MEMBERS:
            raise _too_much()
        if not known(base):
            yield Member(name, reason=NOT_KNOWN)
            continue
        file, digest = folder / str(number) / base, hashlib.sha256()
        file.parent.mkdir(parents=True, mode=0o700)
        try:
            with file.open("wb") as out:
                while chunk := content.read(_CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise _too_much()
                    digest.update(chunk)
                    out.write(chunk)
        except _BROKEN as error:
            yield Member(name, reason=f"It cannot be unpacked ({error}).")
        else:
            yield Member(name, str(file), digest.hexdigest())


def _too_much() -> ReadError:
    return ReadError(
        f"The archive holds more than {_MOST_MEMBERS} files or {_MOST_BYTES // 1024**2} MB.",
        "Unpack it into a folder, and add that.",
    )
