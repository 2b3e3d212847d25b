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
from textual.pilot import Pilot

from veracite.engine.errors import CheckError, InputError
from veracite.engine.events import Event, Warned
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.ask import AskScreen
from veracite.tui.service import Against
from veracite.tui.widgets.text_pane import Reader

NOTE = "Search goes by words alone."


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


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "data", tmp_path / "cache", tmp_path / "config.toml")


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
