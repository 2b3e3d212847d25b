"""What a path holds: a file, or the files of a folder or a zip archive."""

import contextlib
import gzip
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, cast

from veracite.engine.errors import InputError

__all__ = ["Part", "parts_of"]

DATA = {".json", ".jsonl", ".jsonlines", ".ndjson", ".csv", ".tsv", ".xlsx"}
"""What is data in a folder or an archive; a licence or a page of notes beside it is not."""

_GZIP = b"\x1f\x8b"


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

    @property
    def words(self) -> frozenset[str]:
        """The words of the name in lower case: where a split is named."""
        return frozenset(re.split(r"[\W_]+", self.stem.lower()))

    @contextlib.contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The content, decompressed.

        Raises:
            InputError: It cannot be read, or is damaged: also while it is being read.
        """
        try:
            with contextlib.ExitStack() as opened:
                yield opened.enter_context(_decompressed(self, opened))
        except (gzip.BadGzipFile, zipfile.BadZipFile, EOFError, zlib.error) as error:
            raise InputError(
                f"{self.name} is damaged ({error}).", "Get the file again and compare its size."
            ) from None
        except (OSError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(
                f"{self.name} cannot be read ({reason}).", "Check the path and who may read it."
            ) from None


def _decompressed(part: Part, opened: contextlib.ExitStack) -> IO[bytes]:
    if part.member is None:
        stream: IO[bytes] = opened.enter_context(part.path.open("rb"))
    else:
        archive = opened.enter_context(zipfile.ZipFile(part.path))
        stream = opened.enter_context(archive.open(part.member))
    start = stream.read(2)
    stream.seek(0)
    if start != _GZIP:
        return stream
    return cast(IO[bytes], opened.enter_context(gzip.GzipFile(fileobj=stream)))


def parts_of(paths: Sequence[Path]) -> tuple[Part, ...]:
    """The files to read, in the order given; those of a folder or an archive by name.

    Raises:
        InputError: A path does not exist, or holds no data.
    """
    return tuple(part for path in paths for part in _parts(path))


def _parts(path: Path) -> list[Part]:
    if path.is_dir():
        found = [Part(file, collected=True) for file in path.rglob("*") if file.is_file()]
        return _data(path, found)
    if not path.exists():
        raise InputError(f"There is no file {path}.", "Check the spelling of the path.")
    if path.suffix.lower() == ".zip":
        return _data(path, _members(path))
    return [Part(path)]


def _members(path: Path) -> list[Part]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, OSError) as error:
        raise InputError(
            f"{path.name} is damaged or no zip archive ({error}).", "Get the file again."
        ) from None
    return [Part(path, name, collected=True) for name in names]


def _data(path: Path, found: Iterable[Part]) -> list[Part]:
    """Only what is data, sorted: no licences, no hidden files, no resource forks."""
    kept = [
        part
        for part in found
        if part.kind in DATA
        and not any(step.startswith((".", "__MACOSX")) for step in _steps(part, path))
    ]
    if not kept:
        raise InputError(
            f"{path.name} holds no file of labelled data.",
            "Give a folder or archive with .jsonl, .json, .csv, .tsv or .xlsx files.",
        )
    return sorted(kept, key=lambda part: _steps(part, path))


def _steps(part: Part, root: Path) -> tuple[str, ...]:
    if part.member is not None:
        return PurePosixPath(part.member).parts
    return part.path.relative_to(root).parts
