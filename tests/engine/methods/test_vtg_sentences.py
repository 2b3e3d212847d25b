"""The sentences that VTG writes: claims in the context of the answer so far."""

import pytest

from veracite.engine.methods.vtg import continued, next_claim_of, repeats

QUESTION = "When did the mill burn down?"


def test_a_claim_is_read_in_the_context_of_the_answer_so_far() -> None:
    before = "Ada Brown was a painter."
    claim = next_claim_of(QUESTION, before, "She moved to Oslo in 1904.")
    assert claim is not None
    assert claim.hypothesis == "Ada Brown moved to Oslo in 1904."
    assert (claim.start, claim.end) == (len(before) + 1, len(before) + 27)


def test_a_few_words_are_judged_as_the_question_with_them() -> None:
    claim = next_claim_of(QUESTION, "", "1904")
    assert claim is not None
    assert claim.not_checkable is None
    assert claim.hypothesis == f"{QUESTION} 1904"


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("The mill burned down.", "It was large. It was old."),
        ("It belonged to Brown, Smith et al.", "lived there."),
    ],
    ids=["cut in two", "joined to the one before"],
)
def test_a_sentence_is_one_claim_however_the_whole_is_cut(before: str, sentence: str) -> None:
    claim = next_claim_of(QUESTION, before, sentence)
    assert claim is not None
    assert continued(before, sentence)[claim.start : claim.end] == claim.statement == sentence


def test_what_has_no_words_is_no_claim() -> None:
    assert next_claim_of(QUESTION, "The mill burned down.", "...") is None


def test_a_sentence_left_open_gets_its_full_stop_before_the_next_one() -> None:
    assert continued("It burned", "Bees live there.") == "It burned. Bees live there."
    assert continued('He said "no."', "So.") == 'He said "no." So.'


def test_only_a_sentence_without_new_words_repeats() -> None:
    before = ["It opened in 1902.", "The old mill burned down in 1904."]
    assert repeats("The mill burned down.", before)
    assert not repeats("The mill burned down in 1902.", before)
    assert not repeats("The mill was not burned down in 1904.", before)
