"""Whom a document without headings is about."""

import pytest
from readings import claim, evidence, sentences_of

from veracite.engine.comparing.introductions import introduced
from veracite.engine.comparing.premises import compose

BYRON = "Ada Byron (1815-1852) was a mathematician."
NEXT = "She wrote the first program."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (BYRON, "Ada Byron"),
        ("Stereophonics are a rock band from Wales.", "Stereophonics"),
        ('Mayhew Y. "Bo" Foster was an American soldier.', 'Mayhew Y. "Bo" Foster'),
        ("King Zhuang of Chu (died 591 BC) was a monarch.", "King Zhuang of Chu"),
        ("Michael Weiner (born 1942), known as Savage, is an author.", "Michael Weiner"),
        ("The Wilk Observatory is one of the oldest in the county.", "The Wilk Observatory"),
    ],
)
def test_the_first_sentence_introduces(text: str, name: str) -> None:
    assert introduced(text) == name


@pytest.mark.parametrize(
    "text",
    [
        "This is a leaflet about the ward.",
        "It was a season of two halves.",
        "The lighthouse is a landmark.",
        "Dear Ms Hart, there is a leak in the roof.",
        "Minutes of the meeting. Ada Byron was a guest.",
        "Ada Byron wrote the first program.",
        "",
    ],
)
def test_what_introduces_nobody(text: str) -> None:
    assert introduced(text) is None


@pytest.mark.parametrize(
    ("heading", "forms"),
    [
        (None, {f"Ada Byron: {NEXT}", NEXT}),
        ("Programs", {f"Programs: {NEXT}", NEXT}),
    ],
)
def test_a_later_sentence_is_read_under_the_name_where_no_heading_says_it(
    heading: str | None, forms: set[str]
) -> None:
    item = evidence("byron", [NEXT], heading=heading)
    composed = compose(
        claim("Ada Byron wrote the first program."),
        [item],
        sentences_of,
        lambda premise, hypothesis: True,
        lambda document: f"{BYRON} {NEXT}",
    )
    assert set(composed.forms[1]) == forms
    assert composed.forms[0] == (f"{heading}: {NEXT}" if heading else NEXT,)


def test_a_sentence_that_names_its_subject_is_read_once() -> None:
    item = evidence("byron", [BYRON, NEXT])
    composed = compose(
        claim("Ada Byron was a mathematician."),
        [item],
        sentences_of,
        lambda premise, hypothesis: True,
        lambda document: f"{BYRON} {NEXT}",
    )
    assert composed.forms[1] == (BYRON,)
