"""Passages that do not fit: the last go first, then whole sentences."""

from collections.abc import Sequence

import pytest
from scripted_generator import passage

from veracite.engine.skills.prompted import fit
from veracite.index.documents import Passage

ONE = passage("The mill burned down in 1904.")
TWO = passage("Dr. Berg owned it. She had bought it in 1889. It cost little.")
THREE = passage("Bees sleep at night.")
AROUND = 10


def tokens(passages: Sequence[Passage]) -> int:
    """A prompt of ten words, and one more around each passage."""
    return AROUND + sum(1 + len(p.text.split()) for p in passages)


@pytest.mark.parametrize(
    ("room", "texts"),
    [
        (10 + 7 + 14 + 5, [ONE.text, TWO.text, THREE.text]),
        (10 + 7 + 14 + 4, [ONE.text, TWO.text]),
        (10 + 7 + 13, [ONE.text, "Dr. Berg owned it. She had bought it in 1889."]),
        (10 + 7 + 10, [ONE.text, "Dr. Berg owned it."]),
        (10 + 7 + 4, [ONE.text]),
        (10 + 6, []),
    ],
)
def test_what_fits(room: int, texts: list[str]) -> None:
    found = fit(tokens, [ONE, TWO, THREE], room)
    assert found is not None
    assert [p.text for p in found] == texts


def test_a_prompt_that_is_too_long_by_itself_fits_no_passage() -> None:
    assert fit(tokens, [ONE], AROUND - 1) is None
    assert fit(tokens, [], AROUND - 1) is None
    assert fit(tokens, [], AROUND) == ()
