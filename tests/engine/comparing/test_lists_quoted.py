"""A list's items behind the sentence that introduces them are quoted together with it."""

import numpy as np
import pytest
from readings import NEUTRAL, claim, evidence

from veracite.engine.comparing.premises import compose
from veracite.engine.comparing.reading import Reading
from veracite.index.documents import Passage, Sentence

LEAD = "Members can borrow the following things:"
TOLD = ["It lends much.", LEAD, "1. two torches", "2. a tent for six people", "3. a map"]


def sentences_of(passage: Passage) -> list[Sentence]:
    starts = [passage.text.index(one) for one in TOLD]
    return [Sentence(at, at + len(one), 1, one) for at, one in zip(starts, TOLD, strict=True)]


def quoted(said: str) -> str | None:
    """What is quoted word for word for a claim."""
    item = evidence("lend", TOLD)
    premises = compose(claim(said), [item], sentences_of, lambda premise, hypothesis: True)
    read = Reading(premises, np.array([NEUTRAL] * len(premises.forms), dtype=np.float32))
    if (found := read.verbatim) is None:
        return None
    return item.passage.text[found.sentence.start : found.sentence.end]


@pytest.mark.parametrize(
    ("said", "last"),
    [
        (f"{LEAD} two torches; a tent for six people; a map.", 5),
        (f"{LEAD} two torches; a tent for six people.", 4),
    ],
)
def test_a_list_is_quoted_from_its_lead_to_the_last_item_said(said: str, last: int) -> None:
    assert quoted(said) == " ".join(TOLD[1:last])


@pytest.mark.parametrize(
    "said",
    [
        f"{LEAD} two torches; a tent for five people; a map.",
        f"{LEAD} a tent for six people; two torches.",
        f"{LEAD} two torches; a map.",
        "Members can borrow two torches; a tent for six people; a map.",
    ],
)
def test_what_is_otherwise_in_the_list_is_not_quoted(said: str) -> None:
    assert quoted(said) is None
