"""A table's row, said with the names of its columns."""

import pytest
from readings import claim, evidence, sentences_of

from veracite.engine.judge.premises import compose, under_names
from veracite.engine.judge.verbatim import cannot_support, says_row, wording

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


@pytest.mark.parametrize(
    ("said", "lacks"),
    [
        ("An adult's return ticket is 12 crowns.", True),
        ("An adult's return ticket is twelve.", True),
        ("An adult's return ticket is 20 crowns, the single 12.", False),
        ("An adult's single ticket is 12 crowns.", False),
        ("An adult crosses for 12 crowns.", False),  # names no column
        ("An adult's return ticket is 20 crowns for up to 3 hours.", False),
        ("An adult's crossing with a return ticket takes 3 hours.", False),  # of another unit
        ("An adult's return ticket is 90 crowns.", False),  # stands in no column
    ],
)
def test_a_figure_in_another_column_than_the_one_that_the_claim_names_supports_nothing(
    said: str, lacks: bool
) -> None:
    row = "Ticket: Adult | Single: 12 crowns | Return: 20 crowns | Time on water: 3 hours"
    found = compose(claim(said), [evidence("a", [row])], sentences_of, lambda *_: True)
    assert {cannot_support(found, premise) for premise in found.premises} == {lacks}
