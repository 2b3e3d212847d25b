"""Ctrl-C at a known moment, in this process."""

import signal
from collections.abc import Callable
from typing import Any

import pytest

from veracite.engine.events import Event
from veracite.tui.progress import Progress


def signalling(
    monkeypatch: pytest.MonkeyPatch, at: Callable[[Event], bool], times: int = 1
) -> None:
    """Ctrl-C while such an event is shown."""
    update = Progress.update

    def updating(self: Progress, event: Any) -> None:
        update(self, event)
        if at(event):
            for _ in range(times):
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Progress, "update", updating)
