"""An answer of a few words is shown with what stands nearest, and never as supported."""

from pathlib import Path

from asking import ScriptedSkills, run, tools

from veracite.engine.methods.catalogue import named
from veracite.engine.methods.running import run as ask
from veracite.engine.types import Label

MILL = "The mill burned down in 1904."
ASKED = "When did the mill burn down?"


def test_a_few_words_are_judged_with_their_question_and_are_uncertain_at_best(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills({"answer": ["1904"]})
    with tools(skills, [MILL], tmp_path, says=lambda *_: Label.SUPPORTED) as (given, judge):
        method = named("retrieve-read")
        answer, events = run(ask(method, ASKED, given, method.settings()))
    assert judge.judged == [(f"{ASKED} 1904", [MILL])]
    (verdict,) = answer.verdicts
    assert verdict.label is Label.UNCERTAIN
    assert [(quote.quote, quote.relation) for quote in verdict.citations] == [(MILL, "nearest")]
    assert not any(getattr(event, "verdict", verdict).label is Label.SUPPORTED for event in events)


def test_what_contradicts_a_few_words_is_said(tmp_path: Path) -> None:
    skills = ScriptedSkills({"answer": ["1911"]})
    with tools(skills, [MILL], tmp_path, says=lambda *_: Label.CONTRADICTED) as (given, _):
        method = named("retrieve-read")
        answer, _ = run(ask(method, ASKED, given, method.settings()))
    assert answer.verdicts[0].label is Label.CONTRADICTED
