"""What documents could confirm: facts are never set aside, clear non-facts are."""

import pytest

from veracite.engine.claims.checkability import why_not_checkable
from veracite.engine.claims.segmentation import segment


@pytest.mark.parametrize(
    "sentence",
    [
        "Smith thinks that the drug works.",
        "The committee asked whether the bridge was safe.",
        'The author asked, "Why is the sky blue?" in his first book.',
        '"Who\'s Afraid of Virginia Woolf?" is a play by Edward Albee.',
        "It is the largest and best-selling model in Europe.",
        "Smoking may cause cancer.",
        "Please Please Me is the debut album of the Beatles.",
        "To date, the company has sold 3 million units.",
        "It's important to note that the pilot held a licence.",
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
        ("Please send the form back.", "an instruction"),
        ("Then add the sugar and stir.", "an instruction"),
        ("We will look at this later.", "an intention"),
        ("Dear Ms Miller,", "a phrase of courtesy"),
        ("I hope this helps!", "a phrase of courtesy"),
        ("I've reviewed your documents.", "about the text itself"),
        ("Here's a concise overview of the accidents in your files 😊", "about the text itself"),
        ("In summary, the report found:", "about the text itself"),
        ("https://example.org/page", "a link"),
    ],
)
def test_what_states_no_fact_says_why(sentence: str, reason: str) -> None:
    assert why_not_checkable(sentence) == reason


FRAGMENT, REFERENCE = "a fragment without a statement", "a reference"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("The assassination of the archduke", FRAGMENT),
        ("Sales rose by a tenth", None),
        ("It continues here", None),
        ("- Smith, J. (2020). The thing. Journal of X, 12(3), 4-5.", REFERENCE),
        ("- Doe, A. et al. A study. doi:10.1000/182, 2011.", REFERENCE),
        ("- The Journal of Physics was founded in 1968.", None),
        ("Length (m): 5", None),
        ("Li Na (Chinese: 李娜; born 1982) is a tennis player.", None),
        ("Source: https://example.org", FRAGMENT),
        ("In summary, the report found:\n\n- a rise", None),
        ("To install the program, do this:\n\n- a restart", FRAGMENT),
        ("Ingredients:\n\n- a lemon", FRAGMENT),
    ],
)
def test_a_fragment_or_reference_is_told_from_a_statement(source: str, reason: str | None) -> None:
    assert segment(source)[-1].not_checkable == reason
