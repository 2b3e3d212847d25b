"""The Models view as a person uses it: going there, moving about, answering its questions."""

import asyncio
from pathlib import Path

import tiny_gguf
from screens import settle
from textual.pilot import Pilot
from textual.widgets import Input

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.models import ModelsScreen


async def visit(pilot: Pilot[None]) -> ModelsScreen:
    app = pilot.app
    assert isinstance(app, VeraciteApp)
    app.action_view("models")
    await settle(pilot)
    assert isinstance(app.screen, ModelsScreen)
    return app.screen


async def done(pilot: Pilot[None], room: ModelsScreen) -> None:
    """Wait until what was begun is over and shown."""
    await asyncio.to_thread(room.runner.join)
    await settle(pilot)
    assert not room.at_work


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settle(pilot)


async def enter(pilot: Pilot[None], text: str) -> None:
    """Write into the input of a prompt, in place of what is there, and press Enter."""
    pilot.app.screen.query_one(Input).value = text
    await press(pilot, "enter")


def go_to(room: ModelsScreen, name: str) -> None:
    """Move the highlight, as the arrow keys do."""
    places = [i for i, row in enumerate(room.list.rows) if row and row.name == name]
    (room.list.highlighted,) = places


def listed(room: ModelsScreen) -> str:
    return "\n".join(str(option.prompt) for option in room.list.options)


def about(room: ModelsScreen) -> str:
    return str(room.about.content)


async def imported(pilot: Pilot[None], room: ModelsScreen, home: Path, name: str) -> None:
    """A tiny language model, brought by the keys."""
    file = tiny_gguf.make(home / f"{name}.gguf")
    await press(pilot, "i")
    await enter(pilot, str(file))
    await done(pilot, room)
    assert room.list.model
    assert (room.list.model.name, room.list.model.state) == (name, "stored")
