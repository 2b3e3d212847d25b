"""Short answers as SQuAD, KILT, DPR, ASQA and QAMPARI count them."""

import math
import unicodedata

import pytest

from veracite.engine.claims.citation_marks import listed
from veracite.engine.evaluation.figures import (
    exact_match,
    list_scores,
    normalise,
    recall_at_k,
    str_em,
    token_f1,
)


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


def test_an_accent_may_be_written_in_one_code_point_or_two() -> None:
    two = unicodedata.normalize("NFD", "São Tomé")
    assert two != "São Tomé"
    assert exact_match(two, ["São Tomé"])
    assert not exact_match("Sao Tome", ["São Tomé"])
    assert token_f1(two, ["São Tomé"]) == 1.0
    assert recall_at_k([["São Tomé"]], [f"It lies on {two}."], 1) == 1.0
    assert recall_at_k([["Tome"]], [f"It lies on {two}."], 1) == 0.0


def test_any_reference_may_match() -> None:
    assert exact_match("the Beatles.", ["Rolling Stones", "Beatles"])
    assert not exact_match("the Beatles and Wings", ["Rolling Stones", "Beatles"])
    assert not exact_match("Beatles", [])


def test_an_answer_of_articles_or_signs_alone_is_still_an_answer() -> None:
    assert exact_match("A", ["a"])
    assert not exact_match("A", ["The"])
    assert exact_match("!!!", ["!!!"])
    assert not exact_match("?", ["!!!"])
    assert not exact_match("", ["The"])
    assert not exact_match("", [""])


def test_token_f1_by_hand() -> None:
    assert token_f1("the cat sat", ["a cat sat down"]) == pytest.approx(2 * 2 / (2 + 3))
    assert token_f1("cat cat cat", ["cat cat dog"]) == pytest.approx(2 / 3)
    assert token_f1("dog", ["cat", "big dog", "two big dogs"]) == pytest.approx(2 / 3)
    assert token_f1("", ["cat"]) == 0.0
    assert token_f1("cat", []) == 0.0


def test_str_em_finds_aliases_as_whole_words() -> None:
    text = "The party was held in New York City, on the 12th of May 1998."
    assert str_em(text, [["new york"], ["art"], ["May 1999", "May 1998"], ["998"]]) == 0.5
    assert str_em(text, [["12"]]) == 0.0
    assert str_em(text, [["the 12th of May"]]) == 1.0


def test_an_alias_without_a_word_is_never_found() -> None:
    assert str_em("Nothing of the kind.", [[""], ["!"], ["The"]]) == 0.0


def test_of_nothing_asked_no_share_is_found() -> None:
    assert math.isnan(str_em("text", []))
    assert math.isnan(recall_at_k([], ["text"], 5))


def test_recall_at_k_counts_spans_of_tokens() -> None:
    passages = ["He played the harpsichord.", "Bach (1685-1750) was J.S. Bach.", "Art is long."]
    assert recall_at_k([["harp"], ["art"], ["bach"], ["1750"]], passages, 2) == 1 / 2
    assert recall_at_k([["J.S. Bach"], ["JS Bach"], ["1685 1750"]], passages, 2) == 1 / 3
    answers = [["organ", "long"]]
    assert [recall_at_k(answers, passages, k) for k in (1, 2, 3, 100)] == [0, 0, 1, 1]
    assert recall_at_k([["art"], ["bach"], ["harp"]], passages, 2) == pytest.approx(1 / 3)
    assert recall_at_k(answers, [], 5) == 0.0


def test_dpr_takes_no_article_or_sign_away() -> None:
    passages = ["They saw a river.", "They saw the river, then left."]
    assert recall_at_k([["THE RIVER"], ["a river."], ["river then"]], passages, 2) == 2 / 3


def test_dpr_keeps_vowel_signs_with_their_letters() -> None:
    assert recall_at_k([["हिन्दी"], ["ह"]], ["यह हिन्दी है"], 1) == 1 / 2


def test_dpr_sees_no_control_characters() -> None:
    assert recall_at_k([["New York"]], ["New\u200b \u00adYork"], 1) == 1
    assert recall_at_k([["\u200b"], [""]], ["a b"], 1) == 0


def test_a_list_is_cut_at_commas_outside_marks() -> None:
    assert listed("Rome [1, 2], Paris[3],, Oslo.") == ["Rome [1, 2]", "Paris[3]", "Oslo"]
    assert listed("Rome, Paris,") == ["Rome", "Paris"]
    assert listed(" . ") == []


def test_list_scores_by_hand() -> None:
    answers = [["Rome", "Roma"], ["Paris"], ["Oslo"], ["Bern"], ["Riga"], ["Kyiv"], ["Baku"]]
    found = list_scores(["Roma", "the Rome", "Lima", "paris", ""], answers)
    assert (found.precision, found.recall_5) == (3 / 4, 2 / 5)
    assert found.f1_5 == pytest.approx(2 * (3 / 4) * (2 / 5) / (3 / 4 + 2 / 5))


def test_five_right_ones_of_many_are_all_that_recall_5_asks() -> None:
    answers = [[str(number)] for number in range(20)]
    found = list_scores([str(number) for number in range(7)], answers)
    assert (found.recall_5, found.f1_5) == (1.0, 1.0)
    few = list_scores(["0", "1"], answers[:3])
    assert few.recall_5 == pytest.approx(2 / 3)


def test_an_empty_list_scores_0() -> None:
    found = list_scores([], [["Rome"]])
    assert (found.precision, found.recall_5, found.f1_5) == (0.0, 0.0, 0.0)
