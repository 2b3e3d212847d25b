"""The app as a person sees it: what is on its screen, and waiting until it is there."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from rich.color import Color
from scripted import TEXT, Script
from textual.pilot import Pilot
from textual.widgets import Static

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.info import InfoScreen
from veracite.tui.widgets.text_pane import Reader

_ROUNDS = 50
"""That is waited at most: something may always have a message for itself."""


async def finish(pilot: Pilot[None]) -> CheckScreen:
    """Wait until the check is over and everything it said is on the screen."""
    screen = screen_of(pilot)
    await asyncio.to_thread(screen.runner.join)
    await pilot.pause()
    assert not screen.state.running
    return screen


def screen_of(pilot: Pilot[None]) -> CheckScreen:
    app = pilot.app
    assert isinstance(app, VeraciteApp)
    return app.check_screen


async def checked(pilot: Pilot[None], text: str = TEXT) -> CheckScreen:
    """Write a text and check it."""
    screen = screen_of(pilot)
    screen.text.editor.insert(text)
    await pilot.press("f5")
    return await finish(pilot)


@asynccontextmanager
async def checking(
    script: Script, text: str = TEXT, **options: Any
) -> AsyncIterator[tuple[Pilot[None], CheckScreen]]:
    """Open the app with a script, write a text and check it."""
    async with VeraciteApp(script).run_test(**options) as pilot:
        yield pilot, await checked(pilot, text)


async def halted(pilot: Pilot[None], script: Script) -> CheckScreen:
    """Begin a check of the script's text and wait until it stands where it is to wait."""
    screen = screen_of(pilot)
    screen.text.editor.insert(TEXT)
    await pilot.press("f5")
    await asyncio.to_thread(script.reached.wait)
    return screen


def sheet(pilot: Pilot[None]) -> str:
    """Everything on the sheet that lies over the screen."""
    assert isinstance(pilot.app.screen, InfoScreen)
    return "\n".join(str(static.content) for static in pilot.app.screen.query(Static))


def shown(screen: CheckScreen) -> str:
    """Everything in the pane beside the text."""
    return "\n".join(str(static.content) for static in screen.evidence.query(Static))


def status(screen: CheckScreen) -> str:
    return str(screen.status.content)


def symbols(reader: Reader) -> dict[str, str]:
    """Each claim's text to the symbol shown before it."""
    found = {}
    for mark in reader.marks:
        place = reader.from_source(mark.start)
        row, column = reader.location_of(place)
        line = reader.get_line(row).plain
        claim = line[column : column + mark.end - mark.start]
        found[claim] = line[column - 2 : column]
    return found


def colours(reader: Reader) -> dict[str, Color | None]:
    """Each claim's text to the colour of its letters."""
    found = {}
    for mark in reader.marks:
        row, column = reader.location_of(reader.from_source(mark.start))
        line = reader.get_line(row)
        claim = line.plain[column : column + mark.end - mark.start]
        found[claim] = line.get_style_at_offset(reader.app.console, column + 1).color
    return found


async def settle(pilot: Pilot[None]) -> None:
    """Wait until what is read beside the screen is on it."""
    quiet = rounds = 0
    while quiet < 2 and (rounds := rounds + 1) < _ROUNDS:
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        at_work = any(not worker.is_finished for worker in pilot.app.workers)
        quiet = 0 if at_work or has_messages(pilot) else quiet + 1


def has_messages(pilot: Pilot[None]) -> bool:
    """Whether the app or something on one of its screens has yet to handle a message."""
    pumps = (w for screen in pilot.app.screen_stack for w in screen.walk_children(with_self=True))
    return any(pump.message_queue_size for pump in (pilot.app, *pumps))


def messages(pilot: Pilot[None]) -> list[str]:
    """What the notifications say, the oldest first."""
    return [notification.message for notification in pilot.app._notifications]
