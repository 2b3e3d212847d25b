"""How an answer came about, looked at while it comes and afterwards."""

import asyncio
from pathlib import Path

import pytest
from conversing import begin, finished
from screens import settle
from scripted import FALSE, Script
from textual.pilot import Pilot

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.ask import AskScreen
from veracite.tui.widgets.answer import AnswerView


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where conversations are kept."""
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CACHE_DIR", str(tmp_path / "cache"))


async def unfolded(pilot: Pilot[None], script: Script) -> AnswerView:
    """An answer that stands where it is to wait, with its trace open."""
    screen = await begin(pilot)
    await asyncio.to_thread(script.reached.wait)
    await pilot.press("f8")
    await settle(pilot)
    return screen.query_one(AnswerView)


async def test_the_trace_goes_on_while_it_is_looked_at_and_has_totals_in_the_end() -> None:
    script = Script(wait_at=1)
    async with VeraciteApp(script).run_test() as pilot:
        answer = await unfolded(pilot, script)
        assert answer.trace.told.endswith("Still going on …")
        assert "In total" not in answer.trace.told
        assert FALSE not in answer.trace.told
        script.go_on.set()
        screen = pilot.app.screen
        assert isinstance(screen, AskScreen)
        await finished(pilot, screen)
        assert "Still going on" not in answer.trace.told
        assert "In total" in answer.trace.told
        assert FALSE in answer.trace.told
