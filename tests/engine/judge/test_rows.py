"""A table's row, said with the names of its columns."""

import pytest

from veracite.engine.judge.premises import under_names
from veracite.engine.judge.verbatim import says_row, wording

NAMES = "Kind | Food | Calories per portion"
ROW = "Berries | Blueberry, Strawberry | 150"


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Berries; Food: Blueberry, Strawberry; Calories per portion: 150.", True),
        ("Kind: Berries; Food: Blueberry, Strawberry; Calories: 150.", True),
        ("Berries, Blueberry, Strawberry, 150.", True),
        ("Berries; Calories per portion: Blueberry, Strawberry; Food: 150.", False),
        ("Berries; Food: Blueberry, Strawberry; Calories per portion: 151.", False),
        ("Berries; Food: Blueberry, Strawberry; Price: 150.", False),
        ("Berries; Food: Blueberry; Calories per portion: 150.", False),
        ("No Berries; Food: Blueberry, Strawberry; Calories per portion: 150.", False),
    ],
)
def test_a_row_is_said_with_names_in_the_order_of_its_columns_and_nothing_else(
    said: str, expected: bool
) -> None:
    assert says_row(wording(said), ROW, [NAMES, ROW]) is expected


def test_a_sentence_without_columns_is_no_row() -> None:
    assert not says_row(wording("Berries are rich in sugar."), "Berries are sugar.", ["in | rich"])


def test_numbers_are_worded_by_value() -> None:
    assert wording("For twenty-six years, two hundred people") == wording(
        "for 26 years two hundred people"
    )
    assert wording("for 26 years") != wording("for twenty-seven years")


def test_a_row_is_read_below_the_names_of_its_columns() -> None:
    table = ["A sentence.", NAMES, "Fish | Cod | 90", ROW]
    assert under_names(ROW, table) == f"{NAMES}\n{ROW}"
    assert under_names(NAMES, table) == NAMES
    assert under_names("A sentence.", table) == "A sentence."
    years = ["Item | 2021 | 2022", "Members | 187 | 198"]
    assert under_names(years[1], years) == "\n".join(years)


@pytest.mark.parametrize(
    "table",
    [
        ["Fish | Cod | 90", ROW],  # the table's upper half stands in another passage
        ["Food | Calories", "Berries | 150"],  # two columns: the row says it alone
        ["Food | Calories", ROW],
    ],
)
def test_a_row_without_names_above_it_is_read_alone(table: list[str]) -> None:
    assert under_names(table[-1], table) == table[-1]
