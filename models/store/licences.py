"""The texts that a model's makers publish beside it: its licence, notices, terms of use.

They are kept below ``licence/`` in the model's folder, so that they travel with it.
"""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from veracite.models.store.checking import describe
from veracite.models.store.manifest import ModelManifest, StoredFile
from veracite.models.store.names import stays_inside

__all__ = [
    "LARGEST",
    "kept_as",
    "named_in",
    "of_model",
    "own_files",
    "state_terms",
    "take",
    "texts_among",
]

LARGEST = 200_000
"""Bytes of one text; the longest licences have some forty thousand."""
_FOLDER = "licence/"
_TEXT = re.compile(r"(LICEN[SC]E|COPYING|NOTICE|USE_POLICY)(\.txt|\.md)?", re.IGNORECASE)
_STATED = re.compile(r"^license:[ \t]*[\"']?([\w.+-]{1,100})[\"']?[ \t]*$", re.MULTILINE)


def texts_among(names: Iterable[str]) -> tuple[str, ...]:
    """Those of a folder's or repository's own files that are such texts, the licence first."""
    found = {name.casefold(): name for name in names if _TEXT.fullmatch(name)}
    return tuple(found[name] for name in sorted(found))


def kept_as(name: str) -> str:
    """Where a text lies in the model's folder."""
    return _FOLDER + name


def of_model(manifest: ModelManifest) -> tuple[StoredFile, ...]:
    """The texts among a stored model's files, of which the first is never one."""
    return tuple(
        file
        for file in manifest.files[1:]
        if file.path.startswith(_FOLDER) and file.size <= LARGEST
    )


def own_files(manifest: ModelManifest) -> tuple[StoredFile, ...]:
    """A stored model's files without the texts: what it is known by."""
    texts = of_model(manifest)
    return tuple(file for file in manifest.files if file not in texts)


def state_terms(texts: Iterable[StoredFile]) -> bool:
    """Whether a licence is among the texts, rather than what is to be read beside it."""
    names = (file.path.removeprefix(_FOLDER).upper() for file in texts)
    return any(name.startswith(("LICEN", "COPYING")) for name in names)


def take(folder: Path, staged: Path) -> tuple[StoredFile, ...]:
    """Copy the texts in a folder, or those that were kept in it, to a model that is staged.

    Raises:
        OSError: One cannot be read or written.
    """
    taken = []
    for place in (folder, folder / _FOLDER):
        names = [path.name for path in place.iterdir()] if place.is_dir() else []
        for name in texts_among(names):
            source, target = place / name, staged / kept_as(name)
            small = source.is_file() and source.stat().st_size <= LARGEST
            if small and stays_inside(name) and not target.exists():
                target.parent.mkdir(mode=0o700, exist_ok=True)
                shutil.copyfile(source, target)
                taken.append(describe(target, kept_as(name)))
    return tuple(taken)


def named_in(folder: Path) -> str | None:
    """The licence that the head of a folder's README.md names, as repositories of the hub do."""
    try:
        with (folder / "README.md").open(encoding="utf-8", errors="replace") as file:
            head = file.read(LARGEST)
    except OSError:
        return None
    if not head.startswith("---\n"):
        return None
    stated = _STATED.search(head.split("\n---", 1)[0])
    return stated[1] if stated and stated[1] != "other" else None
