"""Makes the Ask room at the first visit, and imports what it needs then."""

import threading
from typing import TYPE_CHECKING

from veracite.engine.paths import Paths
from veracite.tui.engine import Against, Engine

if TYPE_CHECKING:
    from veracite.tui.screens.ask import AskScreen

__all__ = ["ask_room"]


def ask_room(engine: Engine, turn: threading.Lock, against: Against, paths: Paths) -> "AskScreen":
    """The screen."""
    from veracite.tui.screens.ask import AskScreen

    return AskScreen(engine, turn, against, paths)
