"""The Ask view, driven as a person drives it, on answers with a script."""

import asyncio
from pathlib import Path

import pytest
from ask_view import ASKED, asked, begin, entered, finished, said, story
from screens import done, drawn, enter, messages, press, prompt, settle, told
from scripted import FALSE, TRUE, UNFOUNDED, Script, citation
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from veracite.engine.errors import CheckError
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.method_picker import MethodPicker
from veracite.tui.screens.prompts import PastConversations
from veracite.tui.widgets.answer import AnswerView, ExchangeView

pytestmark = pytest.mark.usefixtures("home")


def texts(view: Widget, selector: str = "Static") -> list[str]:
    """What stands in a part of the screen."""
    return [str(static.content) for static in view.query(selector).results(Static)]


def sources(answer: AnswerView) -> str:
    """Everything below the answer that is quoted, and what stands above it."""
    return "\n".join(texts(answer, ".sources Static"))


async def test_every_sentence_has_its_verdict_in_words_and_its_quotes() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        answer = await asked(pilot)
        lines = said(answer).splitlines()
        assert lines[0] == f"✓ {TRUE} [1]"
        assert lines[1] == f"✗ Contradicted (80 %): {FALSE} (contradicted by [1])"
        assert f"? Not found (80 %): {UNFOUNDED} (nearest: [1])" in lines
        assert "1 could not be read" in texts(answer, ".about")[0]
        assert len(answer.sources) == 1
        await press(pilot, "ctrl+up", "enter")
        assert "Bees live there." in sources(answer)
        assert drawn(pilot).count("mill.pdf") == 1  # and not in its line and above the passage
        assert "[1] ✓ Supports it  87 %  mill.pdf, page 3" in drawn(pilot)
        await press(pilot, "enter")
        assert "Bees live there." not in sources(answer)
        await press(pilot, "y")
        assert pilot.app.clipboard.startswith(f"# {ASKED}\n\n{TRUE[:-1]}")
        assert "> The mill burned down in 1904" in pilot.app.clipboard
        await pilot.click(answer.query_one("AnswerText"), offset=(len(lines[0]) - 2, 0))
        await settle(pilot)
        assert answer.sources[0].has_focus
        assert "Bees live there." in sources(answer)


async def test_a_draft_shows_until_its_sentences_are_verified_and_escape_keeps_those() -> None:
    script = Script(wait_at=1)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await begin(pilot)
        await asyncio.to_thread(script.reached.wait)
        await press(pilot, "f8")
        (answer,) = screen.query(AnswerView)
        assert said(answer) == f"✓ {TRUE} [1]\nA draft, not verified yet:\n{FALSE}"
        assert story(answer).endswith("Still going on …")
        await pilot.press("escape")
        assert script.cancelled == 1
        script.go_on.set()
        await finished(pilot, screen)
        assert said(answer).splitlines()[0] == f"✓ {TRUE} [1]"
        assert "Interrupted" in said(answer)
        assert FALSE not in said(answer)
        assert "In total" in story(answer)
        assert len(screen._kept.listed()) == 1
        await pilot.press("up")
        assert screen.input.value == ASKED
        await pilot.press("enter")
        await finished(pilot, screen)
        assert "Interrupted" not in said(list(screen.query(AnswerView))[-1])


async def test_no_answer_shows_what_is_nearest_and_an_error_what_to_do() -> None:
    script = Script(answer="")
    async with VeraciteApp(script).run_test() as pilot:
        answer = await asked(pilot)
        assert said(answer) == "No answer was found in the documents."
        assert "Nearest to the question" in sources(answer)
        assert citation("nearest").file.endswith(answer.sources[0].citation.file)
        script.error = CheckError("The model [red] broke.", "Mend it.")
        answer = await asked(pilot)
        assert said(answer) == "✗ The model [red] broke.\nMend it."
        script.error, script.answer = None, TRUE
        answer = await asked(pilot)
        assert said(answer) == f"✓ {TRUE} [1]"


async def test_a_question_is_asked_as_it_is_meant_behind_the_last_one_and_says_so() -> None:
    script = Script()
    async with VeraciteApp(script).run_test() as pilot:
        await asked(pilot, "When was Hale Mill built?")
        await asked(pilot, "And who built it?")
        await asked(pilot, "What about its wheel?")
        told = [question for question, _ in script.questions]
        assert told[1:] == ["Who built Hale Mill?", "What about Hale Mill's wheel?"]
        screen = await entered(pilot)
        assert "And who built it?\nUnderstood as: Who built Hale Mill?" in texts(screen)
        assert "When was Hale Mill built?" in texts(screen)
        (kept,) = screen._kept.listed()
        assert [one.asked.meant for one in screen._kept.read(kept.path)] == ["", *told[1:]]


async def picker(pilot: Pilot[None], key: str = "ctrl+t") -> OptionList:
    """The list that a key opens."""
    await press(pilot, key)
    assert isinstance(pilot.app.screen, MethodPicker)
    return pilot.app.screen.list


async def choose(pilot: Pilot[None], key: str, method: str) -> None:
    """Choose this in the list that a key opens."""
    offers = await picker(pilot, key)
    offers.highlighted = offers.get_option_index(f"method-{method}")
    await press(pilot, "enter")


async def test_two_methods_answer_beside_each_other_or_below_where_it_is_narrow() -> None:
    script = Script()
    async with VeraciteApp(script).run_test(size=(120, 40)) as pilot:
        screen = await entered(pilot)
        await choose(pilot, "ctrl+t", "vtg")
        await choose(pilot, "ctrl+g", "ceg")
        assert "vtg and ceg" in str(screen.top.content)
        await begin(pilot)
        one, other = await finished(pilot, screen)
        assert script.questions == [(ASKED, "vtg"), (ASKED, "ceg")]
        assert texts(one, ".title") + texts(other, ".title") == ["vtg", "ceg"]
        assert one.trace.title.startswith("vtg · 5 sentences, 1 supported · ")
        assert one.region.y == other.region.y
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert one.region.x == other.region.x
        assert one.region.y < other.region.y
        await choose(pilot, "ctrl+g", "")
        await begin(pilot)
        assert len(await finished(pilot, screen)) == 1


async def test_what_needs_a_language_model_is_chosen_once_there_is_one(home: Path) -> None:
    script = Script()
    async with VeraciteApp(script).run_test(size=(80, 24)) as pilot:
        screen = await entered(pilot)
        offers = await picker(pilot)
        listed = [" ".join(str(option.prompt).split()) for option in offers.options]
        assert [text.split()[0] for text in listed[:3]] == ["retrieve-read", "ceg", "refeed"]
        assert len(listed) == 6
        assert offers.highlighted == 0
        assert listed[0].endswith("(the default)")
        assert listed[1].endswith("regenerates what no document supports")  # nothing is cut
        hint = pilot.app.screen.query_one(".hint").region
        assert pilot.app.screen.query_one(".box").region.contains_region(hint)
        assert hint.height
        offers.highlighted = place = offers.get_option_index("method-closed-book")
        assert "(needs a language model; F6 has them)" in listed[place]
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, MethodPicker)
        await press(pilot, "escape")
        model = home / "tiny[1].gguf"
        model.touch()
        await pilot.press("ctrl+l")
        await enter(pilot, "lore")
        assert "There is no" in told(pilot)
        await enter(pilot, "law")
        script.use_model(str(model))
        await press(pilot, "f2", "f3")
        assert "against  library law  with  tiny[1].gguf" in str(screen.top.content)
        await choose(pilot, "ctrl+t", "closed-book")
        offers = await picker(pilot)
        assert offers.highlighted == place
        assert "needs" not in str(offers.options[place].prompt)
        await press(pilot, "escape")
        await asked(pilot)
        assert script.questions == [(ASKED, "closed-book")]
        assert script.against == ["law"]
        assert script.model == str(model)


async def test_a_new_conversation_leaves_the_one_at_work_behind() -> None:
    script = Script(wait_at=1)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await begin(pilot)
        await asyncio.to_thread(script.reached.wait)
        await pilot.press("ctrl+n")
        screen.input.value = "Another?"
        await pilot.press("enter")
        assert messages(pilot) == ["An answer is being worked on. Escape stops it."]
        script.go_on.set()
        await done(pilot, screen)
        await pilot.press("enter")
        (answer,) = await finished(pilot, screen)
        assert [turn.asked.question for turn in screen.conversation.turns] == ["Another?"]
        assert said(answer).startswith(f"✓ {TRUE} [1]")


async def reopened(pilot: Pilot[None]) -> list[AnswerView]:
    """The answers of the newest conversation."""
    screen = await entered(pilot)
    await press(pilot, "ctrl+o")
    await press(pilot, "enter")
    return list(screen.query(AnswerView))


@pytest.mark.parametrize("stopped", [True, False])
async def test_a_method_that_was_stopped_is_named_again(stopped: bool) -> None:
    script = Script(wait_at=1)
    async with VeraciteApp(script).run_test() as pilot:
        screen = await entered(pilot)
        screen._choose("vtg", "ceg")
        await begin(pilot)
        await asyncio.to_thread(script.reached.wait)
        if stopped:
            await pilot.press("escape")
        script.go_on.set()
        await finished(pilot, screen)
    async with VeraciteApp(Script()).run_test() as pilot:
        one, other = await reopened(pilot)
        assert texts(one, ".title") + texts(other, ".title") == ["vtg", "ceg"]
        assert said(one).startswith(f"✓ {TRUE} [1]")
        lost = "✗ No answer of this method is kept.\nIt was stopped, or it failed."
        assert (said(other) == lost) is stopped
        assert said(other).startswith(f"✓ {TRUE} [1]") is not stopped


async def test_a_conversation_is_kept_reopened_with_its_trace_and_deleted_once_confirmed() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await asked(pilot)
        await asked(pilot, "And \x1b[31mthen[/]?")
    async with VeraciteApp(Script()).run_test() as pilot:
        first, last = await reopened(pilot)
        screen = await entered(pilot)
        assert texts(screen, ".question") == [ASKED, "And \\x1b[31mthen[/]?"]
        assert said(first).startswith(f"✓ {TRUE} [1]")
        await press(pilot, "f8")
        assert "by scripted" in story(last)
        await asked(pilot, "More?")
        assert [len(screen._kept.read(kept.path)) for kept in screen._kept.listed()] == [3]
        await press(pilot, "ctrl+n", "ctrl+o")
        assert not screen.query(ExchangeView)
        past = pilot.app.screen
        assert isinstance(past, PastConversations)
        await pilot.press("d", "escape")
        assert len(screen._kept.listed()) == 1
        await press(pilot, "d", "y")
        assert screen._kept.listed() == ()
        assert past.query_one(OptionList).option_count == 0


async def test_a_past_conversation_goes_on_with_its_documents(home: Path) -> None:
    papers = home / "papers"
    papers.mkdir()
    async with VeraciteApp(Script(), against=(papers,)).run_test() as pilot:
        screen = await entered(pilot)
        await asked(pilot)
        for there in (True, False):
            await pilot.press("ctrl+l")
            await enter(pilot, "law")
            await reopened(pilot)
            assert screen.against == ((papers,) if there else "law")
            if there:
                assert messages(pilot) == []
                papers.rmdir()
        assert len(screen.conversation.turns) == 1
        assert messages(pilot) == [
            "The documents of this conversation are gone: ~/papers. "
            "The next question goes to library law; Ctrl+L chooses others."
        ]


async def test_a_conversation_is_exported_to_markdown(home: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await entered(pilot)
        await pilot.press("ctrl+s")
        assert messages(pilot) == ["There is no answer yet: ask something first."]
        await asked(pilot)
        await asked(pilot, "And <b>then</b>?")
        await press(pilot, "ctrl+s")
        assert prompt(pilot).query_one(Input).value == "conversation.md"
        await enter(pilot, home / "talk.md")
        assert messages(pilot)[-1] == "Wrote ~/talk.md."
        await press(pilot, "ctrl+s")
        await enter(pilot, home / "talk.pdf")
        assert "Nothing is written as .pdf." in told(pilot)
    markdown = (home / "talk.md").read_text()
    assert markdown.count("## Sources") == 2
    assert "And \\<b\\>then\\</b\\>?" in markdown
