"""Which end of a span a claim gives, and what lies within it."""

import pytest

from veracite.engine.facts.spans import lies_within, swaps_ends

HOURS = "The pool is open from 8:00 to 20:30 on weekdays."
TERM = "Ivo Sand was the choir's conductor from 1987 to 1999."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The pool opens at 20:30.", HOURS),
        ("The pool closes at 8 am.", HOURS),
        ("Ivo Sand became conductor in 1999.", TERM),
        ("Ivo Sand retired as conductor in 1987.", TERM),
    ],
)
def test_the_other_end_is_another_time(said: str, told: str) -> None:
    assert swaps_ends(said, told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("The pool opens at 8 am.", HOURS),
        ("The pool closes at half past eight in the evening.", HOURS),
        ("The pool is open from 8:00 to 20:30.", HOURS),
        ("Ivo Sand became conductor in 1987.", TERM),
        ("Ivo Sand was conductor in 1999.", TERM),
        # The sentence has a word of its own for it.
        (
            "The new hall opened in 1950.",
            "The old hall stood from 1890 to 1950, when the new one opened.",
        ),
        ("The pool opens at 20:30.", "The pool opens at 20:30 on Fridays."),
    ],
)
def test_its_own_end_is_not(said: str, told: str) -> None:
    assert not swaps_ends(said, told)


@pytest.mark.parametrize(
    ("said", "told", "within"),
    [
        ("The pool is open at noon.", HOURS, True),
        ("The pool is open at 21:00.", HOURS, False),
        ("The pool opens at noon.", HOURS, False),
        ("The pool is open at 8:00.", HOURS, False),
        ("Ivo Sand was conductor in 1990.", TERM, False),
        ("The pool is open at noon.", "The pool is open at noon on Sundays.", False),
    ],
)
def test_what_lies_between_two_times(said: str, told: str, within: bool) -> None:
    assert lies_within(said, told) is within
