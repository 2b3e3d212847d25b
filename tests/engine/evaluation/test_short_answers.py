"""Short answers as SQuAD, KILT and ASQA count them."""

import math
import unicodedata

import pytest

from veracite.engine.evaluation.figures import normalise, str_em


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("The  Eiffel-Tower!", "eiffeltower"),
        ("an apple, a pear\tand THE fig.", "apple pear and fig"),
        ("$1,000.50", "100050"),
        ("theatre", "theatre"),
        ("O’Brien", "obrien"),
        ("O'Brien", "obrien"),
        ("“1914–18”", "191418"),
        ("à la carte", "à la carte"),
        ("Thé", "thé"),
        ("€5", "€5"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_normalisation(text: str, normal: str) -> None:
    assert normalise(text) == normal


def test_str_em_finds_aliases_as_whole_words() -> None:
    text = "The party was held in New York City, on the 12th of May 1998."
    assert str_em(text, [["new york"], ["art"], ["May 1999", "May 1998"], ["998"]]) == 0.5
    assert str_em(text, [["12"]]) == 0.0
    assert str_em(text, [["the 12th of May"]]) == 1.0
    assert math.isnan(str_em(text, []))


def test_an_accent_may_be_written_in_one_code_point_or_two() -> None:
    two = unicodedata.normalize("NFD", "São Tomé")
    assert two != "São Tomé"
    assert str_em(two, [["São Tomé"]]) == 1.0
    assert str_em("Sao Tome", [["São Tomé"]]) == 0.0


def test_an_alias_of_articles_or_signs_alone_is_still_one_and_an_empty_one_is_not() -> None:
    assert str_em("A", [["a"], ["The"]]) == 0.5
    assert str_em("!!!", [["!!!"], ["?"]]) == 0.5
    assert str_em("Nothing of the kind.", [[""], ["!"]]) == 0.0
