"""The Check view, driven as a person drives it, on a check with a script."""

import asyncio
import threading
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from ask_view import asked, entered
from check_view import (
    checked,
    checking,
    colours,
    finish,
    place,
    screen_of,
    shown,
    status,
    symbols,
    top,
)
from mill import write_documents
from screens import enter, messages, press, prompt, settle, sheet
from scripted import FALSE, LABELS, QUESTION, TEXT, TRUE, UNFOUNDED, VAGUE, Script
from textual.widgets import Input
from textual.widgets._toast import Toast

from veracite.engine.errors import CheckError, InputError
from veracite.engine.events import Event, Warned
from veracite.engine.libraries import Against
from veracite.engine.paths import Paths
from veracite.index.storage import FolderLock
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.texts import read_draft
from veracite.tui.widgets.text_pane import Reader

pytestmark = pytest.mark.usefixtures("home")


async def test_every_claim_gets_a_symbol_which_is_not_copied_and_a_colour() -> None:
    script = Script()
    async with checking(script) as (pilot, screen):
        assert script.texts == [TEXT]
        assert symbols(screen.text.reader) == {
            TRUE: "✓ ",
            FALSE: "✗ ",
            QUESTION: "· ",
            UNFOUNDED: "? ",
            VAGUE: "~ ",
        }
        assert len(set(colours(screen.text.reader).values())) == len(LABELS)
        screen.text.reader.select_all()
        await pilot.press("ctrl+c")
        assert pilot.app.clipboard == TEXT


async def test_verdicts_show_while_others_are_to_come_and_escape_stops_and_keeps_them() -> None:
    script = Script(wait_at=2)
    async with VeraciteApp(script).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert(TEXT)
        await pilot.press("f5")
        await asyncio.to_thread(script.reached.wait)
        await pilot.pause()
        some = ["✓ ", "✗ ", "○ ", "○ ", "○ "]
        assert list(symbols(screen.text.reader).values()) == some
        assert "2/5" in status(screen)
        await pilot.press("escape")
        script.go_on.set()
        await finish(pilot)
        assert script.closed == ["stopped"]
        assert list(symbols(screen.text.reader).values()) == some
        assert "Stopped. 2 of 5" in status(screen)
        await pilot.press("f5")
        await finish(pilot)
        assert script.closed == ["stopped", "finished"]
        assert "○ " not in symbols(screen.text.reader).values()


async def test_n_and_p_visit_the_findings_and_arrows_every_claim() -> None:
    async with checking(Script()) as (pilot, screen):
        seen = []
        for key in ("n", "n", "n", "n", "p", "right", "left", "left", "home", "end"):
            await pilot.press(key)
            seen.append(place(screen))
        told = [FALSE, UNFOUNDED, VAGUE, FALSE, VAGUE, TRUE, VAGUE, UNFOUNDED]
        assert seen == [*told, *(claim for claim in LABELS if claim in (TRUE, [*LABELS][-1]))]


async def test_verdicts_of_other_documents_are_told_and_not_exported(tmp_path: Path) -> None:
    async with checking(Script(), size=(120, 40)) as (pilot, screen):
        assert "not checked yet" not in str(screen.top.content)
        screen.go_by((tmp_path,))
        await pilot.pause()
        assert "not checked yet, F5" in str(screen.top.content)
        await pilot.press("x")
        assert messages(pilot) == [
            "Other documents were chosen since it was checked; F5 checks it, then x exports."
        ]


async def test_the_closing_line_counts_claims_documents_failures_and_notes() -> None:
    note = "Search goes by words alone."
    async with checking(Script(notes=(note,)), size=(120, 40)) as (pilot, screen):
        assert messages(pilot) == [note]
        for words in ("1 supported", "1 contradicted", "1 document, 1 failed, 1 note (F8)"):
            assert words in status(screen)
        await pilot.press("f8")
        told = sheet(pilot)
        assert "1 file not read" in told
        assert "/papers/locked.pdf: It is encrypted." in told
        assert told.count(note) == 1


async def test_an_edit_keeps_the_other_verdicts_and_the_next_check_reads_the_new_text() -> None:
    script = Script()
    async with checking(script) as (pilot, screen):
        await pilot.press("n", "e")
        assert screen.text.editor.has_focus
        await pilot.press("delete", "x")
        assert screen.text.editor.text == TEXT.replace(FALSE, f"x{FALSE[1:]}")
        assert len(screen.text.editor.marks) == len(LABELS) - 1
        await pilot.press("escape")
        assert set(symbols(screen.text.reader)) == set(LABELS) - {FALSE}
        await pilot.press("f5")
        await finish(pilot)
        assert script.texts[1] == TEXT.replace(FALSE, "xt was rebuilt in 1911.")
        assert "Supported" in shown(screen)  # the new verdict on the claim that was edited


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            CheckError("There are no documents.", "Name a folder."),
            "\nThere are no documents.\n\nName a folder.\n",
        ),
        (ZeroDivisionError("[/boom]"), "unexpectedly (ZeroDivisionError: [/boom])"),
    ],
)
async def test_a_failing_check_is_told_and_the_text_stays(error: Exception, said: str) -> None:
    script = Script(error=error)
    async with VeraciteApp(script).run_test() as pilot:
        script.error = None
        before = symbols((await checked(pilot)).text.reader)
        script.error = error
        await pilot.press("f5")
        screen = await finish(pilot)
        assert said in shown(screen)
        assert symbols(screen.text.reader) == before
        assert messages(pilot) == []  # the pane says it
        assert screen.text.editor.text == TEXT
        kept = [*Paths.resolve().crashes.glob("*")]
        assert ["Traceback" in each.read_text() for each in kept] == [True] * ("boom" in said)
        script.error = None
        await pilot.press("f5")
        await finish(pilot)
        assert said not in shown(screen)
        assert "1 document" in status(screen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_everything_fits_the_terminal(size: tuple[int, int]) -> None:
    async with checking(Script(), size=size) as (pilot, screen):
        await press(pilot, "n")
        for widget in screen.query("#top, #text, #evidence, #status, Footer"):
            assert screen.region.contains_region(widget.region), widget
            assert widget.region.height > 0
        text, evidence = screen.query_one("#text").region, screen.evidence.region
        assert not text.overlaps(evidence)
        assert (text.right + 1 == evidence.x) is (size[0] >= 100)  # beside each other or stacked
        if size[0] >= 80:
            keys = [key for key in screen.query("FooterKey") if key.region.width]
            assert all(screen.region.contains_region(key.region) for key in keys)


async def test_a_text_is_opened_by_completing_its_path(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    draft = tmp_path / "drafts" / "spring issue.md"
    draft.write_text(TEXT)
    async with VeraciteApp(Script()).run_test() as pilot:
        await pilot.press("ctrl+o")
        prompt(pilot).query_one(Input).value = str(tmp_path / "dr")
        await pilot.pause()
        await press(pilot, "tab")
        await press(pilot, "tab", "enter")
        screen = screen_of(pilot)
        assert screen.text.editor.text == TEXT
        assert screen.path == draft


async def test_a_late_text_replaces_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()

    def waiting(path: Path) -> object:
        go_on.wait()
        return read_draft(path)

    monkeypatch.setattr("veracite.tui.screens.check.read_draft", waiting)
    draft = tmp_path / "draft.md"
    draft.write_text(TEXT)
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await pilot.press("f5", "ctrl+n")
        go_on.set()
        await settle(pilot)
        screen = await finish(pilot)
        assert screen.path is None
        assert screen.text.editor.text == ""
        assert screen.state.findings is None


async def test_an_empty_text_is_not_checked() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        await pilot.press("space", "f5")
        assert not script.texts
        assert len(messages(pilot)) == 1


async def test_a_check_begins_at_the_claim_that_is_looked_at() -> None:
    script = Script()
    async with checking(script) as (pilot, screen):
        await pilot.press("n", "f5")
        await finish(pilot)
        screen.text.edit(TEXT.index(VAGUE) + 3)
        await pilot.press("f5")
        await finish(pilot)
    assert script.places == [0, TEXT.index(FALSE), TEXT.index(VAGUE) + 3]


async def test_a_flood_of_verdicts_is_drawn_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert(" ".join([TRUE] * 300))
        drawn: list[Event] = []
        monkeypatch.setattr(screen.status, "follow", drawn.append)
        with monkeypatch.context() as here:  # no thread, so that everything waits for the screen
            here.setattr(threading.Thread, "start", threading.Thread.run)
            screen.action_check()
        await finish(pilot)
        assert len(screen.state.findings.verdicts) == 300  # type: ignore[union-attr]
        assert "✓ 300" in status(screen)
        assert len(drawn) < 10


class Thorough(Script):
    """Takes its time to find the claims: that is the step -1."""

    def check(self, *given: Any, **options: Any) -> Generator[Event, None, None]:
        self.pause(-1)
        yield from super().check(*given, **options)


async def test_while_the_claims_of_a_long_text_are_looked_for_that_is_said() -> None:
    script = Thorough(wait_at=-1)
    async with VeraciteApp(script).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert("\n".join([TRUE] * 2_000))
        await pilot.press("f5")
        await asyncio.to_thread(script.reached.wait)
        await pilot.pause()
        assert status(screen) == "Finding the claims in 2,000 lines …"
        script.go_on.set()
        await finish(pilot)


@patch.object(Reader, "get_line", autospec=True, side_effect=Reader.get_line)
async def test_only_lines_in_view_are_drawn(drawn: Mock) -> None:
    text = "\n\n".join([f"{TRUE} {FALSE} {UNFOUNDED} {VAGUE}"] * 500)
    async with checking(Script(), text, size=(120, 36)) as (pilot, screen):
        reader = screen_of(pilot).text.reader
        assert len(reader.marks) == 2000
        assert "✗ 500" in status(screen)
        for key in ("n", "pagedown", "end", "p", "3", "0", "up", "pageup"):
            await settle(pilot)
            drawn.reset_mock()
            await press(pilot, key)
            assert 0 < drawn.call_count <= 3 * reader.size.height, key


@pytest.mark.parametrize("against", [None, "lwa"])
async def test_without_a_library_the_keys_are_named(engine: LocalEngine, against: Against) -> None:
    async with VeraciteApp(engine, against=against).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        await settle(pilot)
        assert "Add documents with F4 and a, or choose others with Ctrl+L." in shown(screen)
        assert "veracite" not in shown(screen)
        assert messages(pilot) == []
        assert status(screen) == "The check did not finish."
    for work in (engine.ask("Did it?", against, "vtg"), engine.fix("It burned.", against)):
        with pytest.raises(InputError) as told:
            next(work)
        assert told.value.kind == "no library"
    assert engine._bench is None  # no model was loaded to find that out


async def test_no_head_names_a_library_before_there_is_one(engine: LocalEngine, home: Path) -> None:
    async with VeraciteApp(engine).run_test(size=(120, 30)) as pilot:
        for said in ("no library yet", "the default library"):
            await press(pilot, "f2")
            assert top(pilot).endswith(f"against  {said}")
            assert str((await entered(pilot)).top.content).endswith(f"against  {said}")
            engine.libraries.add("default", home)


async def test_that_another_veracite_changes_the_index_is_said(
    engine: LocalEngine, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.libraries.add("default", write_documents(home / "documents"))
    said: list[str] = []
    with ExitStack() as other:
        lock = FolderLock(home / "data" / "libraries" / "default")
        assert other.enter_context(lock.held())
        async with VeraciteApp(engine).run_test(size=(120, 40)) as pilot:
            screen = screen_of(pilot)
            say = screen.status.say

            def heard(message: str, *, error: bool = False) -> None:
                say(message, error=error)
                said.append(status(screen))
                if message.startswith("Waiting for another Veracite, which is changing the index"):
                    other.close()  # it lets go of the lock

            monkeypatch.setattr(screen.status, "say", heard)
            await checked(pilot, "The Harrow mill burned down in 1904.")
            await settle(pilot)
            assert "Waiting for another Veracite" in " ".join(said)
            assert not screen.state.failure
            assert screen.state.notes == (), "the index is up to date, and not used as it was"


async def test_that_there_is_no_library_is_gone_once_another_is_chosen() -> None:
    error = InputError("There is no default library yet.", "Name a folder.", "no library")
    async with checking(Script(error=error)) as (pilot, screen):
        assert error.message in shown(screen)
        await pilot.press("ctrl+l")
        await enter(pilot, "law")
        assert screen.state.against == "law"
        assert error.message not in shown(screen)
        assert status(screen) == ""


async def test_what_is_said_of_documents_lies_beside_the_evidence_and_is_said_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(VeraciteApp, "NOTIFICATION_TIMEOUT", 600)
    script = Script(notes=("/gone cannot be reached.",))
    async with checking(script, size=(120, 40), notifications=True) as (pilot, screen):
        await settle(pilot)
        (toast,) = pilot.app.screen.query(Toast)
        assert toast.region.area
        assert not toast.region.overlaps(screen.evidence.region)
        pilot.app.clear_notifications()
        await pilot.press("f5")
        await finish(pilot)
        assert messages(pilot) == []


class Troubled(Script):
    """With documents of which something is the matter."""

    def ask(self, *given: Any) -> Generator[Event, None, None]:
        yield Warned("/gone cannot be reached.")
        yield from super().ask(*given)


async def test_what_is_the_matter_with_the_documents_is_said_once_and_again_for_others() -> None:
    async with VeraciteApp(Troubled()).run_test() as pilot:
        screen = await entered(pilot)
        for documents, told in ((None, True), (None, False), ("law", True)):
            if documents:
                screen.go_by(documents)
            await asked(pilot)
            assert messages(pilot) == (["/gone cannot be reached."] if told else [])
            pilot.app.clear_notifications()
