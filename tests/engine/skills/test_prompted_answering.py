"""Answers, refined and corrected ones: what is asked, what is made of the reply."""

import math

import pytest
from scripted_generator import LOGPROB, ScriptedGenerator, passage
from stepping import run, value_of

from veracite.engine.events import Asked, Shortened, Streamed, Unusable
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, Style, Writing
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.engine.types import Claim
from veracite.index.documents import Passage
from veracite.models.errors import ModelError
from veracite.models.generator import Sampling

BURNED = passage("The mill burned down in 1904.", "Mills")
OWNER = passage("Anna Berg owned it. She had bought it from her uncle in 1889.")
QUESTION = "When did the mill burn down?"


def skills(model: ScriptedGenerator, *wordings: str) -> PromptedSkills:
    return PromptedSkills(model, Prompts.load(), wordings=wordings)


def claim(text: str) -> Claim:
    return Claim(text, 0, len(text), text, text)


def test_an_answer_streams_and_says_what_it_cost() -> None:
    model = ScriptedGenerator(["It burned in 1904 [1]."])
    (draft,), events = run(skills(model).answer(QUESTION, [BURNED, OWNER]))
    assert draft.text == "It burned in 1904 [1]."
    assert draft.mean_logprob == pytest.approx(LOGPROB)
    assert draft.mean_probability == pytest.approx(math.exp(LOGPROB))
    *streamed, asked = events
    assert "".join(e.text for e in streamed if isinstance(e, Streamed)) == draft.text
    assert isinstance(asked, Asked)
    assert asked.skill == "answer_cited"
    assert asked.prompt == skills(model).prompt("answer_cited").id
    assert (asked.prefilled, asked.generated) == (model.count(model.calls[0].messages), 5)


@pytest.mark.parametrize(
    ("style", "passages", "prompt"),
    [
        ("cited", [BURNED], "answer_cited"),
        ("short", [BURNED], "answer_short"),
        ("cited", [], "draft"),
        ("short", [], "draft_short"),
    ],
)
def test_each_style_has_its_prompt(style: Style, passages: list[Passage], prompt: str) -> None:
    model = ScriptedGenerator(["In 1904"])
    _, events = run(skills(model).answer(QUESTION, passages, writing=Writing(style)))
    assert [e.skill for e in events if isinstance(e, Asked)] == [prompt]
    assert QUESTION in model.calls[0].text
    assert (BURNED.text in model.calls[0].text) == bool(passages)
    assert (model.calls[0].grammar is not None) == (style == "short")


def test_a_single_answer_is_greedy_and_several_are_sampled() -> None:
    model = ScriptedGenerator(["1904", "1905", "1904"])
    drafts, events = run(
        skills(model, "refeed").answer(
            QUESTION, writing=Writing("short", samples=3, temperature=1.1, tokens=7)
        )
    )
    assert [draft.text for draft in drafts] == ["1904", "1905", "1904"]
    assert [call.sampling for call in model.calls] == [
        Sampling(1.1, 0.9, seed) for seed in range(3)
    ]
    assert [call.limit for call in model.calls] == [7, 7, 7]
    assert not any(isinstance(event, Streamed) for event in events)
    model = ScriptedGenerator(["1904"])
    value_of(skills(model).answer(QUESTION))
    assert model.calls[0].sampling == Sampling()


def test_reasoning_comes_first_and_is_not_the_answer() -> None:
    model = ScriptedGenerator(["The passage says 1904.", "1904"])
    (draft,), events = run(
        skills(model).answer(QUESTION, [BURNED], writing=Writing("short", reasoning=True))
    )
    assert draft.text == "1904"
    assert [e.text for e in events if isinstance(e, Streamed)] == ["1904"]
    thinking, concluding = model.calls
    assert thinking.text.endswith("\nThink step by step first: what do the passages say?")
    assert thinking.grammar is None
    assert concluding.messages[: len(thinking.messages)] == thinking.messages
    assert [m.role for m in concluding.messages[-2:]] == ["assistant", "user"]
    assert concluding.messages[-2].parts == ("The passage says 1904.",)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("  The answer is: 1904\nbecause", "1904"),
        ("So the answer is Anna Berg", "Anna Berg"),
        ("Answering Machine", "Answering Machine"),
        ("18. May 1980", "18. May 1980"),
        ("<think>\nHm. 1905?\n</think>\n\n1904", "1904"),
    ],
)
def test_a_short_answer_is_read_without_what_surrounds_it(reply: str, text: str) -> None:
    asked = skills(ScriptedGenerator([reply])).answer(QUESTION, writing=Writing("short"))
    assert value_of(asked) == (Draft(text, math.exp(LOGPROB), LOGPROB),)


@pytest.mark.parametrize(
    ("reply", "text", "wrong"),
    [
        ("It burned [1, 2]. It is gone [2].", "It burned [1][2]. It is gone [2].", []),
        ("It burned [4]. [0] Gone [1][17].", "It burned. Gone [1].", ["(4, 0, 17)"]),
    ],
)
def test_a_citation_of_a_passage_that_does_not_exist_is_taken_out_and_said(
    reply: str, text: str, wrong: list[str]
) -> None:
    (draft,), events = run(skills(ScriptedGenerator([reply])).answer(QUESTION, [BURNED, OWNER]))
    unusable = [event for event in events if isinstance(event, Unusable)]
    assert (draft.text, [one.reply for one in unusable]) == (text, [reply] * len(wrong))
    assert all(numbers in one.reason for numbers, one in zip(wrong, unusable, strict=True))


def test_an_unusable_reply_is_asked_again_once_with_the_reason() -> None:
    model = ScriptedGenerator(["", "1904"])
    (draft,), events = run(skills(model).answer(QUESTION, [BURNED], writing=Writing("short")))
    assert draft.text == "1904"
    [unusable] = [event for event in events if isinstance(event, Unusable)]
    assert (unusable.reason, unusable.reply, unusable.attempt) == ("it is empty", "", 1)
    first, second = model.calls
    assert second.text == f"{first.text}\n{second.text.removeprefix(first.text).strip()}"
    assert "could not be used: it is empty" in second.text
    model = ScriptedGenerator(["", "..."])
    drafts, events = run(skills(model).answer(QUESTION, [BURNED]))
    assert drafts == (Draft(""),)
    assert [e.attempt for e in events if isinstance(e, Unusable)] == [1, 2]


def test_refining_gives_the_first_answers_and_keeps_the_first_of_them() -> None:
    model = ScriptedGenerator(["1904", "", ""])
    given = (QUESTION, ["1905", "1906"], [BURNED], DEFAULT_WRITING)
    assert value_of(skills(model).refine(*given)).text == "1904"
    assert "- 1905\n- 1906\n" in model.calls[0].text
    assert value_of(skills(model).refine(*given)) == Draft("1905")


def test_revising_names_the_wrong_sentences_and_keeps_the_text_where_it_must() -> None:
    text = "The mill stands [12].\n\nBees sleep."
    model = ScriptedGenerator(["The mill burned [12].\n\nBees sleep.", "", ""])
    prompted = skills(model)
    draft = value_of(prompted.revise(text, [claim("The mill stands.")], [BURNED]))
    assert draft.text == "The mill burned [12].\n\nBees sleep."
    assert f"<text>\n{text}\n</text>\nWrong sentences:\n- The mill stands.\n" in model.calls[0].text
    assert "Question" not in model.calls[0].text
    kept = value_of(prompted.revise(text, [claim("The mill stands.")], [BURNED], question="Well?"))
    assert kept == Draft(text)
    assert "Question: Well?" in model.calls[1].text


def test_passages_that_do_not_fit_are_dropped_and_this_is_said() -> None:
    passages = [BURNED, OWNER, passage("Bees " * 300 + "sleep.")]
    model = ScriptedGenerator(["1904"], context=332)
    _, events = run(skills(model).answer(QUESTION, passages, writing=Writing("short")))
    assert events[0] == Shortened("answer_short", 1, 0, (passages[2].id,))
    assert OWNER.text in model.calls[0].text
    assert "Bees" not in model.calls[0].text


def test_a_question_that_does_not_fit_is_an_error_that_says_what_to_do() -> None:
    model = ScriptedGenerator(["1904"], context=332)
    with pytest.raises(ModelError, match=r"longer than the 332 tokens .* larger --context"):
        run(skills(model).answer("When? " * 300, [BURNED]))
    assert not model.calls


def test_a_skill_that_is_closed_closes_its_stream() -> None:
    model = ScriptedGenerator(["one two three"])
    steps = skills(model).answer(QUESTION)
    assert next(steps) == Streamed("one ")
    steps.close()
    assert model.closed == 1
