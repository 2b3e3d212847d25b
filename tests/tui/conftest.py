"""What the tests of the command line and of the app work with."""

from pathlib import Path

import pytest
from command_line import Commands
from screens import has_messages
from textual.app import App
from textual.pilot import Pilot

from veracite.models.store import Store

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
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def store(home: Path) -> Store:
    return Store(home / "data" / "models")


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
