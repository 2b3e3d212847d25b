"""What a sentence compares decides on a claim that compares the same, whatever is read into it."""

import pytest
from readings import CONTRADICTED, SUPPORTED, claim, evidence, raw_text_of, reading

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Label, Scores
from veracite.models.verifier import Verifier

DUCKS = "Ducks are smaller than swans."


@pytest.mark.parametrize(
    ("statement", "read", "label"),
    [
        ("Ducks are larger than swans.", SUPPORTED, Label.CONTRADICTED),
        ("Swans are larger than ducks.", CONTRADICTED, Label.SUPPORTED),
    ],
)
def test_a_comparison_is_decided_by_the_one_that_is_told(
    verifier: Verifier, statement: str, read: tuple[float, float, float], label: Label
) -> None:
    item = evidence("ducks", [DUCKS])
    said = reading(claim(statement), [item], [read], {DUCKS: read}, joint=read)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    verdict = judge.settle(said, Scores(*read), judge.id)
    assert verdict.label is label
    (citation,) = verdict.citations
    assert citation.relation == ("supports" if label is Label.SUPPORTED else "contradicts")
    assert citation.quote == DUCKS
    assert verdict.probability == citation.probability == 0.9
