"""Makes the Ask room at the first visit, and imports what it needs then."""

from dataclasses import replace
from typing import TYPE_CHECKING

from veracite.engine.documents import Documents
from veracite.tui.engine import Against, Engine
from veracite.tui.kept import Asking
from veracite.tui.rooms import made

if TYPE_CHECKING:
    from veracite.tui.app import VeraciteApp
    from veracite.tui.screens.ask import AskScreen

__all__ = ["answer_from", "ask_room", "asking"]


def ask_room(app: "VeraciteApp", engine: Engine) -> "AskScreen":
    """The screen, as it was left the last time."""
    from veracite.tui.conversation import Choice
    from veracite.tui.screens.ask import AskScreen

    left = app.asking
    against = left.documents.against if left.documents else app.check_screen.state.against
    chosen = tuple(map(Choice.named, left.methods))
    return AskScreen(engine, app.turn, against, app.paths, chosen)


def asking(app: "VeraciteApp") -> Asking:
    """How the room is now, or will be at the first visit."""
    room = _room(app)
    if room is None:
        return app.asking
    return Asking(Documents.of(room.against), tuple(choice.name for choice in room.chosen))


def answer_from(app: "VeraciteApp", against: Against) -> None:
    """Have these documents answer from now on."""
    app.asking = replace(app.asking, documents=Documents.of(against))
    if room := _room(app):
        room.against = against


def _room(app: "VeraciteApp") -> "AskScreen | None":
    """None before the first visit."""
    room = made(app, "ask")
    if room is None:
        return None
    from veracite.tui.screens.ask import AskScreen

    assert isinstance(room, AskScreen)
    return room
