"""Checks by the engine, for the app's thread."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.worker import Against

if TYPE_CHECKING:
    from veracite.engine.workbench import Workbench

__all__ = ["EngineCheck"]


class EngineCheck:
    """A ``veracite.tui.worker.Check`` that keeps its models from one check to the next.

    Nothing of the engine is loaded before the first check. One thread at a time.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._settings = settings
        self._paths = paths
        self._bench: Workbench | None = None

    def __call__(
        self, text: str, against: Against, path: Path | None = None
    ) -> Generator[Event, None, None]:
        """The events of a check."""
        from veracite.engine.workbench import Workbench

        if self._bench is None:
            self._bench = Workbench(self._settings, self._paths)
        yield from self._bench.check(text, path=str(path) if path else None, against=against)

    def close(self) -> None:
        """Let go of the models; no check may be running."""
        if self._bench is not None:
            self._bench.close()
            self._bench = None
