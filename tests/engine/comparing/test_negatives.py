"""Denials without a "not"."""

import pytest

from veracite.engine.comparing.negatives import (
    denies_by_subject,
    is_second_hand,
    says_it_of_a_relative,
)

AGROUND = "On the voyage of 1906 the Valborg ran aground; nobody was killed, but she lost her mast."
FIRING = "The firing may be finished by hand, but no new one may be started."
MOTHER = "Her father kept the shop; it was her mother who taught her to draw and to press plants."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Several people lost their lives when the Valborg ran aground.", AGROUND),
        ("Some sailors were killed on the Valborg.", AGROUND),
        ("Members may start a new firing.", FIRING),
    ],
)
def test_nobody_and_nothing(said: str, told: str) -> None:
    assert denies_by_subject(said, told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Nobody was killed when the Valborg ran aground.", AGROUND),
        ("The Valborg lost her mast.", AGROUND),
        ("Several people saw the Valborg run aground.", AGROUND),
        ("Members may not start a new firing.", FIRING),
        ("Members may finish the firing by hand.", FIRING),
        ("Bread may be taken into the hall.", "No dogs may be taken into the hall."),
        ("Several people were killed.", "Twelve people were killed and nobody was saved."),
    ],
)
def test_what_nobody_and_nothing_leave_open(said: str, told: str) -> None:
    assert not denies_by_subject(said, told)


def test_another_relative() -> None:
    assert says_it_of_a_relative("She learned to draw from her father.", MOTHER)
    assert not says_it_of_a_relative("She learned to draw from her mother.", MOTHER)
    assert not says_it_of_a_relative("Her father kept a shop.", MOTHER)
    assert not says_it_of_a_relative("Her father taught her brother to read.", MOTHER)
    assert not says_it_of_a_relative("She did not learn to draw from her father.", MOTHER)


def test_new_and_second_hand() -> None:
    told = "The kiln was bought second-hand in 2014 and got new elements in 2020."
    assert is_second_hand("The kiln was bought new in 2014.", told)
    assert not is_second_hand("The kiln was bought in 2014 and got new elements.", told)
    assert not is_second_hand("The kiln was bought second-hand, not bought new.", told)
