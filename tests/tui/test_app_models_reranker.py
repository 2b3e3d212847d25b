"""The Models view beside the real engine: a reranker is chosen, and the next check goes by it."""

from pathlib import Path

import checkpoints
import pytest
from mill import write_documents
from screens import checked, finish, settle

from veracite.engine.bundles.models import import_path
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.models.store import Store
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.models import ModelsScreen


async def test_a_reranker_is_used_by_the_next_check_until_it_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(paths.data))
    checkpoints.write_reranker(tmp_path / "small")
    list(import_path(Store(paths.models), tmp_path / "small"))
    engine = LocalEngine(CheckSettings(), paths)
    app = VeraciteApp(engine, against=(write_documents(tmp_path / "documents"),))
    models = []
    async with app.run_test(size=(120, 40)) as pilot:
        models.append((await checked(pilot, "The mill burned down in 1904.")).state.report)
        for used in ("Reranking            small", "Reranking            none"):
            app.action_view("models")
            await settle(pilot)
            room = app.screen
            assert isinstance(room, ModelsScreen)
            prompts = [str(option.prompt) for option in room.list.options]
            (room.list.highlighted,) = (i for i, line in enumerate(prompts) if " small " in line)
            await pilot.press("u")
            await settle(pilot)
            assert used in str(room.in_use.content)
            await pilot.press("f2", "f5")
            models.append((await finish(pilot)).state.report)
    engine.close()
    used_in = [any("small" in model for model in report.models) for report in models if report]
    assert used_in == [False, True, False]
