"""The baselines: same skills, few steps."""

from pathlib import Path

from asking import ScriptedSkills, run, tools

from veracite.engine.events import Segmented
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.events import Began, Drafted, Searched, Settled
from veracite.engine.methods.running import run as ask
from veracite.engine.words import Label

MILL = "The mill burned down in 1904."
BEES = "Bees live in the mill at Harrow."


def test_retrieve_read_reads_what_it_found_and_judges_each_sentence_by_what_it_cites(
    tmp_path: Path,
) -> None:
    skills = ScriptedSkills({"answer": [f"{MILL[:-1]} [1]. Bees live there [2]."]})
    with tools(skills, [MILL, BEES, "Rain fell."], tmp_path) as (given, judge):
        method = named("retrieve-read")
        answer, events = run(ask(method, "When did the mill burn down?", given, method.settings()))
    assert skills.of("answer")[0]["passages"] == [MILL, BEES]
    assert answer.text == f"{MILL} Bees live there."
    assert [v.label for v in answer.verdicts] == [Label.SUPPORTED, Label.NOT_FOUND]
    assert judge.judged == [(MILL, [MILL]), ("Bees live there.", [BEES])]
    kinds = [type(event) for event in events]
    assert kinds[:4] == [Began, Searched, Drafted, Segmented]
    assert events[-1] == Settled(answer)
