"""Before there is any library: nothing claims that there is one, and nobody waits to be told."""

import asyncio
from pathlib import Path

import pytest
from screens import checked, settle, shown, status
from scripted import Script
from text_files import enter
from textual.pilot import Pilot

from veracite.engine.errors import InputError
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.ask import AskScreen


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalEngine:
    """With nothing of anybody's."""
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    return LocalEngine(CheckSettings(), Paths.resolve())


async def heads(pilot: Pilot[None]) -> list[str]:
    """What stands above the text, and above the conversation."""
    app = pilot.app
    assert isinstance(app, VeraciteApp)
    told = []
    for key in ("f2", "f3"):
        await pilot.press(key)
        await settle(pilot)
        room = app.check_screen if key == "f2" else app.screen
        assert room is app.check_screen or isinstance(room, AskScreen)
        told.append(str(room.top.content).split("against")[1].strip())
    return told


async def test_the_heads_name_no_library_until_there_is_one(
    engine: LocalEngine, tmp_path: Path
) -> None:
    async with VeraciteApp(engine).run_test(size=(120, 30)) as pilot:
        assert await heads(pilot) == ["no library yet"] * 2
        await asyncio.to_thread(engine.libraries.add, "default", tmp_path)
        assert await heads(pilot) == ["the default library"] * 2
    engine.close()


@pytest.mark.parametrize("against", [None, "law"])
def test_no_model_is_loaded_to_find_that_there_is_no_library(
    engine: LocalEngine, against: str | None
) -> None:
    for work in (
        engine.check("It burned.", against),
        engine.ask("Did it?", against, "vtg"),
        engine.fix("It burned.", against),
    ):
        with pytest.raises(InputError) as told:
            next(work)
        assert told.value.kind == "no library"
    assert engine._bench is None


async def test_what_was_wrong_with_the_documents_is_gone_once_others_are_chosen() -> None:
    error = InputError("There is no default library yet.", "Name a folder.", "no library")
    async with VeraciteApp(Script(error=error)).run_test() as pilot:
        screen = await checked(pilot)
        assert "There is no default library yet." in shown(screen)
        await pilot.press("ctrl+l")
        await enter(pilot, "law")
        assert screen.state.against == "law"
        assert "There is no default library yet." not in shown(screen)
        assert "did not finish" not in status(screen)
