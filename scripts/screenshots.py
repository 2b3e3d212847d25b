"""Draws the README's pictures of the app, on the samples: scripts/screenshots/*.svg.

Run it (``make screenshots``) after anything that changes how the app looks. The pictures name no
font from the network: nothing is fetched to show them.
"""

import asyncio
import os
import re
import shutil
import tempfile
from pathlib import Path
from unittest.mock import patch

from textual.pilot import Pilot
from textual.widgets import Input

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.ask import AskScreen
from veracite.tui.screens.library import LibraryScreen
from veracite.tui.worker import Runner

ROOT = Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "tests" / "samples"
PICTURES = ROOT / "scripts" / "screenshots"
SIZE = (120, 34)
MEMORY = 4 * 2**30
"""Bytes that are free in the picture of the models."""
FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)


def save(app: VeraciteApp, name: str) -> None:
    """Write what is on the screen."""
    picture = FONT_FACE.sub("", app.export_screenshot(title="veracite"))
    (PICTURES / f"{name}.svg").write_text(picture, encoding="utf-8")


async def settle(pilot: Pilot[None], runner: Runner | None = None) -> None:
    """Wait until everything that was begun is over and shown."""
    if runner:
        await asyncio.to_thread(runner.join)
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def draw(home: Path) -> None:
    """Do in each view what it is for, and draw it."""
    engine = LocalEngine(CheckSettings(), Paths.resolve())
    app = VeraciteApp(engine, path=home / "draft.md", against=(home / "papers",))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f5")
        await settle(pilot, app.check_screen.runner)
        await pilot.press("2", "2")  # to the contradicted claim, and at all claims again
        await settle(pilot)
        save(app, "check")

        await pilot.press("f3")
        await settle(pilot)
        ask = app.screen
        assert isinstance(ask, AskScreen)
        ask.input.value = "Who found the asteroid, and when?"
        await pilot.press("enter")
        await settle(pilot, ask.runner)
        await pilot.press("ctrl+up", "enter")
        await settle(pilot)
        save(app, "ask")

        engine.libraries.add("society", home / "papers")
        await pilot.press("f4")
        await settle(pilot)
        library = app.screen
        assert isinstance(library, LibraryScreen)
        await pilot.press("s")
        await settle(pilot, library.runner)
        await pilot.press("slash")
        library.query_one("#search", Input).value = "when was the first telescope built"
        await settle(pilot)
        save(app, "library")

        await pilot.press("escape", "f6")
        await settle(pilot)
        await pilot.press(*["down"] * 5)
        await settle(pilot)
        save(app, "models")
    engine.close()


def main() -> None:
    """Draw all, in a home of their own."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copy(SAMPLES / "draft.md", home)
        shutil.copytree(SAMPLES / "library", home / "papers")
        places = {
            "HOME": folder,
            "VERACITE_DATA_DIR": f"{folder}/data",
            "VERACITE_CACHE_DIR": f"{folder}/cache",
            "VERACITE_CONFIG": os.devnull,
        }
        memory = patch("veracite.models.store.catalogue.available_memory", return_value=MEMORY)
        with patch.dict(os.environ, places), memory:
            asyncio.run(draw(home))


if __name__ == "__main__":
    main()
