"""Checks by the engine, for the app's thread."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.libraries import DEFAULT_LIBRARY, Libraries
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
        self._opened_for: CheckSettings | None = None

    def __call__(
        self, text: str, against: Against, path: Path | None = None, markdown: bool = True
    ) -> Generator[Event, None, None]:
        """The events of a check."""
        bench = self._bench_for(markdown)
        yield from bench.check(text, path=str(path) if path else None, against=against)

    def require(self, against: Against) -> None:
        """Raises InputError unless these documents, or this library, exist."""
        if isinstance(against, tuple):
            for path in against:
                if not path.exists():
                    raise InputError(f"There is no file or folder {path}.", "Check the spelling.")
            return
        names = Libraries(self._paths).names()
        if (against or DEFAULT_LIBRARY) in names:
            return
        if against is None:
            raise InputError(
                "There is no default library yet.",
                "Name a folder, or make the library with `veracite library add FOLDER`.",
            )
        known = f" The libraries are: {', '.join(names)}." if names else ""
        raise InputError(
            f"There is neither a file or folder nor a library {against!r}.",
            f"Check the spelling.{known}",
        )

    def cancel(self) -> None:
        """Cut the language model short, if it is at work; from any thread."""
        bench = self._bench
        if bench is not None:
            bench.cancel()

    def _bench_for(self, markdown: bool) -> "Workbench":
        """The one that is open, unless it reads markup the other way."""
        from veracite.engine.workbench import Workbench

        settings = self._settings if markdown else replace(self._settings, markdown=False)
        if self._bench is None or settings != self._opened_for:
            self.close()
            self._bench, self._opened_for = Workbench(settings, self._paths), settings
        return self._bench

    def close(self) -> None:
        """Let go of the models; no check may be running."""
        if self._bench is not None:
            self._bench.close()
            self._bench = None
