"""The Check view and the files of its texts, as a person goes about with them."""

from pathlib import Path

from screens import screen_of, settle
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.prompts import Prompt


def top(pilot: Pilot[None]) -> str:
    return str(screen_of(pilot).query_one("#top", Static).content)


def prompt(pilot: Pilot[None]) -> Prompt[object]:
    screen = pilot.app.screen
    assert isinstance(screen, Prompt)
    return screen


async def enter(pilot: Pilot[None], path: Path | str) -> None:
    """Give a prompt its answer."""
    prompt(pilot).query_one(Input).value = str(path)
    await pilot.press("enter")
    await settle(pilot)


async def opened(pilot: Pilot[None], path: Path) -> CheckScreen:
    await pilot.press("ctrl+o")
    await enter(pilot, path)
    return screen_of(pilot)


def told(pilot: Pilot[None]) -> str:
    """What a prompt says to the last answer."""
    return str(prompt(pilot).query_one("#said", Static).content)
