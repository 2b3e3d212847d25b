"""A sentence that says the same with another figure decides, unless another one supports it."""

import pytest
from readings import claim, evidence, raw_text_of, reading

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Label
from veracite.models.verifier import Verifier

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


HOLDS = "The tank of the still holds 6.5 litres."
UNSURE, SILENT = (0.55, 0.02, 0.43), (0.3, 0.5, 0.2)


@pytest.mark.parametrize(
    ("statement", "told", "row", "expected"),
    [
        ("The tank of the still holds 5.6 litres.", HOLDS, UNSURE, Label.CONTRADICTED),
        ("The tank of the still holds 5.6 litres.", HOLDS, SILENT, Label.UNCERTAIN),
        ("The tank of the pump holds 5.6 litres.", HOLDS, UNSURE, Label.UNCERTAIN),
        ("Rents in the town rose.", "Rents in the town fell.", UNSURE, Label.CONTRADICTED),
        (
            "The works closed because of the fire.",
            "The works closed in May, and not because of the fire.",
            (0.9, 0.05, 0.05),
            Label.CONTRADICTED,
        ),
    ],
)
def test_what_is_told_otherwise_is_denied_though_the_verifier_is_unsure(
    verifier: Verifier,
    statement: str,
    told: str,
    row: tuple[float, float, float],
    expected: Label,
) -> None:
    item = evidence("a", [told])
    read = reading(claim(statement), [item], [row], {told: row}, joint=row)
    judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
    assert judge.conclude(read).label is expected
