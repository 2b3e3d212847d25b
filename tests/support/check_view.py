"""The Check view as a person uses it: writing or opening a text, checking it, what it shows."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rich.color import Color
from screens import enter, join
from scripted import TEXT, Script
from textual.pilot import Pilot
from textual.widgets import Static

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.check import CheckScreen
from veracite.tui.widgets.text_pane import Reader


def screen_of(pilot: Pilot[None]) -> CheckScreen:
    app = pilot.app
    assert isinstance(app, VeraciteApp)
    return app.check_screen


async def finish(pilot: Pilot[None]) -> CheckScreen:
    """Wait until the check is over and everything it said is on the screen."""
    screen = screen_of(pilot)
    await asyncio.to_thread(join, screen.runner)
    await pilot.pause()
    assert not screen.state.running
    return screen


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


async def opened(pilot: Pilot[None], path: Path) -> CheckScreen:
    await pilot.press("ctrl+o")
    await enter(pilot, path)
    return screen_of(pilot)


def top(pilot: Pilot[None]) -> str:
    return str(screen_of(pilot).query_one("#top", Static).content)


def shown(screen: CheckScreen) -> str:
    """Everything in the pane beside the text."""
    return "\n".join(str(static.content) for static in screen.evidence.query(Static))


def status(screen: CheckScreen) -> str:
    return str(screen.status.content)


def place(screen: CheckScreen) -> str:
    """The claim at the cursor."""
    assert screen.state.findings
    mark = screen.state.findings.at(screen.text.place)
    assert mark
    return screen.state.findings.text[mark.start : mark.end]


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
