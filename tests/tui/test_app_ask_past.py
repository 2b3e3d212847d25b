"""What becomes of conversations: kept, opened again, with each method that was asked; exported."""

import asyncio
from pathlib import Path

import pytest
from conversing import QUESTION, asked, begin, entered, finished
from screens import messages, settle
from scripted import TRUE, Script
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from veracite.tui.app import VeraciteApp
from veracite.tui.conversation import Choice
from veracite.tui.screens.prompts import PastConversations, Prompt
from veracite.tui.widgets.answer import AnswerView, ExchangeView


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where conversations are kept."""
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


async def reopened(pilot: Pilot[None]) -> list[AnswerView]:
    """The answers of the newest conversation."""
    screen = await entered(pilot)
    await pilot.press("ctrl+o")
    await settle(pilot)
    await pilot.press("enter")
    await settle(pilot)
    return list(screen.query(AnswerView))


@pytest.mark.parametrize("stopped", [True, False])
async def test_a_method_that_was_stopped_is_named_again(stopped: bool) -> None:
    chosen = (Choice("vtg", "asqa-table7"), Choice("ceg"))
    script = Script(wait_at=1)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await entered(pilot)
        screen._choose(chosen)
        await begin(pilot)
        await asyncio.to_thread(script.reached.wait)
        if stopped:
            await pilot.press("escape")
        script.go_on.set()
        await finished(pilot, screen)
    async with VeraciteApp(Script()).run_test() as pilot:
        one, other = await reopened(pilot)
        titles = [str(view.query_one(".title", Static).content) for view in (one, other)]
        assert titles == ["vtg (asqa-table7)", "ceg"]
        assert one.said.startswith(f"✓ {TRUE} [1]")
        lost = "✗ No answer of this method is kept.\nIt was stopped, or it failed."
        assert (other.said == lost) is stopped
        assert other.said.startswith(f"✓ {TRUE} [1]") is not stopped


async def test_a_conversation_is_kept_reopened_with_its_trace_and_deleted_once_confirmed(
    home: Path,
) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await asked(pilot)
        await asked(pilot, "And \x1b[31mthen[/]?")
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await entered(pilot)
        await pilot.press("ctrl+o")
        await settle(pilot)
        past = pilot.app.screen
        assert isinstance(past, PastConversations)
        assert past.query_one(OptionList).option_count == 1
        await pilot.press("enter")
        await settle(pilot)
        questions = [str(static.content) for static in screen.query(".question").results(Static)]
        assert questions == [QUESTION, "And \\x1b[31mthen[/]?"]
        first = screen.query(AnswerView).first()
        assert first.said.startswith(f"✓ {TRUE} [1]")
        await pilot.press("f8")
        await settle(pilot)
        assert "by scripted" in list(screen.query(AnswerView))[-1].trace.told
        await asked(pilot, "More?")
        assert [len(screen._kept.read(kept.path)) for kept in screen._kept.listed()] == [3]
        await pilot.press("ctrl+n", "ctrl+o")
        await settle(pilot)
        assert not screen.query(ExchangeView)
        past = pilot.app.screen
        assert isinstance(past, PastConversations)
        await pilot.press("d", "escape")
        assert len(screen._kept.listed()) == 1
        await pilot.press("d", "y")
        await settle(pilot)
        assert screen._kept.listed() == ()
        assert "No conversation is kept" in past.said


async def test_a_conversation_is_exported_to_markdown_and_html(home: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await entered(pilot)
        await pilot.press("ctrl+s")
        assert messages(pilot) == ["There is no answer yet. Ask something first."]
        await asked(pilot)
        await asked(pilot, "And <b>then</b>?")
        for name in ("talk.md", "talk.html"):
            screen.action_export()
            await pilot.pause()
            prompt = pilot.app.screen
            assert isinstance(prompt, Prompt)
            prompt.query_one(Input).value = str(home / name)
            await pilot.press("enter")
            await settle(pilot)
            assert pilot.app.screen is screen
        screen.action_export()
        await pilot.pause()
        prompt = pilot.app.screen
        assert isinstance(prompt, Prompt)
        for name, reason in (
            ("talk.md", "Enter again replaces it"),
            ("talk.pdf", "Nothing is written as .pdf."),
        ):
            prompt.query_one(Input).value = str(home / name)
            await pilot.press("enter")
            await settle(pilot)
            assert reason in prompt.said
    markdown, page = (home / "talk.md").read_text(), (home / "talk.html").read_text()
    assert markdown.count("## Sources") == 2
    assert "And \\<b\\>then\\</b\\>?" in markdown
    assert page.count("<!doctype html>") == page.count("</body>") == 1
    assert "And &lt;b&gt;then&lt;/b&gt;?" in page
    for number in (0, 1):
        assert page.count(f'id="answer-{number}-source-1"') == 1
        assert f'href="#answer-{number}-source-1"' in page
    assert 'href="#source-' not in page
