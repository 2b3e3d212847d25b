"""Makes the Models room at the first visit, and imports what it needs then."""

import threading
from typing import TYPE_CHECKING

from veracite.engine.paths import Paths
from veracite.tui.engine import Engine

if TYPE_CHECKING:
    from veracite.tui.screens.models import ModelsScreen

__all__ = ["models_room"]


def models_room(engine: Engine, turn: threading.Lock) -> "ModelsScreen":
    """The screen; the models are kept in this environment's place for data."""
    from veracite.tui.model_desk import ModelDesk
    from veracite.tui.screens.models import ModelsScreen

    return ModelsScreen(engine, turn, ModelDesk(Paths.resolve()))
