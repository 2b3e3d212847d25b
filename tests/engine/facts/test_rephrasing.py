"""What a claim and a document both say is written as the claim writes it."""

import pytest
from readings import claim, evidence, sentences_of

from veracite.engine.comparing.premises import compose
from veracite.engine.facts.rephrasing import in_terms_of


@pytest.mark.parametrize(
    ("said", "told", "read"),
    [
        ("for 26 years", "Twenty-six years long.", "26 years long."),
        ("for twenty-six years", "It took 26 years.", "It took twenty-six years."),
        ("on March 14, 1957", "founded on 14 March 1957", "founded on March 14, 1957"),
        ("6340 people", "6,340 people and 12 dogs", "6340 people and 12 dogs"),
        ("3.5 million people", "3,500,000 people", "3.5 million people"),
        ("is 550 cm wide", "is 5.5 metres wide", "is 550 cm wide"),
        ("weighs 2,100 kg", "weighs about 2.1 tonnes", "weighs about 2,100 kg"),
        ("at 5 pm", "at 17:00 sharp", "at 5 pm sharp"),
        ("£5 million", "£5m in all", "£5 million in all"),
        ("until 9.30 pm", "until half past nine in summer", "until 9.30 pm in summer"),
        ("at 16:45", "at quarter to five in the afternoon", "at 16:45"),
        ("at six o'clock", "at 6 pm", "at six o'clock"),
        ("no more than 44 signs", "at most 44 signs", "no more than 44 signs"),
        ("at least 3 days", "no fewer than 3 days", "at least 3 days"),
        ("no more than 44 signs", "at least 44 signs", "at least 44 signs"),
        ("by fiscal year 2026", "By FY 2026, all", "By fiscal year 2026, all"),
        ("by FY 2026", "By fiscal year 2026, all", "By FY 2026, all"),
        ("before 9 am", "before 9 in the morning", "before 9 am"),
        ("half a billion pages", "500 million pages", "half a billion pages"),
    ],
)
def test_what_is_equal_is_written_alike(said: str, told: str, read: str) -> None:
    assert in_terms_of(said, told) == read


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("for 26 years", "for twenty-five years"),
        ("in March 1957", "on 14 March 1957"),
        ("is 550 cm wide", "is 5.4 metres wide"),
        ("cost $500", "cost £500"),
        ("26 percent", "twenty-six years"),
        ("on 3/5/2019", "on 3 May 2019"),
        ("no figure", "twenty-six years"),
        ("until 9:30", "until half past eight"),
        ("until 9:30 am", "until half past nine in the evening"),
        ("at 9.30 pm", "version 9.30"),
        ("Apollo 11", "eleven astronauts"),
    ],
)
def test_what_is_not_equal_stays(said: str, told: str) -> None:
    assert in_terms_of(said, told) == told


def test_the_verifier_reads_the_claims_terms_and_the_quote_keeps_its_own() -> None:
    items = [evidence("a", ["The post was kept for twenty-six years."])]
    composed = compose(
        claim("She kept the post for 26 years."), items, sentences_of, lambda premise, claim: True
    )
    assert {premise for form in composed.forms for premise in form} == {
        "The post was kept for 26 years."
    }
    (candidate,) = composed.candidates
    assert candidate.sentence.text == "The post was kept for twenty-six years."
    assert {word for word in candidate.stems if word.isdigit()} == {"26"}
