"""The screen, driven as a person drives it, on a check with a script."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from screens import (
    checked,
    colours,
    finish,
    halted,
    messages,
    screen_of,
    settle,
    sheet,
    shown,
    status,
    symbols,
)
from scripted import FALSE, LABELS, QUESTION, TEXT, TRUE, UNFOUNDED, VAGUE, Script
from textual.widgets import Input, Static

from veracite.engine.errors import CheckError
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.prompts import Prompt
from veracite.tui.widgets.text_pane import Reader


async def test_a_pasted_text_gets_a_symbol_and_a_colour_for_every_claim() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        screen = await checked(pilot)
        assert script.texts == [TEXT]
        assert symbols(screen.text.reader) == {
            TRUE: "✓ ",
            FALSE: "✗ ",
            QUESTION: "· ",
            UNFOUNDED: "? ",
            VAGUE: "~ ",
        }
        assert len(set(colours(screen.text.reader).values())) == len(LABELS)


async def test_verdicts_show_while_others_are_still_to_come() -> None:
    script = Script(wait_at=2)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await halted(pilot, script)
        await pilot.pause()
        assert list(symbols(screen.text.reader).values()) == ["✓ ", "✗ ", "○ ", "○ ", "○ "]
        assert "2/5" in status(screen)
        script.go_on.set()
        await finish(pilot)
        assert "○ " not in symbols(screen.text.reader).values()


async def test_n_and_p_visit_the_findings_and_arrows_every_claim() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        seen = []
        for key in ("n", "n", "n", "n", "p", "right", "left", "left"):
            await pilot.press(key)
            mark = screen.state.findings and screen.state.findings.at(
                screen.text.reader.source_offset
            )
            assert mark
            assert screen.text.reader.current == mark.index
            seen.append(TEXT[mark.start : mark.end])
        assert seen == [FALSE, UNFOUNDED, VAGUE, FALSE, VAGUE, TRUE, VAGUE, UNFOUNDED]


async def test_what_is_copied_from_the_reader_has_no_symbols() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        screen.text.reader.select_all()
        await pilot.press("ctrl+c")
        assert pilot.app.clipboard == TEXT


async def test_pointing_with_the_mouse_shows_a_claim_and_leaving_it_the_one_before() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        row, column = screen.text.reader.location_of(
            screen.text.reader.from_source(TEXT.index(UNFOUNDED))
        )
        across = screen.text.reader.gutter.left + column + 3
        await pilot.hover(Reader, offset=(across, row + screen.text.reader.gutter.top))
        await pilot.pause()
        assert "Not found" in shown(screen)
        await pilot.hover("#status")
        await pilot.pause()
        assert "Contradicted" in shown(screen)


async def test_the_closing_line_counts_claims_documents_and_failures() -> None:
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        for words in ("1 supported", "1 contradicted", "1 not found", "1 document, 1 failed"):
            assert words in status(screen)
        await pilot.press("f8")
        assert "/papers/locked.pdf" in sheet(pilot)
        assert "It is encrypted." in sheet(pilot)


async def test_escape_stops_between_two_events_and_keeps_the_verdicts() -> None:
    script = Script(wait_at=2)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await halted(pilot, script)
        await pilot.press("escape")
        script.go_on.set()
        await finish(pilot)
        assert script.closed == ["stopped"]
        assert list(symbols(screen.text.reader).values()) == ["✓ ", "✗ ", "○ ", "○ ", "○ "]
        assert "Stopped. 2 of 5" in status(screen)
        await pilot.press("f5")
        await finish(pilot)
        assert script.closed == ["stopped", "finished"]


async def test_quitting_does_not_wait_for_a_step_that_blocks() -> None:
    script = Script(wait_at=0)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await halted(pilot, script)
        await pilot.press("ctrl+q", "d")
    assert not script.closed  # the app is gone and the check still stands in its step
    script.go_on.set()
    await asyncio.to_thread(screen.runner.join)
    assert script.closed == ["stopped"]


async def test_an_edit_keeps_the_other_verdicts_and_the_next_check_reads_the_new_text() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "e")
        assert screen.text.editor.has_focus
        await pilot.press("delete", "x")
        assert screen.text.editor.text == TEXT.replace(FALSE, f"x{FALSE[1:]}")
        assert len(screen.text.editor.marks) == len(LABELS) - 1
        await pilot.press("escape")
        assert screen.text.reader.has_focus
        assert set(symbols(screen.text.reader)) == set(LABELS) - {FALSE}
        assert "(edited)" in str(screen.query_one("#top", Static).content)
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
        screen = await checked(pilot)
        assert said in shown(screen)
        assert messages(pilot) == []  # the pane says it
        assert screen.text.editor.text == TEXT
        script.error = None
        await pilot.press("f5")
        await finish(pilot)
        assert said not in shown(screen)
        assert "1 document" in status(screen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_everything_fits_the_terminal(size: tuple[int, int]) -> None:
    async with VeraciteApp(Script()).run_test(size=size) as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        await pilot.pause()
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
        assert isinstance(pilot.app.screen, Prompt)
        pilot.app.screen.query_one(Input).value = str(tmp_path / "dr")
        await pilot.pause()
        await pilot.press("tab")
        await pilot.pause()
        await pilot.press("tab", "enter")
        await settle(pilot)
        screen = screen_of(pilot)
        assert screen.text.editor.text == TEXT
        assert screen.state.draft
        assert screen.state.draft.path == draft


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "There is no file"),
        (lambda path: path.mkdir(), "is not a file"),
        (lambda path: path.write_bytes(bytes(range(256)) * 40), "not a text file"),
        (lambda path: path.write_bytes(b"a" * 2_000_001), "too large"),
    ],
)
async def test_a_text_that_cannot_be_opened_is_told(
    tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    draft = tmp_path / "draft.md"
    make(draft)
    async with VeraciteApp(Script(), path=draft).run_test() as pilot:
        await settle(pilot)
        assert said in status(screen_of(pilot))
        assert screen_of(pilot).text.editor.text == ""


async def test_an_empty_text_is_not_checked() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        await pilot.press("space", "f5")
        assert not script.texts
        assert len(pilot.app._notifications) == 1


def test_opening_the_app_loads_no_model_library() -> None:
    import subprocess

    heavy = "onnxruntime", "tantivy", "hnswlib", "nltk", "tokenizers", "pypdfium2", "lxml", "numpy"
    code = f"import sys, veracite.tui.app; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr
