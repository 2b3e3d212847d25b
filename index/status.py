"""What a library holds, in figures."""

import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from veracite.index.catalog import Catalog
from veracite.index.elsewhere import elsewhere
from veracite.index.embeddings import count_embedded

SearchKind = Literal["exact", "hnsw", "bm25 only"]


@dataclass(frozen=True, slots=True)
class LibraryStatus:
    """What a library holds."""

    sources: tuple[Path, ...]
    documents: int
    """How many were read."""
    failed: tuple[tuple[str, str], ...]
    """Path and reason of each file that could not be read, and of each source or folder that could
    not be reached; what was read from there before is kept and found.
    """
    passages: int
    embedded: int
    """How many passages have an embedding of the encoder that the library was opened with."""
    search: SearchKind
    """How passages are found by meaning, if they are: not before all of them have an embedding."""
    bytes_on_disk: int
    last_sync: datetime | None
    """When a sync last came to its end, in UTC."""
    elsewhere: tuple[Path, ...] = ()
    """Those of the sources that are on another machine, from which the library was imported."""


def status_of(
    catalog: Catalog, folder: Path, encoder: str | None, search: SearchKind
) -> LibraryStatus:
    """What the library in ``folder`` holds now.

    Args:
        encoder: Whose embeddings count; None for none.
        search: How passages are found by meaning.
    """
    last = catalog.meta("last sync")
    return LibraryStatus(
        catalog.sources(),
        len(catalog.documents()),
        tuple(catalog.failures()),
        catalog.count_passages(),
        0 if encoder is None else count_embedded(catalog, encoder),
        search,
        _bytes_in(folder),
        None if last is None else datetime.fromtimestamp(float(last), UTC),
        elsewhere(catalog),
    )


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            # Another process may be at work: files come and go.
            with suppress(OSError):
                total += os.stat(os.path.join(parent, name)).st_size
    return total
