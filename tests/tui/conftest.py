"""What the tests of the command line and of the app work with."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tiny_gguf
from command_line import Commands, Interrupt
from hub import PlayedHub, playing
from screens import has_messages
from textual.app import App
from textual.pilot import Pilot

from veracite.engine.events import Event
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.models.store import Store
from veracite.tui.local_engine import LocalEngine
from veracite.tui.progress import Progress

_OTHERS = ("HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "LLAMA_CACHE", "OLLAMA_MODELS")
_ROUNDS = 50
"""That a pause takes at most: something may always have a message for itself."""


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    """A home in which documents are read and claims judged once for all tests."""
    return Commands(tmp_path_factory.mktemp("kept"))


@pytest.fixture
def veracite(tmp_path: Path) -> Commands:
    """In a home of its own."""
    return Commands(tmp_path)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, in which nothing is found that the test did not put there."""
    for name in (*_OTHERS, "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in Commands(tmp_path).environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def engine(home: Path) -> Iterator[LocalEngine]:
    """The app's own, on that home: the bundled models, real readers and indexes."""
    engine = LocalEngine(CheckSettings(), Paths.resolve())
    yield engine
    engine.close()


@pytest.fixture
def store(home: Path) -> Store:
    return Store(home / "data" / "models")


@pytest.fixture
def hub(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PlayedHub]:
    """Played on loopback, with one model."""
    with playing() as played:
        played.put("someone/tiny-GGUF", tiny__gguf=tiny_gguf.make(home / "made").read_bytes())
        monkeypatch.setenv("HF_ENDPOINT", played.endpoint)
        yield played


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Has Ctrl-C pressed, so many times, while such an event is shown."""
    update = Progress.update

    def begin(at: Callable[[Event], bool], times: int = 1) -> None:
        def updating(self: Progress, event: Any) -> None:
            update(self, event)
            for _ in range(times if at(event) else 0):
                signal.raise_signal(signal.SIGINT)

        monkeypatch.setattr(Progress, "update", updating)

    return begin


@pytest.fixture(autouse=True)
def _patient_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause lasts until no message waits, and what was said stays until it is looked at.

    Textual's own pause takes a process that got no processor time for one that is done, and its
    notifications are gone after five seconds, in which a busy machine may do nothing of a test.
    """
    monkeypatch.setattr(App, "NOTIFICATION_TIMEOUT", 3600)
    pause = Pilot.pause

    async def patient(pilot: Pilot[None], delay: float | None = None) -> None:
        for _ in range(_ROUNDS):
            await pause(pilot, delay)
            if not has_messages(pilot):
                break

    monkeypatch.setattr(Pilot, "pause", patient)
