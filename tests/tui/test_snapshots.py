"""The app's main states, drawn as text and compared with the drawings in ``snapshots``.

``make screenshots`` draws them anew, and the pictures of README and docs with them; look at what
git then says has changed. They are text and no pictures, because Textual writes a picture
differently with every release, and because a person can read what changed. On the real engine:
bundled models and the samples' library.
"""

import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from difflib import unified_diff
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ask_view import asked, entered
from check_view import checked, screen_of
from drawing import drawing
from screens import done, press, settle, visited
from textual.containers import VerticalScroll
from textual.pilot import Pilot

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.fix import FixScreen

SNAPSHOTS = Path(__file__).with_name("snapshots")
LIBRARY = Path(__file__).parents[1] / "samples" / "library"
PICTURES = Path(__file__).parents[2] / "scripts" / "screenshots"
PICTURED = {
    "check-contradicted": "check", "ask": "ask", "library-search": "library", "models": "models",
}  # fmt: skip
"""The drawings of which README and docs have a picture."""
FONT_FACE = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
"""What a picture would fetch from the network when it is shown."""
RENEW = "RENEW_SNAPSHOTS"
FOREIGN = ("HF_", "HUGGINGFACE_", "LLAMA_", "OLLAMA_", "XDG_", "VERACITE_", "NO_COLOR")
"""How variables begin that could show what is on this machine."""
NARROW, WIDE = (80, 24), (120, 40)
DRAFT = """\
Who has never looked up? The Wenlow Astronomical Society dates from March 1957.

The dome was built by a boatyard in Penmouth. A new instrument was installed in October 1989.
Queen Elizabeth II sent a telegram of congratulation that evening. In my opinion 2023 was the best
year of all.
"""
QUESTION = "When was the society founded?"


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home that holds a part of the samples' library; of the machine nothing is seen."""
    folder = tmp_path_factory.mktemp("home")
    for name in ("papers", "scans"):
        (folder / name).mkdir()
        shutil.copy(LIBRARY / "history.md", folder / name)
    shutil.copy(LIBRARY / "leaflet-2009.md", folder / "papers")
    (folder / "scans" / "scan.pdf").write_bytes(b"%PDF-1.7 and nothing else")
    with pytest.MonkeyPatch.context() as patch:
        for name in [n for n in os.environ if n.startswith(FOREIGN)]:
            patch.delenv(name)
        patch.setenv("HOME", str(folder))
        patch.setenv("VERACITE_DATA_DIR", str(folder / "data"))
        patch.setenv("VERACITE_CACHE_DIR", str(folder / "cache"))
        patch.setenv("VERACITE_CONFIG", os.devnull)
        patch.setattr("veracite.models.store.catalogue.available_memory", lambda: 4 * 2**30)
        # An answer that takes ten seconds would need a digit more.
        patch.setattr("veracite.tui.conversation.time", SimpleNamespace(monotonic=lambda: 0.0))
        yield folder


@pytest.fixture(scope="module")
def engine(home: Path) -> Iterator[LocalEngine]:
    """The models of all tests, so that they are loaded once."""
    engine = LocalEngine(CheckSettings(), Paths.resolve())
    yield engine
    engine.close()


@asynccontextmanager
async def opened(
    engine: LocalEngine, home: Path, size: tuple[int, int], **options: Any
) -> AsyncIterator[Pilot[None]]:
    app = VeraciteApp(engine, against=(home / "papers",), **options)
    app.animation_level = "none"
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot)
        yield pilot


async def compare(pilot: Pilot[None], name: str) -> None:
    """The screen must be as it was drawn before; with RENEW in the environment it is drawn anew."""
    app = pilot.app
    assert isinstance(app, VeraciteApp)
    file = SNAPSHOTS / f"{name}.txt"
    before, drawn = "", drawing(app)
    while before != drawn:  # what has the focus changes its colours a moment after it got it
        await settle(pilot)
        before, drawn = drawn, drawing(app)
    if RENEW in os.environ:
        file.write_text(drawn, encoding="utf-8")
        if name in PICTURED:
            picture = FONT_FACE.sub("", app.export_screenshot(title="veracite"))
            (PICTURES / f"{PICTURED[name]}.svg").write_text(picture, encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    changes = "\n".join(unified_diff(before.splitlines(), drawn.splitlines(), lineterm="", n=0))
    assert not changes, f"{name} looks different; `make screenshots` draws it anew:\n{changes}"


@pytest.mark.parametrize(
    ("size", "keys", "name"),
    [
        (NARROW, (), "check-empty"),
        (NARROW, ("f1",), "help"),
        (WIDE, ("f6", "end", "up"), "models"),
    ],
)
async def test_a_view_before_there_is_anything(
    engine: LocalEngine, home: Path, size: tuple[int, int], keys: tuple[str, ...], name: str
) -> None:
    async with opened(engine, home, size) as pilot:
        for key in keys:
            await press(pilot, key)
        await compare(pilot, name)


async def test_a_text_that_is_checked(engine: LocalEngine, home: Path) -> None:
    async with opened(engine, home, NARROW) as pilot:
        await checked(pilot, DRAFT)
        await compare(pilot, "check-narrow")


async def test_a_contradicted_claim_and_its_passage(engine: LocalEngine, home: Path) -> None:
    async with opened(engine, home, WIDE) as pilot:
        screen = await checked(pilot, DRAFT)
        screen.action_only("contradicted")
        await settle(pilot)
        await compare(pilot, "check-contradicted")
        await press(pilot, "enter")
        while not pilot.app.screen.query_one(VerticalScroll).scroll_offset.y:
            await pilot.pause()
        await compare(pilot, "passage")
        await pilot.press("escape", "f")
        fixing = pilot.app.screen
        assert isinstance(fixing, FixScreen)
        await done(pilot, fixing)
        await compare(pilot, "fix")


async def test_an_answer_and_two_answers(engine: LocalEngine, home: Path) -> None:
    async with opened(engine, home, WIDE) as pilot:
        screen = await entered(pilot)
        await asked(pilot, QUESTION)
        await press(pilot, "ctrl+up", "enter")
        await compare(pilot, "ask")
        await pilot.press("ctrl+n")
        screen._choose(*screen.choices, "llatrieval")
        await asked(pilot, QUESTION)
        await compare(pilot, "ask-compare")


async def test_the_library(engine: LocalEngine, home: Path) -> None:
    async with opened(engine, home, WIDE) as pilot:
        engine.libraries.add("society", home / "scans")
        screen = await visited(pilot)
        await pilot.press("s")
        await done(pilot, screen)
        await compare(pilot, "library")
        await pilot.press("slash")
        screen.input.value = "when was the dome built"
        await settle(pilot)
        await compare(pilot, "library-search")


async def test_an_error_is_told_with_what_to_do(engine: LocalEngine, home: Path) -> None:
    async with opened(engine, home, NARROW) as pilot:
        screen = screen_of(pilot)
        screen.state.against = None  # there is no default library
        await checked(pilot, DRAFT)
        await compare(pilot, "error")
