"""Any screen of the app as a person sees it: its keys, what is on it, and waiting for that."""

import asyncio
import threading
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.tui.screens.fix import FixScreen
from veracite.tui.screens.info import InfoScreen
from veracite.tui.screens.library import LibraryScreen
from veracite.tui.screens.prompts import Prompt
from veracite.tui.screens.view import View
from veracite.tui.worker import Runner

_ROUNDS = 50
"""That is waited at most: something may always have a message for itself."""


async def settle(pilot: Pilot[None]) -> None:
    """Wait until what is read beside the screen is on it."""
    quiet = rounds = 0
    while quiet < 2 and (rounds := rounds + 1) < _ROUNDS:
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        at_work = any(not worker.is_finished for worker in pilot.app.workers)
        quiet = 0 if at_work or has_messages(pilot) else quiet + 1


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys and wait until all that they led to is on the screen."""
    await pilot.press(*keys)
    await settle(pilot)


def join(runner: Runner) -> None:
    """Wait for what was begun."""
    for thread in threading.enumerate():
        if getattr(thread, "_target", None) == runner._work:
            thread.join()


async def done(pilot: Pilot[None], screen: View | FixScreen) -> None:
    """Wait until the work is over and everything it said is on the screen."""
    await asyncio.to_thread(join, screen.runner)
    await settle(pilot)


def has_messages(pilot: Pilot[None]) -> bool:
    """Whether the app or something on one of its screens has yet to handle a message."""
    pumps = (w for screen in pilot.app.screen_stack for w in screen.walk_children(with_self=True))
    return any(pump.message_queue_size for pump in (pilot.app, *pumps))


def drawn(pilot: Pilot[None]) -> str:
    """The characters on the screen, row by row."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


def messages(pilot: Pilot[None]) -> list[str]:
    """What the notifications say, the oldest first."""
    return [notification.message for notification in pilot.app._notifications]


def sheet(pilot: Pilot[None]) -> str:
    """Everything on the sheet that lies over the screen."""
    assert isinstance(pilot.app.screen, InfoScreen)
    return "\n".join(str(static.content) for static in pilot.app.screen.query(Static))


def prompt(pilot: Pilot[None]) -> Prompt[object]:
    screen = pilot.app.screen
    assert isinstance(screen, Prompt)
    return screen


async def enter(pilot: Pilot[None], path: Path | str) -> None:
    """Give a prompt its answer."""
    pilot.app.screen.query_one(Input).value = str(path)
    await press(pilot, "enter")


def told(pilot: Pilot[None]) -> str:
    """What a prompt says to the last answer."""
    return str(prompt(pilot).query_one("#said", Static).content)


async def visited(pilot: Pilot[None]) -> LibraryScreen:
    """Go to the view and wait until everything is shown."""
    await press(pilot, "f4")
    assert isinstance(pilot.app.screen, LibraryScreen)
    return pilot.app.screen
