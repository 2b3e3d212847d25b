"""What the app says besides the verdicts: hints, messages, notes."""

import asyncio
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from conversing import asked, entered
from rich.text import Text
from screens import checked, finish, messages, screen_of, settle, sheet, shown, status, symbols
from scripted import FALSE, TRUE, UNFOUNDED, VAGUE, Script
from text_files import enter
from textual.pilot import Pilot
from textual.widgets._toast import Toast

from veracite.engine.errors import CheckError, InputError
from veracite.engine.events import Event, Finished, Warned
from veracite.engine.methods.events import Proposed
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.ask import AskScreen
from veracite.tui.service import Against
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.widgets.text_pane import Reader

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
        before = symbols(screen.text.reader)
        script.error = CheckError("The documents cannot be reached.", "Plug the stick in.")
        await pilot.press("f5")
        await finish(pilot)
        assert symbols(screen.text.reader) == before
        assert "The documents cannot be reached." in shown(screen)


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


def toasts(pilot: Pilot[None]) -> list[str]:
    """What stands over the screen that is looked at."""
    return [str(toast.render()) for toast in pilot.app.screen.query(Toast)]


async def test_a_question_is_not_covered_by_what_was_said_before_it() -> None:
    async with VeraciteApp(Script()).run_test(notifications=True) as pilot:
        for key in ("ctrl+o", "f1", "ctrl+p"):
            await pilot.press("f8")
            await settle(pilot)
            assert toasts(pilot)
            await pilot.press(key)
            await settle(pilot)
            assert len(pilot.app.screen_stack) == 2
            assert toasts(pilot) == messages(pilot) == []
            pilot.app.notify("Of the question.")
            await settle(pilot)
            assert toasts(pilot) == ["Of the question."]
            await pilot.press("escape")


class Troubled(Script):
    """With documents of which something is the matter."""

    def ask(self, *given: Any) -> Generator[Event, None, None]:
        yield Warned("/gone cannot be reached.")
        yield from super().ask(*given)


async def test_what_is_the_matter_with_the_documents_is_said_once_and_again_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    (tmp_path / "config.toml").touch()
    async with VeraciteApp(Troubled()).run_test() as pilot:
        room = await entered(pilot)
        for documents, told in ((None, True), (None, False), ("law", True)):
            if documents:
                room.against = documents
            await asked(pilot)
            assert messages(pilot) == (["/gone cannot be reached."] if told else [])
            pilot.app.clear_notifications()


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


WRONG = "The mill of Harrow burned down in 1907."


@pytest.fixture
def papers(tmp_path: Path) -> tuple[Path, ...]:
    (tmp_path / "mill.md").write_text("The mill of Harrow burned down in 1904, on a Sunday.\n")
    return (tmp_path / "mill.md",)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")


def fixed(paths: Paths, papers: tuple[Path, ...]) -> list[Event]:
    engine = LocalEngine(CheckSettings(), paths)
    events = list(engine.fix(WRONG, papers))
    engine.close()
    return events


def test_only_the_labels_of_the_table_fix_are_mended(
    paths: Paths, papers: tuple[Path, ...]
) -> None:
    assert any(isinstance(event, Proposed) for event in fixed(paths, papers))
    paths.config.write_text('[fix]\nmend = "not_found"\n')
    assert not any(isinstance(event, Proposed) for event in fixed(paths, papers))


@pytest.mark.parametrize(
    ("question", "noted"),
    [
        ("When did the mill of Harrow burn down?", False),
        ("Wann ist die Mühle von Harrow eigentlich abgebrannt, und warum?", True),
    ],
)
def test_a_language_that_nobody_reads_is_noted(
    paths: Paths, papers: tuple[Path, ...], question: str, noted: bool
) -> None:
    engine = LocalEngine(CheckSettings(), paths)
    *_, last = engine.ask(question, papers, "retrieve-read")
    engine.close()
    assert isinstance(last, Finished)
    assert any("The question is in German" in note for note in last.report.notes) is noted


MANY = 500


"""Paragraphs of four claims."""


async def test_of_two_thousand_claims_only_the_lines_in_view_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []
    get_line = Reader.get_line

    def counted(reader: Reader, line_index: int) -> Text:
        drawn.append(line_index)
        return get_line(reader, line_index)

    monkeypatch.setattr(Reader, "get_line", counted)
    text = "\n\n".join([f"{TRUE} {FALSE} {UNFOUNDED} {VAGUE}"] * MANY)
    async with VeraciteApp(Script()).run_test(size=(120, 36)) as pilot:
        screen = await checked(pilot, text)
        reader = screen_of(pilot).text.reader
        assert len(reader.marks) == 4 * MANY
        assert f"✗ {MANY}" in status(screen)
        for key in ("n", "pagedown", "end", "p", "3", "0", "up", "pageup"):
            await settle(pilot)
            drawn.clear()
            await pilot.press(key)
            await settle(pilot)
            assert 0 < len(drawn) <= 3 * reader.size.height, key


async def test_of_a_text_of_thousands_of_lines_it_is_said_what_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    say = StatusLine.say

    def heard(line: StatusLine, message: str, *, error: bool = False) -> None:
        said.append(message)
        say(line, message, error=error)

    monkeypatch.setattr(StatusLine, "say", heard)
    script = Script(wait_at=0)
    async with VeraciteApp(script).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert("\n".join([f"{TRUE} Nobody doubts that any more."] * 2_000))
        said.clear()
        await pilot.press("f5")
        await asyncio.to_thread(script.reached.wait)
        await pilot.pause()
        assert said[0] == "Finding the claims in 2,000 lines …"
        assert max(map(len, screen.text.reader.text.split("\n"))) <= 5_000
        await pilot.press("escape")
        script.go_on.set()
        await finish(pilot)
