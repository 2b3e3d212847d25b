"""What documents could confirm: facts are never set aside, clear non-facts are."""

import pytest

from veracite.engine.claims.checkability import (
    as_statement,
    introduces_facts,
    is_fragment,
    is_reference,
    names_source,
    why_not_checkable,
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Smith thinks that the drug works.",
        "The committee asked whether the bridge was safe.",
        'The author asked, "Why is the sky blue?" in his first book.',
        '"Who\'s Afraid of Virginia Woolf?" is a play by Edward Albee.',
        "It is the largest and best-selling model in Europe.",
        "Smoking may cause cancer.",
        "Use of the drug was banned in 1998.",
        "Please Please Me is the debut album of the Beatles.",
        "Beautiful Boy is a film from 2018.",
        "To date, the company has sold 3 million units.",
        "It's important to note that the pilot held a licence.",
        "In summary, the aircraft was destroyed.",
        "Sure, here is the result: the bridge was opened in 1932.",
        "Here is the draft, which Parliament passed.",
        "I have sent your documents to 3 offices.",
        "Keep in mind that the bridge was rebuilt in 1950.",
        "Critics said that the phone is a good choice.",
    ],
)
def test_a_statement_of_fact_is_checkable(sentence: str) -> None:
    assert why_not_checkable(sentence) is None


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("When was the bridge built?", "a question"),
        ("The view from the tower is absolutely stunning.", "an opinion"),
        ("The phone is a good choice for beginners.", "an opinion"),
        ("Please send the form back.", "an instruction"),
        ("Then add the sugar and stir.", "an instruction"),
        ("We will look at this later.", "an intention"),
        ("Dear Ms Miller,", "a phrase of courtesy"),
        ("I hope this helps!", "a phrase of courtesy"),
        ("If you have any questions, let me know.", "a phrase of courtesy"),
        ("I've reviewed your documents.", "about the text itself"),
        ("Sure! Here is a summary:", "about the text itself"),
        (
            "Here's a concise overview of the accidents in your files 😊",
            "about the text itself",
        ),
        ("In summary, the report found:", "about the text itself"),
        ("https://example.org/page", "a link"),
    ],
)
def test_what_states_no_fact_says_why(sentence: str, reason: str) -> None:
    assert why_not_checkable(sentence) == reason


def test_fragments_have_no_verb_and_no_full_stop() -> None:
    assert is_fragment("The assassination of the archduke")
    assert not is_fragment("Sales rose by a tenth")
    assert not is_fragment("Profits up by a tenth.")
    assert not is_fragment("It continues here")
    assert not is_fragment("The novel explores the theme of love")
    assert not is_fragment("The story happens in Wales")
    assert is_fragment("Victims of the fire")


def test_references_need_several_signs() -> None:
    assert is_reference("Smith, J. (2020). The thing. Journal of X, 12(3), 4-5.")
    assert is_reference("Doe, A. et al. A study. doi:10.1000/182, 2011.")
    assert not is_reference("The Journal of Physics was founded in 1968.")


def test_a_property_with_its_value_is_a_statement() -> None:
    assert as_statement("Founded: 1990")
    assert as_statement("Length (m): 5")
    assert not as_statement("Li Na (Chinese: 李娜; born 1982) is a tennis player.")
    assert not as_statement("Source: https://example.org")


def test_only_some_lead_ins_assert_something_of_their_items() -> None:
    assert introduces_facts("The report found:")
    assert introduces_facts("In summary, the report found:")
    assert not introduces_facts("To install the program, do this:")
    assert not introduces_facts("Ingredients:")


@pytest.mark.parametrize(
    ("note", "source"),
    [
        ("Wikipedia, 2023.", True),
        ("NTSB report, p. 4.", True),
        ("https://example.org", True),
        ("The bridge was rebuilt in 1950.", False),
        ("Sales fell.", False),
    ],
)
def test_a_note_names_its_source_or_says_something(note: str, source: bool) -> None:
    assert names_source(note) is source
