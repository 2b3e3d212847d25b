"""Judging: one prompt for each claim and passage, answered by options alone."""

from collections.abc import Sequence

from scripted_generator import ScriptedGenerator, passage
from stepping import run

from veracite.engine.events import Asked, Shortened, Unusable
from veracite.engine.skills.base import Judgement, Task
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.engine.types import Claim, Scores
from veracite.index.documents import Passage

BURNED = passage("The mill burned down in 1904.")
BEES = passage("Bees sleep at night.")
STANDS = "The mill stands."
GONE = "The mill is gone."


def task(text: str, *passages: Passage) -> Task:
    return Task(Claim(text, 0, len(text), text, text), passages)


def by_words(text: str, options: Sequence[str]) -> Sequence[float]:
    """The first option if passage and claim agree, the second if not, the last without a mill."""
    assert len(options) == 3
    if "burned" not in text:
        return [0.1, 0.1, 0.8]
    return [0.85, 0.05, 0.1] if GONE in text else [0.05, 0.85, 0.1]


def skills(model: ScriptedGenerator, *wordings: str, reasons: bool = False) -> PromptedSkills:
    return PromptedSkills(model, Prompts.load(), wordings=wordings, judge_reasons=reasons)


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


def test_a_passage_too_long_is_trimmed_or_left_out_and_this_is_said() -> None:
    model = ScriptedGenerator(preferring=by_words, context=282)
    sentences = passage("The mill burned down in 1904. " + "It was old. " * 100)
    endless = passage("bees " * 300)
    [judged], events = run(skills(model).judge([task(GONE, sentences, endless)]))
    assert judged.passages[0] is not None
    assert judged.passages[1] is None
    assert [type(event) for event in events] == [Shortened, Shortened, Unusable, Asked]
    assert events[0] == Shortened("judge", 0, 1, (sentences.id,))
    assert events[1] == Shortened("judge", 1, 0, (endless.id,))
    assert set(judged.cut) == {0, 1}
    assert sentences.text.startswith(judged.cut[0])
    assert judged.cut[0] in model.calls[0].text
    assert judged.cut[1] == ""


def test_a_claim_too_long_is_undecided_and_stops_no_other() -> None:
    model = ScriptedGenerator(preferring=by_words, context=282)
    tasks = [task("mill " * 300, BURNED), task(GONE, BURNED)]
    (long, short), events = run(skills(model).judge(tasks, joint=True))
    assert long == Judgement((None,), None, {0: ""})
    assert short.cut == {}
    assert short.joint is not None
    assert [type(event) for event in events] == [Unusable, Asked]
