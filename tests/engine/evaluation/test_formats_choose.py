"""Sets for ``choose`` in the shapes in which they are published, with invented text."""

from pathlib import Path

from upstream import written

from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Choice

HALUEVAL = {
    "knowledge": "Moss founded the Tin Review in 1931.",
    "question": "Who founded the Tin Review?",
    "right_answer": "Moss",
    "hallucinated_answer": "It was founded by Reed in 1931.",
}
CASE = {
    **HALUEVAL,
    "res": 0,
    "text": "#Reasoning#: ...",
    "segmented_response": ["Reed founded it.", "Moss wrote for it."],
    "ret_knowledges": [
        ["17", "Tin Review The Tin Review was a paper.", "Tin Review"],
        ["18", "and it was founded by Moss.", "Tin Review"],
        ["17", "Tin Review The Tin Review was a paper.", "Tin Review"],
    ],
    "tags": [0, 1],
    "tags_text": ["...", "..."],
    "res_rege": 1,
    "text_rege": "#Reasoning#: ...",
}


def test_halueval(tmp_path: Path) -> None:
    path = written(tmp_path / "qa.json", HALUEVAL, {**HALUEVAL, "right_answer": ""}, HALUEVAL)
    loaded = load("choose", [path])
    first, second = loaded.items
    assert loaded.format == "halueval"
    assert isinstance(first, Choice)
    assert (first.right, first.wrong) == ("Moss", "It was founded by Reed in 1931.")
    assert [source.text for source in first.sources] == [HALUEVAL["knowledge"]]
    assert (first.id, second.id) == ("1", "3")
    assert loaded.notes == ("1 left out, no right_answer (qa.json line 2).",)


def test_cegs_cases_have_the_passages_that_were_retrieved(tmp_path: Path) -> None:
    path = written(tmp_path / "cases.jsonl", CASE, {**CASE, "ret_knowledges": [["17", "text"]]})
    loaded = load("choose", [path])
    (found,) = loaded.items
    assert loaded.format == "ceg-cases"
    assert isinstance(found, Choice)
    assert [(s.id, s.title, s.text) for s in found.sources] == [
        ("17", "Tin Review", "The Tin Review was a paper."),
        ("18", "Tin Review", "and it was founded by Moss."),
    ]
    assert any("a passage that is not number, text and title" in note for note in loaded.notes)


def test_cegs_cases_can_be_read_with_halueval_s_knowledge(tmp_path: Path) -> None:
    (found,) = load("choose", [written(tmp_path / "cases.jsonl", CASE)], "halueval").items
    assert isinstance(found, Choice)
    assert [source.text for source in found.sources] == [HALUEVAL["knowledge"]]
