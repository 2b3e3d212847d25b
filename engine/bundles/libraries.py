"""A library in a bundle: its catalog, with the texts and the embeddings of each encoder.

The documents themselves are not in it. What was read from them is: it can be searched, checked
against and quoted on a machine that has none of them (see ``veracite.index.sources``), once the
first sync there has built the indexes.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from veracite.engine.bundles import Bundle, Exported, new_bundle, open_bundle, refused, require_free
from veracite.engine.errors import InputError
from veracite.engine.libraries import Libraries
from veracite.engine.paths import for_owner
from veracite.index import portable
from veracite.index.catalog import Catalog
from veracite.index.errors import StorageError
from veracite.index.storage import storage_errors, sync_file
from veracite.models.files import blocks
from veracite.models.store import Copied, staging

_CATALOG = "catalog.db"


def export_library(libraries: Libraries, name: str, target: Path) -> Iterator[Copied | Exported]:
    """Write a library into a bundle.

    Raises:
        InputError: There is no such library, it is being changed, several machines share it, or
            the bundle cannot be written.
        StorageError: The library is damaged, or its disk has no room for a copy of it.
    """
    require_free(target)
    libraries.require_own(name)
    with (
        libraries.still(name) as folder,
        storage_errors(folder),
        staging(folder.parent / ".staging") as staged,
    ):
        copy = staged / _CATALOG
        with closing(Catalog(folder / _CATALOG)) as catalog:
            portable.write_copy(catalog, copy)
        with new_bundle(target, "library", {"name": name}, copy.stat().st_size) as add:
            yield from add(_CATALOG, blocks(copy), name)
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
        chosen = name or _name(bundle)
        place = libraries.folder(chosen)
        if chosen in libraries.names():
            raise InputError(
                f"There is a library named {chosen} already.",
                "Give the new one another name with --name.",
            )
        with storage_errors(place.parent), staging(place.parent / ".staging") as staged:
            copy = staged / _CATALOG
            with open(copy, "wb", opener=for_owner) as file:
                for block in bundle.blocks(_CATALOG):
                    file.write(block)
                    yield Copied("", file.tell(), bundle.sizes[_CATALOG])
            try:
                portable.adopt(copy)
            except portable.NotPortable as error:
                raise refused(path, str(error)) from error
            except StorageError as error:
                # The library that is told of is not at its place, and none of it is kept.
                message = error.message.replace(str(staged), str(place))
                advice = "Free some space or mend the disk, then run the same command again."
                raise StorageError(message, advice) from error
            sync_file(copy)
            os.rename(staged, place)
            sync_file(place.parent)
    yield chosen


def _name(bundle: Bundle) -> str:
    """What the library in it is called; raises InputError where there is none."""
    name = bundle.about.get("name")
    if not isinstance(name, str) or set(bundle.sizes) != {_CATALOG}:
        raise refused(bundle.path, "it does not say what library it holds, or holds more")
    return name
