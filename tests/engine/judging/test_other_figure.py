"""A sentence that says the same with another figure decides, unless another one supports it."""

import pytest
from readings import claim, evidence, raw_text_of, reading

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Label
from veracite.models.entailment import Verifier

NEUTRAL, DENIED = (0.02, 0.96, 0.02), (0.01, 0.03, 0.96)
BURNED = "The mill burned down in 1904."
AGAIN = "In 1905 the mill burned down again."


@pytest.mark.parametrize(
    ("statement", "others", "contradicted"),
    [
        ("The mill burned down in 1905.", {}, True),
        ("The mill burned down in 1905.", {AGAIN: (0.95, 0.04, 0.01)}, False),
        ("The mill burned down in the storm.", {}, False),
        ("Some 1,905 sheep grazed there.", {}, False),
    ],
)
def test_another_figure_in_the_same_sentence_decides(
    verifier: Verifier,
    statement: str,
    others: dict[str, tuple[float, float, float]],
    contradicted: bool,
) -> None:
    items = [evidence("a", [BURNED], rank=1)]
    items += [evidence("b", [text], rank=2) for text in others]
    told = {BURNED: DENIED, **others}
    read = reading(claim(statement), items, [NEUTRAL] * len(items), told, joint=NEUTRAL)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(*items))
    verdict = judge.conclude(read)
    assert (verdict.label is Label.CONTRADICTED) is contradicted
    if contradicted:
        assert [c.quote for c in verdict.citations] == [BURNED]
