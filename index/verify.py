"""Looks whether everything in a library is as it should be, and has made anew what is not.

The catalog is the truth: what is derived from it is thrown away and built again. What is wrong with
a document in the catalog itself is mended by reading its file again, with the next sync.
"""

import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from veracite.index.catalog import Catalog
from veracite.index.cleaning import clean
from veracite.index.dense import Dense
from veracite.index.documents import Document
from veracite.index.embeddings import forget_vector
from veracite.index.errors import ReadError, StorageError
from veracite.index.lexical import Kept
from veracite.index.passages import markup_of, passage_id
from veracite.index.sources import is_below
from veracite.index.sync import digest_of

_SLACK = 0.01
"""How far from 1 the length of a vector of half-precision numbers may be."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be."""

    what: str
    """One sentence."""
    discard: Callable[[], None] | None = None
    """Throws away what is wrong, so that the next sync makes it anew; None where that is the
    catalog itself."""
    document: str | None = None
    """The path of the document that it is in, if it is in one."""


def verify(catalog: Catalog, lexical: Kept, dense: Dense | None) -> Iterator[Fault]:
    """Everything that is wrong, one after the other, whatever another process changes meanwhile.

    Raises:
        StorageError: The catalog is damaged so that it cannot be read.
    """
    with catalog.snapshot():
        yield from of_catalog(catalog)
    away = catalog.elsewhere()
    for path, stamp in catalog.files().items():
        known = stamp.sha256 and not is_below(path, away)
        is_other = known and digest_of(Path(path)) not in (None, stamp.sha256)
        # It may have been read again since the catalog was asked.
        if is_other and catalog.files().get(path) == stamp:
            discard = partial(catalog.forget_stamp, path)
            yield Fault("It has changed since it was read.", discard, path)
    if problem := lexical.problem():
        yield Fault(f"The keyword index {problem}.", lexical.forget)
    if dense:
        for file in dense.damaged():
            told = f"The index of embeddings is damaged or missing ({file})."
            yield Fault(told, partial(dense.forget, file))


def of_catalog(catalog: Catalog) -> Iterator[Fault]:
    """What is wrong in the catalog itself, whatever lies on the disk beside it."""
    for (said,) in catalog.query("PRAGMA integrity_check").fetchall():
        if said != "ok":
            yield Fault(f"The database is damaged ({said}).")
    for document in catalog.documents():
        if not _is_whole(catalog, document):
            discard = partial(catalog.forget_stamp, document.path)
            yield Fault("What was read from it is damaged.", discard, document.path)
    named = "FROM embeddings AS v JOIN encoders AS n ON n.id = v.encoder"
    usual = (
        f"SELECT name, length(vector) {named} GROUP BY encoder, length(vector) ORDER BY count(*)"
    )
    lengths: dict[str, int] = dict(catalog.query(usual).fetchall())
    for key, encoder, vector in catalog.query(f"SELECT hash, name, vector {named}"):
        found = np.frombuffer(vector[: len(vector) // 2 * 2], np.float16).astype(np.float32)
        if len(vector) != lengths[encoder] or not abs(float(np.linalg.norm(found)) - 1) < _SLACK:
            discard = partial(forget_vector, catalog, encoder, key)
            yield Fault(f"A vector of {encoder} is damaged.", discard)


def _is_whole(catalog: Catalog, document: Document) -> bool:
    """Whether a document's text can be had, and its passages are what stands in it."""
    try:
        text = catalog.extraction(document).text
    except ReadError:  # removed meanwhile
        return True
    except (zlib.error, ValueError, TypeError):
        return False
    passages = catalog.query(
        "SELECT start, stop, heading, text, hash FROM passages WHERE document ="
        " (SELECT id FROM documents WHERE path = ?)",
        (os.fsencode(document.path),),
    )
    for start, stop, heading, kept, digest in passages:
        words = clean(text[start:stop], markup_of(document.extractor)).text
        # What SQLite cannot hold of a heading is a question mark in it.
        named = "?" in (heading or "") or bytes.fromhex(passage_id(heading, words)) == digest
        if not named or words.encode("utf-8", "replace").decode() != kept:
            return False
    return True


def mend(faults: Iterable[Fault]) -> None:
    """Throw away what is wrong, so that the next sync makes it anew.

    Raises:
        StorageError: Some of it is the catalog itself, or it cannot be written.
    """
    for fault in sorted(faults, key=lambda fault: fault.discard is None):
        if fault.discard is None:
            raise StorageError(
                f"The library's catalog cannot be mended. {fault.what}",
                "Remove the library and add its files and folders again: your documents are "
                "untouched.",
            )
        fault.discard()
