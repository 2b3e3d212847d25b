"""What the app says besides the verdicts: hints, messages, notes."""

from pathlib import Path

import pytest
from screens import checked, finish, messages, settle, sheet, shown, status
from scripted import TRUE, Script
from textual.widgets._toast import Toast

from veracite.engine.errors import CheckError
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.service import Against

NOTE = "Search goes by words alone."


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_messages_do_not_cover_the_status_line(size: tuple[int, int]) -> None:
    async with VeraciteApp(Script()).run_test(size=size, notifications=True) as pilot:
        screen = await checked(pilot)
        for number in range(6):
            screen.notify(f"{number}: something long happened. " * 5)
        await pilot.pause()
        width, height = size
        place = 5 if screen.has_class("-wide") else width - 5
        column = [screen.get_widget_at(place, row)[0] for row in range(height)]
        assert any(isinstance(widget, Toast) for widget in column)
        assert column[0] is screen.top
        assert column[height - 2] is screen.status


async def test_the_notes_of_a_report_are_shown_once_and_counted() -> None:
    async with VeraciteApp(Script(notes=(NOTE,))).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        assert messages(pilot) == [NOTE]
        assert "1 note (F8)" in status(screen)
        await pilot.press("f8")
        await pilot.pause()
        assert sheet(pilot).count(NOTE) == 1


async def test_a_check_that_fails_at_its_beginning_leaves_the_verdicts_of_the_last_one() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        screen = await checked(pilot)
        before = screen.state.counts
        assert before[Label.CONTRADICTED]
        script.error = CheckError("The documents cannot be reached.", "Plug the stick in.")
        await pilot.press("f5")
        await finish(pilot)
        assert screen.state.counts == before
        assert screen.state.told
        assert messages(pilot)[-1] == (
            "The documents cannot be reached. Plug the stick in. "
            "Shown are the verdicts of the last check."
        )
        screen.text.editor.insert("It rained. ")
        await pilot.press("f5")
        await finish(pilot)
        assert screen.state.counts == before  # what was not edited is as it was


async def test_the_engine_notes_a_text_that_lies_among_its_documents(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "mill.md").write_text("The mill burned down in 1904.")
    draft = tmp_path / "papers" / "draft.md"
    draft.write_text(TRUE)
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    check = LocalEngine(CheckSettings(retrieval="lexical"), paths)
    app = VeraciteApp(check, path=draft, against=(tmp_path / "papers",))
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        screen = await checked(pilot, "")
        assert screen.state.report
        assert screen.state.report.notes
        assert set(screen.state.report.notes) <= set(messages(pilot))
        assert "note" in status(screen)
    check.close()


@pytest.mark.parametrize("against", [None, "lwa"])
async def test_without_a_library_the_app_names_its_keys_and_no_command(
    tmp_path: Path, against: Against
) -> None:
    paths = Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")
    check = LocalEngine(CheckSettings(retrieval="lexical"), paths)
    async with VeraciteApp(check, against=against).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        await settle(pilot)
        assert "Add documents with F4 and a, or choose others with Ctrl+L." in shown(screen)
        assert "veracite" not in shown(screen)
        assert messages(pilot) == []
        assert status(screen) == "The check did not finish."
    check.close()
