"""Texts come from files, and none gives way to another while it has edits that are not saved."""

import codecs
import contextlib
import os
import resource
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from check_view import checked, opened, screen_of, status, top
from screens import enter, messages, press, prompt, settle, sheet, told
from scripted import TEXT, Script
from textual.widgets import Input

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.prompts import UnsavedPrompt
from veracite.tui.texts import read_draft, save_draft

SAMPLES = Path(__file__).parents[1] / "samples" / "library"


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize(("answer", "saved"), [("s", True), ("enter", True), ("d", False)])
async def test_quitting_with_unsaved_edits_asks(draft: Path, answer: str, saved: bool) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        await press(pilot, "X", "ctrl+q")
        assert isinstance(pilot.app.screen, UnsavedPrompt)
        await press(pilot, "escape")
        assert screen_of(pilot).text.editor.text == f"X{TEXT}"
        await pilot.press("ctrl+q", "ctrl+q", answer)
        await pilot.pause()
    assert not pilot.app.is_running
    assert draft.read_text() == (f"X{TEXT}" if saved else TEXT)


@pytest.mark.parametrize("key", ["ctrl+o", "ctrl+n"])
async def test_another_text_does_not_take_the_place_of_unsaved_edits(draft: Path, key: str) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        await press(pilot, "X", key)
        assert isinstance(pilot.app.screen, UnsavedPrompt)
        await press(pilot, "d")
        assert (screen_of(pilot).text.editor.text == "") is (key == "ctrl+n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("annual-report-2023.pdf", "annual report"),
        ("minutes-2023-11-15.docx", "minutes"),
        ("instruments.html", "instrument"),
    ],
)
async def test_a_document_is_never_overwritten(tmp_path: Path, name: str, words: str) -> None:
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
        assert script.forms == [(document, False)]
        await press(pilot, "f8")
        assert f"found in {name}" in sheet(pilot)
        await press(pilot, "escape", "ctrl+s")
        assert prompt(pilot).query_one(Input).value == str(document.with_suffix(".txt"))
        await enter(pilot, document)
        await press(pilot, "enter")
        assert "cannot be written" in told(pilot)
        await enter(pilot, document.with_suffix(".txt"))
        assert document.read_bytes() == before
        assert document.with_suffix(".txt").read_text() == screen.text.editor.text


async def test_a_text_that_cannot_be_opened_is_told_and_its_path_stays(draft: Path) -> None:
    folder = draft.parent
    (folder / "bytes.md").write_bytes(bytes(range(256)) * 40)
    (folder / "big.md").write_bytes(b"a" * 2_000_001)
    async with VeraciteApp(Script(), path=folder / "none.md").run_test() as pilot:
        await settle(pilot)
        assert "There is no file" in status(screen_of(pilot))
        await pilot.press("ctrl+o")
        for wrong, why in (
            ("draft.mdd", "There is no file"),
            ("", "is not a file"),
            ("bytes.md", "not a text file"),
            ("big.md", "too large"),
        ):
            await enter(pilot, folder / wrong)
            assert why in told(pilot)
            assert prompt(pilot).query_one(Input).value == str(folder / wrong)
        await enter(pilot, "")
        assert "No file is named" in told(pilot)
        await enter(pilot, draft)
        assert screen_of(pilot).text.editor.text == TEXT


async def test_enter_takes_the_only_completion_of_a_path_and_no_other(draft: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await opened(pilot, draft.parent / "dra")
        assert screen.text.editor.text == TEXT
        (draft.parent / "drafts").mkdir()
        await opened(pilot, draft.parent / "dra")
        assert "There is no file" in told(pilot)


async def test_a_new_name_is_not_completed_to_that_of_a_file(draft: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen_of(pilot).text.editor.insert("Another one.")
        await pilot.press("ctrl+s")
        await enter(pilot, draft.with_suffix(""))
        assert draft.read_text() == TEXT
        assert draft.with_suffix("").read_text() == "Another one."


@pytest.mark.parametrize("letters", ["word ", "x"])
async def test_a_line_too_long_to_edit_is_broken(tmp_path: Path, letters: str) -> None:
    path = tmp_path / "line.md"
    path.write_text(letters * (20_000 // len(letters)))
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await opened(pilot, path)
        editor = screen.text.editor
        assert max(map(len, editor.document.lines)) <= 5_000
        assert editor.text.replace("\n", " " if " " in letters else "") == path.read_text()
        assert "(edited)" not in top(pilot)
        assert "line.md holds lines, characters or an encoding that" in status(screen)
        await press(pilot, "ctrl+s")
        assert prompt(pilot).query_one(Input).value == str(tmp_path / "line 2.md")
    assert "\n" not in path.read_text()


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow past 8 bytes, the one that the test run prints to included."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


async def test_ctrl_s_writes_the_edits_to_the_file_that_was_opened(draft: Path) -> None:
    draft.chmod(0o640)
    async with VeraciteApp(Script()).run_test() as pilot:
        await opened(pilot, draft)
        await press(pilot, "X")
        assert "draft.md (edited)" in top(pilot)
        await press(pilot, "ctrl+s")
        assert draft.read_text() == f"X{TEXT}"
        assert stat.S_IMODE(draft.stat().st_mode) == 0o640
        assert os.listdir(draft.parent) == ["draft.md"]
        assert "(edited)" not in top(pilot)
        await pilot.press("ctrl+q")
    assert not pilot.app.is_running


async def test_a_new_text_is_saved_where_the_user_says_and_for_nobody_else(tmp_path: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert(TEXT)
        await press(pilot, "ctrl+s")
        await enter(pilot, tmp_path / "none" / "new.md")
        assert "cannot be written" in told(pilot)
        await enter(pilot, tmp_path / "new.md")
        new = tmp_path / "new.md"
        assert new.read_text() == TEXT
        assert stat.S_IMODE(new.stat().st_mode) == 0o600
        assert "new.md  against" in top(pilot)
        await pilot.press("X", "ctrl+s")
        assert new.read_text().replace("X", "") == TEXT
        assert "X" in new.read_text()


async def test_another_file_is_replaced_only_by_a_second_enter(draft: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen_of(pilot).text.editor.insert("New.")
        await press(pilot, "ctrl+s")
        await enter(pilot, draft)
        assert draft.read_text() == TEXT
        assert "Enter again" in told(pilot)
        await enter(pilot, draft)
        assert draft.read_text() == "New."


async def test_a_full_disk_is_told_and_loses_nothing(draft: Path) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        with full_disk():
            await press(pilot, "X", "ctrl+s")
        assert [n.severity for n in pilot.app._notifications] == ["error"]
        assert "cannot be written (File too large)" in messages(pilot)[0]
        assert screen_of(pilot).text.editor.text == f"X{TEXT}"
        assert "(edited)" in top(pilot)
        assert draft.read_text() == TEXT
        assert os.listdir(draft.parent) == ["draft.md"]
        assert "cannot be written" in told(pilot)  # and another place is asked for


async def test_a_file_that_another_program_changed_is_not_overwritten(draft: Path) -> None:
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        draft.write_text("Theirs.")
        await press(pilot, "X", "ctrl+s")
        assert "changed by another program" in told(pilot)
        assert draft.read_text() == "Theirs."


@pytest.mark.parametrize(
    "content",
    [
        b"It \x1b[31mburned\x1b[0m.",
        "It \u202eburned.".encode(),
        b"It burned.\r\nIt rained.\n",
        "It burned.".encode("utf-32"),
    ],
)
async def test_what_saving_would_change_gets_another_name(draft: Path, content: bytes) -> None:
    draft.write_bytes(content)
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        await press(pilot, "X", "ctrl+s")
        assert "that saving would change" in told(pilot)
        assert prompt(pilot).query_one(Input).value == str(draft.with_name("draft 2.md"))
        await press(pilot, "enter")
        assert draft.read_bytes() == content
        written = draft.with_name("draft 2.md").read_text()
        assert written == screen_of(pilot).text.editor.text
        assert written.startswith("X")
        assert "draft 2.md  against" in top(pilot)


@pytest.mark.parametrize(
    ("content", "written"),
    [
        ("Café\r\nbar".encode("cp1252"), "Café!\r\nbar".encode("cp1252")),
        (codecs.BOM_UTF8 + "Café\nbar".encode(), codecs.BOM_UTF8 + "Café!\nbar".encode()),
        ("Café\nbar".encode("utf-16"), "Café!\nbar".encode("utf-16")),
        (b"", b"!"),
    ],
)
def test_encoding_and_line_ends_stay(tmp_path: Path, content: bytes, written: bytes) -> None:
    path = tmp_path / "draft.txt"
    path.write_bytes(content)
    draft = read_draft(path)
    save_draft(draft, draft.text.replace("é", "é!") if content else "!")
    assert path.read_bytes() == written
