"""What is remembered from one start to the next, beside how the app looks."""

from pathlib import Path

import pytest
from conversing import entered
from screens import checked, messages, settle
from scripted import TEXT, Script
from textual.pilot import Pilot
from textual.widgets import Input

from veracite.engine.paths import Paths
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.ask import AskScreen


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    (tmp_path / "config.toml").touch()
    return Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(TEXT)
    return path


async def answer_from(pilot: Pilot[None], documents: str) -> None:
    await pilot.press("ctrl+l")
    pilot.app.screen.query_one(Input).value = documents
    await pilot.press("enter")
    await settle(pilot)


async def test_ask_goes_on_with_its_own_documents_and_methods(paths: Paths, tmp_path: Path) -> None:
    async with VeraciteApp(Script(), paths=paths).run_test() as pilot:
        screen = await entered(pilot)
        await answer_from(pilot, "law")
        screen._choose("vtg", "ceg")
        await pilot.press("ctrl+q")
    again = VeraciteApp(Script(), paths=paths)
    async with again.run_test() as pilot:  # Ask is where one was
        await settle(pilot)
        assert isinstance(pilot.app.screen, AskScreen)
        assert pilot.app.screen.against == "law"
        assert again.check_screen.state.against is None
        assert pilot.app.screen.choices == ("vtg", "ceg")
        await pilot.press("f2", "ctrl+q")
    async with VeraciteApp(Script(), paths=paths).run_test() as pilot:  # Ask is not visited
        await pilot.press("ctrl+q")
    async with VeraciteApp(Script(), paths=paths).run_test() as pilot:
        screen = await entered(pilot)
        assert screen.against == "law"
        assert len(screen.choices) == 2
    async with VeraciteApp(Script(), paths=paths, against=(tmp_path,)).run_test() as pilot:
        assert (await entered(pilot)).against == (tmp_path,)


async def test_a_start_without_the_drive_forgets_nothing(
    paths: Paths, draft: Path, tmp_path: Path
) -> None:
    papers, more, elsewhere = (tmp_path / name for name in ("papers", "more", "elsewhere"))
    for folder in (papers, more, elsewhere):
        folder.mkdir()
    async with VeraciteApp(
        Script(), path=draft, against=(papers,), paths=paths
    ).run_test() as pilot:
        await settle(pilot)
        await checked(pilot, "")
        await entered(pilot)
        await answer_from(pilot, str(more))
        await pilot.press("ctrl+q")
    away = [(path, elsewhere / path.name) for path in (draft, papers, more)]
    for path, there in away:
        path.rename(there)
    without = VeraciteApp(Script(), paths=paths)
    async with without.run_test() as pilot:
        await settle(pilot)
        told = "\n".join(messages(pilot))
        for path, _ in away:
            assert told.count(f"{path} cannot be found. It is ") == 1
        assert without.check_screen.state.against == (papers,)
        assert isinstance(pilot.app.screen, AskScreen)
        assert pilot.app.screen.against == (more,)
        await pilot.press("ctrl+q")
    for path, there in away:
        there.rename(path)
    again = VeraciteApp(Script(), paths=paths)
    async with again.run_test() as pilot:
        await pilot.press("f2")
        await settle(pilot)
        assert messages(pilot) == []
        assert again.check_screen.text.editor.text == TEXT
        assert again.check_screen.state.against == (papers,)
