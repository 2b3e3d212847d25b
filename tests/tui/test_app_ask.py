"""The Ask view, driven as a person drives it, on answers with a script."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from conversing import QUESTION, asked, begin, entered, finished
from screens import messages, settle
from scripted import FALSE, TRUE, UNFOUNDED, Script, citation
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.engine.errors import CheckError
from veracite.engine.types import Claim, Label, Verdict
from veracite.tui.app import VeraciteApp
from veracite.tui.conversation import Choice
from veracite.tui.screens.method_picker import MethodPicker, Offers
from veracite.tui.screens.prompts import Prompt
from veracite.tui.widgets.answer import AnswerView


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where conversations are kept."""
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def drawn(pilot: Pilot[None]) -> str:
    """The characters on the screen."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


def sources(answer: AnswerView) -> str:
    """Everything below the answer that is quoted, and what stands above it."""
    return "\n".join(
        str(static.content) for static in answer.query(".sources Static").results(Static)
    )


async def test_every_sentence_has_its_verdict_in_words_and_its_quotes() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        answer = await asked(pilot)
        lines = answer.said.splitlines()
        assert lines[0] == f"✓ {TRUE} [1]"
        assert lines[1] == f"✗ Contradicted (80 %): {FALSE} (contradicted by [1])"
        assert f"? Not found (80 %): {UNFOUNDED} (nearest: [1])" in lines
        assert "1 could not be read" in str(answer.query_one(".about", Static).content)
        assert len(answer.sources) == 1
        await pilot.press("ctrl+up", "enter")
        await settle(pilot)
        assert "Bees live there." in sources(answer)
        assert drawn(pilot).count("mill.pdf") == 1  # and not in its line and above the passage
        assert "[1] ✓ Supports it  87 %  mill.pdf, page 3" in drawn(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert "Bees live there." not in sources(answer)
        await pilot.press("y")
        await settle(pilot)
        assert pilot.app.clipboard.startswith(f"# {QUESTION}\n\n{TRUE[:-1]}")
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
        await pilot.pause()
        (answer,) = screen.query(AnswerView)
        assert answer.said == f"✓ {TRUE} [1]\nA draft, not verified yet:\n{FALSE}"
        await pilot.press("escape")
        assert script.cancelled == 1
        script.go_on.set()
        await finished(pilot, screen)
        assert answer.said.splitlines()[0] == f"✓ {TRUE} [1]"
        assert "Interrupted" in answer.said
        assert FALSE not in answer.said
        assert len(list((screen._paths.conversations).iterdir())) == 1
        await pilot.press("up")
        assert screen.input.value == QUESTION
        await pilot.press("enter")
        await finished(pilot, screen)
        assert "Interrupted" not in list(screen.query(AnswerView))[-1].said


async def test_no_answer_shows_what_is_nearest_and_an_error_what_to_do() -> None:
    script = Script(answer="")
    async with VeraciteApp(script).run_test() as pilot:
        answer = await asked(pilot)
        assert answer.said == "No answer was found in the documents."
        assert "Nearest to the question" in sources(answer)
        assert citation("nearest").file.endswith(answer.sources[0].citation.file)
        script.error = CheckError("The model [red] broke.", "Mend it.")
        answer = await asked(pilot)
        assert answer.said == "✗ The model [red] broke.\nMend it."
        script.error, script.answer = None, TRUE
        answer = await asked(pilot)
        assert answer.said == f"✓ {TRUE} [1]"


async def choose(pilot: Pilot[None], key: str, choice: Choice) -> None:
    """Choose this in the list that a key opens."""
    await pilot.press(key)
    await settle(pilot)
    assert isinstance(pilot.app.screen, MethodPicker)
    offers = pilot.app.screen.query_one(Offers)
    (offers.highlighted,) = (i for i, row in enumerate(offers._rows) if row.choice == choice)
    await pilot.press("enter")
    await settle(pilot)


async def test_two_methods_answer_beside_each_other_or_below_where_it_is_narrow() -> None:
    script = Script()
    async with VeraciteApp(script).run_test(size=(120, 40)) as pilot:
        screen = await entered(pilot)
        await choose(pilot, "ctrl+t", Choice("vtg", "asqa-table7"))
        await choose(pilot, "ctrl+g", Choice("ceg"))
        assert "vtg (asqa-table7) and ceg" in str(screen.top.content)
        await begin(pilot)
        one, other = await finished(pilot, screen)
        assert script.questions == [(QUESTION, "vtg"), (QUESTION, "ceg")]
        assert [str(view.query_one(".title", Static).content) for view in (one, other)] == [
            "vtg (asqa-table7)",
            "ceg",
        ]
        assert one.trace.title.startswith("vtg (asqa-table7) · 5 sentences, 1 supported · ")
        assert one.region.y == other.region.y
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert one.region.x == other.region.x
        assert one.region.y < other.region.y
        await choose(pilot, "ctrl+g", Choice(""))
        await begin(pilot)
        assert len(await finished(pilot, screen)) == 1


async def test_documents_and_model_are_asked_for(home: Path) -> None:
    script = Script()
    async with VeraciteApp(script).run_test(size=(120, 30)) as pilot:
        screen = await entered(pilot)
        model = home / "tiny[1].gguf"
        model.touch()
        for key, wrong, right in (("ctrl+l", "lore", "law"), ("f7", "/no/model", str(model))):
            await pilot.press(key)
            prompt = pilot.app.screen
            assert isinstance(prompt, Prompt)
            for value in (wrong, right):
                prompt.query_one(Input).value = value
                await pilot.press("enter")
                await settle(pilot)
                if value == wrong:
                    assert "There is no" in prompt.said
        assert "against  library law  with  tiny[1].gguf" in str(screen.top.content)
        await asked(pilot)
        assert script.against == ["law"]
        assert script.model == str(model)


HOSTILE = "[red]\x1b[2J\u202e\u200bmill"
HARMLESS = "[red]\\x1b[2J\\u202emill"


def hostile(claim: Claim) -> Verdict:
    quote = replace(
        citation("supports"), file=f"/papers/{HOSTILE}.pdf", quote=HOSTILE, context=HOSTILE * 9000
    )
    return Verdict(claim, Label.SUPPORTED, 0.9, None, "script", HOSTILE, (quote,))


async def test_what_documents_and_models_say_is_shown_harmlessly() -> None:
    script = Script(answer=f"{HOSTILE}.", judge=hostile, notes=(HOSTILE,))
    async with VeraciteApp(script).run_test() as pilot:
        answer = await asked(pilot, HOSTILE)
        assert answer.said == f"✓ {HARMLESS}. [1]"
        assert f"Note: {HARMLESS}" in str(answer.query_one(".about", Static).content)
        await pilot.press("ctrl+up", "enter", "f8")
        await settle(pilot)
        assert f"{HARMLESS}.pdf" in sources(answer)
        assert HARMLESS in answer.trace.told
        shown = [str(static.content) for static in pilot.app.screen.query(Static)]
        assert not [text for text in shown if {"\x1b", "\u202e", "\u200b"} & set(text)]


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
        await asyncio.to_thread(screen.runner.join)
        await settle(pilot)
        await pilot.press("enter")
        (answer,) = await finished(pilot, screen)
        assert [turn.asked.question for turn in screen.conversation.turns] == ["Another?"]
        assert answer.said.startswith(f"✓ {TRUE} [1]")
