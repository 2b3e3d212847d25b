"""What holds for CEG, REFEED and the baselines whatever the skills say and the verdicts are."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from asking import ScriptedJudge, ScriptedSkills, run, tools
from hypothesis import given, settings
from hypothesis import strategies as st

from veracite.engine.events import Retrieved
from veracite.engine.methods.base import Tools
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.events import Searched
from veracite.engine.methods.running import run as ask
from veracite.engine.skills.base import Draft
from veracite.engine.types import Label

WORDS = "mill bees roof owl fire river".split()
LIBRARY = [f"The {word} is old. It stands by the {other}." for word in WORDS for other in WORDS[:3]]
SAID = [
    *(f"The {word} burned down" for word in WORDS),
    "1904",
    "It is 40 m",
    "than the roof it is older",
    "Who did it",
    "",
]
MARKS = ["", "", " [1]", " [2][1]", " [3-5]", " [0]", " [99]", " [1, 7]"]
METHODS = ["ceg", "refeed", "closed-book", "retrieve-read", "hyde", "vanilla", "summ", "snippet",
           "rerank"]  # fmt: skip


class Chance(ScriptedSkills):
    """Says anything, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._random = random.Random(seed)

    def _reply(self, skill: str, **given: Any) -> Any:
        chance = self._random
        if skill in ("summarise", "extract"):
            return chance.choice([None, "The mill burned down."])
        return tuple(self._draft() for _ in range(given.get("samples", 1)))

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
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), k=st.integers(1, 4))
def test_only_what_was_found_is_cited_and_what_is_supported_cites(
    bench: tuple[Tools, ScriptedJudge], name: str, seed: int, k: int
) -> None:
    given_, judge = bench
    judge.says = verdict_by(seed)
    method = named(name)
    has_k = "k" in method.settings.__dataclass_fields__
    chosen = method.settings(**({"k": k, "retrieval": "lexical"} if has_k else {}))
    answer, events = run(
        ask(method, "Is the mill old?", replace(given_, skills=Chance(seed)), chosen)
    )
    found = {
        item.passage.document.path
        for event in events if isinstance(event, Searched | Retrieved) for item in event.evidence
    }  # fmt: skip
    for verdict in answer.verdicts:
        claim = verdict.claim
        assert answer.text[claim.start : claim.end] == claim.text
        assert {citation.file for citation in verdict.citations} <= found
        if verdict.label is Label.SUPPORTED:
            assert "supports" in {citation.relation for citation in verdict.citations}
            assert claim.answers is None
    spans = [(verdict.claim.start, verdict.claim.end) for verdict in answer.verdicts]
    assert spans == sorted(spans)
