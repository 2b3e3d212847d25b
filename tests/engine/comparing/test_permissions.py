"""What one document allows and another one forbids is a contradiction; another case is none."""

import pytest

from veracite.engine.comparing.permissions import allows_and_forbids

NO_DOGS = "Dogs are not allowed in the exhibition hall."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NO_DOGS, "Dogs are welcome on a lead in the exhibition hall."),
        ("Smoking is prohibited on deck.", "Smoking is permitted on deck after dinner."),
        ("No bicycles are allowed on trains.", "Bicycles are allowed on trains."),
        ("Late homework isn't accepted.", "Late homework is accepted until Friday."),
    ],
)
def test_what_is_allowed_here_and_forbidden_there(one: str, other: str) -> None:
    assert allows_and_forbids(one, other)
    assert allows_and_forbids(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NO_DOGS, "Dogs are welcome in the garden."),
        (NO_DOGS, "Guide dogs are allowed in the exhibition hall."),
        (NO_DOGS, "Dogs are forbidden in the exhibition hall."),
        (NO_DOGS, "Dogs are fed in the exhibition hall."),
        ("Visitors are welcome on Mondays.", "Visitors are not admitted on Sundays."),
    ],
)
def test_another_case_is_no_contradiction(one: str, other: str) -> None:
    assert not allows_and_forbids(one, other)
    assert not allows_and_forbids(other, one)
