"""A library in a bundle: a line for each file, their texts, and the embeddings of each encoder.

The documents themselves are not in it. What was read from them is: it can be searched, checked
against and quoted on a machine that has none of them (see ``veracite.index.sources``), once the
first sync there has built the indexes.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from veracite.engine.bundles import Bundle, Exported, new_bundle, open_bundle, refused
from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries
from veracite.index import portable
from veracite.index.catalog import Catalog
from veracite.index.errors import StorageError
from veracite.index.storage import storage_errors, sync_file
from veracite.models.store import Copied, staging

_CATALOG = "catalog.db"
_FILES, _TEXTS = "files.jsonl", "texts.txt"
_VECTORS = "vectors/{}"
_BATCH = 1000
"""Embeddings that are read at once."""
_LONGEST_LINE = 64 * 2**20
"""Bytes about one file; a text of 100 MB takes a tenth of that."""


def export_library(libraries: Libraries, name: str, target: Path) -> Iterator[Copied | Exported]:
    """Write a library into a bundle.

    Raises:
        InputError: There is no such library, it is being changed, or the bundle cannot be written.
        StorageError: The library is damaged.
    """
    with libraries.still(name) as folder, closing(Catalog(folder / _CATALOG)) as catalog:
        sets, lines = portable.vector_sets(catalog), list(portable.file_lines(catalog))
        total = sum(len(line) + portable.text_size(line) for line in lines)
        total += sum(sets.values())
        about = {
            "name": name,
            "sources": [str(source) for source in catalog.sources()],
            "vectors": list(map(asdict, sets)),
        }
        with new_bundle(target, "library", about, total) as add:
            yield from add(_FILES, lines, name)
            yield from add(_TEXTS, portable.file_texts(catalog), name)
            for number, vectors in enumerate(sets):
                records = portable.vector_records(catalog, vectors.encoder)
                yield from add(_VECTORS.format(number), records, name)
    yield Exported(target.stat().st_size)


def import_library(libraries: Libraries, path: Path, name: str | None) -> Iterator[Copied | str]:
    """Make a library of a bundle; the last event is its name.

    Its first sync builds the indexes.

    Args:
        name: What it is to be called, if not as on the machine that it comes from.

    Raises:
        InputError: The bundle cannot be read or trusted, or there is such a library already.
        StorageError: The disk refuses. In both cases nothing is left.
    """
    with open_bundle(path, "library") as bundle:
        said = _said(bundle)
        chosen = name or said.name
        place = libraries.folder(chosen)
        if chosen in libraries.names():
            raise InputError(
                f"There is a library named {chosen} already.",
                "Give the new one another name with --name.",
            )
        with storage_errors(place.parent), staging(place.parent / ".staging") as staged:
            try:
                with storage_errors(staged), closing(Catalog(staged / _CATALOG)) as catalog:
                    yield from _take(bundle, said, catalog)
                sync_file(staged / _CATALOG)
            except portable.NotPortable as error:
                raise refused(path, str(error)) from error
            except StorageError as error:
                # The library that is told of is not at its place, and none of it is kept.
                message = error.message.replace(str(staged), str(place))
                advice = "Free some space or mend the disk, then run the same command again."
                raise StorageError(message, advice) from error
            os.rename(staged, place)
            sync_file(place.parent)
    yield chosen


@dataclass(frozen=True, slots=True)
class _Said:
    """What the bundle says of its library."""

    name: str
    sources: tuple[str, ...]
    vectors: tuple[portable.VectorSet, ...] = ()


def _said(bundle: Bundle) -> _Said:
    """Raises InputError where it says nothing, or what cannot be."""
    try:
        said = msgspec.convert(bundle.about, _Said)
        for source in said.sources:
            portable.require_path(source)
    except msgspec.ValidationError as error:
        reason = f"it does not say what library it holds ({error})"
        raise refused(bundle.path, reason) from error
    except portable.NotPortable as error:
        raise refused(bundle.path, str(error)) from error
    encoders = {vectors.encoder for vectors in said.vectors}
    if len(encoders) < len(said.vectors) or not all(map(str.isprintable, encoders)):
        raise refused(bundle.path, "it names an encoder twice, or one that cannot be shown")
    if set(bundle.sizes) != {_FILES, _TEXTS, *map(_VECTORS.format, range(len(said.vectors)))}:
        raise refused(bundle.path, "its files are not those of a library")
    return said


def _take(bundle: Bundle, said: _Said, catalog: Catalog) -> Iterator[Copied]:
    sources = tuple(map(Path, said.sources))
    total = sum(bundle.sizes.values())
    catalog.add_sources(sources)
    catalog.set_elsewhere(sources)
    seen: set[str] = set()
    with bundle.open(_FILES) as lines, bundle.open(_TEXTS) as texts:

        def text(size: int) -> bytes:
            taken = texts.read(size) if size <= bundle.sizes[_TEXTS] else b""
            if len(taken) < size:
                raise portable.NotPortable("a text is not complete")
            return taken

        while line := lines.readline(_LONGEST_LINE):
            if not line.endswith(b"\n"):
                raise portable.NotPortable("a line about a file is not complete, or too long")
            path = portable.store_file(catalog, line, text)
            if path in seen:
                raise portable.NotPortable(f"the file {path[:100]!a} is there twice")
            seen.add(path)
            yield Copied("", lines.tell() + texts.tell(), total)
        if texts.read(1):
            raise portable.NotPortable("there is a text that belongs to no file")
        done = lines.tell() + texts.tell()
    for number, vectors in enumerate(said.vectors):
        with bundle.open(_VECTORS.format(number)) as records:
            while batch := records.read(_BATCH * vectors.record_bytes):
                portable.store_vectors(catalog, vectors, batch)
                yield Copied("", done + records.tell(), total)
            done += records.tell()
