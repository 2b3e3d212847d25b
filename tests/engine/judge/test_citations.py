"""What a verdict quotes, for itself and beside it."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from readings import CONTRADICTED, NEUTRAL, claim, evidence, raw_text_of, reading

from veracite.engine.judge.citations import cite
from veracite.engine.judge.decision import Decided
from veracite.engine.judge.explain import explain
from veracite.engine.types import Label, Scores

SAID, ENDED, DENIED = "Tenants get interest.", "That ended in May.", "Deposits bear no interest."


def last(pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """Scores by which the last sentence denies the claim."""
    return np.array([*[NEUTRAL] * (len(pairs) - 1), CONTRADICTED], dtype=np.float32)


@pytest.mark.parametrize(
    ("label", "quoted"),
    [
        (Label.SUPPORTED, {"supports": SAID, "contradicts": DENIED}),
        (Label.CONTRADICTED, {"contradicts": ENDED}),
    ],
)
def test_what_is_read_with_the_quoted_sentence_is_no_other_side(
    label: Label, quoted: dict[str, str]
) -> None:
    items = [evidence("a", [SAID, ENDED]), evidence("b", [DENIED], rank=2)]
    found = reading(claim("Tenants get interest on deposits."), items)
    texts = [premise.text for premise in found.premises.premises]
    both, elsewhere = texts.index(f"{SAID} {ENDED}"), texts.index(DENIED)
    supporting = ((both if label is Label.CONTRADICTED else texts.index(SAID), 0.8),)
    decided = Decided(label, 0.9, Scores(0.5, 0, 0.5), supporting, ((both, 0.9), (elsewhere, 0.8)))
    cited = cite(found, decided, raw_text_of(*items), last)
    assert {one.relation: one.quote for one in reversed(cited)} == quoted


def test_the_word_that_says_the_opposite_is_named() -> None:
    items = [evidence("a", ["The bridge opened after the war."])]
    found = reading(claim("The bridge opened before the war."), items)
    decided = Decided(Label.CONTRADICTED, 0.9, Scores(0, 0.1, 0.9), ((0, 0.0),), ((0, 0.9),))
    told = explain(found, decided, cite(found, decided, raw_text_of(*items), last), 0.5)
    assert "“before”" in told
    assert "“after”" in told
