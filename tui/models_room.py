"""Makes the Models room at the first visit, and imports what it needs then."""

from typing import TYPE_CHECKING

from veracite.tui.engine import Engine
from veracite.tui.reencoder import EncodesAnew

if TYPE_CHECKING:
    from veracite.tui.app import VeraciteApp
    from veracite.tui.model_desk import ModelDesk
    from veracite.tui.screens.models import ModelsScreen

__all__ = ["models_room"]


def models_room(app: "VeraciteApp", engine: Engine) -> "ModelsScreen":
    """The screen; an encoder that is chosen there begins at once on the library in use."""
    from veracite.tui.screens.models import ModelsScreen

    def encode_anew() -> None:
        if isinstance(shelf := engine.shelf, EncodesAnew):
            shelf.reencoder.begin(app.check_screen.state.against)

    def desk() -> "ModelDesk":
        from veracite.tui.model_desk import ModelDesk

        return ModelDesk(app.paths)

    return ModelsScreen(engine, app.turn, desk, encode_anew)
