"""A claim whose figure stands in no quote is not supported by it."""

import pytest
from readings import claim, evidence, raw_text_of, reading

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.grounds import states_figures
from veracite.engine.judging.verify import Judge
from veracite.engine.words import Label
from veracite.models.verifier import Verifier

OPENED = "It was taken up the hill in six pieces, and the observatory opened on 21 September 1968."


@pytest.mark.parametrize(
    ("statement", "stated"),
    [
        ("The observatory opened in September 1968.", True),
        ("About 500 people came to the opening in 1968.", False),
        ("It opened on 22 September 1968.", False),
        ("It had two owners, and it opened in 1968.", True),  # few are named one by one
        ("It was the first of its kind.", True),
        ("Some 40 percent of the people came.", False),
    ],
)
def test_every_figure_must_stand_in_the_quotes_small_numbers_aside(
    statement: str, stated: bool
) -> None:
    assert states_figures(statement, [OPENED]) is stated


def test_figures_may_stand_in_different_quotes() -> None:
    statement = "In 1968 some 500 people came."
    assert not states_figures(statement, [OPENED])
    assert states_figures(statement, [OPENED, "We counted 503 people at the gate."])


def test_a_claim_with_a_figure_of_its_own_is_not_supported(verifier: Verifier) -> None:
    """Though the verifier takes a sentence without it for supporting."""
    so = (0.96, 0.03, 0.01)
    told = "Many people came to the opening in 1968."
    item = evidence("a", [told])
    for statement, label in (
        ("People came to the opening in 1968.", Label.SUPPORTED),
        ("About 500 people came to the opening in 1968.", Label.UNCERTAIN),
    ):
        read = reading(claim(statement), [item], [so], {told: so}, joint=so)
        judge = Judge(verifier, bundled_decision(), 0.6, lambda passage: (), raw_text_of(item))
        verdict = judge.conclude(read)
        assert verdict.label is label
    assert "500" in verdict.explanation
