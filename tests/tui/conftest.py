"""What the tests of the command line work with."""

from pathlib import Path

import pytest
from command_line import Commands
from mill import write_documents
from screens import has_messages
from textual.pilot import Pilot

_ROUNDS = 50
"""That a pause takes at most: something may always have a message for itself."""


@pytest.fixture
def veracite(tmp_path: Path) -> Commands:
    return Commands(tmp_path)


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write_documents(tmp_path / "documents")


@pytest.fixture(autouse=True)
def _patient_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pause lasts until no message waits.

    Textual's own takes a process that got no processor time for one that is done.
    """
    pause = Pilot.pause

    async def patient(pilot: Pilot[None], delay: float | None = None) -> None:
        for _ in range(_ROUNDS):
            await pause(pilot, delay)
            if not has_messages(pilot):
                break

    monkeypatch.setattr(Pilot, "pause", patient)
