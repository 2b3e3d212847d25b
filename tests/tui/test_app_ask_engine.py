"""The Ask view on the real engine: bundled models and the library of the samples."""

import asyncio
from pathlib import Path

import pytest
from screens import settle

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.trace import Entry
from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.ask import AskScreen
from veracite.tui.widgets.answer import AnswerView

LIBRARY = Path(__file__).parents[1] / "samples" / "library"


async def test_a_question_is_answered_with_quotes_and_the_trace_tells_how(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    engine = LocalEngine(CheckSettings(), paths)
    app = VeraciteApp(engine, against=(LIBRARY,))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f3")
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, AskScreen)
        screen.input.value = "When was the Wenlow Astronomical Society founded?"
        await pilot.press("enter")
        await asyncio.to_thread(screen.runner.join)
        await settle(pilot)
        (view,) = screen.query(AnswerView)
        report = view.answering.report
        assert report
        (verdict, *_) = report.verdicts
        assert verdict.label is Label.SUPPORTED
        assert "1957" in view.said
        assert "1957" in view.sources[0].citation.quote
        await pilot.press("f8")
        await settle(pilot)
        for part in ("When was the Wenlow", "history.md", "In total"):
            assert part in view.trace.told
        (kept,) = screen._kept.listed()
        (exchange,) = screen._kept.read(kept.path)
        told = [entry.event for entry in exchange.replies[0] if isinstance(entry, Entry)]
        assert told == [e.event for e in view.answering.reply if isinstance(e, Entry)]
    engine.close()
