"""Inference sets as they are published, with invented text."""

from pathlib import Path

from upstream import statements, table, whole, written

from veracite.engine.evaluation.formats import load


def test_contract_nli(tmp_path: Path) -> None:
    choices = {"nda-1": {"choice": "Entailment", "spans": [0]}, "nda-2": {"choice": "NotMentioned"}}
    contract = {"id": 3, "text": "The Parties agree.", "spans": [[0, 18]]}
    contract |= {"annotation_sets": [{"annotations": choices}]}
    odd = {**contract, "id": 4, "annotation_sets": [{"annotations": {"nda-9": {"choice": "?"}}}]}
    hypotheses = {key: {"short_description": "", "hypothesis": f"H {key}."} for key in choices}
    loaded = load(
        "attribute",
        [whole(tmp_path / "a.json", {"documents": [contract, odd], "labels": hypotheses})],
    )
    found = statements(loaded)
    assert loaded.format == "contract-nli"
    assert [(s.id, s.group, s.text, s.truth) for s in found] == [
        ("3/nda-1", "3", "H nda-1.", True),
        ("3/nda-2", "3", "H nda-2.", False),
    ]
    assert "1 left out, contract 4: no nda-9 (a.json row 1)." in loaded.notes


def test_nli_in_its_shapes(tmp_path: Path) -> None:
    snli = {"gold_label": "entailment", "pairID": "p1", "sentence1": "A.", "sentence2": "B."}
    unsure = {**snli, "gold_label": "-", "pairID": "p2"}
    loaded = load("attribute", [written(tmp_path / "a.jsonl", snli, unsure)])
    assert loaded.format == "nli"
    assert [(s.id, s.text, s.truth) for s in statements(loaded)] == [("p1", "B.", True)]
    assert any("did not agree" in note and "line 2" in note for note in loaded.notes)
    path = tmp_path / "a.tsv"
    path.write_text("\ufeffPremise\tHypothesis\tLabel\nA.\tB.\tneutral\n", "utf-8")
    assert [s.truth for s in statements(load("attribute", [path]))] == [False]
    numbered = table(tmp_path / "a.csv", {"premise": "A.", "hypothesis": "B.", "label": 0})
    loaded = load("attribute", [numbered])
    assert [s.truth for s in statements(loaded)] == [True]
    assert "Of the labels 0 is entailment, 1 neutral, 2 contradiction." in loaded.notes
