"""Exceptions and earlier times that a claim leaves out."""

import pytest

from veracite.engine.comparing.provisos import excepts, is_of_earlier

DAILY = "The pool is open daily, except on Mondays."
LISTED = (
    "The terrace was listed as Grade II; the paddling pool, which had been altered, was left out."
)
STAFF = "The firm employed 310 people, against 290 a year before."


@pytest.mark.parametrize(
    ("said", "told", "excepted"),
    [
        ("The pool is open on Mondays.", DAILY, True),
        ("Cheese is included.", "All food is included with the exception of cheese.", True),
        ("The pool is open on Tuesdays.", DAILY, False),
        ("The pool is not open on Mondays.", DAILY, False),
        ("The pool is open daily except on Mondays.", DAILY, False),
        ("The pool is open on Mondays.", "The pool is open on Mondays.", False),
        ("The paddling pool is listed as Grade II.", LISTED, True),
        ("The terrace is listed as Grade II.", LISTED, False),
        ("The paddling pool was left out of the listing.", LISTED, False),
        ("Pensioners are exempt.", "Pensioners are exempt from the fee.", False),
    ],
)
def test_a_case_that_is_excepted(said: str, told: str, excepted: bool) -> None:
    assert excepts(told, said) is excepted


@pytest.mark.parametrize(
    ("said", "earlier"),
    [
        ("The firm employed 290 people.", True),
        ("The firm employed 310 people.", False),
        ("The firm employed 290 people a year before.", False),
    ],
)
def test_a_figure_of_an_earlier_time(said: str, earlier: bool) -> None:
    assert is_of_earlier(STAFF, said) is earlier
