"""Who does what to whom."""

import pytest

from veracite.engine.comparing.roles import changes_roles, other_agent, relative_clauses

SUED = "The council sued Marston & Sons in 1873 over cracks in the piers."
HIRED = "The engineer Paul Renner was hired by the council in 1872."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Marston & Sons sued the council in 1873.", SUED),
        ("The council was sued by Marston & Sons.", SUED),
        ("Paul Renner hired the council.", HIRED),
        ("Marston was built by the Aldery bridge.", "The Aldery bridge was built by Marston."),
        ("Dravik beat Hollins.", "At the county fair, Hollins beat Dravik in the rowing race."),
        ("Tom Hale fired John Orr.", "Tom Hale was fired from the mill of the town by John Orr."),
        ("Lowe fired Renner in 1874.", "Renner fired his assistant Lowe in 1874."),
        ("Barges are slower than ferries.", "Ferries are slower than barges."),
        ("Grey seals are heavier than harp seals.", "Harp seals are heavier than grey seals."),
        ("The bank lent the mill £900.", "The mill lent the bank £900 in 1890."),
        ("Okoro sold the boat to Lindqvist.", "Lindqvist sold the boat to Okoro in May."),
    ],
)
def test_who_does_it_in_one_bears_it_in_the_other(said: str, told: str) -> None:
    assert changes_roles(said, told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Marston & Sons was sued by the council.", SUED),
        ("The council hired Paul Renner.", HIRED),
        ("Ada Brown married John Hill.", "John Hill married Ada Brown in 1901."),
        ("Renner hired Lowe.", "Renner fired his assistant Lowe in 1874."),
        ("The bridge crosses the Aldery.", "The Aldery flows under the bridge."),
        ("Hollins beat Dravik.", "He beat Dravik."),
        ("John Orr fired Tom Hale.", "Tom Hale was fired from the mill of the town by John Orr."),
        ("Tom Hale fired John Orr.", "Tom Hale was fired from the town mill in 1911 by letter."),
        ("Tom Hale fired John Orr.", "Tom Hale was fired, it is said, by John Orr."),
        ("Barges are slower than ferries.", "Barges are much slower than ferries."),
        ("Lindqvist sold Okoro the boat.", "Lindqvist sold the boat to Okoro in May."),
        ("The ferry is no faster than the bus.", "The bus is faster than the train."),
    ],
)
def test_the_same_deed_or_another_one(said: str, told: str) -> None:
    assert not changes_roles(said, told)


def test_a_relative_clause_tells_a_deed_of_its_own() -> None:
    told = "The shed belongs to Vera Lindqvist, who lets it to the club, and stands by the lake."
    lets, without = relative_clauses(told)
    assert lets == "Vera Lindqvist lets it to the club"
    assert without == "The shed belongs to Vera Lindqvist and stands by the lake."
    assert relative_clauses("The shed stands by the lake.") == []


def test_a_participle_tells_one_too() -> None:
    told = "Tom Hale, Sr., fired from the mill by John Orr, called on Flint, and stayed."
    assert relative_clauses(told) == ["Tom Hale was fired from the mill by John Orr"]


PASSAGE = "The pilot slept. The purser opened the door and the passengers left the plane."


@pytest.mark.parametrize(
    ("said", "told", "other"),
    [
        ("The pilot opened the door.", "The purser opened the door.", True),
        ("The purser opened the door.", "The purser opened the door.", False),
        ("The pilot opened the door.", "He opened the door.", False),
        ("A mechanic opened the door.", "The purser opened the door.", False),
        ("The pilot opened the window.", "The purser opened the door.", False),
    ],
)
def test_another_of_those_spoken_of_does_it(said: str, told: str, other: bool) -> None:
    assert other_agent(said, told, PASSAGE) is other
