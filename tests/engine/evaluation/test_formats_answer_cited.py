"""Questions that need several documents as they are published, with invented text."""

from pathlib import Path

from upstream import gold, questions, texts, whole, written

from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Question

DOCS = [
    {"id": "11", "title": "Tin", "text": "Tin is soft.", "score": 0.9, "answers_found": [0, 1]},
    {"id": "12", "title": "Lead", "text": "Lead is soft.", "score": 0.8, "answers_found": [0, 0]},
]


def test_asqa_as_alce_has_it(tmp_path: Path) -> None:
    pairs = [
        {
            "context": "",
            "question": "Old?",
            "short_answers": ["1901", "in 1901"],
            "wikipage": "Tin",
        },
        {"context": "", "question": "New?", "short_answers": ["1970"], "wikipage": None},
    ]
    row = {
        "qa_pairs": pairs,
        "wikipages": [{"title": "Tin", "url": "u"}],
        "annotations": [{"knowledge": [], "long_answer": "L1."}, {"long_answer": "L2."}],
        "sample_id": "-77",
        "question": "When?",
        "docs": DOCS,
        "answer": "L1.",
    }
    path = whole(tmp_path / "asqa.json", [row, {**row, "qa_pairs": []}, {**row, "docs": "none"}])
    loaded = load("answer", [path])
    (found,) = questions(loaded)
    assert loaded.format == "asqa"
    assert found == Question(
        id="-77",
        text="When?",
        answers=(("1901", "in 1901"), ("1970",)),
        sources=found.sources,
        gold=("11",),
        long=("L1.", "L2."),
    )
    assert texts(found) == [("Tin", "Tin is soft."), ("Lead", "Lead is soft.")]
    assert [source.id for source in found.sources] == ["11", "12"]
    assert "1 left out, no qa_pairs (asqa.json row 2)." in loaded.notes
    assert "1 left out, no list of docs (asqa.json row 3)." in loaded.notes


def test_alce_s_results_bring_their_answers(tmp_path: Path) -> None:
    row = {"question": "Which?", "id": "q1", "answers": [["Tin", "Sn"], ["Lead"]], "docs": DOCS}
    result = {"args": {"model": "m"}, "data": [{**row, "output": "Tin [1], lead [2]."}]}
    loaded = load("answer", [whole(tmp_path / "result.json", result)])
    (found,) = questions(loaded)
    assert loaded.format == "qampari"
    assert found.output == "Tin [1], lead [2]."
    assert found.answers == (("Tin", "Sn"), ("Lead",))
    assert [source.id for source in found.sources] == ["11", "12"]
    bad = load("answer", [whole(tmp_path / "a.json", [row, {**row, "answers": []}])])
    assert "1 left out, no answers (a.json row 2)." in bad.notes


def test_eli5_as_alce_has_it(tmp_path: Path) -> None:
    row: dict[str, object] = {"question": "Why?", "question_ctx": "", "answer": "Because."}
    documents = [{"title": "T", "text": "x", "url": "u", "summary": "s", "extraction": "e"}]
    row |= {"claims": ["C1.", "C2."], "docs": documents}
    loaded = load("answer", [whole(tmp_path / "a.json", [row, {**row, "claims": None}])])
    (found,) = questions(loaded)
    assert loaded.format == "eli5"
    assert (found.id, found.answers, found.long) == ("1", (("C1.",), ("C2.",)), ("Because.",))
    assert any("claims that an answer must entail" in note for note in loaded.notes)
    assert "1 left out, no claims (a.json row 2)." in loaded.notes


def test_quotesum_has_one_question_with_all_its_summaries(tmp_path: Path) -> None:
    row = {"qid": "A1", "unique_id": "A1_0", "question": "Q?", "covered_short_answers": "[ 1 a ]"}
    for place in range(1, 9):
        row |= {f"title{place}": "", f"source{place}": "", f"short_ans_{place}": ""}
    row |= {"title1": "Tin", "source1": "S1.", "short_ans_1": "a", "source2": "S2."}
    row |= {"short_ans_2": "b", "summary": "It is [ 1 a ] ."}
    second = {**row, "unique_id": "A1_1", "summary": "[ 2 b, mostly ] or a."}
    loaded = load(
        "answer",
        [written(tmp_path / "a.jsonl", row, second, {**row, "source1": 3.5, "source2": ""})],
    )
    (found,) = questions(loaded)
    assert loaded.format == "quotesum"
    assert (found.id, found.answers) == ("A1", (("a",), ("b",)))
    assert found.long == ("It is a.", "b, mostly or a.")
    assert texts(found) == [("Tin", "S1."), (None, "S2.")]
    assert "1 left out, no source (a.jsonl line 3)." in loaded.notes


def hotpot() -> dict[str, object]:
    return {
        "_id": "5a",
        "question": "Q?",
        "answer": "yes",
        "type": "bridge",
        "level": "hard",
        "supporting_facts": [["Tin", 0], ["Tin", 1]],
        "context": [["Tin", ["Tin is soft.", " It bends."]], ["Lead", ["Lead is heavy."]]],
    }


def test_hotpotqa_in_both_shapes_and_2wiki(tmp_path: Path) -> None:
    hub = {name: value for name, value in hotpot().items() if name != "_id"}
    hub["supporting_facts"] = {"title": ["Tin", "Tin"], "sent_id": [0, 1]}
    sentences = [["Tin is soft.", " It bends."], ["Lead is heavy."]]
    hub["context"] = {"title": ["Tin", "Lead"], "sentences": sentences}
    uneven = {**hub, "context": {"title": ["Tin"], "sentences": sentences}}
    wiki = {**hotpot(), "evidences": [["Tin", "is", "soft"]], "answer_id": "Q1"}
    for form, row, known in (
        ("hotpotqa", hotpot(), "5a"),
        ("hotpotqa", hub, "1"),
        ("2wiki", wiki, "5a"),
    ):
        loaded = load(
            "answer", [written(tmp_path / "a.json", row, uneven, {**row, "supporting_facts": 1})]
        )
        (found,) = questions(loaded)
        assert (loaded.format, found.id, found.answers) == (form, known, (("yes",),))
        assert texts(found) == [("Tin", "Tin is soft. It bends."), ("Lead", "Lead is heavy.")]
        assert gold(found) == ["Tin is soft. It bends."]
        assert "1 left out, titles and sentences that do not match (a.json line 2)." in loaded.notes
        assert "1 left out, no supporting_facts (a.json line 3)." in loaded.notes


def test_musique_and_ircot(tmp_path: Path) -> None:
    paragraphs = [
        {"idx": 0, "title": "Tin", "paragraph_text": "Tin.", "is_supporting": False},
        {"idx": 1, "title": "Lead", "paragraph_text": "Lead.", "is_supporting": True},
    ]
    row: dict[str, object] = {"id": "2hop__1_2", "paragraphs": paragraphs, "question": "Q?"}
    row |= {"question_decomposition": [], "answer": "a", "answer_aliases": ["b", "a"]}
    rows = ({**row, "answerable": True}, {**row, "answerable": False}, {**row, "paragraphs": 1})
    loaded = load("answer", [written(tmp_path / "a.jsonl", *rows)])
    (found,) = questions(loaded)
    assert (loaded.format, found.id, found.answers) == ("musique", "2hop__1_2", (("a", "b"),))
    assert gold(found) == ["Lead."]
    assert any("do not answer" in note and "line 2" in note for note in loaded.notes)
    assert "1 left out, no list of paragraphs (a.jsonl line 3)." in loaded.notes

    spans = [{"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": ["a", "b"]}]
    ircot = {"question_id": "5a", "question_text": "Q?", "answers_objects": spans}
    ircot |= {"contexts": paragraphs}
    loaded = load(
        "answer", [written(tmp_path / "b.jsonl", ircot, {**ircot, "answers_objects": []})]
    )
    (found,) = questions(loaded)
    assert (loaded.format, found.id, found.answers) == ("ircot", "5a", (("a", "b"),))
    assert gold(found) == ["Lead."]
    assert "1 left out, no answer (b.jsonl line 2)." in loaded.notes
