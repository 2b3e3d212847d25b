"""Questions with short answers as they are published, with invented text."""

from pathlib import Path

import pytest
from upstream import gold, questions, texts, whole, written

from veracite.engine.evaluation.formats import load


def test_open_questions_with_and_without_passages(tmp_path: Path) -> None:
    plain = {"question": "Q?", "answer": ["a", "b", "a"]}
    passages = [
        {
            "id": "7",
            "title": "Tin",
            "text": "Tin.",
            "score": "80.1",
            "hasanswer": True,
            "isgold": False,
        },
        {
            "id": "8",
            "title": "Lead",
            "text": "Lead.",
            "score": "79",
            "hasanswer": True,
            "isgold": True,
        },
    ]
    fid = {"id": "x1", "question": "Q?", "target": "a", "answers": ["a"], "ctxs": passages}
    rows = [
        plain,
        fid,
        {"question": "Q?", "answer": "a"},
        {"question": "Q?", "answers": []},
        {**fid, "ctxs": {}},
    ]
    loaded = load("answer", [written(tmp_path / "a.jsonl", *rows)])
    first, second, third = questions(loaded)
    assert loaded.format == "open-qa"
    assert (first.id, first.answers, first.sources) == ("1", (("a", "b"),), ())
    assert (second.id, gold(second)) == ("x1", ["Lead."])
    assert [source.id for source in second.sources] == ["7", "8"]
    assert third.answers == (("a",),)
    assert "1 left out, no answer (a.jsonl line 4)." in loaded.notes
    assert "1 left out, no list of ctxs (a.jsonl line 5)." in loaded.notes


def test_dpr_s_tables(tmp_path: Path) -> None:
    path = tmp_path / "nq-test.qa.csv"
    path.write_text('q one\t[\'a\', "b\'s"]\n"q two"\t"[""c""]"\nq three\tnone\n', "utf-8")
    loaded = load("answer", [path])
    assert loaded.format == "dpr-table"
    assert [(q.text, q.answers) for q in questions(loaded)] == [
        ("q one", (("a", "b's"),)),
        ("q two", (("c",),)),
    ]
    assert "1 left out, no list of answers (nq-test.qa.csv line 3)." in loaded.notes


def test_triviaqa_in_both_shapes(tmp_path: Path) -> None:
    answer = {"Aliases": ["Sn", "Tin"], "NormalizedAliases": ["sn"], "Value": "Tin", "Type": "X"}
    row = {"Answer": answer, "EntityPages": [], "Question": "Q?", "QuestionId": "tc_1"}
    wrapped = {"Data": [row, {**row, "Answer": None}], "Domain": "Web", "Version": 1.0}
    loaded = load("answer", [whole(tmp_path / "a.json", wrapped)])
    (found,) = questions(loaded)
    assert (loaded.format, found.id, found.answers) == ("triviaqa", "tc_1", (("Tin", "Sn"),))
    assert "1 left out, no Answer (a.json row 2)." in loaded.notes
    hub = {"question": "Q?", "question_id": "tc_1", "answer": {"value": "Tin", "aliases": ["Sn"]}}
    hub |= {"entity_pages": {"title": ["Tin"], "wiki_context": ["Tin is soft."], "filename": []}}
    loaded = load("answer", [written(tmp_path / "b.jsonl", hub, {**hub, "answer": {}})])
    (found,) = questions(loaded)
    assert (loaded.format, found.answers) == ("triviaqa-rows", (("Tin", "Sn"),))
    assert texts(found) == [("Tin", "Tin is soft.")]
    assert "1 left out, no value (b.jsonl line 2)." in loaded.notes


def test_webquestions_as_published(tmp_path: Path) -> None:
    target = r'(list (description Tin) (description "Jean \"Tin\" Moss (Sr.)"))'
    row = {"url": "u", "targetValue": target, "utterance": "what is tin?"}
    loaded = load("answer", [whole(tmp_path / "a.json", [row, {**row, "targetValue": "(list)"}])])
    (found,) = questions(loaded)
    assert loaded.format == "webquestions"
    assert found.answers == (("Tin", 'Jean "Tin" Moss (Sr.)'),)
    assert "1 left out, no answer (a.json row 2)." in loaded.notes


def test_qed_in_both_shapes(tmp_path: Path) -> None:
    base = {"example_id": -3, "title_text": "Tin", "question_text": "Q?", "paragraph_text": "Tin ."}
    spans = [[{"start": 0, "end": 1, "string": "a"}, {"string": "b"}], [{"string": "c"}]]
    reference = [{"paragraph_reference": {"start": 0, "end": 1, "string": "d"}}]
    new = {**base, "original_nq_answers": spans, "annotation": {"answer": reference}}
    bare = {**base, "example_id": 5, "original_nq_answers": [], "annotation": {}}
    loaded = load("answer", [written(tmp_path / "a.jsonlines", new, bare)])
    (found,) = questions(loaded)
    assert (loaded.format, found.id, found.answers) == ("qed", "-3", (("a, b", "c", "d"),))
    assert (texts(found), gold(found)) == ([("Tin", "Tin .")], ["Tin ."])
    assert "1 left out, no answer (a.jsonlines line 2)." in loaded.notes
    old = {**base, "answer_text": ["a", "b"], "answer_spans": [], "annotation": []}
    (found,) = questions(load("answer", [written(tmp_path / "b.jsonlines", old)]))
    assert found.answers == (("a, b",),)


def test_squad(tmp_path: Path) -> None:
    answers = [{"text": "a", "answer_start": 0}, {"text": "b", "answer_start": 2}]
    asked = {"id": "s1", "question": "Q?", "answers": answers}
    unanswerable = {**asked, "id": "s2", "is_impossible": True, "answers": []}
    paragraph = {"context": "Tin.", "qas": [asked, unanswerable, {"id": "s3", "question": "Q?"}]}
    data = {"data": [{"title": "Tin_(metal)", "paragraphs": [paragraph]}], "version": "v2.0"}
    loaded = load("answer", [whole(tmp_path / "a.json", data)])
    (found,) = questions(loaded)
    assert (loaded.format, found.id, found.answers) == ("squad", "s1", (("a", "b"),))
    assert (texts(found), gold(found)) == ([("Tin (metal)", "Tin.")], ["Tin."])
    assert any("does not answer" in note for note in loaded.notes)
    assert "1 left out, no list of answers (a.json row 1)." in loaded.notes


@pytest.mark.parametrize("long", [False, True])
def test_kilt_and_wizard_of_wikipedia(tmp_path: Path, long: bool) -> None:
    answer = "I like tin a lot because it is soft and shiny." if long else "Tin"
    provenance = [{"wikipedia_id": "1", "title": "Tin", "start_paragraph_id": 1}]
    output = [{"answer": answer, "provenance": provenance}, {"provenance": provenance}]
    row = {"id": "k1", "input": "Hi!\nHello, what is tin?", "output": output, "meta": {}}
    test = {"id": "k2", "input": "Hi!", "output": []}
    loaded = load("answer", [written(tmp_path / "a.jsonl", row, test)])
    (found,) = questions(loaded)
    assert (loaded.format, found.id, found.text) == ("kilt", "k1", "Hi!\nHello, what is tin?")
    assert found.answers == ((answer,),)
    assert found.long == ((answer,) if long else ())
    assert "1 left out, no answer (a.jsonl line 2)." in loaded.notes
