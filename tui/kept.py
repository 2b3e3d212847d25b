"""What the app remembers from one start to the next: how it looked and what was open."""

import json
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from veracite.engine.paths import private_folder
from veracite.engine.plain_data import built
from veracite.tui.engine import Against

__all__ = ["Kept", "left", "load", "save"]


@dataclass(frozen=True, slots=True)
class Kept:
    """How the app was left."""

    theme: str = "veracite-dark"
    room: str = "check"
    text: str | None = None
    """The file of the text that was open."""
    library: str | None = None
    """The name of the library that was checked against."""
    sources: tuple[str, ...] = ()
    """The files and folders, if those were."""
    beside: int = 42
    """Per cent of the width that the evidence takes beside the text."""
    below: int = 50
    """Per cent of the height that it takes below the text."""

    @property
    def against(self) -> Against:
        """What was checked against; without what is gone since, the default library."""
        sources = tuple(Path(source) for source in self.sources)
        return sources if sources and all(s.exists() for s in sources) else self.library


def left(
    theme: str, room: str, text: Path | None, against: Against, shares: tuple[int, int]
) -> Kept:
    """How the app is left now.

    Args:
        text: The file of the Check room's text.
        against: What it is checked against.
        shares: Of its evidence, as ``beside`` and ``below``.
    """
    sources = against if isinstance(against, tuple) else ()
    return Kept(
        theme=theme,
        room=room,
        text=str(text.absolute()) if text else None,
        library=against if isinstance(against, str) else None,
        sources=tuple(str(source.absolute()) for source in sources),
        beside=shares[0],
        below=shares[1],
    )


def load(path: Path) -> Kept:
    """How the app was left; as it is at first, where that is not known or cannot be read."""
    with suppress(OSError, ValueError, TypeError):
        kept = built(Kept, json.loads(path.read_text(encoding="utf-8")))
        assert isinstance(kept, Kept)
        return kept
    return Kept()


def save(path: Path, kept: Kept) -> None:
    """Keep it, readable by its owner alone.

    Raises:
        OSError: It cannot be written.
    """
    private_folder(path.parent)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "w", encoding="ascii") as file:
            json.dump(asdict(kept), file)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
