"""How a check begins, also before the text is there, and how its verdicts arrive."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from screens import checked, finish, messages, screen_of, settle, shown, status
from scripted import FALSE, TEXT, TRUE, VAGUE, Script

from veracite.engine.events import Event
from veracite.engine.paths import Paths
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


async def test_f5_is_kept_until_the_text_is_there(draft: Path, go_on: threading.Event) -> None:
    script = Script()
    async with VeraciteApp(script, path=draft).run_test() as pilot:
        await pilot.press("f5", "f5")
        assert status(screen_of(pilot)) == "Opening draft.md …"
        go_on.set()
        await settle(pilot)
        screen = await finish(pilot)
        assert script.texts == [TEXT]
        assert messages(pilot) == []
        assert "✓ 1" in status(screen)


async def test_f5_is_kept_for_the_text_of_the_last_time_with_its_claim(
    draft: Path, go_on: threading.Event, tmp_path: Path
) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    (tmp_path / "config.toml").touch()
    go_on.set()
    async with VeraciteApp(Script(), path=draft, paths=paths).run_test() as pilot:
        await settle(pilot)
        await pilot.press("f5")
        await finish(pilot)
        await pilot.press("n", "ctrl+q")
    for _ in range(2):  # the first of them is left before the text is there
        go_on.clear()
        again = VeraciteApp(Script(), paths=paths)
        async with again.run_test() as pilot:
            await pilot.press("ctrl+q")
            go_on.set()
    go_on.clear()
    again = VeraciteApp(Script(), paths=paths)
    async with again.run_test() as pilot:
        await pilot.press("f5")
        go_on.set()
        await settle(pilot)
        screen = await finish(pilot)
        assert FALSE in TEXT[screen.text.place :]
        assert "Because it is contradicted" in shown(screen)


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
