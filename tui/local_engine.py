"""The engine of this machine, for the app's threads."""

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.libraries import DEFAULT_LIBRARY, Libraries
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings, load
from veracite.engine.types import Citation
from veracite.tui.local_libraries import LocalLibraries, Reencoder
from veracite.tui.service import Against

if TYPE_CHECKING:
    from veracite.engine.surroundings import Surroundings
    from veracite.engine.workbench import Workbench


class LocalEngine:
    """A ``veracite.tui.service.Engine`` that keeps its models from one piece of work to the next.

    Nothing of the engine is loaded before the first. One thread at a time. A library that another
    encoder is to take over is encoded meanwhile in a thread of its own.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._settings = settings
        self._paths = paths
        self._bench: Workbench | None = None
        self._opened_for: CheckSettings | None = None
        self._libraries: LocalLibraries | None = None
        self._reencoder = Reencoder(settings, paths)

    @property
    def model(self) -> str | None:
        """The GGUF file in use; None without one."""
        return self._settings.model

    def use_model(self, file: str | None) -> None:
        """Take this one from the next piece of work on."""
        self._settings = replace(self._settings, model=file)

    def check(
        self,
        text: str,
        against: Against,
        path: Path | None = None,
        markdown: bool = True,
        *,
        place: int = 0,
    ) -> Generator[Event, None, None]:
        """The events of a check."""
        bench = self._bench_for(against, markdown)
        name = str(path) if path else None
        yield from bench.check(text, path=name, against=against, place=place)

    def ask(
        self, question: str, against: Against, method: str, settings: Any = None
    ) -> Generator[Event, None, None]:
        """The events of a question, with the config file's skills and wording as they are now."""
        from veracite.engine.methods.catalogue import named

        bench, asked = self._bench_for(against, True), load(self._paths).ask
        yield from bench.ask(
            question,
            named(method),
            settings,
            against=against,
            skills=asked.skills,
            wording=asked.wording,
        )

    def fix(
        self, text: str, against: Against, path: Path | None = None, markdown: bool = True
    ) -> Generator[Event, None, None]:
        """The events of mending a text, as the config file's tables ``[fix]`` and ``[ask]`` have it
        now, and by the same settings as a check."""
        from veracite.engine.methods.catalogue import fix_settings

        bench = self._bench_for(against, markdown)
        config = replace(load(self._paths), check=self._settings)
        yield from bench.fix(
            text,
            fix_settings(config),
            path=str(path) if path else None,
            against=against,
            skills=config.ask.skills,
            wording=config.ask.wording,
        )

    def around(self, citation: Citation, against: Against) -> "Surroundings":
        """What stands around a quote; no model is needed."""
        from veracite.engine.libraries import open_library
        from veracite.engine.surroundings import around

        with open_library(against, Libraries(self._paths), None, None) as library:
            return around(library, citation)

    @property
    def libraries(self) -> "LocalLibraries":
        """The libraries, searched with an encoder of their own."""
        if self._libraries is None:
            self._libraries = LocalLibraries(self._settings, self._paths, self._reencoder)
        return self._libraries

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
                "Name a folder or a file here, or make the library with a in F4.",
                "no library",
            )
        known = f" The libraries are: {', '.join(names)}." if names else ""
        raise InputError(
            f"There is neither a file or folder nor a library {against!r}.",
            f"Check the spelling.{known}",
            "no library",
        )

    def cancel(self) -> None:
        """Cut the language model short, if it is at work; from any thread."""
        bench = self._bench
        if bench is not None:
            bench.cancel()

    def _bench_for(self, against: Against, markdown: bool) -> "Workbench":
        """The one that is open, unless it reads markup the other way.

        Raises:
            InputError: The library that is meant does not exist.
        """
        if not isinstance(against, tuple):
            self.require(against)  # what follows takes seconds the first time
        from veracite.engine.workbench import Workbench

        settings = self._settings if markdown else replace(self._settings, markdown=False)
        if self._bench is None or settings != self._opened_for:
            self._close_bench()
            begin = self._reencoder.begin
            self._bench = Workbench(settings, self._paths, encode_beside=begin)
            self._opened_for = settings
        return self._bench

    def close(self) -> None:
        """Let go of the models; nothing may be running but the encoding, which stops."""
        self._reencoder.close()
        self._close_bench()
        if self._libraries is not None:
            self._libraries.close()

    def _close_bench(self) -> None:
        if self._bench is not None:
            self._bench.close()
            self._bench = None
