"""Makes the Library room at the first visit, and imports what it needs then."""

from functools import partial
from typing import TYPE_CHECKING

from veracite.tui.conversation_room import ask_room
from veracite.tui.engine import Against, Engine
from veracite.tui.screens.check import CheckScreen

if TYPE_CHECKING:
    from veracite.tui.app import VeraciteApp
    from veracite.tui.screens.library import LibraryScreen

__all__ = ["library_room"]


def library_room(app: "VeraciteApp", engine: Engine) -> "LibraryScreen":
    """The screen; a library that is put to use there is used in Check and Ask."""
    from veracite.tui.screens.library import LibraryScreen

    def in_use() -> Against:
        return app.check_screen.state.against

    return LibraryScreen(engine.shelf, app.turn, in_use, partial(_use, app, engine))


async def _use(app: "VeraciteApp", engine: Engine, against: Against) -> None:
    """Have both rooms go by these documents from now on."""
    from veracite.tui.screens.ask import AskScreen

    app.check_screen.state.against = against
    app.check_screen.post_message(CheckScreen.Stale())
    try:
        stack = app.get_screen_stack("ask")
    except KeyError:  # it is made at the first visit
        await app.remove_mode("ask")
        app.add_mode("ask", lambda: ask_room(engine, app.turn, against, app.paths))
    else:
        for screen in stack:
            if isinstance(screen, AskScreen):
                screen.against = against
