"""Why a claim stays as it was: what stands nearest, and how it differs."""

import pytest
from reports import citation

from veracite.engine.methods.fix import why_left
from veracite.engine.types import Claim, Label, Relation, Verdict

BURNED = "The Harrow mill burned down in 1911."


def left(statement: str, label: Label, *quotes: str) -> str:
    claim = Claim(statement, 0, len(statement), statement, statement)
    relation: Relation = "contradicts" if label is Label.CONTRADICTED else "nearest"
    cited = tuple(citation(quote, relation) for quote in quotes)
    return why_left(Verdict(claim, label, 0.9, None, "script", "No.", cited), "Nothing fits.")


@pytest.mark.parametrize(
    ("statement", "label", "quote", "told"),
    [
        (BURNED, Label.CONTRADICTED, "The Harrow mill burned down in 1904.",
         "What stands nearest says “1904”, not “1911”."),
        ("The mayor sings in Peru.", Label.NOT_FOUND, "The mayor swims.",
         "What stands nearest does not speak of “sings” or “Peru”."),
        ("The mayor sings.", Label.UNCERTAIN, "The singing mayor sings often.",
         "What stands nearest has its words, but does not clearly say the same."),
    ],
)  # fmt: skip
def test_how_the_nearest_sentence_differs_is_told(
    statement: str, label: Label, quote: str, told: str
) -> None:
    assert left(statement, label, quote) == f"Nothing fits. {told}"


def test_that_nothing_is_near_is_told() -> None:
    told = left(BURNED, Label.NOT_FOUND)
    assert told == "Nothing fits. Nothing in the documents is near it."
