"""A claim that stands in the library as a sentence of its own is supported, and no twin of it is.

Each sentence is looked for in a library that has it, behind a draft's sentence that names somebody
else, and in one that has it only as a quotation, a question, a plan, a condition, a denial or of
somebody else. What the judge promises of single sentences besides is here, too.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from readings import claim, evidence, sentences_of

from veracite.engine.claims.segmentation import segment
from veracite.engine.judge.decision import WORD_FOR_WORD, bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.premises import compose
from veracite.engine.judge.verbatim import cannot_support
from veracite.engine.retrieve import Search
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Verdict
from veracite.index.memory import MemoryLibrary, Text
from veracite.models.verifier import Verifier

BESIDE = "Anna Berg kept the lighthouse at Tarn Point."
"""Of another document; the draft names her before the sentence."""
DRAFT = "The lighthouse keeper was Anna Berg.\n\n"

DATA: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "data" / "judged.json").read_text(encoding="utf-8")
)
TWINS = [(row["sentence"], twin) for row in DATA["sentences"] for twin in row["twins"]]


def verdict(verifier: Verifier, draft: str, *documents: str) -> Verdict:
    """Of the draft's last claim, by these documents and one on somebody else."""
    texts = [Text(f"{n}.txt", text) for n, text in enumerate((BESIDE, *documents))]
    library = MemoryLibrary(texts, None)
    bar = CheckSettings().uncertain_below
    judge = Judge(verifier, bundled_decision(), bar, library.sentences, library.raw_text)
    claim = segment(draft, markdown=True)[-1]
    (evidence,) = Search(library, None, None, "lexical").gather([claim])
    ((_, found, _),) = judge.judge([claim], [evidence])
    return found


def test_there_are_forty_of_each() -> None:
    """All distinct: a sentence of the library and what only has its words."""
    told = [row["sentence"] for row in (*DATA["sentences"], *DATA["pronouns"])]
    assert len(set(told)) == len(told) >= 40
    assert len(set(TWINS)) + len({row["other"] for row in DATA["pronouns"]}) >= 40


@pytest.mark.parametrize("row", DATA["sentences"], ids=lambda row: row["sentence"])
def test_a_sentence_of_the_library_is_supported_whoever_stands_before_it(
    verifier: Verifier, row: dict[str, Any]
) -> None:
    sentence = row["sentence"]
    document = f"Some facts of the place. {sentence} So it is."
    found = verdict(verifier, DRAFT + row.get("draft", sentence), document)
    assert (found.label, found.probability) == (Label.SUPPORTED, WORD_FOR_WORD), found
    assert found.citations[0].quote == sentence


@pytest.mark.parametrize(("sentence", "twin"), TWINS)
def test_a_quoted_asked_planned_supposed_or_denied_sentence_supports_nothing(
    verifier: Verifier, sentence: str, twin: str
) -> None:
    found = verdict(verifier, DRAFT + sentence, twin)
    assert found.label is not Label.SUPPORTED, found


@pytest.mark.parametrize("row", DATA["pronouns"], ids=lambda row: row["sentence"])
def test_a_pronoun_is_the_claim_where_it_has_the_same_antecedent_only(
    verifier: Verifier, row: dict[str, Any]
) -> None:
    """The document speaks of the same in the draft's words or in others, or of somebody else."""
    before, sentence = row["before"], row["sentence"]
    drafts = [f"{before} {sentence}", *([row["named"]] if "named" in row else [])]
    for draft in drafts:
        for told in {before, row.get("same", before)}:
            found = verdict(verifier, draft, f"{told} {sentence}")
            assert found.label is Label.SUPPORTED, (draft, told, found)
        found = verdict(verifier, draft, f"{row['other']} {sentence}")
        assert found.label is not Label.SUPPORTED, (draft, found)


def test_what_has_a_figure_near_the_claims_in_its_place_supports_nothing() -> None:
    said = claim("The coating was done in Jena in 2019.")
    for told, lacks in (("2018.", True), ("1994.", False), ("2018. It was 2019 for us.", False)):
        item = evidence("a", [f"The coating was done in Jena in {told}"])
        found = compose(said, [item], sentences_of, lambda *_: True)
        (whole,) = (p for p in found.premises if p.text == item.passage.text)
        assert cannot_support(found, whole) is lacks


def test_what_stands_there_is_supported_although_another_document_denies_it(
    verifier: Verifier,
) -> None:
    said = "Harlow Mill closed its last loom in 1962."
    found = verdict(verifier, said, said, "Harlow Mill closed its last loom in 1958.")
    assert found.label is Label.SUPPORTED
    assert [c.quote for c in found.citations if c.relation == "contradicts"] == [
        "Harlow Mill closed its last loom in 1958."
    ]


def test_a_quote_that_says_all_of_it_stands_without_what_else_was_read(verifier: Verifier) -> None:
    said = "A total of 3 lorries were used for 15 hours."
    club = "She scored nine goals in 63 matches in total, and moved to Division Three in 1990."
    found = verdict(verifier, "Three lorries were in use for a total of 15 hours.", said, club)
    assert (found.label, [c.quote for c in found.citations]) == (Label.SUPPORTED, [said])


@pytest.mark.parametrize("row", DATA["unaccounted"], ids=lambda row: row["more"])
def test_words_that_no_quote_accounts_for_show_in_the_probability(
    verifier: Verifier, row: dict[str, Any]
) -> None:
    plain, more = (verdict(verifier, row[said], row["document"]) for said in ("plain", "more"))
    assert plain.label is Label.SUPPORTED, plain
    assert plain.scores
    assert more.scores
    assert more.scores.supported < plain.scores.supported - 0.2


@pytest.mark.parametrize("row", DATA["said"], ids=lambda row: row["document"])
def test_a_sentence_that_says_the_claim_does_not_contradict_it(
    verifier: Verifier, row: dict[str, Any]
) -> None:
    found = verdict(verifier, row["claim"], row["document"])
    assert found.label is not Label.CONTRADICTED, found
    assert all(c.relation != "contradicts" for c in found.citations)


@pytest.mark.parametrize("row", DATA["complaints"], ids=lambda row: row["claim"])
def test_what_people_complained_of_does_not_come_back(
    verifier: Verifier, row: dict[str, Any]
) -> None:
    found = verdict(verifier, row["claim"], *row["documents"])
    relations = {c.relation for c in found.citations}
    disputed = ["disputed"] if {"supports", "contradicts"} <= relations else []
    assert {found.label, *disputed}.isdisjoint(row["never"]), found


def test_parts_the_other_way_round_say_the_same(verifier: Verifier) -> None:
    found = verdict(verifier, "The ferry warden was Ida Noor.", "Ida Noor was the ferry warden.")
    assert found.label is Label.SUPPORTED, found


@pytest.mark.parametrize(
    ("said", "before", "denies"),
    [
        (
            "The tenants of Merrow Lane get their deposit back with interest.",
            "Tenants of Merrow Lane pay a deposit, which they get back when they leave.",
            "It bears no interest.",
        ),
        (
            "Simon Trask read the letter-books of the Board for his biography of 1962.",
            "The biography by Simon Trask was published in 1962 and is still read.",
            "Trask was never allowed to see the Board's letter-books.",
        ),
    ],
)
def test_the_sentence_that_denies_a_claim_is_quoted_not_the_one_with_its_words(
    verifier: Verifier, said: str, before: str, denies: str
) -> None:
    found = verdict(verifier, said, f"{before} {denies} Much more is told elsewhere.")
    assert found.label is Label.CONTRADICTED
    assert found.citations[0].quote == denies
