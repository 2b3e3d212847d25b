"""What a bundle says of itself: ``bundle.json``, the list of everything else that is in it."""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from veracite.engine.errors import InputError
from veracite.engine.version import __version__
from veracite.models.files import quoted, stays_inside
from veracite.models.store.manifest import StoredFile

LIST = "bundle.json"
LARGEST_LIST = 2**20
"""Bytes; every file takes some 150."""

Kind = Literal["models", "library"]

_SCHEMA = "veracite.bundle/1"
_ANY_SCHEMA = re.compile(r"veracite\.bundle/\d+")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a bundle."""

    kind: Kind
    files: Mapping[str, StoredFile]
    """By path, all but the list itself."""
    about: Mapping[str, Any]
    """What only this kind of bundle says; nothing of it is checked."""

    def as_json(self) -> bytes:
        """What ``bundle.json`` holds."""
        said = {
            "schema": _SCHEMA,
            "veracite": __version__,
            "kind": self.kind,
            "about": self.about,
            "files": [asdict(file) for file in self.files.values()],
        }
        return (json.dumps(said, indent=1) + "\n").encode("ascii")


def refused(bundle: Path, reason: str) -> InputError:
    """Says that a bundle is not what it should be."""
    return InputError(
        f"The bundle {bundle} cannot be used: {reason}.",
        "Nothing was imported. Copy the bundle again from where it comes, or have it made anew.",
    )


def contents_from(said_bytes: bytes, kind: Kind, bundle: Path) -> Contents:
    """The list from its bytes, which may come from anybody.

    Raises:
        InputError: It is none, or of another kind of bundle.
    """
    try:
        said = json.loads(said_bytes)
    except (ValueError, RecursionError) as error:
        raise refused(bundle, f"its {LIST} is no JSON") from error
    _require_ours(said, bundle)
    if said.get("kind") != kind:
        other = "library" if kind == "models" else "models"
        raise InputError(
            f"The bundle {bundle} does not hold {'models' if kind == 'models' else 'a library'}.",
            f"If it is one of the other kind, `veracite {other} import` takes it.",
        )
    listed, about = said.get("files"), said.get("about")
    if not isinstance(listed, list) or not isinstance(about, dict):
        raise refused(bundle, f"a value in its {LIST} is of the wrong type")
    files = [_file(entry, bundle) for entry in listed]
    if len({file.path.casefold() for file in files}) < len(files):
        raise refused(bundle, f"its {LIST} names a file twice")
    return Contents(kind, {file.path: file for file in files}, about)


def _require_ours(said: Any, bundle: Path) -> None:
    schema = said.get("schema") if isinstance(said, dict) else None
    if schema == _SCHEMA:
        return
    if isinstance(schema, str) and _ANY_SCHEMA.fullmatch(schema):
        raise InputError(
            f"The bundle {bundle} was made by a newer version of Veracite.",
            "Install that version or a later one here, too.",
        )
    raise refused(bundle, f"its {LIST} is not of the schema {_SCHEMA}")


def _file(said: Any, bundle: Path) -> StoredFile:
    match said:
        case {"path": str(path), "size": int(size), "sha256": str(sha256)} if (
            stays_inside(path)
            and path != LIST
            and type(size) is int
            and size >= 0
            and _SHA256.fullmatch(sha256)
        ):
            return StoredFile(path, size, sha256)
    raise refused(bundle, f"its {LIST} has an impossible entry, {quoted(str(said))}")
