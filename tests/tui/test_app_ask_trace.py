"""How an answer came about, looked at while it comes and afterwards."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from conversing import QUESTION, begin, entered, finished
from happened import BEES
from screens import messages, settle
from scripted import FALSE, Script, verdict
from textual.pilot import Pilot

from veracite.engine.errors import CheckError
from veracite.engine.events import Streamed
from veracite.engine.methods.events import Began, Searched
from veracite.engine.trace import Entry
from veracite.engine.types import Claim, Verdict
from veracite.tui.app import VeraciteApp
from veracite.tui.conversation import Answering
from veracite.tui.screens.ask import AskScreen
from veracite.tui.widgets.answer import AnswerView, story_text


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where conversations are kept."""
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("VERACITE_CACHE_DIR", str(tmp_path / "cache"))


async def unfolded(pilot: Pilot[None], script: Script) -> AnswerView:
    """An answer that stands where it is to wait, with its trace open."""
    screen = await begin(pilot)
    await asyncio.to_thread(script.reached.wait)
    await pilot.press("f8")
    await settle(pilot)
    return screen.query_one(AnswerView)


async def test_the_trace_goes_on_while_it_is_looked_at_and_has_totals_in_the_end() -> None:
    script = Script(wait_at=1)
    async with VeraciteApp(script).run_test() as pilot:
        answer = await unfolded(pilot, script)
        assert answer.trace.told.endswith("Still going on …")
        assert "In total" not in answer.trace.told
        assert FALSE not in answer.trace.told
        script.go_on.set()
        screen = pilot.app.screen
        assert isinstance(screen, AskScreen)
        await finished(pilot, screen)
        assert "Still going on" not in answer.trace.told
        assert "In total" in answer.trace.told
        assert FALSE in answer.trace.told


def failing(claim: Claim) -> Verdict:
    if claim.text == FALSE:
        raise CheckError("The model broke.", "Mend it.")
    return verdict(claim)


def test_what_is_written_counts_as_time_until_it_is_stopped() -> None:
    now = iter(float(second) for second in range(100))
    answering = Answering("vtg", now.__next__)
    answering.take(Began(QUESTION, "vtg", "scripted", {}))
    for _ in range(40):
        answering.take(Streamed("word "))
    assert len(answering.reply) == 2, "a thousand words are not kept one by one"
    assert answering.cost.seconds == 40
    told = story_text(answering.reply, "stopped", 80).plain
    assert "  40.0 s  The work was stopped here." in told
    assert "40.0 s, 0 verdicts" in told


def test_what_is_left_out_is_told_without_an_option_of_the_command_line() -> None:
    found = tuple(replace(BEES, passage=replace(BEES.passage, id=str(n))) for n in range(8))
    told = story_text([Entry(0.0, Searched("Bees?", "question", found, 1))], "stopped", 80).plain
    assert "and 3 more passages\n" in told
    assert "--" not in told


async def test_before_the_first_answer_its_keys_say_so() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await entered(pilot)
        for key in ("f8", "ctrl+up", "ctrl+y"):
            pilot.app.clear_notifications()
            await pilot.press(key)
            assert messages(pilot) == ["There is no answer yet: ask something first."], key


@pytest.mark.parametrize("fails", [True, False])
async def test_the_trace_says_whether_the_work_failed_or_was_stopped(fails: bool) -> None:
    script = Script(wait_at=1, judge=failing)
    async with VeraciteApp(script).run_test() as pilot:
        answer = await unfolded(pilot, script)
        if not fails:
            await pilot.press("escape", "escape")
        script.go_on.set()
        screen = pilot.app.screen
        assert isinstance(screen, AskScreen)
        await finished(pilot, screen)
        told = " ".join(answer.trace.told.split())
        assert f"The work {'failed' if fails else 'was stopped'} here. In total" in told
