"""The four views of the app: each is made at the first visit, which imports what it needs."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.screen import Screen

from veracite.engine.libraries import Documents
from veracite.tui.kept import Asking
from veracite.tui.service import Against, ChangesModel, EncodesAnew, Engine
from veracite.tui.worker import apart

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.tui.app import VeraciteApp
    from veracite.tui.model_service import ModelService
    from veracite.tui.screens.ask import AskScreen
    from veracite.tui.screens.library import LibraryScreen
    from veracite.tui.screens.models import ModelsScreen


def visited(app: App[None], name: str) -> Screen[object] | None:
    """The screen of a view; None before the first visit."""
    try:
        return app.get_screen_stack(name)[0]
    except (KeyError, IndexError):
        return None


def ask_view(app: "VeraciteApp", engine: Engine) -> "AskScreen":
    """The screen, as it was left the last time."""
    from veracite.tui.conversation import Choice
    from veracite.tui.screens.ask import AskScreen

    left = app.asking
    against = left.documents.against if left.documents else app.check_screen.state.against
    chosen = tuple(map(Choice.named, left.methods))
    return AskScreen(engine, app.turn, against, app.paths, chosen)


def asking(app: "VeraciteApp") -> Asking:
    """How the view is now, or will be at the first visit."""
    view = _ask_screen(app)
    if view is None:
        return app.asking
    return Asking(Documents.of(view.against), tuple(choice.name for choice in view.chosen))


def answer_from(app: "VeraciteApp", against: Against) -> None:
    """Have these documents answer from now on."""
    app.asking = replace(app.asking, documents=Documents.of(against))
    if view := _ask_screen(app):
        view.against = against


def _ask_screen(app: "VeraciteApp") -> "AskScreen | None":
    """None before the first visit."""
    return cast("AskScreen | None", visited(app, "ask"))


def library_view(app: "VeraciteApp", engine: Engine) -> "LibraryScreen":
    """The screen; a library that is put to use there is used in Check and Ask."""
    from veracite.tui.screens.library import LibraryScreen

    def in_use() -> Against:
        return app.check_screen.state.against

    async def use(against: Against) -> None:
        app.check_screen.go_by(against)
        answer_from(app, against)

    return LibraryScreen(engine.libraries, app.turn, in_use, use, app.library)


def looked_at(app: "VeraciteApp") -> str | None:
    """The name of the library that the view shows, or will show at the first visit."""
    view = cast("LibraryScreen | None", visited(app, "library"))
    return view.chosen.name if view and view.chosen else app.library


def models_view(app: "VeraciteApp", engine: Engine) -> "ModelsScreen":
    """The screen; the engine works with what is chosen there, and an encoder begins at once on the
    library in use."""
    from veracite.tui.screens.models import ModelsScreen

    def service() -> "ModelService":
        from veracite.tui.model_service import ModelService

        return ModelService(app.paths)

    return ModelsScreen(service, partial(_hand_over, app, engine))


async def _hand_over(
    app: "VeraciteApp", engine: Engine, listed: Iterable["Listed"], now: Iterable["Listed"]
) -> None:
    """Let the engine work with what is used now, once it has finished what it is doing."""
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
    if changed and isinstance(libraries := engine.libraries, EncodesAnew):
        libraries.reencoder.begin(app.check_screen.state.against)


def _used(models: Iterable["Listed"]) -> dict[str, Path | None]:
    """The path of each kind's model in use."""
    return {model.kind: model.path for model in models if model.in_use}
