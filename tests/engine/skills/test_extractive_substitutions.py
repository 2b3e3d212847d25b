"""What a sentence of nearly the same words puts in the place of a claim's facts, and what not."""

import pytest

from veracite.engine.claims.segmentation import segment
from veracite.engine.skills.extractive.revising import substituted, substitution


def with_edits(statement: str, sentence: str) -> str | None:
    found = substitution(statement, sentence)
    if found is None:
        return None
    for span, text in reversed(found.edits):
        statement = statement[: span.start] + text + statement[span.end :]
    return statement


@pytest.mark.parametrize(
    ("statement", "sentence", "right"),
    [
        ("She greeted Prince Anton Berg, a man of high rank.",
         "She greeted Prince Vasili Holm, a man of high rank, who came first.",
         "She greeted Prince Vasili Holm, a man of high rank."),
        ("Walker was replaced in the course of the summer by Anna Road.",
         "Walker was replaced during the summer by Bruce Holm.",
         "Walker was replaced in the course of the summer by Bruce Holm."),
        ("The old mill burned down on 3 May 1911.", "The old mill burned down in 1904.",
         "The old mill burned down in 1904."),
        ("Twelve men rowed to the old light.", "That day sixteen men rowed to the old light.",
         "Sixteen men rowed to the old light."),
        ("The files of the Long Life have no name in use.",
         "The files of the Seventh Edition have no name in use.",
         "The files of the Seventh Edition have no name in use."),
        ("The pilot landed on runway 30 and then took runway 11.",
         "The pilot landed on runway 30 and then took runway 04 (3078 feet long, 100 feet wide).",
         "The pilot landed on runway 30 and then took runway 04."),
    ],
)  # fmt: skip
def test_figures_and_names_give_way_to_those_in_their_place(
    statement: str, sentence: str, right: str
) -> None:
    assert with_edits(statement, sentence) == right


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("The mill burned down in 1911.", "The fair was opened in 1904."),
        ("The Harrow mill burned down in 1904.", "In 1904 the Harrow mill burned down."),
        ("The Harrow mill employed 40 people in 1911.",
         "The Kestrel mill employed 60 people in 1904."),
        ("The mill grinds flour in the valley.", "The mill grinds barley in the valley."),
    ],
)  # fmt: skip
def test_nothing_is_put_in_from_a_sentence_on_something_else(statement: str, sentence: str) -> None:
    assert substitution(statement, sentence) is None


def substituted_texts(text: str, quotes: list[str], around: list[str]) -> list[str]:
    (claim,) = segment(text)
    return [one.text for one in substituted(claim, quotes, around)]


def test_the_sentence_that_is_most_alike_corrects_a_claim_first_and_markup_stays() -> None:
    assert substituted_texts(
        "*The mill* had **60** men and ten horses [2].",
        ["In 1904 the mill had 50 men and horses.", "The mill had 40 men and ten horses."],
        [],
    ) == [
        "*The mill* had **40** men and ten horses [2].",
        "*The mill* had **50** men and ten horses [2].",
    ]


def test_what_is_spoken_of_elsewhere_keeps_its_name() -> None:
    text, quote = "The Harrow mill had 60 men in 1990.", "The Kestrel mill had 60 men in 1990."
    assert substituted_texts(text, [quote], [quote]) == [quote]
    assert substituted_texts(text, [quote], [quote, "The Harrow mill had 40 men."]) == []
