"""Mending from the Check view: what is proposed, accepted, refused and undone."""

from dataclasses import replace

from check_view import checked, checking, finish, screen_of
from screens import done, messages, press
from scripted import FALSE, TEXT, TRUE, UNFOUNDED, VAGUE, Script, citation, verdict
from textual.pilot import Pilot

from veracite.engine.types import Claim, Label, Verdict
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.fix import FixScreen

BETTER = {FALSE: "It was never rebuilt.", UNFOUNDED: ""}


async def proposing(pilot: Pilot[None]) -> FixScreen:
    """Ask for changes and wait for all of them."""
    await pilot.press("f")
    screen = pilot.app.screen
    assert isinstance(screen, FixScreen)
    await done(pilot, screen)
    return screen


def told(screen: FixScreen) -> list[str]:
    return [proposal.content().plain for proposal in screen.proposals.all]


async def test_what_is_accepted_goes_into_the_text_is_checked_and_undone_at_once() -> None:
    script = Script(mended=BETTER)
    async with checking(script) as (pilot, screen):
        fixing = await proposing(pilot)
        assert len(fixing.proposals.all) == 3
        assert "\n- It was rebuilt in 1911.\n+ It was never rebuilt.\n" in told(fixing)[0]
        assert "\n- The mayor collects stamps.\nThe" in told(fixing)[1]  # is to go
        assert "stays as it is" in told(fixing)[2]  # nothing better for what is vague
        await pilot.press("a")
        assert "accepted" in told(fixing)[0]
        await pilot.press("r", "enter")
        await finish(pilot)
        after = TEXT.replace(FALSE, BETTER[FALSE])
        assert screen.text.editor.text == after
        assert script.texts[-1] == after
        await pilot.press("e", "ctrl+z")
        assert screen.text.editor.text == TEXT


async def test_enter_needs_an_answer_escape_changes_nothing_and_all_are_accepted_at_once() -> None:
    async with checking(Script(mended=BETTER)) as (pilot, screen):
        await proposing(pilot)
        await pilot.press("enter")
        assert "Nothing is accepted yet" in messages(pilot)[-1]
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, CheckScreen)
        assert screen.text.editor.text == TEXT
        await proposing(pilot)
        await pilot.press("A", "enter")
        await finish(pilot)
        text = screen.text.editor.text
        assert (UNFOUNDED in text, FALSE in text, VAGUE in text) == (False, False, True)
        assert BETTER[FALSE] in text


async def test_what_a_person_settled_stays_even_if_all_is_accepted() -> None:
    async with checking(Script(mended=BETTER)) as (pilot, screen):
        for label, claim in ((Label.SUPPORTED, FALSE), (Label.NOT_CHECKABLE, UNFOUNDED)):
            found = next(v for v in screen.state.verdicts if v.claim.text == claim)
            screen.state.say(found, label, "I know.")
        fixing = await proposing(pilot)
        assert [one.change.before.claim.text for one in fixing.proposals.all] == [VAGUE]
        assert "2 claims stay because you overrode the verdict." in str(fixing.said.content)
        await press(pilot, "A", "enter")
        assert screen.text.editor.text == TEXT


async def test_what_can_be_accepted_comes_first() -> None:
    text = f"{VAGUE} {FALSE}"
    async with VeraciteApp(Script(mended=BETTER)).run_test() as pilot:
        await checked(pilot, text)
        fixing = await proposing(pilot)
        proposals = fixing.proposals
        shown = [str(option.prompt) for option in proposals.options]
        assert "It was never rebuilt." in shown[0]
        # What the new wording rests on.
        assert "“The mill burned down in 1904 and was never" in shown[0]
        assert "Supports it: mill.pdf, page 3" in shown[0]
        assert VAGUE in shown[1]
        assert proposals.highlighted == 0
        await pilot.press("down", "a")
        assert "nothing to accept" in messages(pilot)[-1]
        await pilot.press("home", "a", "enter")
        await finish(pilot)
        assert screen_of(pilot).text.editor.text == f"{VAGUE} {BETTER[FALSE]}"


def divided(claim: Claim) -> Verdict:
    """Supported, and contradicted by another document."""
    found = verdict(claim)
    return replace(found, citations=(citation("supports"), citation("contradicts")))


async def test_a_claim_that_the_library_is_divided_on_stays_which_is_told() -> None:
    async with VeraciteApp(Script(judge=divided)).run_test() as pilot:
        await checked(pilot, TRUE)
        fixing = await proposing(pilot)
        told = str(fixing.said.content)
        assert "there is nothing to mend" in told
        assert "The library disagrees with itself on 1 claim, where the text stays; v in" in told
        await pilot.press("A")
        assert messages(pilot) == ["There is nothing to accept here."]
