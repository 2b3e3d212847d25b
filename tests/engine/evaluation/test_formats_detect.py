"""Sets for ``detect`` in the shapes in which they are published, with invented text."""

from pathlib import Path

from upstream import statements, written

from veracite.engine.evaluation.formats import load

WIKIBIO = {
    "gpt3_text": "Ada Moss was a painter. She was born in 1901. She won a prize.",
    "wiki_bio_text": "Ada Moss (1903-1970) was a painter.",
    "gpt3_sentences": ["Ada Moss was a painter.", "She was born in 1901.", "She won a prize."],
    "annotation": ["accurate", "minor_inaccurate", "major_inaccurate"],
    "wiki_bio_test_idx": 62,
    "question": "This is a passage from Wikipedia about ada moss",
    "gpt3_text_samples": ["Ada Moss was a singer."],
}
FELM = {
    "index": "527",
    "domain": "wk",
    "source": "quora",
    "prompt": "What is tin?",
    "response": "Tin is a metal. It melts at 900 °C.",
    "segmented_response": ["Tin is a metal.", "It melts at\u2028900 °C."],
    "labels": [True, False],
    "comment": ["", "It melts at 232 °C."],
    "type": [None, "knowledge_error"],
    "ref": ["https://tin.example"],
    "ref_contents": ["Tin is a soft metal.", " "],
}


def passages(segment: str, tag: bool) -> dict[str, object]:
    """A row of CEG's passages."""
    found = [{"title": "Tin", "session": "Uses", "content": f"On: {segment}"}]
    found.append({"title": "Lead", "session": "", "content": "Lead is heavy."})
    return {
        "answer": FELM["response"],
        "response": segment,
        "tag": tag,
        "question": FELM["prompt"],
        "ress": {"dis": [0.9, 0.5], "res": found, "tag": [-1, -1]},
    }


def test_wikibio(tmp_path: Path) -> None:
    uneven = {**WIKIBIO, "annotation": ["accurate"], "wiki_bio_test_idx": 63}
    odd = {**WIKIBIO, "annotation": ["accurate", "fine", "accurate"], "wiki_bio_test_idx": 64}
    loaded = load("detect", [written(tmp_path / "a.jsonl", WIKIBIO, uneven, odd)])
    found = statements(loaded)
    assert loaded.format == "wikibio"
    assert [(s.id, s.group, s.truth) for s in found] == [
        ("62.1", "62", True),
        ("62.2", "62", False),
        ("62.3", "62", False),
        ("64.1", "64", True),
        ("64.3", "64", True),
    ]
    assert found[2].before == ("Ada Moss was a painter.", "She was born in 1901.")
    assert found[2].about == "ada moss"
    assert [source.text for source in found[0].sources] == [WIKIBIO["wiki_bio_text"]]
    assert loaded.label_map == {
        "accurate": True,
        "minor_inaccurate": False,
        "major_inaccurate": False,
    }
    assert "1 left out, 3 sentences with 1 labels (a.jsonl line 2)." in loaded.notes
    assert any("the label 'fine'" in note and "line 3" in note for note in loaded.notes)


def test_minor_inaccuracies_can_be_counted_as_true(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", WIKIBIO)
    loaded = load("detect", [path], None, {"minor_inaccurate": True})
    assert [s.truth for s in statements(loaded)] == [True, True, False]


def test_felm_with_the_annotators_references(tmp_path: Path) -> None:
    uneven = {**FELM, "labels": [True]}
    loaded = load("detect", [written(tmp_path / "felm.jsonl", FELM, uneven)])
    found = statements(loaded)
    assert loaded.format == "felm"
    assert [(s.id, s.label, s.truth) for s in found] == [
        ("527.1", "true", True),
        ("527.2", "false", False),
    ]
    assert found[1].text == "It melts at\u2028900 °C."
    assert found[1].before == ("Tin is a metal.",)
    assert found[1].about == "What is tin?"
    assert [s.text for s in found[1].sources] == ["Tin is a soft metal."]
    assert "The documents are the annotators' references." in loaded.notes
    assert "1 left out, 2 segments without as many labels (felm.jsonl line 2)." in loaded.notes


def test_felm_with_cegs_passages(tmp_path: Path) -> None:
    first = passages("Tin is a metal.", True)
    beside = written(tmp_path / "top10.jsonl", {**first, "ress": None}, first)
    loaded = load("detect", [beside, written(tmp_path / "felm.jsonl", FELM)])
    (found,) = statements(loaded)
    assert loaded.format == "felm"
    assert found.text == "Tin is a metal."
    assert [(s.title, s.text) for s in found.sources] == [
        ("Tin > Uses", "On: Tin is a metal."),
        ("Lead", "Lead is heavy."),
    ]
    assert "The documents are CEG's passages." in loaded.notes
    assert "1 left out, no passages for a segment (felm.jsonl row 1)." in loaded.notes
    assert "1 left out, no ress (top10.jsonl line 1)." in loaded.notes


def test_cegs_passages_alone(tmp_path: Path) -> None:
    rows = [passages("Tin is a metal.", True), {"response": "x"}, passages("It is blue.", False)]
    loaded = load("detect", [written(tmp_path / "top10.jsonl", *rows)])
    found = statements(loaded)
    assert loaded.format == "ceg-felm"
    assert [(s.id, s.text, s.truth) for s in found] == [
        ("1", "Tin is a metal.", True),
        ("3", "It is blue.", False),
    ]
    assert found[0].group == found[1].group
    assert found[1].before == ("Tin is a metal.",)
    assert "1 left out, no tag (top10.jsonl line 2)." in loaded.notes


def test_any_rows_of_text_label_and_evidence(tmp_path: Path) -> None:
    evidence: list[object] = [
        "One text.",
        ["Two", "texts."],
        [{"title": "T", "text": "An object."}],
        {"title": "T", "content": "One object."},
        [["T", "A pair."], ["T", ["A pair", "of sentences."]]],
    ]
    rows: list[dict[str, object]] = [
        {"claim": f"c{n}", "label": n % 2, "passages": one} for n, one in enumerate(evidence)
    ]
    rows.append({"sentence": "s", "label": "not_found", "context": "C", "before": "Earlier."})
    rows.append({"response": "r", "label": True, "group": "g", "before": ["a", "b"], "title": "T"})
    rows.append({"text": "t", "label": True, "evidence": [{"name": "no text"}]})
    rows.append({"text": "t", "label": True, "before": 3})
    loaded = load("detect", [written(tmp_path / "a.jsonl", *rows)])
    found = statements(loaded)
    assert loaded.format == "generic"
    assert [[(d.title, d.text) for d in s.sources] for s in found] == [
        [(None, "One text.")],
        [(None, "Two"), (None, "texts.")],
        [("T", "An object.")],
        [("T", "One object.")],
        [("T", "A pair."), ("T", "A pair of sentences.")],
        [(None, "C")],
        [],
    ]
    assert [s.truth for s in found] == [False, True, False, True, False, False, True]
    assert found[5].before == ("Earlier.",)
    assert (found[6].group, found[6].before, found[6].about) == ("g", ("a", "b"), "T")
    assert "1 left out, a document without text (a.jsonl line 8)." in loaded.notes
    assert "1 left out, `before` is no list of sentences (a.jsonl line 9)." in loaded.notes


def test_the_same_document_has_the_same_id_everywhere(tmp_path: Path) -> None:
    rows = [{"text": str(n), "label": 1, "evidence": ["Same.", f"Other {n}."]} for n in range(2)]
    first, second = statements(load("detect", [written(tmp_path / "a.jsonl", *rows)]))
    assert first.sources[0].id == second.sources[0].id
    assert first.sources[1].id != second.sources[1].id
