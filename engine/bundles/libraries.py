"""A library in a bundle: a line for each file, their texts, and the embeddings of each encoder.

The documents themselves are not in it. What was read from them is: it can be searched, checked
against and quoted on a machine that has none of them (see ``veracite.index.sources``).
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from veracite.engine.bundles.contents import refused
from veracite.engine.bundles.pieces import Pieces
from veracite.engine.bundles.reading import Bundle, open_bundle
from veracite.engine.bundles.writing import BundleWriter, Exported, Written, new_bundle
from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries
from veracite.index.catalog import Catalog
from veracite.index.errors import StorageError
from veracite.index.portable import (
    NotPortable,
    VectorSet,
    file_lines,
    file_texts,
    require_path,
    store_file,
    store_vectors,
    text_size,
    vector_records,
    vector_set,
    vector_sets,
    vectors_size,
)
from veracite.index.sources import set_elsewhere
from veracite.index.storage import FolderLock, storage_errors, sync_file
from veracite.models.store.store import Staging

_CATALOG = "catalog.db"
_FILES, _TEXTS = "files.jsonl", "texts.txt"
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Taken:
    """So many bytes of all are in the library."""

    done: int
    total: int


def export_library(libraries: Libraries, name: str, target: Path) -> Iterator[Written | Exported]:
    """Write a library into a bundle.

    Raises:
        InputError: There is no such library, it is being changed, or the bundle cannot be written.
        StorageError: The library is damaged.
    """
    folder = libraries.folder(name)
    if name not in libraries.names():
        raise InputError(
            f"There is no library named {name!r}.", "`veracite library list` shows all."
        )
    lock = FolderLock(folder / "lock")
    with storage_errors(folder):
        locked = lock.acquire()
    if not locked:
        raise InputError(
            f"The library {name} is being brought up to date.",
            "Wait until that is done, then run the same command again.",
        )
    try:
        with closing(Catalog(folder / _CATALOG)) as catalog, new_bundle(target, 0) as bundle:
            yield from _fill(bundle, catalog, name)
    finally:
        lock.release()
    yield Exported(target, target.stat().st_size)


def _fill(bundle: BundleWriter, catalog: Catalog, name: str) -> Iterator[Written]:
    sets, lines = vector_sets(catalog), list(file_lines(catalog))
    total = sum(len(line) + text_size(line) for line in lines)
    total += sum(vectors_size(catalog, vectors) for vectors in sets)
    content: dict[str, Iterable[bytes]] = {_FILES: lines, _TEXTS: file_texts(catalog)}
    for number, vectors in enumerate(sets):
        content[_vectors(number)] = vector_records(catalog, vectors.encoder)
    before = 0
    for path, blocks in content.items():
        for done in bundle.add(path, blocks):
            yield Written(name, before + done, total)
        before += bundle.files[path].size
    about = {
        "name": name,
        "sources": [str(source) for source in catalog.sources()],
        "vectors": [asdict(vectors) for vectors in sets],
    }
    bundle.finish("library", about)


def _vectors(number: int) -> str:
    return f"vectors/{number}"


def import_library(libraries: Libraries, path: Path, name: str | None) -> Iterator[Taken | str]:
    """Make a library of a bundle; the last event is its name.

    Its indexes are not built yet: the library's first sync does that.

    Args:
        name: What it is to be called, if not as on the machine that it comes from.

    Raises:
        InputError: The bundle cannot be read or trusted, or there is such a library already.
        StorageError: The disk refuses. In both cases nothing is left.
    """
    with open_bundle(path, "library") as bundle:
        said = _Said.of(bundle)
        chosen = name or said.name
        place = libraries.folder(chosen)
        if chosen in libraries.names():
            raise InputError(
                f"There is a library named {chosen} already.",
                "Give the new one another name with --name.",
            )
        with storage_errors(place.parent), Staging(place.parent / ".staging").private() as staged:
            try:
                yield from _put(bundle, said, staged)
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
    sources: tuple[Path, ...]
    vectors: tuple[VectorSet, ...]

    @classmethod
    def of(cls, bundle: Bundle) -> "_Said":
        """What it says, if that can be.

        Raises:
            InputError: It cannot.
        """
        match bundle.about:
            case {"name": str(name), "sources": [*sources], "vectors": [*vectors]}:
                found = cls._checked(bundle, name, sources, vectors)
            case _:
                raise refused(bundle.path, "it does not say what library it holds")
        files = {_FILES, _TEXTS, *map(_vectors, range(len(found.vectors)))}
        if set(bundle.files) != files:
            raise refused(bundle.path, "its files are not those of a library")
        return found

    @classmethod
    def _checked(cls, bundle: Bundle, name: str, sources: list[Any], vectors: list[Any]) -> "_Said":
        try:
            for source in sources:
                require_path(source)
            sets = tuple(map(vector_set, vectors))
        except NotPortable as error:
            raise refused(bundle.path, str(error)) from error
        if len({vectors.encoder for vectors in sets}) < len(sets):
            raise refused(bundle.path, "it names an encoder twice")
        return cls(name, tuple(map(Path, sources)), sets)


def _put(bundle: Bundle, said: _Said, staged: Path) -> Iterator[Taken]:
    """Make the catalog in a folder, with all that the bundle holds."""
    with storage_errors(staged):
        with closing(Catalog(staged / _CATALOG)) as catalog:
            try:
                yield from _take(bundle, said, catalog)
            except NotPortable as error:
                raise refused(bundle.path, str(error)) from error
        sync_file(staged / _CATALOG)


def _take(bundle: Bundle, said: _Said, catalog: Catalog) -> Iterator[Taken]:
    total = sum(file.size for file in bundle.files.values())
    catalog.add_sources(said.sources)
    set_elsewhere(catalog, said.sources)
    lines, texts = Pieces(bundle, _FILES), Pieces(bundle, _TEXTS)
    seen: set[str] = set()
    while line := lines.line():
        path = store_file(catalog, line, texts.take)
        if path in seen:
            raise NotPortable(f"the file {path[:100]!a} is there twice")
        seen.add(path)
        yield Taken(lines.done + texts.done, total)
    texts.require_end()
    done = lines.done + texts.done
    for number, vectors in enumerate(said.vectors):
        records = Pieces(bundle, _vectors(number))
        while batch := records.up_to(_BATCH * vectors.record_bytes):
            store_vectors(catalog, vectors, batch)
            yield Taken(done + records.done, total)
        done += records.done
