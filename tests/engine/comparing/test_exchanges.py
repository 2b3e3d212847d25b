"""What changes places in a sentence is another statement of the same words."""

import pytest

from veracite.engine.comparing.clauses import opposes_in_a_clause
from veracite.engine.comparing.exchanges import changes_hands, exchanges, is_advised_against
from veracite.engine.facts.spans import turns_back

SOLD = "In 2005 it sold its microcomputer division to Lenovo."


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("In 2005 Lenovo bought IBM's microcomputer division.", SOLD, False),
        ("IBM acquired its computer division from Lenovo in 2005.", SOLD, True),
        ("Ann Holm bought the mill.", "Ann Holm sold the mill.", True),
        ("Ann Holm sold the mill.", "Ann Holm sold the mill to Bo Lind.", False),
        ("The mill was sold.", "Ann Holm sold the mill.", None),
        ("Ann Holm sold the mill to Bo Lind.", "Ann Holm leased the mill to Bo Lind.", None),
        ("Ann Holm repaired the mill.", "Ann Holm sold the mill.", None),
    ],
)
def test_who_sells_and_who_buys(said: str, told: str, *, expected: bool | None) -> None:
    assert changes_hands(said, told) is expected


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("It carries cars free but no bicycles.", "It carries bicycles free but no cars.", True),
        ("It carries bicycles free but no cars.", "It takes bicycles, but no cars.", False),
        ("They will not pay a dividend.", "They will pay no dividend.", False),
        ("They will not pay an interim dividend.", "They pay no interim dividend.", False),
        ("It hit wires first and then trees.", "It struck trees, then wires, and fell.", True),
        ("It hit trees first and then wires.", "It struck trees, then wires, and fell.", False),
        ("Cars may cross before walkers.", "Walkers may cross before cars.", True),
        ("They danced after dinner.", "They danced, and after dinner they left.", False),
        ("After the vote, the chair left.", "The chair left, then the vote was held.", True),
        ("The chair left after the vote.", "After the vote, the chair left.", False),
        (
            "Two years after shoots were taken, the meadow was as dense as ever.",
            "After two years the meadow was at the level before we took shoots.",
            False,
        ),
    ],
)
def test_what_is_denied_and_what_comes_first_may_change_places(
    said: str, told: str, *, expected: bool
) -> None:
    assert exchanges(said, told) is expected


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("Officers recommended a bridge.", "Officers advised against it.", True),
        ("Tallis voted for the plan.", "Only Tallis voted against the plan.", True),
        ("Officers advised against a bridge.", "Officers advised against it.", False),
        ("Officers did not recommend a bridge.", "Officers advised against it.", False),
        ("The bridge leans against the tower.", "It stands against the tower.", False),
    ],
)
def test_advice_against_is_none_for_it(said: str, told: str, *, expected: bool) -> None:
    assert is_advised_against(said, told) is expected


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("Pumpkins did well but beans badly.", "Pumpkins did badly but beans did well.", True),
        ("Pumpkins did badly.", "Pumpkins did badly but beans did well.", False),
        ("The library closes at 17:00.", "The library opens at 8:30 and closes at 17:00.", False),
    ],
)
def test_each_clause_is_compared_with_the_one_on_its_subject(
    said: str, told: str, *, expected: bool
) -> None:
    assert opposes_in_a_clause(said, told) is expected


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        (
            "It turned from oldies to country.",
            "It switched from its country format to oldies.",
            True,
        ),
        (
            "It turned from country to oldies.",
            "It switched from its country format to oldies.",
            False,
        ),
        ("It turned from jazz to oldies.", "It switched from country to oldies.", False),
    ],
)
def test_from_one_to_another_is_not_back_again(said: str, told: str, *, expected: bool) -> None:
    assert turns_back(said, told) is expected
