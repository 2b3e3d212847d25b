"""Every published set is read by its field map, and what cannot be read is counted and told."""

import gzip
import json
import zipfile
from pathlib import Path

import pytest
from labelled import DOCUMENTS, QUERIES, write_beir, write_rows

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Loaded, Query, Question, Statement


def statements(loaded: Loaded) -> list[Statement]:
    return [item for item in loaded.items if isinstance(item, Statement)]


STATEMENTS = {
    "WikiRetr": (
        "wikiretr",
        False,
        '{"claim": "A.", "title": "T", "session": "S", "content": "C.", "human_eval": 0}',
    ),
    "WiCE": (
        "wice",
        False,
        '{"claim": "A.", "evidence": ["(meta data) TITLE: T", "C."], "label": "not_supported", '
        '"meta": {"id": "x", "claim_title": "T", "claim_context": "Before."}}',
    ),
    "AttributionBench": (
        "generic",
        True,
        '{"claim": "A.", "references": ["Title: T\\n\\nC."], "attribution_label": "attributable"}',
    ),
    "BEGIN": ("begin", False, '{"knowledge": "C.", "response": "A.", "begin_label": "Generic"}'),
    "AggreFact": ("generic", True, '{"dataset": "d", "doc": "C.", "summ": "A.", "label": 1}'),
    "Fool Me Twice": (
        "generic",
        False,
        '{"text": "A.", "label": "REFUTES", "gold_evidence": [{"text": "C."}]}',
    ),
    "FactCheck-GPT": (
        "generic",
        True,
        '{"claim": "A.", "evidence": "C.", "stance": "completely-support"}',
    ),
    "own rows": (
        "generic",
        False,
        '{"text": "A.", "label": "hallucinated", "documents": [{"title": "T", "text": "C."}]}',
    ),
}
"""For each set its format, whether the claim is true, and a row of the claim "A."."""


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_claim_and_its_document_are_read(tmp_path: Path, name: str) -> None:
    form, truth, row = STATEMENTS[name]
    path = tmp_path / "rows.jsonl"
    path.write_text(row)
    loaded = load("attribute", [path])
    (made,) = statements(loaded)
    assert (loaded.format, made.text, made.truth) == (form, "A.", truth)
    assert made.sources[0].text.endswith("C.")


def test_rows_about_one_document_stay_together(tmp_path: Path) -> None:
    rows = [{"doc": f"C{n}.", "claim": f"A{n}{m}.", "label": m} for n in (0, 1) for m in (0, 1)]
    one, two, three, four = statements(load("attribute", [write_rows(tmp_path / "r.jsonl", rows)]))
    assert one.group == two.group != three.group == four.group


def test_wikibio_is_read_sentence_by_sentence(tmp_path: Path) -> None:
    row = {
        "gpt3_sentences": ["One.", "Two."],
        "annotation": ["accurate", "major_inaccurate"],
        "wiki_bio_text": "C.",
        "wiki_bio_test_idx": 7,
        "gpt3_text_samples": ["S."],
    }
    first, second = statements(load("detect", [write_rows(tmp_path / "w.jsonl", [row])]))
    assert (first.id, second.id, first.group) == ("7.1", "7.2", "7")
    assert (first.truth, second.truth) == (True, False)
    assert (second.before, second.samples) == (("One.",), ("S.",))


def test_felm_takes_cegs_passages_from_a_second_file(tmp_path: Path) -> None:
    row = {
        "index": 3,
        "prompt": "Q?",
        "segmented_response": ["One.", "Two."],
        "labels": [True, False],
        "ref_contents": ["R."],
    }
    ress = {"res": [{"title": "T", "session": "S", "content": "C."}]}
    beside = {"question": "Q?", "response": "One.", "tag": True, "ress": ress}
    main = write_rows(tmp_path / "felm.jsonl", [row])
    alone = load("detect", [main])
    assert [s.sources[0].text for s in statements(alone)] == ["R.", "R."]
    both = load("detect", [main, write_rows(tmp_path / "ceg.jsonl", [beside])])
    (only,) = statements(both)
    assert (only.sources[0].text, only.sources[0].title) == ("C.", "T > S")
    assert "1 left out, no passages for a segment (felm.jsonl row 1)." in both.notes


QUESTIONS = {
    "NQ-open": (
        (("a", "b"),),
        ["C."],
        '{"question": "Q?", "answers": ["a", "b"], "ctxs": [{"text": "C.", "isgold": true}]}',
    ),
    "ASQA": (
        (("a",), ("b", "c")),
        ["C."],
        '{"question": "Q?", "qa_pairs": [{"short_answers": ["a"]}, {"short_answers": ["b", "c"]}],'
        '"docs": [{"title": "T", "text": "C.", "answers_found": [1]}, {"text": "D."}]}',
    ),
    "QAMPARI": (
        (("a",), ("b",)),
        [],
        '{"question": "Q?", "answers": [["a"], ["b"]], "docs": [{"text": "C."}]}',
    ),
    "HotpotQA": (
        (("a",),),
        ["C. D."],
        '{"question": "Q?", "answer": "a", "context": [["T", ["C.", " D."]], ["U", ["E."]]],'
        '"supporting_facts": [["T", 0]]}',
    ),
    "2Wiki of a data hub": (
        (("a",),),
        ["C. D."],
        '{"question": "Q?", "answer": "a", "supporting_facts": {"title": ["T"], "sent_id": [0]},'
        '"context": {"title": ["T", "U"], "sentences": [["C.", " D."], ["E."]]}}',
    ),
    "QED": (
        (("a, b",),),
        ["C."],
        '{"question_text": "Q?", "paragraph_text": "C.",'
        '"original_nq_answers": [[{"string": "a"}, {"string": "b"}]]}',
    ),
    "MuSiQue": (
        (("a", "b"),),
        ["C."],
        '{"question": "Q?", "answer": "a", "answer_aliases": ["b"], "paragraphs": [{"title": "T", '
        '"paragraph_text": "C.", "is_supporting": true}, {"title": "U", "paragraph_text": "D."}]}',
    ),
    "QuoteSum": (
        (("a",), ("b",)),
        ["C.", "D."],
        '{"qid": "x", "question": "Q?", "summary": "A [ 1 a ].", "title1": "T", "source1": "C.",'
        '"short_ans_1": "a", "source2": "D.", "short_ans_2": "b", "title3": "", "source3": ""}',
    ),
    "IRCoT's HotpotQA": (
        (("a",),),
        ["C."],
        '{"question_id": "x", "question_text": "Q?", "answers_objects": [{"spans": ["a"]}],'
        '"contexts": [{"title": "T", "paragraph_text": "C.", "is_supporting": true}]}',
    ),
    "WikiBio, to be written anew": (
        (),
        ["C."],
        '{"question": "Q?", "wiki_bio_text": "C.", "gpt3_text": "A.", "wiki_bio_test_idx": 7}',
    ),
    "TriviaQA": (
        (("a", "b"),),
        [],
        '{"Question": "Q?", "Answer": {"Value": "a", "Aliases": ["a", "b"]}}',
    ),
}
"""For each set the answers, the texts that hold them, and a row."""


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_its_answers_and_its_gold_document_are_read(tmp_path: Path, name: str) -> None:
    answers, golden, row = QUESTIONS[name]
    path = tmp_path / "rows.jsonl"
    path.write_text(row)
    (made,) = load("answer", [path]).items
    assert isinstance(made, Question)
    assert (made.text, made.answers) == ("Q?", answers)
    assert (made.reference, made.output) == (("", None) if answers else ("C.", "A."))
    assert [source.text for source in made.sources if source.id in made.gold] == golden


def test_a_beir_folder_is_queries_and_a_corpus(tmp_path: Path) -> None:
    judgements = write_beir(tmp_path / "set") / "qrels"
    for split in ("dev", "test"):
        judged = "query-id\tcorpus-id\tscore\nq1\tmill\t1\nq1\tz\t1\n"
        (judgements / f"{split}.tsv").write_text(judged)
    loaded = load("retrieve", [tmp_path / "set"])
    assert loaded.items == (Query("q1", QUERIES["q1"][0], {"mill": 1}),)
    assert [s.text for s in loaded.corpus] == [*DOCUMENTS.values()]
    assert "The split is test." in loaded.notes
    assert any("a relevant document that is not in the corpus" in n for n in loaded.notes)
    (judgements / "test.tsv").rename(judgements / "train.tsv")
    with pytest.raises(InputError, match="no split 'test'"):
        load("retrieve", [tmp_path / "set"])


def test_a_question_of_several_summaries_is_looked_for_once(tmp_path: Path) -> None:
    row = {"qid": "x", "question": "Q?", "source1": "C.", "short_ans_1": "a"}
    rows = [row | {"summary": said} for said in ("One.", "Two.")]
    loaded = load("retrieve", [write_rows(tmp_path / "quotesum.jsonl", rows)])
    assert [item.id for item in loaded.items] == ["x"]


def test_questions_are_searched_among_all_their_documents(tmp_path: Path) -> None:
    gold, other = ({"id": n, "title": "T", "text": n} for n in "ab")
    rows = [
        {"question": "Q0?", "answers": ["a"], "ctxs": [{**gold, "isgold": True}]},
        {"question": "Q1?", "answers": ["a"], "ctxs": [{**other, "isgold": False}]},
    ]
    loaded = load("retrieve", [write_rows(tmp_path / "nq.jsonl", rows)])
    assert [item.text for item in loaded.items if isinstance(item, Query)] == ["Q0?"]
    assert [(s.id, s.title, s.text) for s in loaded.corpus] == [("a", "T", "a"), ("b", "T", "b")]
    assert "1 left out, no document is marked as their answer's." in loaded.notes


def test_a_table_and_a_compressed_file_are_read_alike(tmp_path: Path) -> None:
    row: dict[str, object] = {"text": 'He said "no", twice.', "label": "true", "evidence": "C."}
    plain = tmp_path / "rows.csv"
    plain.write_text('text,label,evidence\n"He said ""no"", twice.",true,C.\n')
    tabs = tmp_path / "rows.tsv"
    tabs.write_text('\ttext\tlabel\tevidence\n0\tHe said "no", twice.\ttrue\tC.\n')
    lines = tmp_path / "rows.jsonl.gz"
    lines.write_bytes(gzip.compress(json.dumps(row).encode()))
    archive = tmp_path / "rows.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("./set/rows.csv", plain.read_bytes())
        made.writestr("set/LICENSE", "MIT")
    odd = write_rows(tmp_path / "odd.jsonl", [{**row, "text": 'He said "no",\u2028twice.'}])
    assert "\u2028" in statements(load("detect", [odd, plain]))[0].text, "no end of a line"
    for path in (plain, tabs, lines, archive):
        (one,) = statements(load("detect", [path]))
        assert (one.text, one.truth) == (row["text"], True)


def test_what_cannot_be_used_is_counted_with_its_place(tmp_path: Path) -> None:
    data = write_rows(tmp_path / "rows.jsonl", [{"text": "A.", "label": "maybe"}, {"text": "B."}])
    with data.open("a") as more:
        more.write('broken\n{"text": "C.", "label": true}\n')
    loaded = load("detect", [data])
    assert [s.text for s in statements(loaded)] == ["C."]
    assert any("'maybe' stands for neither" in note for note in loaded.notes)
    assert "1 left out, no label (rows.jsonl line 2)." in loaded.notes
    assert "1 left out, no JSON object (rows.jsonl line 3)." in loaded.notes
    meant = load("detect", [data], label_map={"maybe": False})
    assert meant.label_map == {"maybe": False, "true": True}
    with pytest.raises(SettingsError, match="No row has the label 'never'"):
        load("detect", [data], label_map={"never": True})


def test_rows_of_one_id_stay_apart_and_files_are_sets(tmp_path: Path) -> None:
    rows = [{"id": "a", "text": "A.", "label": 1}] * 2
    files = [write_rows(tmp_path / f"{name}.jsonl", rows) for name in ("one", "two")]
    made = statements(load("detect", files))
    assert [s.id for s in made] == ["a", "a#2", "a#3", "a#4"]
    assert [s.part for s in made] == ["one", "one", "two", "two"]


def test_files_that_are_not_known_say_what_they_have(tmp_path: Path) -> None:
    strange = write_rows(tmp_path / "x.jsonl", [{"colour": "red"}])
    with pytest.raises(InputError, match=r"fields of these files: x\.jsonl has colour\."):
        load("detect", [strange])
    with pytest.raises(SettingsError, match="no format 'nope'"):
        load("detect", [strange], "nope")
    with pytest.raises(InputError, match="There is no file"):
        load("detect", [tmp_path / "absent.jsonl"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl.gz", b"\x1f\x8bbroken"),
        ("a.zip", b"PK broken"),
        ("a.csv", b"text,label\n\xff,1\n"),
    ],
)
def test_a_damaged_file_is_told(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=name.split(".")[0]):
        load("detect", [path])
