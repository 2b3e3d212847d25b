"""Attribution sets in the shapes in which they are published, with invented text."""

from pathlib import Path

from upstream import statements, whole, written

from veracite.engine.evaluation.formats import load


def test_wikiretr_without_and_with_human_labels(tmp_path: Path) -> None:
    row = {
        "title": "Tin",
        "session": "Uses",
        "content": "Tin coats cans.",
        "claim": "Cans have tin.",
    }
    judged = {**row, "chinese": "...", "human_eval": 0, "error-type": 3, "GPT4_eval": 1}
    loaded = load("attribute", [whole(tmp_path / "a.json", [row, judged, {"claim": "x"}])])
    first, second = statements(loaded)
    assert loaded.format == "wikiretr"
    assert (first.truth, first.label) == (True, "by construction")
    assert (second.truth, second.label) == (False, "0")
    assert [(s.title, s.text) for s in first.sources] == [("Tin > Uses", "Tin coats cans.")]
    assert loaded.label_map == {"by construction": True, "0": False}
    assert any(note.startswith("Claims without a human label") for note in loaded.notes)
    assert "1 left out, no content (a.json row 3)." in loaded.notes


def test_wice_judges_by_the_whole_page(tmp_path: Path) -> None:
    row = {
        "label": "partially_supported",
        "supporting_sentences": [[2]],
        "claim": "He edits the Tin Review in York.",
        "evidence": ["(meta data) TITLE: About us", "Skip to content", "He edits the Tin Review."],
        "meta": {
            "id": "dev01",
            "claim_title": "Roy Moss",
            "claim_section": "Career.",
            "claim_context": "Moss was born in Hull.",
        },
    }
    full = {**row, "label": "supported", "meta": {**row["meta"], "id": "dev02"}}  # type: ignore[dict-item]
    loaded = load("attribute", [written(tmp_path / "a.jsonl", row, full, {**row, "meta": None})])
    first, second = statements(loaded)
    assert loaded.format == "wice"
    assert (first.id, first.group, first.truth) == ("dev01", "Roy Moss", False)
    assert (second.id, second.truth) == ("dev02", True)
    assert first.before == ("Moss was born in Hull.",)
    assert first.sources[0].title == "About us"
    assert first.sources[0].text.endswith("\nSkip to content\nHe edits the Tin Review.")
    assert "1 left out, no meta (a.jsonl line 3)." in loaded.notes


def test_attributionbench(tmp_path: Path) -> None:
    row = {
        "question": "what is tin",
        "claim": "Tin is a metal.",
        "claim_raw_string": "Tin is a metal.",
        "response": "Tin is a metal.",
        "references": [
            "Title: Tin\n\nTin is a soft metal.",
            "Title: Cans\nText: Cans have tin.",
            "x",
        ],
        "citation_links": [],
        "webpage_references": [],
        "attribution_label": "not attributable",
        "src_dataset": "LFQA",
        "id": "LFQA_1",
    }
    loaded = load("attribute", [written(tmp_path / "a.jsonl", row, {**row, "references": 7})])
    (found,) = statements(loaded)
    assert loaded.format == "attributionbench"
    assert (found.id, found.truth, found.part) == ("LFQA_1", False, "LFQA")
    assert found.about == "what is tin"
    assert [(s.title, s.text) for s in found.sources] == [
        ("Tin", "Tin is a soft metal."),
        ("Cans", "Cans have tin."),
        (None, "x"),
    ]
    assert "1 left out, no references (a.jsonl line 2)." in loaded.notes


def test_expertqa(tmp_path: Path) -> None:
    def claim(text: str, support: str | None, *evidence: str) -> dict[str, object]:
        return {"claim_string": text, "evidence": list(evidence), "support": support}

    page = "[1] https://tin.example/a\n\nTin is a metal."
    claims = [
        claim("Tin is a metal.", "Complete", page),
        claim("Tin is light.", "Incomplete", page),
        claim("Tin shines.", "Missing"),
        claim("Tin rings.", "Complete", page, "[2] https://tin.example/b"),
        claim("Tin is old.", "N/A", page),
    ]
    answers = {"bing_chat": {"answer_string": "...", "claims": claims}}
    row = {"question": "What is tin?", "annotator_id": "7", "answers": answers, "metadata": {}}
    empty = {**row, "answers": {}}
    loaded = load("attribute", [written(tmp_path / "a.jsonl", row, empty)])
    first, second = statements(loaded)
    assert loaded.format == "expertqa"
    assert (first.id, first.truth, first.part) == ("1/bing_chat/1", True, "bing_chat")
    assert (second.truth, second.before) == (False, ("Tin is a metal.",))
    assert [s.text for s in first.sources] == ["Tin is a metal."]
    for reason in (
        "a claim that cites nothing (a.jsonl line 1)",
        "a claim that cites a page without its text (a.jsonl line 1)",
        "the label 'N/A' stands for neither true nor false; say what it means with "
        "--label N/A=true (or =false) (a.jsonl line 1)",
        "no answer (a.jsonl line 2)",
    ):
        assert f"1 left out, {reason}." in loaded.notes


def test_begin_reads_raw_tabs_with_quotes(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(
        b"model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label\r\n"
        b't5\twow\tTin is "soft".\tHi!\tTin is soft.\tFully attributable\r\n'
        b"ctrl\twow\tTin is soft.\tHi!\tTin is blue.\tNot fully attributable\r\n"
        b"t5\twow\tTin is soft.\tHi!\tI like it.\tGeneric\r\n"
        b"t5\twow\tcut off\r\n"
    )
    loaded = load("attribute", [tmp_path / "a.tsv"])
    found = statements(loaded)
    assert loaded.format == "begin"
    assert [s.truth for s in found] == [True, False, False]
    assert [s.part for s in found] == ["wow/t5", "wow/ctrl", "wow/t5"]
    assert found[0].sources[0].text == 'Tin is "soft".'
    assert found[1].group == found[2].group != found[0].group
    assert "1 left out, not the header's 6 columns (a.tsv line 5)." in loaded.notes
