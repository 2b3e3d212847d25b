"""Makes the Library room at the first visit, and imports what it needs then."""

from typing import TYPE_CHECKING

from veracite.tui.conversation_room import answer_from
from veracite.tui.engine import Against, Engine
from veracite.tui.rooms import made

if TYPE_CHECKING:
    from veracite.tui.app import VeraciteApp
    from veracite.tui.screens.library import LibraryScreen

__all__ = ["library_room", "looked_at"]


def library_room(app: "VeraciteApp", engine: Engine) -> "LibraryScreen":
    """The screen; a library that is put to use there is used in Check and Ask."""
    from veracite.tui.screens.library import LibraryScreen

    def in_use() -> Against:
        return app.check_screen.state.against

    async def use(against: Against) -> None:
        app.check_screen.state.against = against
        app.check_screen.post_message(app.check_screen.Stale())
        answer_from(app, against)

    return LibraryScreen(engine.shelf, app.turn, in_use, use, app.shelf)


def looked_at(app: "VeraciteApp") -> str | None:
    """The name of the library that the room shows, or will show at the first visit."""
    room = made(app, "library")
    if room is None:
        return app.shelf
    from veracite.tui.screens.library import LibraryScreen

    assert isinstance(room, LibraryScreen)
    return room.chosen.name if room.chosen else app.shelf
