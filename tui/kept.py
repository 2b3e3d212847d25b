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


class Unsaved:
    """Texts that were edited when the app was ended from outside, until they are saved or given up.

    Args:
        folder: Has a file for each; None keeps nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._shown: Path | None = None
        self._shown_of = ""

    def keep(self, draft: Draft | None, text: str) -> None:
        """Keep a text as it is edited; without a draft it is a new one."""
        with suppress(OSError):
            if self._folder:
                own = _key(draft), _of(draft)
                key, of = (self._shown.name[:16], self._shown_of) if self._shown else own
                file = self._folder / f"{key}-{_sha256(text.encode('utf-8', 'surrogatepass'))[:8]}"
                write_private(file, json.dumps([text, of]))
                if self._shown != file:
                    self.settle()

    def bring(self, draft: Draft | None) -> tuple[str, bool] | None:
        """A text as it was edited last, if it differs from the draft; and whether that is as it was
        then."""
        with suppress(OSError, ValueError):
            files = self._folder.glob(f"{_key(draft)}-*") if self._folder else ()
            self._shown = max(files, key=lambda file: file.stat().st_mtime_ns, default=None)
            if self._shown:
                text, self._shown_of = json.loads(self._shown.read_bytes())
                if draft is None or text != draft.text:
                    return text, self._shown_of == _of(draft)
                self.settle()
        return None

    def settle(self) -> None:
        """Keep what was brought no longer: it was saved or given up."""
        with suppress(OSError):
            if self._shown:
                self._shown.unlink()
        self._shown = None


def _key(draft: Draft | None) -> str:
    return _sha256(os.fsencode(os.path.realpath(draft.path)))[:16] if draft else "0" * 16


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
