"""Sets for ``retrieve`` in the shapes in which they are published, with invented text."""

import csv
import json
import zipfile
from pathlib import Path

import pytest
from upstream import written

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Loaded, Query

CORPUS = [
    {"_id": "d1", "title": "Tin", "text": "Tin is soft.", "metadata": {}},
    {"_id": "d2", "title": "Lead", "text": "", "metadata": {}},
    {"_id": "d3", "title": "", "text": "Zinc is blue.", "metadata": {}},
]
QUERIES = [{"_id": f"q{n}", "text": f"Query {n}?", "metadata": {}} for n in range(1, 4)]
HEADER = "query-id\tcorpus-id\tscore\n"
QRELS = {
    "test": f"{HEADER}q1\td1\t1\nq1\td2\t2\nq2\td3\t0\nq2\td1\t1\nq2\td9\t1\nq2\td1\tbest\n",
    "dev": f"{HEADER}q3\td3\t1\n",
}


def beir(folder: Path) -> Path:
    (folder / "qrels").mkdir(parents=True)
    written(folder / "corpus.jsonl", *CORPUS, {"_id": "d4", "title": "x", "text": None})
    written(folder / "queries.jsonl", *QUERIES)
    for split, content in QRELS.items():
        (folder / "qrels" / f"{split}.tsv").write_text(content, "utf-8")
    return folder


def queries(loaded: Loaded) -> list[Query]:
    return [item for item in loaded.items if isinstance(item, Query)]


def found(loaded: Loaded) -> list[tuple[str, set[str]]]:
    """Queries and the texts of what is relevant to them."""
    texts = {document.id: document.text for document in loaded.corpus}
    assert len(texts) == len(loaded.corpus)
    return [(query.text, {texts[known] for known in query.relevant}) for query in queries(loaded)]


def test_a_beir_folder_and_its_archive(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tin")
    with zipfile.ZipFile(tmp_path / "tin.zip", "w") as archive:
        for file in folder.rglob("*.*"):
            archive.write(file, file.relative_to(tmp_path))
    files = [folder / "queries.jsonl", folder / "corpus.jsonl", folder / "qrels" / "test.tsv"]
    for paths in ([folder], [tmp_path / "tin.zip"], files):
        loaded = load("retrieve", paths)
        assert loaded.format == "beir"
        assert [d.id for d in loaded.corpus] == ["d1", "d2", "d3"]
        assert (loaded.corpus[0].title, loaded.corpus[2].title) == ("Tin", None)
        assert [(q.id, dict(q.relevant)) for q in queries(loaded)] == [
            ("q1", {"d1": 1, "d2": 2}),
            ("q2", {"d1": 1}),
        ]
        for reason in (
            "a relevant document that is not in the corpus (test.tsv line 6)",
            "a score that is no whole number (test.tsv line 7)",
            "no document of this split is relevant to it (queries.jsonl line 3)",
            "no text (corpus.jsonl line 4)",
        ):
            assert f"1 left out, {reason}." in loaded.notes


def test_a_beir_set_needs_all_three(tmp_path: Path) -> None:
    folder = beir(tmp_path / "tin")
    alone = [folder / "queries.jsonl"]
    for paths, missing in ((alone, "corpus"), ([*alone, folder / "corpus.jsonl"], "qrels")):
        with pytest.raises(InputError, match=missing):
            load("retrieve", paths)


def test_scifact_takes_what_beir_calls_its_test_set(tmp_path: Path) -> None:
    for split, number in (("train", 1), ("validation", 2)):
        with (tmp_path / f"claims_{split}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            names = "id claim evidence_doc_id evidence_label evidence_sentences cited_doc_ids"
            writer.writerow(names.split())
            writer.writerow([number, f"Claim {number}.", "", "", "[]", "[7 8]"])
            writer.writerow([number + 10, "No citation.", "", "", "[]", "[]"])
    with (tmp_path / "corpus_train.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["doc_id", "title", "abstract", "structured"])
        writer.writerow([7, "Tin", "['Tin is soft.']", "False"])
    loaded = load("retrieve", [tmp_path])
    assert loaded.format == "scifact"
    assert [(q.id, dict(q.relevant)) for q in queries(loaded)] == [("2", {"7": 1})]
    assert "1 left out, it cites no abstract (claims_validation.csv line 3)." in loaded.notes


def test_questions_with_gold_passages(tmp_path: Path) -> None:
    def passage(text: str, gold: bool) -> dict[str, object]:
        return {"title": "Tin", "text": text, "hasanswer": True, "isgold": gold}

    rows = [
        {
            "question": "What?",
            "answers": ["a"],
            "ctxs": [passage("A.", True), passage("B.", False)],
        },
        {"question": "Who?", "answers": ["b"], "ctxs": [passage("B.", True)]},
        {"question": "Why?", "answers": ["c"], "ctxs": [passage("C.", False)]},
        {"question": "When?", "answers": ["c"], "ctxs": [{"title": "Tin"}]},
    ]
    loaded = load("retrieve", [written(tmp_path / "a.jsonl", *rows)])
    assert loaded.format == "open-qa"
    assert found(loaded) == [("What?", {"A."}), ("Who?", {"B."})]
    assert [document.text for document in loaded.corpus] == ["A.", "B.", "C."]
    assert "1 left out, no document is marked as their answer's." in loaded.notes
    assert "1 left out, a document without text (a.jsonl line 4)." in loaded.notes


def test_passages_that_hold_an_answer_count_where_none_is_gold(tmp_path: Path) -> None:
    passages = [
        {"id": "wiki:1", "title": "Tin", "text": "A.", "score": "80.1", "has_answer": False},
        {"id": "wiki:2", "title": "Tin", "text": "B.", "score": "79.9", "has_answer": True},
    ]
    row = {"question": "What?", "answers": ["a"], "ctxs": passages}
    (query,) = queries(load("retrieve", [written(tmp_path / "a.jsonl", row)]))
    assert dict(query.relevant) == {"wiki:2": 1}


def hotpot(question: str, *needed: str) -> dict[str, object]:
    context = [["Tin", ["Tin is soft.", " It bends."]], ["Lead", ["Lead is heavy."]]]
    facts = [[title, 0] for title in needed]
    return {
        "_id": question,
        "question": question,
        "answer": "yes",
        "supporting_facts": facts,
        "context": context,
        "type": "bridge",
        "level": "hard",
    }


def test_questions_of_several_hops_with_their_own_paragraphs(tmp_path: Path) -> None:
    loaded = load("retrieve", [written(tmp_path / "a.json", hotpot("q", "Tin"))])
    assert loaded.format == "hotpotqa"
    assert found(loaded) == [("q", {"Tin is soft. It bends."})]
    assert len(loaded.corpus) == 2


def test_questions_of_several_hops_with_a_corpus(tmp_path: Path) -> None:
    corpus = [
        {"title": "Zinc", "text": "Zinc is blue."},
        {"title": "Tin", "text": "Tin is soft.  It bends."},
        {"title": "Lead", "text": "Lead is rewritten here."},
        {"title": "Nothing"},
    ]
    beside = tmp_path / "corpus.json"
    beside.write_text(json.dumps(corpus), "utf-8")
    questions = written(
        tmp_path / "a.jsonl", hotpot("q1", "Tin", "Lead"), hotpot("q2", "Gold"), hotpot("q3", "Tin")
    )
    loaded = load("retrieve", [beside, questions])
    assert found(loaded) == [
        ("q1", {"Tin is soft.  It bends.", "Lead is rewritten here."}),
        ("q3", {"Tin is soft.  It bends."}),
    ]
    assert len(loaded.corpus) == 3
    assert "1 left out, no document is marked as their answer's." in loaded.notes
    assert "1 left out, no text (corpus.json row 4)." in loaded.notes


def test_what_the_corpus_lacks_is_said(tmp_path: Path) -> None:
    beside = tmp_path / "corpus.json"
    beside.write_text(json.dumps([{"title": "Tin", "text": "Tin."}] * 2), "utf-8")
    loaded = load("retrieve", [beside, written(tmp_path / "a.jsonl", hotpot("q", "Tin", "Lead"))])
    assert [len(query.relevant) for query in queries(loaded)] == [1]
    assert "1 of 1 need documents that the corpus lacks." in loaded.notes


@pytest.mark.parametrize("marked", ["musique", "ircot"])
def test_paragraphs_that_say_themselves_that_they_are_needed(tmp_path: Path, marked: str) -> None:
    paragraphs = [
        {"idx": 0, "title": "Tin", "paragraph_text": "Tin.", "is_supporting": True},
        {"idx": 1, "title": "Lead", "paragraph_text": "Lead.", "is_supporting": False},
    ]
    row: dict[str, object] = {"id": "2hop__1_2", "question": "Q?", "paragraphs": paragraphs}
    row |= {"answer": "a", "answer_aliases": [], "answerable": True, "question_decomposition": []}
    if marked == "ircot":
        row = {"question_id": "x", "question_text": "Q?", "contexts": paragraphs}
        row["answers_objects"] = [{"number": "", "date": {}, "spans": ["a"]}]
    loaded = load("retrieve", [written(tmp_path / "a.jsonl", row)])
    assert loaded.format == marked
    assert found(loaded) == [("Q?", {"Tin."})]


def test_paragraphs_of_qed_and_squad_are_one_corpus(tmp_path: Path) -> None:
    qed = {"example_id": -3, "title_text": "Tin", "question_text": "Q?", "paragraph_text": "Tin."}
    qed |= {
        "answer_text": ["a"],
        "answer_spans": [[0, 1]],
        "annotation": [],
        "sentence_starts": [0],
    }
    loaded = load("retrieve", [written(tmp_path / "a.jsonlines", qed, {**qed, "example_id": 4})])
    assert loaded.format == "qed"
    assert found(loaded) == [("Q?", {"Tin."}), ("Q?", {"Tin."})]
    asked = [{"id": "s1", "question": "Q?", "answers": [{"text": "a", "answer_start": 0}]}]
    paragraphs = [{"context": c, "qas": [{**asked[0], "id": c}]} for c in ("Tin.", "Lead.")]
    article = {"title": "Tin", "paragraphs": paragraphs}
    loaded = load("retrieve", [written(tmp_path / "a.json", {"data": [article], "version": "1.1"})])
    assert loaded.format == "squad"
    assert found(loaded) == [("Q?", {"Tin."}), ("Q?", {"Lead."})]
