"""What is noted beside a model that is being fetched, so that anybody can go on with it."""

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

from veracite.models.store.names import require_name
from veracite.models.store.registry import Entry, entry_from, entry_of, registry
from veracite.models.store.staging import STAGING
from veracite.models.store.store import Store

__all__ = ["begun", "begun_or_known", "go_on_with"]

_NOTE = "pull.json"


def begun(store: Store, name: str) -> Entry | None:
    """What was being pulled under a name; None if nothing was, or nobody can tell."""
    try:
        said = json.loads((store.folder / STAGING / name / _NOTE).read_bytes())
        return entry_from(said["entry"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def begun_or_known(store: Store, name: str, called: str | None = None) -> Entry:
    """What to pull for a name of the registry, of a pull that was begun, or any that
    ``entry_of`` takes.

    Args:
        called: What it is to be called, if not as by itself.

    Raises:
        ModelError: It is none of them, or nothing can be called so.
    """
    known = name in {entry.name for entry in registry()}
    there = begun(store, name) if not known and name in store.partial() else None
    entry = there or entry_of(name)
    if called is None:
        return entry
    require_name(called)
    return replace(entry, name=called)


def go_on_with(staged: Path, entry: Entry, commit: str) -> None:
    """Note what is fetched to a staged folder, and delete what is there of another one.

    Raises:
        OSError: The disk refuses.
    """
    note = staged.parent / _NOTE
    said = json.dumps({"commit": commit, "entry": asdict(entry)})
    if note.is_file() and note.read_text(encoding="utf-8", errors="replace") == said:
        return
    shutil.rmtree(staged)
    staged.mkdir(mode=0o700)
    note.write_text(said, encoding="utf-8")
