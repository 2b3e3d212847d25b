"""What the app said since it was opened, and the details of what broke before."""

import re
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from textual.content import Content

from veracite.engine.display import neutralise

_MOST = 500
_CRASHES = 5
_LINES = 30
_COLOURS = {"error": "bold $text-error", "warning": "bold $text-warning"}
_REPAIRED = re.compile(r"The \w+ index lacked the newest changes and was brought up to date\.")
"""As ``veracite.index.derived`` writes it."""


def repaired(message: str) -> bool:
    """Whether this is about something that is in order again, with nothing left to do."""
    return _REPAIRED.fullmatch(message) is not None


class Journal:
    """Kept in memory.

    Args:
        crashes: The folder with the details of failures that nobody foresaw.
    """

    def __init__(self, crashes: Path | None) -> None:
        self._crashes = crashes
        self._said: deque[tuple[str, str, str]] = deque(maxlen=_MOST)

    def note(self, severity: str, message: str) -> None:
        """Something was said."""
        self._said.append((f"{datetime.now():%H:%M:%S}", severity, message))

    def content(self) -> Content:
        """Everything, the newest first."""
        said = [
            Content.assemble(
                (f"{time} ", "$muted"),
                (neutralise(message, lines=True), _COLOURS.get(severity, "")),
            )
            for time, severity, message in reversed(self._said)
        ]
        lines = said or [Content.styled("There are no messages yet.", "$muted")]
        return Content("\n").join([*lines, *self._details()])

    def _details(self) -> Iterator[Content]:
        """The newest crashes, of each its end, which says most."""
        if self._crashes is None or not self._crashes.is_dir():
            return
        files = sorted(self._crashes.glob("*.txt"), key=lambda f: f.stat().st_mtime, reverse=True)
        for file in files[:_CRASHES]:
            when = datetime.fromtimestamp(file.stat().st_mtime)
            yield Content.assemble("\n", (f"{when:%Y-%m-%d %H:%M} {neutralise(str(file))}", "bold"))
            end = file.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES:]
            yield Content(neutralise("\n".join(end), lines=True))
