"""Words in common."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracite.engine.wording.overlap import Terms, content_words, coverage, stem_of, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("books", "book"),
        ("studied", "study"),
        ("stopped", "stop"),
        ("moved", "moving"),
        ("written", "wrote"),
        ("running", "ran"),
        ("Smith’s", "smith"),
        ("wrote", "writes"),
    ],
)
def test_inflections_meet_in_one_stem(one: str, other: str) -> None:
    assert stem_of(one) == stem_of(other)
    assert len({stem_of(word) for word in ("1942", "1943", "bus", "bu")}) == 4


@pytest.mark.parametrize(
    ("own", "text"),
    [
        ("meet", "They met."),
        ("12,400", "Staff: 12,400"),
        ("Capek", "ČAPEK"),
        ("wrote", "She writes."),
        ("owned", "They own it."),
    ],
)
def test_a_text_has_a_claims_word_in_any_form(own: str, text: str) -> None:
    assert Terms(own).found(text) == {stem_of(own)}


def test_function_words_carry_no_weight() -> None:
    said = "During these years, because of the river, the town is where it was"
    assert [w.text for w in content_words(said)] == ["years", "river", "town"]


def test_coverage_is_the_share_of_weight_found() -> None:
    claim = content_words("the old bridge collapsed")
    assert coverage(claim, {w.stem for w in content_words("A bridge collapses.")}) == 2 / 3
    assert coverage(claim, ()) == 0.0
    assert coverage((), {"bridge"}) == 0.0


@given(st.text())
def test_words_point_at_the_text(text: str) -> None:
    assert all(text[w.start : w.end] == w.text for w in words(text))


def test_a_share_does_not_depend_on_the_order_of_the_words() -> None:
    rare = {"mill": 0.1, "river": 0.2, "fox": 0.3, "bees": 0.4}
    terms = Terms("mill river fox bees")
    shares = {terms.share(found, rare) for found in permutations(["mill", "river", "fox"])}
    assert len(shares) == 1
