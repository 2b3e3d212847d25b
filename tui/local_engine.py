"""The engine and the libraries of this machine, for the app's threads."""

import threading
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.errors import USER_ERRORS, InputError
from veracite.engine.events import Event, Warned
from veracite.engine.libraries import DEFAULT_LIBRARY, Against, Libraries, open_library
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings, load
from veracite.engine.types import Citation
from veracite.models.errors import Cancelled
from veracite.tui.service import Holding, described
from veracite.tui.worker import Runner

if TYPE_CHECKING:
    from veracite.engine.models import OpenModels
    from veracite.engine.surroundings import Surroundings
    from veracite.engine.workbench import Workbench
    from veracite.index.documents import Evidence, Passage
    from veracite.index.library import Library
    from veracite.models.encoder import Encoder

_HITS = 20


class LocalLibraries:
    """The named libraries, with an encoder of their own, so that searching waits for no other work.
    The library that was searched last stays open for the next letter.

    Everything may be called from any thread, also while the engine works; what is a generator is
    work of its own, which runs and is closed in one thread. Every method may raise USER_ERRORS.
    Nothing of the engine is loaded before the first call.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._settings = settings
        self._paths = paths
        self._libraries = Libraries(paths)
        self._models: OpenModels | None = None
        self._encoder: Encoder | None = None
        self._opening = threading.Lock()
        self._searching = threading.Lock()
        self._reading = threading.Lock()
        """Held while one is opened and read for the screen: opening would make it anew after a
        deletion that came between. Whoever also searches holds that lock first."""
        self._searched: tuple[str, Library] | None = None

    def holdings(self) -> tuple[Holding, ...]:
        """Every library, the default one first."""
        names = sorted(self._libraries.names(), key=lambda name: name != DEFAULT_LIBRARY)
        return tuple(held for held in map(self._holding, names) if held is not None)

    def require_new(self, name: str) -> str:
        """The name, if a library can be made under it; raises InputError if not."""
        self._libraries.folder(name)
        if name in self._libraries.names():
            raise InputError(f"There is a library {name} already.", "Choose it, and add to it.")
        return name

    def add(self, name: str, path: Path) -> None:
        """Have a library, made if need be, follow a file or folder."""
        new = name not in self._libraries.names()
        self._libraries.create(name)
        try:
            with self._open(name) as library:
                library.add([path])
        except USER_ERRORS:
            if new:
                self._libraries.delete(name)
            raise

    def sync(self, name: str) -> Generator[Event, None, None]:
        """The events of bringing a library up to date."""
        self._libraries.require_own(name)
        library, note = self._opened(name)
        with library, suppress(Cancelled):
            if note:
                yield Warned(note)
            yield from library.sync()

    def remove(self, name: str, source: Path) -> Generator[Event, None, None]:
        """Have a library follow a source no longer; the events of the sync after that."""
        with self._open(name) as library:
            library.remove([source])
        yield from self.sync(name)

    def delete(self, name: str) -> Generator[Event, None, None]:
        """Delete a library's index; no events."""
        with self._searching, self._reading:
            self._let_go()
            self._libraries.delete(name)
        yield from ()

    def search(self, name: str, query: str) -> "tuple[Evidence, ...]":
        """The best passages by words and meaning; by words alone while some are not encoded."""
        with self._searching:
            if self._searched is None or self._searched[0] != name:
                self._let_go()
                with self._reading:
                    self._searched = name, self._opened(name)[0]
            library = self._searched[1]
            while True:
                try:
                    return library.search(query, k=_HITS, mode="hybrid", names=True)
                except Cancelled:  # that was meant for a sync
                    continue
                except BaseException:
                    self._let_go()
                    raise

    def cancel(self) -> None:
        """Cut short what a sync is encoding, from another thread."""
        if (encoder := self._encoder) is not None:
            encoder.cancel()

    def around(self, name: str, passage: "Passage") -> "Surroundings":
        """What stands around a passage."""
        from veracite.engine.surroundings import around

        document, text = passage.document, passage.text
        where = passage.page, passage.start, passage.end
        place = Citation(document.path, *where, text, "nearest", 0.0, document.sha256, text)
        with self._reading, self._open(name) as library:
            return around(library, place)

    def close(self) -> None:
        """Let go of the encoder and the library, unless a search is still at it."""
        if self._searching.acquire(blocking=False):
            try:
                self._let_go()
                if self._models is not None:
                    self._models.close()
            finally:
                self._searching.release()

    def _holding(self, name: str) -> Holding | None:
        # One damaged library must not hide the others.
        with self._reading:
            if name not in self._libraries.names():  # deleted since it was listed
                return None
            try:
                library, note = self._opened(name)
                with library:
                    held = library.status()
                gone = {path for path in held.sources if not path.exists()}
                return Holding(name, held, note, gone.difference(held.elsewhere))
            except USER_ERRORS as error:
                return Holding(name, None, Runner.Failed.of(error).said)

    def _opened(self, name: str) -> "tuple[Library, str | None]":
        """A library to be searched, and why that is by words alone, if it is."""
        from veracite.engine.models import OpenModels

        notes: list[str] = []
        with self._opening:
            if self._models is None:
                self._models = OpenModels(self._settings, self._paths)
            self._encoder = self._models.encoder(notes)
        return self._open(name, self._encoder), notes[0] if notes else None

    def _open(self, name: str, encoder: "Encoder | None" = None) -> "Library":
        return open_library(name, self._libraries, encoder, self._settings.reader_memory)

    def _let_go(self) -> None:
        if self._searched is not None:
            self._searched[1].close()
            self._searched = None


class LocalEngine:
    """Carries out what the user asks for, and keeps its models from one piece of work to the next.

    Each piece of work is a generator of events that runs in a thread of its own, from the first
    event to the last, and is closed there when the user stops it. One runs at a time. Nothing of
    the engine is loaded before the first.
    """

    def __init__(self, settings: CheckSettings, paths: Paths) -> None:
        self._settings = settings
        self._paths = paths
        self._bench: Workbench | None = None

    def use_model(self, file: str | None) -> None:
        """Take this one from the next piece of work on."""
        self._settings = replace(self._settings, model=file)

    @property
    def model(self) -> str | None:
        """The GGUF file in use; None without one."""
        return self._settings.model

    def check(
        self,
        text: str,
        against: Against,
        path: Path | None = None,
        markdown: bool = True,
        *,
        place: int = 0,
    ) -> Generator[Event, None, None]:
        """The events of a check.

        Args:
            text: What is checked.
            against: By what.
            path: The file it was opened from.
            markdown: Whether markup in it may be read as structure.
            place: A character of the text; the claims from there on come first.
        """
        bench, name = self._bench_for(against, markdown), str(path) if path else None
        yield from bench.check(text, path=name, against=against, place=place, early=True)

    def ask(self, question: str, against: Against, method: str) -> Generator[Event, None, None]:
        """The events of a question, with the config file's settings of the method, skills and
        wording as they are now."""
        from veracite.engine.methods.catalogue import configured

        bench, asked = self._bench_for(against, True), load(self._paths)
        (one,) = configured((method,), asked)
        yield from bench.ask(question, one.method, one.settings, against=against, written=asked.ask)

    def fix(
        self, text: str, against: Against, path: Path | None = None, markdown: bool = True
    ) -> Generator[Event, None, None]:
        """The events of mending a text, as the config file's tables ``[fix]`` and ``[ask]`` have it
        now, and by the same settings as a check."""
        from veracite.engine.methods.catalogue import fix_settings

        bench, name = self._bench_for(against, markdown), str(path) if path else None
        config = replace(load(self._paths), check=self._settings)
        own = fix_settings(config)
        yield from bench.fix(text, own, path=name, against=against, written=config.ask)

    def around(self, citation: Citation, against: Against) -> "Surroundings":
        """What stands around a quote, which needs no model; from any thread, also while something
        else is worked on.

        Raises:
            USER_ERRORS: The document has changed or is gone.
        """
        from veracite.engine.surroundings import around

        with open_library(against, Libraries(self._paths)) as library:
            return around(library, citation)

    @cached_property
    def libraries(self) -> LocalLibraries:
        """The libraries; to be had at any time and from any thread."""
        return LocalLibraries(self._settings, self._paths)

    def require(self, against: Against) -> None:
        """Raises InputError unless these documents, or this library, exist."""
        if isinstance(against, tuple):
            for path in against:
                if not path.exists():
                    raise InputError(f"There is no file or folder {path}.", "Check the spelling.")
        else:
            Libraries(self._paths).require(against)

    def described(self, against: Against) -> str:
        """What to call these documents, or that the library that is meant is not there."""
        if not isinstance(against, tuple):
            try:
                self.require(against)
            except USER_ERRORS:
                return f"{described(against)} (gone)" if against else "no library yet"
        return described(against)

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
        if self._bench is None or settings != self._bench.settings:
            self._close_bench()
            self._bench = Workbench(settings, self._paths)
        return self._bench

    def close(self) -> None:
        """Let go of the models; nothing may be running."""
        self._close_bench()
        if "libraries" in vars(self):  # else nobody has asked for them
            self.libraries.close()

    def _close_bench(self) -> None:
        if self._bench is not None:
            self._bench.close()
            self._bench = None
