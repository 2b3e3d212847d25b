"""Selecting, verifying and asking for passages, writing claim by claim."""

import pytest
from scripted_generator import ScriptedGenerator, passage
from stepping import run, value_of

from veracite.engine.errors import SettingsError
from veracite.engine.events import SkillEvent, Unusable
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, Sufficiency
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts

PASSAGES = [passage(f"Sentence number {n} of the mill.") for n in range(1, 13)]
QUESTION = "Who owned the mill?"


def skills(model: ScriptedGenerator, *wordings: str) -> PromptedSkills:
    return PromptedSkills(model, Prompts.load(), wordings=wordings)


def reasons(events: list[SkillEvent]) -> list[str]:
    return [event.reason for event in events if isinstance(event, Unusable)]


def test_the_set_of_skills_says_on_which_model() -> None:
    assert skills(ScriptedGenerator()).id == "prompted scripted@000000000000"
    with pytest.raises(SettingsError, match="no prompts in the wording 'ours'"):
        skills(ScriptedGenerator(), "ours")


@pytest.mark.parametrize(
    ("reply", "places", "ignored"),
    [
        ("12 3 3 7", (11, 2, 6), []),
        ("Selected Documents: [2], 6,8.", (1, 5, 7), []),
        ("Passage 2 (see 1.5 and B-3)", (1,), []),
        ("0 4 13", (3,), ["it names passages that do not exist (0, 13), which was ignored"]),
    ],
)
def test_a_selection_keeps_the_order_of_the_reply_and_what_there_is(
    reply: str, places: tuple[int, ...], ignored: list[str]
) -> None:
    model = ScriptedGenerator([reply])
    found, events = run(skills(model).select(QUESTION, PASSAGES, 5))
    assert (found, reasons(events)) == (places, ignored)
    grammar = model.calls[0].grammar or ""
    assert '(" " number){0,4}' in grammar
    assert '"12"' in grammar
    assert '"13"' not in grammar


def test_a_selection_that_cannot_be_read_keeps_the_first_ones() -> None:
    model = ScriptedGenerator(["none of them", "0 99"])
    places, events = run(skills(model).select(QUESTION, PASSAGES, 3))
    assert places == (0, 1, 2)
    assert reasons(events) == ["it names no passage from 1 to 12"] * 2
    assert "names no passage from 1 to 12" in model.calls[1].text


def test_nothing_is_asked_where_nothing_is_to_be_chosen() -> None:
    model = ScriptedGenerator()
    assert value_of(skills(model).select(QUESTION, PASSAGES[:3], 3)) == (0, 1, 2)
    assert value_of(skills(model).cite("It burned.", PASSAGES[:1])) == (0,)
    assert value_of(skills(model).cite("It burned.", [])) == ()
    assert value_of(skills(model).sufficient(QUESTION, [])) == Sufficiency(False, 0.0)


@pytest.mark.parametrize(("yes", "sufficient"), [(0.8, True), (0.3, False)])
@pytest.mark.parametrize("wording", ["veracite", "llatrieval"])
def test_sufficient_by_yes_or_no(yes: float, sufficient: bool, wording: str) -> None:
    model = ScriptedGenerator(preferring=lambda text, options: [yes, 1 - yes])
    found = value_of(skills(model, wording).sufficient(QUESTION, PASSAGES))
    assert found == Sufficiency(sufficient, yes)


@pytest.mark.parametrize(("tau", "sufficient"), [(7.5, True), (8.0, False)])
def test_sufficient_by_a_score(tau: float, sufficient: bool) -> None:
    shares = [0.0] * 7 + [0.5, 0.5, 0.0, 0.0]
    model = ScriptedGenerator(preferring=lambda text, options: shares)
    found = value_of(skills(model).sufficient(QUESTION, PASSAGES, tau=tau))
    assert found == Sufficiency(sufficient, 7.5)
    assert model.calls[0].options == tuple(str(n) for n in range(11))


def test_what_is_missing_is_asked_for_or_imagined() -> None:
    model = ScriptedGenerator(['"Who was Anna Berg?"', "Anna Berg was a miller.", "", ""])
    prompted = skills(model, "llatrieval")
    assert value_of(prompted.missing(QUESTION, PASSAGES, style="question")) == "Who was Anna Berg?"
    assert value_of(prompted.missing(QUESTION, PASSAGES)) == "Anna Berg was a miller."
    asked = [call.messages[0].parts[0] for call in model.calls]
    assert "genereate a new question" in asked[0]
    assert "genereate correct answering passages" in asked[1]
    assert value_of(prompted.missing(QUESTION, PASSAGES)) == QUESTION


def test_an_answer_is_written_sentence_by_sentence_to_its_end() -> None:
    replies = ["Dr. Berg sold it [1]. It burned.", "Endings are hard.", "Dr. Berg sold it.", "END"]
    model = ScriptedGenerator([*replies, ""])
    so_far: list[str] = []
    said = []
    for _ in range(5):
        claim = value_of(skills(model).next_claim(QUESTION, PASSAGES, so_far, DEFAULT_WRITING))
        said.append(claim)
        so_far += [claim.text] if claim else []
    assert said == [Draft("Dr. Berg sold it."), Draft("Endings are hard."), None, None, None]
    assert 'Answer so far: ""\n' in model.calls[0].text
    assert 'Answer so far: "Dr. Berg sold it."\n' in model.calls[1].text


def test_queries_are_different_and_few() -> None:
    model = ScriptedGenerator(["1. mill owner\n2. mill owner\n3. Anna Berg\n4. more", "", ""])
    prompted = skills(model, "vtg")
    assert value_of(prompted.queries(QUESTION, ["It is old."], "She owned it.", 2)) == (
        "mill owner",
        "Anna Berg",
    )
    text = model.calls[0].text
    assert "The context is as follows: It is old.. The claim is: She owned it.." in text
    assert "generate up to 2 questions" in text
    assert value_of(prompted.queries(QUESTION, [], "She owned it.", 2)) == ("She owned it.",)


def test_a_passage_is_made_shorter_or_said_to_be_irrelevant() -> None:
    model = ScriptedGenerator(["Anna owned it.", "Irrelevant.", "", ""])
    prompted = skills(model)
    assert value_of(prompted.summarise(QUESTION, PASSAGES[0])) == "Anna owned it."
    assert value_of(prompted.extract(QUESTION, PASSAGES[0])) is None
    assert value_of(prompted.summarise(QUESTION, PASSAGES[0])) == PASSAGES[0].text
