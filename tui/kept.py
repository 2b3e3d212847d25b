"""What the app remembers from one start to the next: how it looked and what was open."""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from veracite.engine.libraries import Documents
from veracite.models.files import write_private
from veracite.tui.service import short_path


@dataclass(frozen=True, slots=True)
class Kept:
    """How the app was left."""

    theme: str = "veracite-dark"
    text: str | None = None
    """The file of the text in the Check view."""
    unsaved: str | None = None
    """That text as it was edited, where the app was ended before anybody could save it."""
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
