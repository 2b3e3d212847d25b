"""The Library view as a person uses it: going there, with libraries that have a script."""

from screens import settle
from scripted import Script
from shelves import ScriptedShelf
from textual.pilot import Pilot

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.library import LibraryScreen


def app_with(**held: object) -> tuple[VeraciteApp, ScriptedShelf]:
    shelf = ScriptedShelf(dict(held))  # type: ignore[arg-type]
    return VeraciteApp(Script(libraries=shelf)), shelf


async def visited(pilot: Pilot[None]) -> LibraryScreen:
    """Go to the room and wait until everything is shown."""
    await pilot.press("f4")
    await settle(pilot)
    assert isinstance(pilot.app.screen, LibraryScreen)
    return pilot.app.screen
