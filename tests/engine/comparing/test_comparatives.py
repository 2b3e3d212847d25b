"""Comparisons are read with who has more of what, whichever of the two is told first."""

import pytest

from veracite.engine.comparing.comparatives import compares, is_turned_round

DUCKS = "Ducks are generally smaller and shorter-necked than swans and geese, their relatives."


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("Ducks are larger than swans and geese.", DUCKS, False),
        ("Ducks are larger than geese.", DUCKS, False),
        ("Swans are smaller than ducks.", DUCKS, False),
        ("Ducks are smaller than geese.", DUCKS, True),
        ("Swans are larger than ducks.", DUCKS, True),
        ("The mill is older than the church.", "The church is older than the mill.", False),
        ("The mill is older than the church.", "The church is younger than the mill.", True),
        ("Gold is less expensive than tin.", "Gold is more expensive than tin.", False),
        ("Tin is more expensive than gold.", "Gold is much more expensive than tin.", False),
        ("The tower is taller than the dome.", "The tower is 3 metres lower than the dome.", False),
        # Not the same two, not the same scale or time, or more than the sentence says:
        ("Ducks are larger than hens.", DUCKS, None),
        ("Eider ducks are larger than geese.", DUCKS, None),
        ("Ducks are larger than geese in winter.", DUCKS, None),
        ("Ducks are heavier than geese.", DUCKS, None),
        ("Ducks were larger than geese.", DUCKS, None),
        ("Swans are much larger than ducks.", DUCKS, None),
        ("They are larger than geese.", DUCKS, None),
        ("Ducks are not larger than geese.", DUCKS, None),
        ("Gold is more expensive than tin.", "In 1900, gold is less expensive than tin.", None),
        ("Ducks and hens are larger than geese.", DUCKS, None),
        ("There are more ducks than geese.", DUCKS, None),
        ("Ducks are rarer than geese.", DUCKS, None),
    ],
)
def test_which_of_two_has_more(said: str, told: str, expected: bool | None) -> None:
    assert compares(said, told) is expected


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        (
            "Osmerby had more inhabitants in 1901 than now.",
            "It has 1,850 inhabitants, fewer than in 1901, when 2,210 were counted.",
            True,
        ),
        ("The mill is older than the church.", "The church is newer than the mill.", True),
        ("It had fewer in 1901 than in 2020.", "It had more in 1901 than in 2020.", False),
        ("It had more in 1901 than in 2020.", "It had more in 1901 than in 2020.", False),
        ("It had more in 1901.", "It had fewer than in 1950.", False),
    ],
)
def test_a_comparison_may_be_told_from_the_other_side(
    said: str, told: str, *, expected: bool
) -> None:
    assert is_turned_round(said, told) is expected
