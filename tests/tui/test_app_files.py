"""Texts come from files, and none gives way to another while it has edits that are not saved."""

from pathlib import Path

import pytest
from screens import checked, screen_of, settle, sheet, status
from scripted import TEXT, Script
from text_files import enter, opened, prompt, top
from textual.widgets import Input

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.prompts import UnsavedPrompt

SAMPLES = Path(__file__).parents[1] / "samples" / "library"


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("again", ["ctrl+q", "d"])
async def test_quitting_with_unsaved_edits_asks_once(draft: Path, again: str) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        await pilot.press("X", "ctrl+q")
        await pilot.pause()
        assert isinstance(pilot.app.screen, UnsavedPrompt)
        await pilot.press("escape")
        await pilot.pause()
        assert screen_of(pilot).text.editor.text == f"X{TEXT}"
        await pilot.press("ctrl+q", again)
    assert not pilot.app.is_running
    assert draft.read_text() == TEXT


@pytest.mark.parametrize("save", ["s", "enter"])
async def test_quitting_can_save_first(draft: Path, save: str) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        await pilot.press("X", "ctrl+q")
        await pilot.pause()
        await pilot.press(save)
        await pilot.pause()
    assert not pilot.app.is_running
    assert draft.read_text() == f"X{TEXT}"


@pytest.mark.parametrize("key", ["ctrl+o", "ctrl+n"])
async def test_another_text_does_not_take_the_place_of_unsaved_edits(draft: Path, key: str) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        await pilot.press("X", key)
        await pilot.pause()
        assert isinstance(pilot.app.screen, UnsavedPrompt)
        assert screen_of(pilot).text.editor.text == f"X{TEXT}"
        await pilot.press(key)
        await pilot.pause()
        assert not isinstance(pilot.app.screen, UnsavedPrompt)
        assert (screen_of(pilot).text.editor.text == "") is (key == "ctrl+n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("annual-report-2023.pdf", "annual report"),
        ("minutes-2023-11-15.docx", "minutes"),
        ("instruments.html", "instrument"),
    ],
)
async def test_a_document_is_opened_as_a_text_and_never_overwritten(
    tmp_path: Path, name: str, words: str
) -> None:
    document = tmp_path / name
    document.write_bytes((SAMPLES / name).read_bytes())
    before = document.read_bytes()
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        screen = await opened(pilot, document)
        assert words in screen.text.editor.text.lower()
        assert "stays as it is" in status(screen)
        await pilot.press("X")
        await checked(pilot, "")
        assert script.paths == [document]
        assert script.markdown == [False]
        await pilot.press("f8")
        await pilot.pause()
        assert f"found in {name}" in sheet(pilot)
        await pilot.press("escape", "ctrl+s")
        await pilot.pause()
        assert prompt(pilot).query_one(Input).value == str(document.with_suffix(".txt"))
        await enter(pilot, document)
        await pilot.press("enter")
        await settle(pilot)
        assert "cannot be written" in prompt(pilot).said
        await enter(pilot, document.with_suffix(".txt"))
        assert document.read_bytes() == before
        assert document.with_suffix(".txt").read_text() == screen.text.editor.text


async def test_a_wrong_path_stays_in_the_prompt_with_the_reason(draft: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await pilot.press("ctrl+o")
        for wrong, why in (("draft.mdd", "There is no file"), ("", "is not a file")):
            await enter(pilot, draft.parent / wrong)
            assert why in prompt(pilot).said
            assert prompt(pilot).query_one(Input).value == str(draft.parent / wrong)
        await enter(pilot, "")
        assert "No file is named" in prompt(pilot).said
        await enter(pilot, draft)
        assert screen_of(pilot).text.editor.text == TEXT


@pytest.mark.parametrize("wrong", ["/there/is/none", "lwa"])
async def test_documents_that_are_not_there_are_told_at_once(wrong: str) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await pilot.press("ctrl+l")
        await enter(pilot, wrong)
        assert "Check the spelling" in prompt(pilot).said
        assert prompt(pilot).query_one(Input).value == wrong
        assert screen_of(pilot).state.against is None
        await enter(pilot, "law")
        assert screen_of(pilot).state.against == "law"


@pytest.mark.parametrize("letters", ["word ", "x"])
async def test_a_line_that_is_too_long_to_edit_is_broken_and_the_file_stays(
    tmp_path: Path, letters: str
) -> None:
    path = tmp_path / "line.md"
    path.write_text(letters * (20_000 // len(letters)))
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await opened(pilot, path)
        editor = screen.text.editor
        assert max(map(len, editor.document.lines)) <= 5_000
        assert editor.text.replace("\n", " " if " " in letters else "") == path.read_text()
        assert "(edited)" not in top(pilot)
        assert "line.md has a line of 20,000 characters" in status(screen)
        await pilot.press("ctrl+s")
        await settle(pilot)
        assert prompt(pilot).query_one(Input).value == str(tmp_path / "line 2.md")
    assert "\n" not in path.read_text()


async def test_enter_takes_the_only_completion_of_a_path_and_no_other(draft: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await pilot.press("ctrl+o")
        await enter(pilot, draft.parent / "dra")
        assert screen_of(pilot).text.editor.text == TEXT
        (draft.parent / "drafts").mkdir()
        await pilot.press("ctrl+o")
        await enter(pilot, draft.parent / "dra")
        assert "There is no file" in prompt(pilot).said
        await pilot.press("escape", "ctrl+l")
        await enter(pilot, draft.parent / "dra")  # of folders there is one
        assert screen_of(pilot).state.against == (draft.parent / "drafts",)
