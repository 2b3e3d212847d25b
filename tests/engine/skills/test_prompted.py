"""The skills on a language model: what is asked, and what is made of the reply."""

import math
from collections.abc import Sequence

import pytest
from readings import claim
from scripted_generator import LOGPROB, ScriptedGenerator, passage
from stepping import run, value_of

from veracite.engine.errors import SettingsError
from veracite.engine.events import Asked, Shortened, Streamed, Unusable
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, Style, Sufficiency, Writing
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.engine.types import Judgement, Scores, Task
from veracite.index.documents import Passage
from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Sampling

BURNED = passage("The mill burned down in 1904.", "Mills")
OWNER = passage("Anna Berg owned it. She had bought it from her uncle in 1889.")
QUESTION = "When did the mill burn down?"


def skills(model: ScriptedGenerator, *wordings: str) -> PromptedSkills:
    return PromptedSkills(model, Prompts.load(), wordings=wordings)


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
    writing = Writing("short", samples=3, temperature=1.1, tokens=7)
    drafts, events = run(skills(model, "refeed").answer(QUESTION, writing=writing))
    assert [draft.text for draft in drafts] == ["1904", "1905", "1904"]
    told = [(call.sampling, call.limit) for call in model.calls]
    assert told == [(Sampling(1.1, 0.9, seed), 7) for seed in range(3)]
    assert not any(isinstance(event, Streamed) for event in events)
    model = ScriptedGenerator(["1904"])
    value_of(skills(model).answer(QUESTION))
    assert model.calls[0].sampling == Sampling()


def test_reasoning_comes_first_and_is_not_the_answer() -> None:
    model = ScriptedGenerator(["The passage says 1904.", "1904"])
    writing = Writing("short", reasoning=True)
    (draft,), events = run(skills(model).answer(QUESTION, [BURNED], writing=writing))
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


def test_an_answer_comes_to_the_matter_and_says_nothing_twice() -> None:
    reply = "In [1], it burned. By 1904 it was gone [2]. By 1904 it was gone. In 1905, it was."
    (draft,) = value_of(skills(ScriptedGenerator([reply])).answer(QUESTION, [BURNED, OWNER]))
    assert draft.text == "It burned [1]. By 1904 it was gone [2]. In 1905, it was."


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("Based on the passages provided, Anna owned it.", "Anna owned it."),
        ("According to passages 1 and 2, it burned.", "It burned [1][2]."),
        ("According to passage 1 it burned [2].", "It burned [2][1]."),
        ("It is kept in these documents: [1] and [2]. It burned.", "It burned."),
        ("1. It burned in 1904.\n2. It burned in 1904.", "1. It burned in 1904."),
        ("Well, so\n</think>\n\nIt burned [1].", "It burned [1]."),
        # What is none of that stays.
        *[(said, said) for said in (
            "In passages by him, Ida denies it.",
            "According to [1], it burned in 1904, but according to [2], in 1905.",
            "In passage 2 of the lease, the tenant waives it [1].",
            "It is the firm that the mill was sold to [1]. Hours: [1] 9 to 5.",
            "The cause was a lightning strike: [1] and [2]. It was not as told in [1].",
            "Room 12: the rent is 900 kroner [1]. Room 14: the rent is 900 kroner [2].",
            "The tag </think> closes it [1].",
        )],
    ],
)  # fmt: skip
def test_what_small_models_say_besides_is_left_out(reply: str, text: str) -> None:
    model = ScriptedGenerator([reply, "Well."])
    (draft,) = value_of(skills(model).answer(QUESTION, [BURNED, OWNER]))
    assert draft.text == text


def test_an_answer_that_is_cut_ends_with_its_last_whole_sentence() -> None:
    for said, cut, left in (
        ("It burned in 1904 [1].", " Anna owned it and", "It burned in 1904 [1]."),
        (
            "<think>Well.</think>It burned in 1904 [1].",
            " Anna owned it [",
            "It burned in 1904 [1].",
        ),
        ("Rooms:\n\n- The first [1]", "\n- The", "Rooms:\n\n- The first [1]"),
        ("It burned in 1904", " and so", "It burned in 1904 and so"),
    ):
        model = ScriptedGenerator([said + cut + " " * 2000])
        (draft,) = value_of(skills(model).answer(QUESTION, [BURNED, OWNER]))
        assert draft.text == left


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
    mine = "In [3], bees sleep (passage 3). Bees wake at noon. Bees wake at noon."
    model.replies = [model.replies[0], f"Based on the passages, the mill burned. {mine}", "", ""]
    draft = value_of(prompted.revise(f"The mill stands. {mine}", [claim("It stands.")], [BURNED]))
    assert draft.text == f"The mill burned. {mine}", "without what is said of the passages"
    kept = value_of(prompted.revise(text, [claim("The mill stands.")], [BURNED], question="Well?"))
    assert kept == Draft(text)
    assert "Question: Well?" in model.calls[2].text


def test_passages_that_do_not_fit_are_dropped_and_a_question_is_refused() -> None:
    passages = [BURNED, OWNER, passage("Bees " * 300 + "sleep.")]
    model = ScriptedGenerator(["1904"], context=332)
    _, events = run(skills(model).answer(QUESTION, passages, writing=Writing("short")))
    assert events[0] == Shortened("answer_short", 1, 0, (passages[2].id,))
    assert OWNER.text in model.calls[0].text
    assert "Bees" not in model.calls[0].text
    for question, given in (("When? " * 300, BURNED), (QUESTION, passage("bees " * 300))):
        with pytest.raises(ModelError, match=r"longer than the 332 tokens .* larger --context"):
            run(skills(model).answer(question, [given], writing=Writing("short")))
    assert len(model.calls) == 1


def test_a_skill_that_is_closed_closes_its_stream() -> None:
    model = ScriptedGenerator(["one two three"])
    steps = skills(model).answer(QUESTION)
    assert next(steps) == Streamed("one ")
    steps.close()
    assert model.closed == 1


BEES = passage("Bees sleep at night.")
STANDS = "The mill stands."
GONE = "The mill is gone."


def task(text: str, *passages: Passage) -> Task:
    return Task(claim(text), passages)


def by_words(text: str, options: Sequence[str]) -> Sequence[float]:
    """The first option if passage and claim agree, the second if not, the last without a mill."""
    assert len(options) == 3
    if "burned" not in text:
        return [0.1, 0.1, 0.8]
    return [0.85, 0.05, 0.1] if GONE in text else [0.05, 0.85, 0.1]


def test_each_passage_is_judged_alone_and_all_together() -> None:
    model = ScriptedGenerator(preferring=by_words)
    tasks = [task(GONE, BURNED, BEES), task(STANDS, BURNED)]
    judged, events = run(skills(model).judge(tasks, joint=True))
    supported, contradicted = Scores(0.85, 0.1, 0.05), Scores(0.05, 0.1, 0.85)
    assert judged[0] == Judgement((supported, Scores(0.1, 0.8, 0.1)), supported)
    assert judged[1] == Judgement((contradicted,), contradicted)
    # One passage alone and all of one passage are the same question.
    assert len(model.calls) == 4
    assert [type(event) for event in events] == [Asked] * 4
    assert {len(call.messages[-1].parts) for call in model.calls} == {2, 3}


def test_the_papers_judge_reasons_first_and_has_two_labels() -> None:
    model = ScriptedGenerator(["It burned, so it is gone."], lambda text, options: [0.9, 0.1])
    steps = skills(model, "ceg").judge([task(GONE, BURNED)])
    [judged], events = run(steps)
    assert judged.passages == (Scores(0.9, 0.0, 0.1),)
    thinking, choosing = model.calls
    assert thinking.text.endswith("Output:")
    assert choosing.options == ("Factual", "Nonfactual")
    assert choosing.messages[-2].parts == ("It burned, so it is gone.",)
    thought, chosen = [event for event in events if isinstance(event, Asked)]
    assert (thought.generated, chosen.generated) == (6, 0)
    assert (thought.reply, chosen.reply) == ("It burned, so it is gone.", "")
    assert (thought.messages, chosen.messages) == (thinking.messages, choosing.messages)
    assert (thought.options, chosen.options) == ({}, {"Factual": 0.9, "Nonfactual": 0.1})


def test_what_is_too_long_is_trimmed_left_out_or_undecided_and_this_is_said() -> None:
    model = ScriptedGenerator(preferring=by_words, context=282)
    sentences = passage("The mill burned down in 1904. " + "It was old. " * 100)
    endless = passage("bees " * 300)
    tasks = [task(GONE, sentences, endless), task("mill " * 300, BURNED)]
    (judged, undecided), events = run(skills(model).judge(tasks))
    assert judged.passages[0] is not None
    assert judged.passages[1] is None
    assert undecided == Judgement((None,), None, {0: ""})
    assert [type(event) for event in events] == [Shortened, Shortened, Unusable, Unusable, Asked]
    assert events[0] == Shortened("judge", 0, 1, (sentences.id,))
    assert events[1] == Shortened("judge", 1, 0, (endless.id,))
    assert set(judged.cut) == {0, 1}
    assert sentences.text.startswith(judged.cut[0])
    assert judged.cut[0] in model.calls[0].text
    assert judged.cut[1] == ""


PASSAGES = [passage(f"Sentence number {n} of the mill.") for n in range(1, 13)]


def test_the_set_of_skills_says_on_which_model() -> None:
    assert skills(ScriptedGenerator()).id == "prompted scripted@000000000000"
    with pytest.raises(SettingsError, match="no prompts in the wording 'ours'"):
        skills(ScriptedGenerator(), "ours")


@pytest.mark.parametrize(
    ("replies", "places", "ignored"),
    [
        (["12 3 3 7"], (11, 2, 6), []),
        (["Selected Documents: [2], 6,8."], (1, 5, 7), []),
        (["Passage 2 (see 1.5 and B-3)"], (1,), []),
        (["0 4 13"], (3,), ["it names passages that do not exist (0, 13), which was ignored"]),
        (["none of them", "0 99"], (0, 1, 2, 3, 4), ["it names no passage from 1 to 12"] * 2),
    ],
)
def test_a_selection_keeps_the_order_of_the_reply_and_what_there_is(
    replies: list[str], places: tuple[int, ...], ignored: list[str]
) -> None:
    model = ScriptedGenerator(replies)
    found, events = run(skills(model).select(QUESTION, PASSAGES, 5))
    unusable = [event.reason for event in events if isinstance(event, Unusable)]
    assert (found, unusable) == (places, ignored)
    assert all(unusable[0] in call.text for call in model.calls[1:])
    grammar = model.calls[0].grammar or ""
    assert '(" " number){0,4}' in grammar
    assert '"12"' in grammar
    assert '"13"' not in grammar


def test_nothing_is_asked_where_nothing_is_to_be_chosen() -> None:
    model = ScriptedGenerator()
    assert value_of(skills(model).select(QUESTION, PASSAGES[:3], 3)) == (0, 1, 2)
    assert value_of(skills(model).cite("It burned.", PASSAGES[:1], 3)) == (0,)
    assert value_of(skills(model).cite("It burned.", [], 3)) == ()
    assert value_of(skills(model).sufficient(QUESTION, [])) == Sufficiency(False, 0.0)


@pytest.mark.parametrize(
    ("wording", "tau", "shares", "found"),
    [
        ("veracite", None, [0.8, 0.2], Sufficiency(True, 0.8)),
        ("veracite", None, [0.3, 0.7], Sufficiency(False, 0.3)),
        ("llatrieval", None, [0.8, 0.2], Sufficiency(True, 0.8)),
        ("veracite", 7.5, [0.0] * 7 + [0.5, 0.5, 0.0, 0.0], Sufficiency(True, 7.5)),
        ("veracite", 8.0, [0.0] * 7 + [0.5, 0.5, 0.0, 0.0], Sufficiency(False, 7.5)),
    ],
)
def test_sufficient_by_yes_or_no_or_by_a_score(
    wording: str, tau: float | None, shares: list[float], found: Sufficiency
) -> None:
    model = ScriptedGenerator(preferring=lambda text, options: shares)
    assert value_of(skills(model, wording).sufficient(QUESTION, PASSAGES, tau=tau)) == found
    if tau:
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
    replies = ["Dr. Berg sold it [1]. It burned.", " Endings are hard.", "Dr. Berg sold it.", ""]
    model = ScriptedGenerator(replies)
    so_far: list[str] = []
    said = []
    for _ in range(4):
        claim = value_of(skills(model).next_claim(QUESTION, PASSAGES, so_far))
        said.append(claim)
        so_far += [claim.text] if claim else []
    assert said == [Draft("Dr. Berg sold it."), Draft("Endings are hard."), None, None]
    assert model.calls[0].messages[-1].role == "user"
    assert model.calls[1].messages[-1] == Message("assistant", ("Dr. Berg sold it.",))


def test_queries_are_different_and_few() -> None:
    model = ScriptedGenerator(["1. mill owner\n2. mill owner\n3. Anna Berg\n4. more", "", ""])
    prompted = skills(model, "vtg")
    found = value_of(prompted.queries(QUESTION, [], ["It is old."], "She owned it.", 2))
    assert found == ("mill owner", "Anna Berg")
    text = model.calls[0].text
    assert "The context is as follows: It is old.. The claim is: She owned it.." in text
    assert "generate up to 2 questions" in text
    assert value_of(prompted.queries(QUESTION, [], [], "She owned it.", 2)) == ("She owned it.",)


def test_a_passage_is_made_shorter_or_said_to_be_irrelevant() -> None:
    model = ScriptedGenerator(["Anna owned it.", "Irrelevant.", "", ""])
    prompted = skills(model)
    assert value_of(prompted.summarise(QUESTION, PASSAGES[0])) == "Anna owned it."
    assert value_of(prompted.extract(QUESTION, PASSAGES[0])) is None
    assert value_of(prompted.summarise(QUESTION, PASSAGES[0])) == PASSAGES[0].text
