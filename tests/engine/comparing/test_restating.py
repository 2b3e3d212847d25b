"""A sentence that says all that a claim says is no denial of it."""

import pytest
from readings import CONTRADICTED, claim, evidence, raw_text_of, reading

from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.restating import repeats, restates
from veracite.engine.judging.citations import has_ground
from veracite.engine.words import Label
from veracite.index.documents import Sentence


def said_again(said: str, told: str, around: str = "") -> bool:
    """Whether a sentence, in a passage, restates a claim."""
    passage = evidence("document", [f"{around} {told}".strip()]).passage
    return restates(claim(said), Candidate(passage, 0, Sentence(0, len(told), None, told)))


@pytest.mark.parametrize(
    ("said", "told", "around"),
    [
        ("Ada Lind kept the post for 26 years.",
         "Pell was chairman; Ada Lind, who taught, kept the post for twenty-six years.", ""),
        ("The asteroid was named Harlow.", "It was later named Harlow.", "They saw an asteroid."),
        ("Priya Sharma repaired the boathouse roof in March 2022.",
         "Priya repaired the roof of the boathouse in March 2022.", ""),
        ("The archive holds half a billion pages.", "The archive holds 500 million pages.", ""),
        ("Grace Okonkwo resigned as secretary.", "Mrs OKONKWO resigned as secretary.", ""),
    ],
)  # fmt: skip
def test_the_same_in_nearly_the_same_words(said: str, told: str, around: str) -> None:
    assert said_again(said, told, around)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Ada Lind kept the post for 27 years.", "Ada Lind kept the post for twenty-six years."),
        ("The ferry carries 300 people.", "The ferry carries 120 people and 300 cars."),
        ("Admission was £5 and £7.", "Admission was £7 and £5."),
        ("A hull is up to 25 times faster.", "A hull is up to 20 times faster."),
        ("Ada Lind did not resign.", "Ada Lind resigned."),
        ("It does start if there is no wind.", "It does not start if there is no wind."),
        ("The shop is open on Mondays.", "The shop is closed on Mondays."),
        ("The council built the pier.", "The council refused to have the pier built."),
        ("All ovens are heated with gas.", "Some ovens are heated with gas."),
        ("Harlow sold the yard to Pell.", "Pell sold the yard to Harlow."),
        ("Ada Lind ran the yard for Brand and Sand.", "Ada Lind ran the yard for Brand."),
        ("Ana Torres was born in Lugo.", "Lucia Torres was born in Lugo."),
        ("Ada Lind was the first to chair the club.", "Erik Sand was the first to chair the club."),
        ("Ada Lind kept the post.", "Ada Lind knew Erik Sand, who kept the post."),
        ("The tower was painted green.", "The tower was painted."),
    ],
)
def test_what_differs_or_is_not_said_is_no_restatement(said: str, told: str) -> None:
    assert not said_again(said, told)


@pytest.mark.parametrize(
    ("said", "told", "expected"),
    [
        ("The old mill was named Harlow.", "It was named Harlow.", True),
        ("Ada Lind kept the post for 26 years.", "Lind kept the post for twenty-six years.", True),
        ("The mill, whose owner was rich, burned in 1904.", "The mill burned in 1904.", False),
        ("The old mill burned in 1904.", "In a play the old mill burned in 1904.", False),
        ("It stood by the old river.", "It stood by the old river.", False),
        ("Lind died.", "Lind died.", False),
        ("Ada Lind repairs the clocks.", "Mr Lind repairs the clocks.", False),
        ("The Pell Trust has 312 members.", "The trust has 312 members.", False),
        ("The bus runs from the mill to the quay.", "A bus runs from the quay to the mill.", False),
    ],
)
def test_what_says_just_what_the_claim_says_repeats_it(
    said: str, told: str, expected: bool
) -> None:
    passage = evidence("document", [f"There was an old mill. {told}"]).passage
    candidate = Candidate(passage, 0, Sentence(0, len(told), None, told))
    assert repeats(claim(said), candidate) is expected


def test_a_repetition_is_ground_whatever_the_verifier_reads() -> None:
    item = evidence("document", ["There was an old mill. It was named Harlow."])
    said = claim("The old mill was named Harlow.")
    assert has_ground(reading(said, [item], [CONTRADICTED], {}), Label.SUPPORTED)


@pytest.mark.parametrize(("years", "expected"), [("twenty-six", False), ("twenty-seven", True)])
def test_a_verdict_of_contradicted_cannot_rest_on_a_restatement(years: str, expected: bool) -> None:
    told = f"Ada Lind kept the post for {years} years."
    item = evidence("lind", [told])
    read = reading(
        claim("Ada Lind kept the post for 26 years."),
        [item],
        [CONTRADICTED],
        {told: CONTRADICTED},
        joint=CONTRADICTED,
    )
    assert has_ground(read, Label.CONTRADICTED, raw_text_of(item)) is expected
    assert (read.verbatim is None) is expected
