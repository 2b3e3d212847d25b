"""Who does what to whom, and of which part a figure is said."""

import pytest

from veracite.engine.roles import changes_roles, of_another_part

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
        ("Lowe fired Renner in 1874.", "Renner fired his assistant Lowe in 1874."),
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
    ],
)
def test_the_same_deed_or_another_one(said: str, told: str) -> None:
    assert not changes_roles(said, told)


FREE = "Admission is free for children; adults pay £4.50."
BEDS = "The hospital has 210 beds, of which 14 are for children."
STAFF = "It employs 640 people, 95 of them doctors."


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Children pay £4.50.", FREE),
        ("Members pay £3.", "Tours are free for members, and visitors pay £3."),
        ("The hospital has 14 beds.", BEDS),
        ("The hospital employs 95 people.", STAFF),
        ("Josiah led the firm until 1924.", "Josiah left the firm; Edmund led it until 1924."),
    ],
)
def test_a_figure_of_another_part(said: str, told: str) -> None:
    assert of_another_part(said, told)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Adults pay £4.50.", FREE),
        ("The hospital has 210 beds.", BEDS),
        ("The hospital has 14 beds for children.", BEDS),
        ("The hospital has 95 doctors.", STAFF),
        ("Anna Berg died in 1970.", "Anna Berg was born in 1901 and died in 1970."),
        ("The hall cost £4 million.", "The hall opened in 1920; the building cost £4 million."),
        ("The mill burned down in 1904.", "Of the mill nothing but ash was left in 1904."),
        ("The dam's reservoir holds 3 tons.", "The dam is high, and its reservoir holds 3 tons."),
    ],
)
def test_a_figure_of_what_the_claim_speaks_of(said: str, told: str) -> None:
    assert not of_another_part(said, told)
