"""Summary consistency sets as they are published, with invented text."""

import json
from pathlib import Path

import openpyxl
import pytest
from upstream import statements, table, whole, written

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats import load


def test_aggrefact_s_workbook_counts_summaries_once(tmp_path: Path) -> None:
    header = ["dataset", "id", "doc", "summ", "model_name", "label", "cut", "error_type"]
    row: list[object] = ["frank", "a1", "Tin is soft.", "tin is hard", "BART", 0, "val", "['x']"]
    book = openpyxl.Workbook()
    first, second = book.worksheets[0], book.create_sheet("xsum_ex_np")
    for values in (header, row, ["frank", "a2", None, "tin", "BART", 0, "val", "[]"]):
        first.append(values)
    for values in (header, row, [*row[:3], "tin is soft", "T5", 1, "val", "[]"]):
        second.append(values)
    book.save(tmp_path / "a.xlsx")
    loaded = load("attribute", [tmp_path / "a.xlsx"])
    found = statements(loaded)
    assert loaded.format == "aggrefact"
    assert [(s.id, s.truth, s.part) for s in found] == [
        ("frank/a1/BART", False, "frank"),
        ("frank/a1/T5", True, "frank"),
    ]
    assert found[0].group == found[1].group
    where = "a.xlsx sheet 'Sheet', row 3"
    assert f"1 left out, its document is not in the file ({where})." in loaded.notes
    where = "a.xlsx sheet 'xsum_ex_np', row 2"
    assert f"1 left out, the same summary again ({where})." in loaded.notes


def test_aggrefact_s_table(tmp_path: Path) -> None:
    row: dict[str, object] = {"": 0, "dataset": "CLIFF", "origin": "xsum", "id": "7", "doc": "D."}
    row |= {"summary": "S.", "model_name": "BART", "label": 1, "cut": "test", "DAE_score": 0.3}
    (found,) = statements(load("attribute", [table(tmp_path / "a.csv", row)], "aggrefact"))
    assert (found.id, found.text, found.truth) == ("CLIFF/7/BART", "S.", True)


def test_llm_aggrefact(tmp_path: Path) -> None:
    row: dict[str, object] = {"dataset": "Reveal", "doc": "Tin is soft.", "claim": "Tin is hard."}
    row |= {"label": 0, "contamination_identifier": "x"}
    for path in (
        table(tmp_path / "a.csv", row, {**row, "label": 1}, {**row, "doc": ""}),
        written(tmp_path / "a.jsonl", row, {**row, "label": 1}, {**row, "doc": None}),
    ):
        loaded = load("attribute", [path])
        found = statements(loaded)
        assert loaded.format == "llm-aggrefact"
        assert [(s.truth, s.label, s.part) for s in found] == [
            (False, "0", "Reveal"),
            (True, "1", "Reveal"),
        ]
        assert any("its document is not in the file" in note for note in loaded.notes)


def test_summac_and_summedits(tmp_path: Path) -> None:
    summac = {"document": "Tin is soft.", "claim": "Tin is soft.", "label": 1, "dataset": "frank"}
    path = written(
        tmp_path / "summac.jsonl", {**summac, "cut": "val", "annotations": [1]}, {"label": 1}
    )
    loaded = load("attribute", [path])
    assert loaded.format == "summac"
    assert [(s.truth, s.part) for s in statements(loaded)] == [(True, "frank")]
    assert "1 left out, no claim (summac.jsonl line 2)." in loaded.notes
    edit = {"id": "news_1", "doc": "Tin is soft.", "summary": "Tin is hard.", "label": 0}
    edit |= {"original_summary": "Tin is soft.", "edit_types": ["antonym_swap"], "split": "test"}
    loaded = load(
        "attribute", [whole(tmp_path / "summedits.json", [edit, {**edit, "label": None}])]
    )
    assert loaded.format == "summedits"
    assert [(s.id, s.truth) for s in statements(loaded)] == [("news_1", False)]
    assert "1 left out, no label (summedits.json row 2)." in loaded.notes


def test_ragtruth_is_judged_by_whole_responses(tmp_path: Path) -> None:
    span = {"start": 0, "end": 3, "text": "Tin", "label_type": "Evident Conflict"}
    row = {"id": "1", "source_id": "s1", "model": "gpt-4", "temperature": 0.7, "labels": [span]}
    row |= {"split": "test", "quality": "good", "response": "Tin is hard."}
    responses = [
        row,
        {**row, "id": "2", "labels": [], "source_id": "s2"},
        {**row, "id": "3", "quality": "truncated"},
        {**row, "id": "4", "source_id": "s9"},
        {**row, "id": "5", "labels": [], "source_id": "s3"},
    ]
    question = {"question": "What is tin?", "passages": "passage 1:Tin is soft.\n\n"}
    infos = [
        {"source_id": "s1", "task_type": "Summary", "source": "CNN", "source_info": "Tin is soft."},
        {"source_id": "s2", "task_type": "QA", "source": "MARCO", "source_info": question},
        {"source_id": "s3", "task_type": "Data2txt", "source": "Yelp", "source_info": {"a": "b"}},
    ]
    response = written(tmp_path / "response.jsonl", *responses)
    loaded = load("attribute", [response, written(tmp_path / "source_info.jsonl", *infos)])
    found = statements(loaded)
    assert loaded.format == "ragtruth"
    assert [(s.id, s.label, s.truth, s.part) for s in found] == [
        ("1", "hallucinated", False, "Summary"),
        ("2", "faithful", True, "QA"),
        ("5", "faithful", True, "Data2txt"),
    ]
    assert found[1].about == "What is tin?"
    assert found[1].sources[0].text == "passage 1:Tin is soft.\n\n"
    assert json.loads(found[2].sources[0].text) == {"a": "b"}
    assert any("'truncated'" in note and "line 3" in note for note in loaded.notes)
    assert any("not in source_info.jsonl" in note and "line 4" in note for note in loaded.notes)
    with pytest.raises(InputError, match=r"source_info\.jsonl as a second file"):
        load("attribute", [response])
