"""What the app remembers from one start to the next: how it looked and what was open."""

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from veracite.engine.libraries import Documents
from veracite.models.files import write_private
from veracite.tui.service import short_path
from veracite.tui.texts import Draft


@dataclass(frozen=True, slots=True)
class Kept:
    """How the app was left."""

    theme: str = "veracite-dark"
    text: str | None = None
    """The file of the text in the Check view."""
    checked: Documents = field(default_factory=Documents)
    """What the text was checked against."""
    asked: Documents | None = None
    """What answered questions; None takes the documents of the Check view."""
    methods: tuple[str, ...] = ()
    """Those that were chosen for answers; none is the best one."""


def load(path: Path) -> Kept:
    """How the app was left; as it is at first, where that is not known or cannot be read."""
    with suppress(OSError, ValueError, TypeError):
        return msgspec.convert(json.loads(path.read_bytes()), Kept)
    return Kept()


@dataclass(frozen=True, slots=True)
class Unsaved:
    """Texts that were edited when the app was ended from outside."""

    folder: Path | None
    """Has a file for each; None keeps nothing."""

    def keep(self, draft: Draft | None, text: str) -> None:
        """Keep a text as it is edited; without a draft it is a new one."""
        if self.folder:
            name = f"{_key(draft)}-{_sha256(text.encode('utf-8', 'surrogatepass'))[:8]}.json"
            with suppress(OSError):
                write_private(self.folder / name, json.dumps([text, _of(draft)]))

    def take(self, draft: Draft | None) -> tuple[str, bool] | None:
        """The latest edits of a text, which are kept no more, and whether its file is as it was."""
        with suppress(OSError, ValueError):
            files = self.folder.glob(f"{_key(draft)}-*.json") if self.folder else ()
            if newest := max(files, key=lambda file: file.stat().st_mtime_ns, default=None):
                text, of = json.loads(newest.read_bytes())
                newest.unlink()
                return text, of == _of(draft)
        return None


def _key(draft: Draft | None) -> str:
    return _sha256(os.fsencode(draft.path.absolute()))[:16] if draft else "new"


def _of(draft: Draft | None) -> str:
    return _sha256(draft.content) if draft else ""


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def out_of_reach(text: Path | None, *documents: Documents) -> list[str]:
    """What to tell, once for each, about a text and documents that cannot be found now.

    Args:
        text: Known to be gone; None is none.
        documents: Of which some may be gone.
    """
    missing = dict.fromkeys(source for each in documents for source in each.missing)
    lost = [(text, "opened again once it is back; Ctrl+O opens another text")] if text else []
    lost += [
        (Path(source), "used again once it is back; Ctrl+L chooses other documents")
        for source in missing
    ]
    return [f"{short_path(path)} cannot be found. It is {what}." for path, what in lost]


def save(path: Path, kept: Kept) -> None:
    """Keep it, readable by its owner alone.

    Raises:
        OSError: It cannot be written.
    """
    write_private(path, json.dumps(msgspec.to_builtins(kept)))
