"""How a check begins, also before the text is there, and how its verdicts arrive."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from screens import checked, finish, screen_of, settle, status
from scripted import FALSE, TEXT, TRUE, VAGUE, Script

from veracite.engine.events import Event
from veracite.tui.app import VeraciteApp
from veracite.tui.texts import Draft, read_draft


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(TEXT)
    return path


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Nothing is read before this is set."""
    go_on = threading.Event()
    read: Callable[[Path], Draft] = read_draft

    def waiting(path: Path) -> Draft:
        go_on.wait()
        return read(path)

    monkeypatch.setattr("veracite.tui.screens.prompts.read_draft", waiting)
    return go_on


async def test_a_new_text_is_not_replaced_by_one_that_comes_late(
    draft: Path, go_on: threading.Event
) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await pilot.press("f5", "ctrl+n")
        go_on.set()
        await settle(pilot)
        screen = await finish(pilot)
        assert screen.path is None
        assert screen.text.editor.text == ""
        assert screen.state.findings is None


async def test_a_flood_of_verdicts_is_drawn_at_once_so_that_no_key_waits_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert(" ".join([TRUE] * 300))
        drawn: list[Event] = []
        monkeypatch.setattr(screen.status, "follow", drawn.append)
        screen.action_check()
        screen.runner.join()  # so that everything waits for the screen
        await finish(pilot)
        assert len(screen.state.findings.verdicts) == 300  # type: ignore[union-attr]
        assert "✓ 300" in status(screen)
        assert len(drawn) < 10


async def test_a_check_begins_at_the_claim_that_is_looked_at() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "f5")
        await finish(pilot)
        screen.text.edit(TEXT.index(VAGUE) + 3)
        await pilot.press("f5")
        await finish(pilot)
    assert script.places == [0, TEXT.index(FALSE), TEXT.index(VAGUE) + 3]
