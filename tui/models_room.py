"""Makes the Models room at the first visit, and imports what it needs then."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.tui.engine import Engine
from veracite.tui.reencoder import EncodesAnew
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.tui.app import VeraciteApp
    from veracite.tui.model_desk import ModelDesk
    from veracite.tui.screens.models import ModelsScreen

__all__ = ["models_room"]


def models_room(app: "VeraciteApp", engine: Engine) -> "ModelsScreen":
    """The screen; the engine works with what is chosen there, and an encoder begins at once on the
    library in use."""
    from veracite.tui.screens.models import ModelsScreen

    def desk() -> "ModelDesk":
        from veracite.tui.model_desk import ModelDesk

        return ModelDesk(app.paths)

    return ModelsScreen(desk, partial(_hand_over, app, engine))


async def _hand_over(
    app: "VeraciteApp", engine: Engine, listed: Iterable["Listed"], now: Iterable["Listed"]
) -> None:
    """Let the engine work with what is used now, once it has finished what it is doing."""
    from veracite.tui.conversation_methods import ChangesModel

    before, after = _used(listed), _used(now)
    if before == after:
        return
    generator = after.get("generator")
    if before.get("generator") == generator:
        pass
    elif isinstance(engine, ChangesModel):
        engine.use_model(str(generator) if generator else None)
    else:
        app.notify("The language model changes when Veracite is next started.")

    def let_go() -> None:
        with app.turn:
            engine.close()

    await apart(let_go)
    changed = before.get("encoder") != after.get("encoder")
    if changed and isinstance(shelf := engine.shelf, EncodesAnew):
        shelf.reencoder.begin(app.check_screen.state.against)


def _used(models: Iterable["Listed"]) -> dict[str, Path | None]:
    """The path of each kind's model in use."""
    return {model.kind: model.path for model in models if model.in_use}
