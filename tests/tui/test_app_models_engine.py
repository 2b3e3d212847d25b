"""The Models view beside the real engine: what is chosen is what checks the next text."""

import asyncio
from pathlib import Path

import checkpoints
import pytest
from mill import write_documents
from screens import checked, finish, settle
from textual.widgets import Input

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.models import ModelsScreen


async def test_an_encoder_is_converted_and_used_by_the_next_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(paths.data))
    checkpoints.write_folder(tmp_path / "small")
    documents = write_documents(tmp_path / "documents")
    engine = LocalEngine(CheckSettings(), paths)
    app = VeraciteApp(engine, against=(documents,))
    async with app.run_test(size=(120, 40)) as pilot:
        before = (await checked(pilot, "The mill burned down in 1904.")).state.report
        app.action_view("models")
        await settle(pilot)
        room = app.screen
        assert isinstance(room, ModelsScreen)
        await pilot.press("i")
        app.screen.query_one(Input).value = str(tmp_path / "small")
        await pilot.press("enter")
        await settle(pilot)
        await asyncio.to_thread(room.runner.join)
        await settle(pilot)
        prompts = [str(option.prompt) for option in room.list.options]
        (room.list.highlighted,) = (i for i, line in enumerate(prompts) if "  small " in line)
        await pilot.press("u")
        await settle(pilot)
        assert "Encoding             small" in str(room.in_use.content)
        await asyncio.to_thread(engine.libraries.reencoder.join)
        await pilot.press("f2", "f5")
        after = (await finish(pilot)).state.report
    engine.close()
    assert before
    assert after
    assert not any("small" in model for model in before.models)
    assert any("small" in model for model in after.models)
