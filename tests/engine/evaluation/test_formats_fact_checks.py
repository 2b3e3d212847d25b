"""Fact-checking sets as they are published, with invented text."""

from pathlib import Path

import pytest
from upstream import statements, table, written

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats import load


def test_fever_like_sets(tmp_path: Path) -> None:
    vitaminc: dict[str, object] = {"unique_id": "v_1", "case_id": "v", "page": "Tin_(metal)"}
    vitaminc |= {"claim": "Tin is soft.", "evidence": "It is soft.", "label": "NOT ENOUGH INFO"}
    symmetric = {"id": "9", "label": "REFUTES", "claim": "C.", "evidence_sentence": "E."}
    covid = {"claim": "C.", "label": "SUPPORTED", "evidence": ["E1.", "E2."], "gold_source": "s"}
    path = written(tmp_path / "a.jsonl", vitaminc, symmetric, covid, {"claim": "C.", "label": "x"})
    loaded = load("attribute", [path])
    found = statements(loaded)
    assert loaded.format == "fever"
    assert [(s.id, s.truth, len(s.sources)) for s in found] == [
        ("v_1", False, 1),
        ("9", False, 1),
        ("3", True, 2),
    ]
    assert (found[0].group, found[0].sources[0].title) == ("v", "Tin (metal)")
    assert found[2].group == "s"
    assert "1 left out, no evidence (a.jsonl line 4)." in loaded.notes
    health: dict[str, object] = {"id": 5, "evidence": "E.", "claim": "C.", "label": "Supports"}
    health |= {"topic_ip": 1, "question": "Why?"}
    (one,) = statements(load("attribute", [table(tmp_path / "a.csv", health)]))
    assert (one.id, one.truth, one.about) == ("5", True, "Why?")


def test_fever_without_its_pages_says_what_is_missing(tmp_path: Path) -> None:
    nested = {"id": 1, "verifiable": "VERIFIABLE", "label": "SUPPORTS", "claim": "C."}
    nested |= {"evidence": [[[5, 6, "Tin", 0]]]}
    hub = {"id": 1, "label": "SUPPORTS", "claim": "C.", "evidence_wiki_url": "Tin"}
    for row in (nested, hub):
        with pytest.raises(InputError, match="FEVER needs its Wikipedia pages"):
            load("attribute", [written(tmp_path / "a.jsonl", row)])


def test_scifact_as_published(tmp_path: Path) -> None:
    evidence = {"7": [{"sentences": [1], "label": "SUPPORT"}]}
    claims = [
        {"id": 1, "claim": "Tin is soft.", "evidence": evidence, "cited_doc_ids": [7, 8, 9]},
        {"id": 2, "claim": "Tin is old."},
        {"id": 3, "claim": "Tin rusts.", "evidence": {}, "cited_doc_ids": []},
    ]
    corpus = [
        {
            "doc_id": 7,
            "title": "Tin",
            "abstract": ["We bend tin.", "It is soft."],
            "structured": False,
        },
        {"doc_id": 8, "title": "Lead", "abstract": ["We bend lead."], "structured": False},
        {"doc_id": 9, "title": "Zinc"},
    ]
    path = written(tmp_path / "claims_dev.jsonl", *claims)
    loaded = load("attribute", [written(tmp_path / "corpus.jsonl", *corpus), path])
    found = statements(loaded)
    assert loaded.format == "scifact"
    assert [(s.id, s.group, s.label, s.truth) for s in found] == [
        ("1/7", "1", "SUPPORT", True),
        ("1/8", "1", "NOT_ENOUGH_INFO", False),
    ]
    assert (found[0].sources[0].title, found[0].sources[0].text) == (
        "Tin",
        "We bend tin. It is soft.",
    )
    assert "2 left out, it cites no abstract (claims_dev.jsonl line 2, line 3)." in loaded.notes
    assert (
        "1 left out, its abstract is not in the corpus (claims_dev.jsonl line 1)." in loaded.notes
    )
    assert "1 left out, no abstract (corpus.jsonl line 3)." in loaded.notes
    with pytest.raises(InputError, match="corpus"):
        load("attribute", [path])


def test_scifact_as_tables(tmp_path: Path) -> None:
    base: dict[str, object] = {"id": 1, "claim": "Tin is soft.", "evidence_doc_id": 7}
    base |= {
        "evidence_label": "CONTRADICT",
        "evidence_sentences": "[0]",
        "cited_doc_ids": "[ 7 81]",
    }
    table(tmp_path / "claims_validation.csv", base, {**base, "evidence_sentences": "[1]"})
    documents: dict[str, object] = {"doc_id": 7, "title": "Tin", "structured": False}
    documents["abstract"] = "['We can\\'t bend it.'\n \"It's hard.\"]"
    table(tmp_path / "corpus_train.csv", documents, {**documents, "doc_id": 81})
    found = statements(load("attribute", [tmp_path]))
    assert [(s.id, s.label, s.truth) for s in found] == [
        ("1/7", "CONTRADICT", False),
        ("1/81", "NOT_ENOUGH_INFO", False),
    ]
    assert found[0].sources[0].text == "We can't bend it. It's hard."


def test_foolmetwice_factcheck_gpt_and_climate_fever(tmp_path: Path) -> None:
    evidence = [{"section_header": "Uses", "text": "E1."}, {"section_header": "", "text": "E2."}]
    fool: dict[str, object] = {"category": "Science", "id": "x", "label": "REFUTES", "text": "C."}
    fool |= {"gold_evidence": evidence, "retrieved_evidence": [], "wikipedia_page": "Tin"}
    loaded = load("attribute", [written(tmp_path / "a.jsonl", fool, {**fool, "gold_evidence": 1})])
    (found,) = statements(loaded)
    assert (loaded.format, found.truth, found.group) == ("foolmetwice", False, "Tin")
    assert [(s.title, s.text) for s in found.sources] == [("Tin", "E1."), ("Tin", "E2.")]
    assert "1 left out, no list of gold_evidence (a.jsonl line 2)." in loaded.notes

    stances = ["completely-support", "partially-support", "refute", "irrelevant", "?"]
    rows = [{"claim": "C.", "evidence": "E.", "stance": stance} for stance in stances]
    loaded = load("attribute", [written(tmp_path / "b.jsonl", *rows)])
    assert loaded.format == "factcheck-gpt"
    assert [s.truth for s in statements(loaded)] == [True, False, False, False]
    assert len({s.group for s in statements(loaded)}) == 1

    climate: dict[str, object] = {"claim_id": "5", "claim": "C.", "claim_label": "DISPUTED"}
    climate |= {"evidences": [{"article": "Sun", "evidence": "E.", "evidence_label": "SUPPORTS"}]}
    loaded = load("attribute", [written(tmp_path / "c.jsonl", climate, {**climate, "claim": None})])
    (found,) = statements(loaded)
    assert (loaded.format, found.id, found.truth) == ("climate-fever", "5", False)
    assert [(s.title, s.text) for s in found.sources] == [("Sun", "E.")]
    assert "1 left out, no claim (c.jsonl line 2)." in loaded.notes
