"""What holds for every method whatever the skills say and the verdicts are."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asking import ScriptedJudge, ScriptedSkills, run, tools
from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.engine.events import Judged, Remembered, Retrieved, Searched, Selected, Settled
from veracite.engine.methods.base import StepsEvent, Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.running import ask
from veracite.engine.methods.running import run as whole
from veracite.engine.methods.vtg import VTG
from veracite.engine.settings import with_values
from veracite.engine.skills.base import Draft
from veracite.engine.types import Answer, Label

WORDS = "mill bees roof owl fire river".split()
LIBRARY = [f"The {word} is old. It stands by the {other}." for word in WORDS for other in WORDS[:3]]
SAID = [f"The {word} burned down" for word in WORDS]
SAID += ["1904", "It is 40 m", "than the roof it is older", "Who did it", ""]
LINES = [f"The {word} burned down." for word in WORDS] + ["Who did it?", "1904", "...", None]
MARKS = ["", "", " [1]", " [2][1]", " [3-5]", " [0]", " [99]", " [1, 7]"]
METHODS = "ceg refeed llatrieval closed-book retrieve-read hyde summ rerank".split()
"""Methods, and presets of retrieve-read."""


class Chance(ScriptedSkills):
    """Says anything, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)

    def _reply(self, skill: str, **given: Any) -> Any:
        chance = self._random
        if skill == "next_claim":
            return chance.choice(LINES)
        if skill == "cite":
            return chance.choices(range(-1, 9), k=chance.randrange(5))
        if skill == "select":
            return chance.choices(range(-2, 9), k=chance.randrange(6))
        if skill == "sufficient":
            return chance.random() < 0.5
        if skill == "missing":
            return chance.choice([*WORDS, "zebra", ""])
        if skill == "queries":
            return chance.sample(WORDS, chance.randrange(4))
        if skill in ("summarise", "extract"):
            return chance.choice([None, "The mill burned down."])
        samples = given["writing"].samples if "writing" in given else 1
        return tuple(self._draft() for _ in range(samples))

    def _draft(self) -> Draft:
        chance = self._random
        said = chance.choices(SAID, k=chance.randrange(4))
        text = " ".join(f"{one}{chance.choice(MARKS)}{chance.choice('.!?')}" for one in said)
        probability = chance.choice([None, 0.2, 0.9])
        return Draft(text, probability, None if probability is None else probability - 1)


def verdict_by(seed: int) -> Any:
    """Labels by chance: any for a statement and passages, the same whenever they come again."""

    def says(statement: str, texts: Sequence[str]) -> Label:
        chance = random.Random(f"{seed} {statement} {sorted(texts)}")
        return chance.choices(list(Label)[:4], weights=[3, 1, 2, 1])[0]

    return says


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Tools, ScriptedJudge]]:
    with tools(ScriptedSkills(), LIBRARY, tmp_path_factory.mktemp("verdicts")) as given_:
        yield given_


@pytest.mark.parametrize("name", METHODS)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 4))
def test_only_what_was_found_is_cited_and_what_is_supported_cites(
    bench: tuple[Tools, ScriptedJudge], name: str, seed: int, k: int
) -> None:
    given_, judge = bench
    judge.says = verdict_by(seed)
    method = named("retrieve-read" if name in named("retrieve-read").presets else name)
    chosen = with_values(method.settings(), method.presets.get(name, {}))
    if name != "closed-book":
        chosen = replace(chosen, k=k, retrieval="lexical")
    if name == "llatrieval":
        chosen = replace(chosen, candidates=5, window=k + 2)
    here = replace(given_, skills=Chance(seed))
    answer, events = run(whole(method, "Is the mill old?", here, chosen))
    cites_what_was_found(answer, events)
    for verdict in answer.verdicts:
        claim = verdict.claim
        assert answer.text[claim.start : claim.end] == claim.text
        assert verdict.label is not Label.SUPPORTED or claim.answers is None
    spans = [(verdict.claim.start, verdict.claim.end) for verdict in answer.verdicts]
    assert spans == sorted(spans)
    for event in (event for event in events if isinstance(event, Selected)):
        assert 1 <= len(set(event.kept)) == len(event.kept) <= k
        assert {one.passage for one in event.kept} <= {one.passage for one in event.window}
        assert name != "llatrieval" or len(event.window) <= k + 2


VALUES: dict[str, st.SearchStrategy[int]] = {
    **{name: st.integers(1, 3) for name in "kMN"},
    **{"T": st.integers(0, 2), "most": st.integers(1, 6)},
    **{name: st.booleans() for name in ("simplifier", "memory", "verifier", "drop_unsupported")},
}


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), values=st.fixed_dictionaries(VALUES))
def test_whatever_is_said_the_answer_is_verified_and_memory_is_bounded(
    bench: tuple[Tools, ScriptedJudge], seed: int, values: dict[str, int]
) -> None:
    given_, judge = bench
    judge.says = verdict_by(seed)
    chosen = VTG.settings(**values)
    answer, events = run(VTG.run("Is the mill old?", replace(given_, skills=Chance(seed)), chosen))
    consistent(answer)
    cites_what_was_found(answer, events)
    if chosen.drop_unsupported:
        assert {verdict.label for verdict in answer.verdicts} <= {Label.SUPPORTED}
    assert len(answer.verdicts) <= chosen.most
    for event in events:
        if isinstance(event, Remembered):
            assert len(event.short) <= chosen.M * chosen.N
            ids = [item.passage.id for item in event.long + event.short]
            assert len(ids) == len(set(ids))


def cites_what_was_found(answer: Answer, events: Sequence[StepsEvent]) -> None:
    searches = [event for event in events if isinstance(event, Searched | Retrieved)]
    found = {item.passage.document.path for event in searches for item in event.evidence}
    for verdict in answer.verdicts:
        assert {citation.file for citation in verdict.citations} <= found
        if verdict.label is Label.SUPPORTED:
            assert "supports" in {citation.relation for citation in verdict.citations}


def consistent(answer: Answer) -> None:
    """Every sentence has its verdict, in order and in its place, and there is nothing else."""
    left = list(answer.text)
    for verdict in answer.verdicts:
        claim = verdict.claim
        assert answer.text[claim.start : claim.end] == claim.text
        left[claim.start : claim.end] = " " * (claim.end - claim.start)
    assert not "".join(left).strip(" .")


def test_wherever_it_is_stopped_what_was_settled_is_reported(tmp_path: Path) -> None:
    mill, bees, crows = "The mill burned.", "Bees live there.", "Crows nest there."
    script: dict[str, list[Any]] = {
        "next_claim": [mill, crows, bees, crows, crows, None],
        "cite": [[0], [], [0, 1], [0], [0]],
        "queries": [["bees"], ["crows"]],
    }
    judged: list[list[str]] = []
    with tools(ScriptedSkills(), [mill, bees], tmp_path) as (given_, _):
        count = 0
        complete = False
        while not complete:
            replies = {skill: list(lines) for skill, lines in script.items()}
            here = replace(given_, skills=ScriptedSkills(replies))
            answer, complete, events = stopped_after(count, here)
            settled = [event.answer for event in events if isinstance(event, Settled)]
            assert answer == (settled[-1] if settled else None)
            if answer is not None:
                consistent(answer)
                known = [e.verdict for e in events if isinstance(e, Judged)]
                assert all(verdict in known for verdict in answer.verdicts)
                judged.append([verdict.claim.text for verdict in answer.verdicts])
            count += 1
    assert count > 20
    assert [one for n, one in enumerate(judged) if one not in judged[:n]] == [
        [mill], [mill, bees], [mill, bees, crows]
    ]  # fmt: skip


def stopped_after(count: int, given_: Tools) -> tuple[Answer | None, bool, list[StepsEvent]]:
    """The answer where somebody has had enough after so many events."""
    events: list[StepsEvent] = []
    chosen = VTG.settings(k=1, N=1, T=1)
    steps = ask(VTG, "When?  The mill burned?", given_, chosen, lambda: len(events) >= count)
    while True:
        try:
            events.append(next(steps))
        except StopIteration as end:
            return *end.value, events
