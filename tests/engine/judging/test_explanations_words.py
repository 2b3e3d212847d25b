"""Which words and numbers of a claim are told to agree, to differ or to be missing."""

from itertools import pairwise

import pytest
from reports import citation, verdict

from veracite.engine.words import Aligned, AlignedKind, Label, Outcome, Relation

SAID = {Label.SUPPORTED: "supports", Label.CONTRADICTED: "contradicts"}


def aligned(
    claim: str, quote: str, label: Label = Label.CONTRADICTED, **changes: object
) -> dict[str, tuple[AlignedKind, Outcome, str | None]]:
    """The parts of a claim by their text, each with what the quote says in its place."""
    relation: Relation = SAID.get(label, "nearest")  # type: ignore[assignment]
    settings = {"heading": None, "context": quote} | changes
    told = verdict(claim, label, citation(quote, relation, **settings), source=claim)
    return {
        claim[part.start : part.end]: (part.kind, part.outcome, _instead(part))
        for part in told.words
    }


def _instead(part: Aligned) -> str | None:
    return part.stated.text if part.stated and part.outcome == "conflict" else None


@pytest.mark.parametrize(
    ("claim", "quote"),
    [
        ("It sold 1,200 copies.", "It sold 1200 copies."),
        ("It sold twelve hundred copies.", "It sold 1,200 copies."),
        ("It is 50 cm wide.", "It is half a metre wide."),
        ("It weighs 2 tonnes.", "It weighs 2,000 kg."),
        ("It opened in September 1968.", "It opened on 21 September 1968."),
        ("It opened on 3 June 1904.", "It opened on 1904-06-03."),
        ("It was open in 1997.", "It was open from 1990 to 2003."),
        ("It seats about 300 people.", "It seats 312 people."),
        ("It seats 40 people.", "It seats between 30 and 50 people."),
        ("Almost half of the boats leaked.", "43 per cent of the boats leaked."),
        ("It costs £5m.", "It costs £5 million."),
        ("It costs 180 pence.", "It costs £1.80."),
        ("It costs £0.50.", "It costs 50p."),
        ("It costs EUR 20.", "It costs 20 €."),
        ("A dozen boats leaked.", "12 boats leaked."),
        ("It starts at 5:30 pm.", "It starts at 17:30."),
        ("The dome was built in Penmouth.", "A boatyard in Penmouth built the dome."),
        ("The WHO agreed.", "The World Health Organization agreed."),
        ("Lumen 3 was released.", "They released Lumen 3."),
        ("It meets ISO9001.", "It is certified to ISO 9001."),
    ],
)
def test_the_same_in_another_form_agrees(claim: str, quote: str) -> None:
    found = aligned(claim, quote, Label.SUPPORTED)
    told = {text: part for text, part in found.items() if part[0] != "word"}
    assert told
    assert {outcome for _, outcome, _ in told.values()} == {"found"}, found


@pytest.mark.parametrize(
    ("claim", "quote", "part", "kind", "stated"),
    [
        ("It opened in 1914.", "It opened in 1904.", "1914", "date", "1904"),
        ("It has 12 rooms.", "It has fourteen rooms.", "12", "number", "fourteen"),
        ("It costs $5.", "It costs €5.", "$5", "number", "€5"),
        ("It is 12 km long.", "It is 8 miles long.", "12", "number", "8"),
        (
            "It was led by Erik Sand.",
            "It was led by Otto Brand.",
            "Erik Sand",
            "name",
            "Otto Brand",
        ),
        ("Lumen 3 needs memory.", "Lumen 2 needs memory.", "Lumen 3", "name", "Lumen 2"),
        ("The plane is N2699H.", "The plane: N2699G", "N2699H", "name", "N2699G"),
        (
            "The shop is open on Mondays.",
            "The shop is closed on Mondays.",
            "open",
            "word",
            "closed",
        ),
        ("It lies in the south.", "It lies in the north.", "south", "word", "north"),
        ("It can open drawings.", "It cannot open drawings.", "open", "negation", "cannot open"),
        ("It builds boats.", "It has never built a boat.", "builds", "negation", "never built"),
    ],
)
def test_what_stands_in_its_place_is_told(
    claim: str, quote: str, part: str, kind: AlignedKind, stated: str
) -> None:
    assert aligned(claim, quote)[part] == (kind, "conflict", stated)


def test_a_conflict_points_at_the_words_of_the_right_quote() -> None:
    claim = "The mill of Harrow burned in 1914."
    told = verdict(
        claim,
        Label.CONTRADICTED,
        citation("Harrow had a mill.", "contradicts", heading=None),
        citation("The mill burned\nin 1904.", "contradicts", heading=None),
        source=claim,
    )
    (part,) = [part for part in told.words if part.outcome == "conflict"]
    assert part.stated is not None
    quote = told.citations[part.stated.citation].quote
    assert part.stated.citation == 1
    assert quote[part.stated.start : part.stated.end] == part.stated.text == "1904"


def test_what_no_quote_says_is_missing_and_function_words_never_count() -> None:
    found = aligned(
        "The dome was built by a boatyard in Penmouth, of all places.",
        "The boatyard in Penmouth built it.",
        Label.UNCERTAIN,
    )
    assert {text for text, part in found.items() if part[1] == "missing"} == {"dome", "places"}
    assert not {"The", "was", "by", "a", "in", "of", "all"} & set(found)


def test_a_subject_is_known_from_heading_and_passage() -> None:
    claim = "The Harlow yard employed 62 people."
    quote = "In 2015 it employed 62 people."
    for told in ({"heading": "Harlow shipyard"}, {"context": f"The Harlow yard is old. {quote}"}):
        assert aligned(claim, quote, Label.SUPPORTED, **told)["Harlow"] == ("name", "found", None)
    assert aligned(claim, quote, Label.SUPPORTED)["Harlow"] == ("name", "missing", None)


def test_a_name_behind_the_verb_is_not_known_from_the_heading() -> None:
    told = aligned(
        "Ada Lind is on show at Kestrel Hill.",
        "She is on show in town.",
        Label.SUPPORTED,
        heading="Ada Lind of Kestrel Hill",
        context="Ada Lind lived on Kestrel Hill. She is on show in town.",
    )
    assert told["Ada Lind"] == ("name", "found", None)
    assert told["Kestrel Hill"] == ("name", "missing", None)
    ground = aligned(
        "The mirror was ground by Edith Marlow.",
        "Marlow ground the mirror.",
        Label.SUPPORTED,
        context="Edith Marlow was secretary. Marlow ground the mirror.",
    )
    assert ground["Edith Marlow"] == ("name", "found", None)


def test_a_date_in_the_heading_counts() -> None:
    quote = "The coating was done in Jena, as in 2007."
    found = aligned("It was coated in Jena in 2019.", quote, Label.SUPPORTED, heading="2019-06-24")
    assert found["2019"] == ("date", "found", None)


def test_words_broken_at_a_line_end_are_whole() -> None:
    found = aligned("The mill was rebuilt.", "The mill was re-\nbuilt.", Label.SUPPORTED)
    assert found["rebuilt"] == ("word", "found", None)


def test_a_far_sentence_is_not_held_against_the_claim() -> None:
    found = aligned(
        "The committee ordered a spectrograph for £6,200.",
        "A ticket costs £7.",
        Label.NOT_FOUND,
    )
    assert found["£6,200"] == ("number", "missing", None)


def test_a_negation_in_both_agrees() -> None:
    found = aligned("It has never moved.", "It did not move.", Label.SUPPORTED)
    assert found["never"] == ("negation", "found", None)


def test_people_of_one_family_are_not_the_same() -> None:
    found = aligned("Carl Berg was born in Lugo.", "Anna Berg was born in Lugo.")
    assert found["Carl Berg"] == ("name", "missing", None)


def test_without_quotes_there_is_nothing_to_tell() -> None:
    assert verdict("Who paid?", Label.NOT_FOUND).words == ()


@pytest.mark.parametrize("label", [Label.SUPPORTED, Label.CONTRADICTED, Label.UNCERTAIN])
def test_parts_are_in_order_and_apart(label: Label) -> None:
    claim = "Lumen 2 by Erik Sand of the Harlow yard was not sold before May 2018 for $1.5 million."
    relation: Relation = SAID.get(label, "nearest")  # type: ignore[assignment]
    told = verdict(
        claim, label, citation("Lumen 3 was sold in 2019.", relation), source=claim
    ).words
    assert len(told) > 5
    for one, other in pairwise(told):
        assert one.end <= other.start
