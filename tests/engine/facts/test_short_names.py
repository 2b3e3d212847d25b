"""Short forms of names are read in full where the document leaves no doubt whom they mean."""

import pytest
from readings import claim, evidence, sentences_of

from veracite.engine.comparing.premises import compose
from veracite.engine.facts.short_names import in_full, short_forms

CLUB = (
    "The Harrow Rowing Society was founded in 1904. Its secretary was Edith Marlow. Later Marlow "
    "taught. The society has a boat. In Marlow the river bends."
)


@pytest.mark.parametrize(
    ("said", "told", "read"),
    [
        ("Edith Marlow taught.", "Marlow taught.", "Edith Marlow taught."),
        ("Edith Marlow taught.", "When Marlow taught, it rained.", None),
        ("Edith Marlow taught.", "Dr Marlow taught.", "Dr Edith Marlow taught."),
        ("Edith Marlow taught.", "Edith taught.", "Edith Marlow taught."),
        ("Edith Marlow's boat sank.", "Marlow's boat sank.", "Edith Marlow's boat sank."),
        (
            "The Harrow Rowing Society has a boat.",
            "The society has a boat.",
            "The Harrow Rowing Society has a boat.",
        ),
    ],
)
def test_a_short_form_is_read_in_full(said: str, told: str, read: str | None) -> None:
    assert in_full(short_forms(said, CLUB), told) == (
        read or told.replace("Marlow", "Edith Marlow")
    )


@pytest.mark.parametrize(
    ("said", "told", "document"),
    [
        ("Edith Marlow taught.", "Edith Marlow met Marlow.", CLUB),
        ("Edith Marlow taught.", "In Marlow it rained.", CLUB),
        ("Edith Marlow taught.", "Marlow Road is long.", CLUB),
        ("Edith Marlow taught.", "Mrs Marlow taught.", CLUB),
        ("Edith Marlow taught.", "Mr Marlow taught.", CLUB),
        ("Edith Marlow built it.", "Marlow & Sons built it.", CLUB),
        ("Edith Marlow built it.", "Marlow and Sons built it.", CLUB),
        ("The Harrow Rowing Society sank.", "The society sank.", "The society sank."),
        ("Edith Marlow taught.", "Tom Marlow taught.", CLUB),
        ("Edith Marlow taught.", "Marlow taught.", f"{CLUB} Her brother is Tom Marlow."),
        ("Edith Marlow taught.", "Edith taught.", f"{CLUB} Edith Brown sang."),
        ("Anna Marlow taught.", "Marlow taught.", CLUB),
        ("The Harrow Rowing Society sank.", "The society sank.", f"{CLUB} The Royal Society met."),
        ("The Royal Society sank.", "The society sank.", CLUB),
        ("Harrow City won.", "The city won.", "Harrow City lost. The city mourned."),
        ("New York won.", "York won.", "New York lost. York mourned."),
    ],
)
def test_what_may_mean_another_stays(said: str, told: str, document: str) -> None:
    assert in_full(short_forms(said, document), told) == told


def test_the_verifier_reads_names_in_full_and_the_quote_keeps_its_own() -> None:
    items = [evidence("a", ["Marlow taught."])]
    composed = compose(
        claim("Edith Marlow taught."),
        items,
        sentences_of,
        lambda premise, claim: True,
        lambda document: CLUB,
    )
    assert {premise for form in composed.forms for premise in form} == {"Edith Marlow taught."}
    assert composed.candidates[0].sentence.text == "Marlow taught."
