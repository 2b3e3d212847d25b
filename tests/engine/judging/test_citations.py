"""Which sentences a verdict quotes, and what it says about them."""

import pytest
from readings import (
    CONTRADICTED,
    NEUTRAL,
    SUPPORTED,
    claim,
    evidence,
    raw_text_of,
    reading,
)

from veracite.engine.judging.citations import cite, has_ground
from veracite.engine.judging.explanations import explain
from veracite.engine.words import Label

MILL = evidence("mill", ["The mill burned down in 1904.", "It stood by the river."], "Mill")
TOWN = evidence("town", ["The town is old.", "Its mill burned in 1904."], "Town", rank=2)
CLAIM = claim("The mill burned down in 1904.")


def test_a_supporting_sentence_is_quoted_verbatim_with_its_place() -> None:
    said = reading(
        CLAIM, [MILL, TOWN], [SUPPORTED, NEUTRAL], {"The mill burned down in 1904.": SUPPORTED}
    )
    (only,) = cite(said, Label.SUPPORTED, raw_text_of(MILL, TOWN))
    assert (only.file, only.page, only.quote, only.relation) == (
        "/mill",
        1,
        "The mill burned down in 1904.",
        "supports",
    )
    assert MILL.passage.text[only.start : only.end] == only.quote
    assert "1904" in explain(said, Label.SUPPORTED, [only])


def test_every_passage_that_supports_on_its_own_is_cited_once() -> None:
    said = reading(
        CLAIM,
        [MILL, TOWN],
        [SUPPORTED, SUPPORTED],
        {"The mill burned down in 1904.": SUPPORTED, "Its mill burned in 1904.": SUPPORTED},
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(MILL, TOWN))
    assert [c.file for c in found] == ["/mill", "/town"]


def test_sentences_that_support_only_together_are_all_cited() -> None:
    owner = evidence("owner", ["Anna Berg owned it then.", "She had two sons."], rank=2)
    said = reading(
        claim("The mill of Anna Berg burned down in 1904."),
        [MILL, owner],
        [NEUTRAL, NEUTRAL],
        {},
        joint=SUPPORTED,
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(MILL, owner))
    assert {c.quote for c in found} == {"The mill burned down in 1904.", "Anna Berg owned it then."}
    assert "together" in explain(said, Label.SUPPORTED, found)


def test_sentences_with_little_of_a_claim_do_not_support_it_together() -> None:
    said = reading(
        claim("Anna Berg once owned seven mills in the valley."),
        [MILL],
        [NEUTRAL],
        {},
        joint=SUPPORTED,
    )
    assert not has_ground(said, Label.SUPPORTED)


def test_the_sentence_that_says_it_is_quoted_not_those_that_share_words() -> None:
    sky = evidence("sky", ["Then it cleared and we showed them Saturn.", "Nobody left."])
    other = evidence("other", ["The clouds stayed."], rank=2)
    said = reading(
        claim("Once the clouds had gone, the guests were shown Saturn."),
        [sky, other],
        [NEUTRAL, NEUTRAL],
        {"Then it cleared and we showed them Saturn.": SUPPORTED},
        joint=SUPPORTED,
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(sky, other))
    assert [c.quote for c in found] == ["Then it cleared and we showed them Saturn."]


def test_a_sentence_without_a_word_of_the_claim_is_not_quoted_for_it() -> None:
    nobody = "Nobody was hurt that night."
    hurt = evidence("hurt", [nobody], rank=2)
    owned = claim("Anna Berg owned seven barns.")
    said = reading(owned, [MILL, hurt], [NEUTRAL] * 2, {nobody: SUPPORTED}, joint=SUPPORTED)
    assert not has_ground(said, Label.SUPPORTED)


def test_a_verdict_without_a_premise_that_says_so_has_no_ground() -> None:
    neutral = reading(CLAIM, [TOWN], [NEUTRAL], {}, joint=NEUTRAL)
    assert not has_ground(neutral, Label.SUPPORTED)
    assert not has_ground(neutral, Label.CONTRADICTED)
    assert has_ground(neutral, Label.NOT_FOUND)
    assert has_ground(reading(CLAIM, [MILL], [NEUTRAL], {}, joint=SUPPORTED), Label.SUPPORTED)


def test_a_passage_does_not_support_by_a_sentence_that_denies_the_claim() -> None:
    denied = {"The mill burned down in 1904.": CONTRADICTED}
    for joint in (NEUTRAL, SUPPORTED):
        said = reading(
            claim("The mill burned to the ground."), [MILL], [SUPPORTED], denied, joint=joint
        )
        assert not has_ground(said, Label.SUPPORTED)


def test_a_contradiction_quotes_the_sentence_about_the_claim_itself() -> None:
    false = claim("The mill burned down in 1914.")
    said = reading(
        false,
        [MILL, TOWN],
        [CONTRADICTED, NEUTRAL],
        {"The mill burned down in 1904.": CONTRADICTED, "The town is old.": (0.0, 0.05, 0.95)},
    )
    found = cite(said, Label.CONTRADICTED, raw_text_of(MILL, TOWN))
    assert found[0].quote == "The mill burned down in 1904."
    assert {c.relation for c in found} == {"contradicts"}
    assert explain(said, Label.CONTRADICTED, found) == (
        "The claim says 1914, the document says 1904."
    )


def test_another_name_in_the_same_place_is_named() -> None:
    owned = evidence("owner", ["The mill was owned by Anna Berg."])
    false = claim("The mill was owned by Carl Holm.")
    said = reading(
        false, [owned], [CONTRADICTED], {"The mill was owned by Anna Berg.": CONTRADICTED}
    )
    found = cite(said, Label.CONTRADICTED, raw_text_of(owned))
    assert explain(said, Label.CONTRADICTED, found) == (
        "The claim says Carl Holm, the document says Anna Berg."
    )


def test_not_found_shows_the_nearest_and_what_is_lacking() -> None:
    said = reading(
        claim("The mill was sold to Carl Holm in 1890."), [MILL, TOWN], [NEUTRAL] * 2, {}
    )
    found = cite(said, Label.NOT_FOUND, raw_text_of(MILL, TOWN))
    assert {c.relation for c in found} == {"nearest"}
    assert {c.file for c in found} == {"/mill", "/town"}
    told = explain(said, Label.NOT_FOUND, found)
    assert told == (
        "None of the 2 nearest passages states this. “Carl Holm” and “1890” stand nowhere in them."
    )


def test_a_document_that_disagrees_is_quoted_beside_the_verdict() -> None:
    leaflet = evidence("leaflet", ["The mill burned down in 1905."], rank=2)
    said = reading(
        CLAIM,
        [MILL, leaflet],
        [SUPPORTED, CONTRADICTED],
        {
            "The mill burned down in 1904.": SUPPORTED,
            "The mill burned down in 1905.": CONTRADICTED,
        },
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(MILL, leaflet))
    assert [(c.file, c.relation) for c in found] == [
        ("/mill", "supports"),
        ("/leaflet", "contradicts"),
    ]
    assert explain(said, Label.SUPPORTED, found).endswith("Another document disagrees.")


def test_a_sentence_with_another_figure_is_never_quoted_as_support() -> None:
    leaflet = evidence("leaflet", ["The leaflet gives the year of the fire as 1905."], rank=2)
    said = reading(
        CLAIM,
        [MILL, leaflet],
        [SUPPORTED, SUPPORTED],
        {
            "The mill burned down in 1904.": SUPPORTED,
            "The leaflet gives the year of the fire as 1905.": SUPPORTED,
        },
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(MILL, leaflet))
    assert [c.file for c in found] == ["/mill"]


def test_a_sentence_about_something_else_is_never_quoted_as_support() -> None:
    rain = evidence("rain", ["Rain fell on the hills all week."], rank=2)
    said = reading(
        CLAIM,
        [MILL, rain],
        [SUPPORTED, SUPPORTED],
        {
            "The mill burned down in 1904.": SUPPORTED,
            "Rain fell on the hills all week.": (0.99, 0.01, 0.0),
        },
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(MILL, rain))
    assert [c.file for c in found] == ["/mill"]


def test_a_quote_in_other_words_is_said_to_be_so() -> None:
    fire = evidence("fire", ["A blaze destroyed the mill that year."])
    said = reading(
        claim("The mill burned down with all its grain."),
        [fire],
        [SUPPORTED],
        {"A blaze destroyed the mill that year.": SUPPORTED},
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(fire))
    assert explain(said, Label.SUPPORTED, found) == "The quoted sentence says so, in other words."


def test_months_titles_and_labels_are_not_told_as_names() -> None:
    flown = claim("Dr. Berg landed in November.")
    log = evidence("berg", ["Aircraft Make: Cessna Registration: N461TC"])
    said = reading(flown, [log], [CONTRADICTED], {})
    found = cite(said, Label.CONTRADICTED, raw_text_of(log))
    assert explain(said, Label.CONTRADICTED, found) == "The quoted sentence says otherwise."
    form = evidence("form", ["Aircraft Make: Cessna Registration: N461TC"])
    said = reading(flown, [form], [NEUTRAL], {})
    found = cite(said, Label.NOT_FOUND, raw_text_of(form))
    missing = explain(said, Label.NOT_FOUND, found)
    assert "“Berg” stands nowhere" in missing
    assert "November" not in missing


def test_the_same_words_are_quoted_once() -> None:
    copy = evidence("copy", ["The mill burned down in 1904.", "Another note."], rank=2)
    said = reading(
        CLAIM, [MILL, copy], [SUPPORTED] * 2, {"The mill burned down in 1904.": SUPPORTED}
    )
    texts = raw_text_of(MILL, copy)
    assert [c.file for c in cite(said, Label.SUPPORTED, texts)] == ["/mill"]
    assert [c.file for c in cite(said, Label.NOT_FOUND, texts)] == ["/mill"]


def test_a_sentence_that_says_the_claim_word_for_word_is_ground_whatever_the_verifier_reads() -> (
    None
):
    said = reading(CLAIM, [TOWN, MILL], [NEUTRAL, NEUTRAL], {})
    assert [c.quote for c in cite(said, Label.SUPPORTED, raw_text_of(MILL, TOWN))] == [CLAIM.text]
    other = claim("The mill burned down in 1911.")
    assert not has_ground(reading(other, [TOWN, MILL], [NEUTRAL, NEUTRAL], {}), Label.SUPPORTED)
    pronoun = claim("It stood by the river.")
    assert not has_ground(reading(pronoun, [TOWN, MILL], [NEUTRAL, NEUTRAL], {}), Label.SUPPORTED)


def test_another_date_is_told_before_another_name() -> None:
    told = "The club was founded in Beijing on 1 October 1949."
    item = evidence("mao", [told])
    said = reading(
        claim("The club was founded in Nanjing on 1 October 1959."), [item], [CONTRADICTED], {}
    )
    found = cite(said, Label.CONTRADICTED, raw_text_of(item))
    assert explain(said, Label.CONTRADICTED, found) == (
        "The claim says 1 October 1959, the document says 1 October 1949."
    )


def test_a_name_that_stands_there_in_another_form_is_not_told_to_be_missing() -> None:
    item = evidence("board", ["The National Transportation Safety Board looked into it."])
    said = reading(claim("The crash at Belen was studied by the NTSB."), [item], [NEUTRAL], {})
    found = cite(said, Label.NOT_FOUND, raw_text_of(item))
    told = explain(said, Label.NOT_FOUND, found)
    assert "NTSB" not in told
    assert "“Belen” stands nowhere" in told


def test_what_another_document_forbids_is_quoted_beside_what_one_allows() -> None:
    leaflet = evidence("leaflet", ["Dogs are welcome in the hall."])
    minutes = evidence("minutes", ["Dogs are not allowed in the hall."], rank=2)
    said = reading(
        claim("Dogs may enter the hall."),
        [leaflet, minutes],
        [SUPPORTED, NEUTRAL],
        {"Dogs are welcome in the hall.": SUPPORTED},
    )
    found = cite(said, Label.SUPPORTED, raw_text_of(leaflet, minutes))
    assert [(c.file, c.relation) for c in found] == [
        ("/leaflet", "supports"),
        ("/minutes", "contradicts"),
    ]


@pytest.mark.parametrize(
    ("further", "quoted"),
    [
        ("The plumage of young birds is grey.", False),
        ("A duck is a bird.", True),
        ("They are birds with webbed feet.", True),
        ("They swim well.", False),
    ],
)
def test_a_further_sentence_is_quoted_only_if_it_says_nearly_as_much(
    further: str, quoted: bool
) -> None:
    first = "Ducks are mostly aquatic birds."
    here = evidence("a", [first], "Ducks")
    there = evidence("b", [further], "Ducks", rank=2)
    said = reading(
        claim("Ducks are birds."), [here, there], [SUPPORTED] * 2,
        {first: (0.95, 0.03, 0.02), further: SUPPORTED},
    )  # fmt: skip
    found = cite(said, Label.SUPPORTED, raw_text_of(here, there))
    assert [c.quote for c in found] == ([first, further] if quoted else [first])
