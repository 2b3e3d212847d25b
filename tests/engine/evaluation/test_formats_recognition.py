"""Formats are recognised by their first row, and none is taken for another."""

import contextlib
from pathlib import Path
from typing import get_args

import pytest
from upstream import written

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.evaluation.formats import FORMATS, formats_of, load
from veracite.engine.evaluation.items import Task

_HALUEVAL = "knowledge question right_answer hallucinated_answer"
_HOTPOT = "_id question answer type level supporting_facts context"
_MUSIQUE = "id paragraphs question question_decomposition answer answer_aliases answerable"
_IRCOT = "question_id question_text answers_objects contexts"
_QED = "example_id title_text question_text paragraph_text sentence_starts annotation"
_SCIFACT = "id claim evidence cited_doc_ids"

FIELDS: dict[Task, dict[str, str]] = {
    "detect": {
        "wikibio": "gpt3_text wiki_bio_text gpt3_sentences annotation wiki_bio_test_idx",
        "felm": "index domain prompt response segmented_response labels comment type ref_contents",
        "ceg-felm": "answer response tag question ress",
        "generic": "text label evidence",
    },
    "attribute": {
        "wikiretr": "title session content claim",
        "wice": "label supporting_sentences claim evidence meta",
        "attributionbench": "question claim response references attribution_label src_dataset id",
        "expertqa": "question annotator_id answers metadata",
        "begin": "model_name data_source knowledge message response begin_label",
        "aggrefact": "dataset origin id doc summary model_name label cut",
        "llm-aggrefact": "dataset doc claim label contamination_identifier",
        "summac": "document claim label dataset cut annotations model_name",
        "summedits": "id doc summary label original_summary edit_types",
        "ragtruth": "id source_id model temperature labels split quality response",
        "contract-nli": "documents labels",
        "nli": "gold_label pairID sentence1 sentence2",
        "foolmetwice": "category gold_evidence id label retrieved_evidence text wikipedia_page",
        "factcheck-gpt": "claim evidence stance",
        "climate-fever": "claim_id claim claim_label evidences",
        "fever": "id claim evidence sentence1 sentence2 gold_label label evid",
        "scifact": _SCIFACT,
        "generic": "claim label documents",
    },
    "choose": {"ceg-cases": f"{_HALUEVAL} ret_knowledges res text", "halueval": _HALUEVAL},
    "retrieve": {
        "beir": "_id text metadata",
        "scifact": _SCIFACT,
        "open-qa": "question answers ctxs nq_annotated_gold",
        "qed": _QED,
        "squad": "title paragraphs",
        "2wiki": f"{_HOTPOT} evidences",
        "hotpotqa": _HOTPOT,
        "musique": _MUSIQUE,
        "ircot": _IRCOT,
    },
    "answer": {
        "asqa": "qa_pairs wikipages annotations sample_id question docs answer output",
        "qampari": "id question answers docs output",
        "eli5": "question question_ctx answer claims docs output",
        "quotesum": "qid unique_id question summary title1 source1 short_ans_1",
        "2wiki": f"{_HOTPOT} evidences",
        "hotpotqa": _HOTPOT,
        "musique": _MUSIQUE,
        "ircot": _IRCOT,
        "qed": _QED,
        "squad": "title paragraphs",
        "open-qa": "id question answers target ctxs",
        "dpr-table": "1 2",
        "triviaqa": "Answer EntityPages Question QuestionId",
        "triviaqa-rows": "question question_id answer entity_pages",
        "webquestions": "url targetValue utterance",
        "kilt": "id input output meta",
    },
}
VALUES: dict[tuple[str, str], object] = {
    ("fever", "label"): "SUPPORTS",
    ("wice", "label"): "supported",
    ("wice", "meta"): {"id": "w"},
    ("expertqa", "answers"): {},
    ("open-qa", "answers"): ["a"],
    ("qampari", "answers"): [["a"]],
    ("triviaqa-rows", "answer"): {"value": "a"},
}
EVERY = [(task, name) for task, forms in FIELDS.items() for name in forms]


def sample(task: Task, name: str) -> dict[str, object]:
    """A row with a format's fields, of the right types where recognition looks at them."""
    return {f: VALUES.get((name, f), f"some {f}") for f in FIELDS[task][name].split()}


def test_every_format_of_every_task_has_a_sample() -> None:
    assert set(FIELDS) == set(get_args(Task))
    for task, forms in FORMATS.items():
        assert [form.name for form in forms] == list(dict.fromkeys(form.name for form in forms))
        assert set(FIELDS[task]) == {form.name for form in forms} == set(formats_of(task))
        assert all(line and "\n" not in line for line in formats_of(task).values())


@pytest.mark.parametrize(("task", "name"), EVERY)
def test_a_format_recognises_its_own_rows_and_no_other_s(task: Task, name: str) -> None:
    row = sample(task, name)
    taken = [form.name for form in FORMATS[task] if form.recognise(row)]
    assert taken[0] == name
    assert set(taken) <= {name, "generic"}


ODD: list[object] = [None, 3, 2.5, True, "", [], {}, [1], [[1]], [[[1]]], [{}], [None], {"a": 1}]


@pytest.mark.parametrize(("task", "name"), EVERY)
def test_a_field_that_holds_something_else_is_no_traceback(
    tmp_path: Path, task: Task, name: str
) -> None:
    row = sample(task, name)
    without = [{f: v for f, v in row.items() if f != gone} for gone in row]
    rows = [row, *without, *({**row, field: odd} for field in row for odd in ODD)]
    path = written(tmp_path / "a.jsonl", *rows)
    with contextlib.suppress(InputError):
        loaded = load(task, [path])
        assert loaded.items
        assert any("left out" in note for note in loaded.notes)


def refusal(task: Task, *paths: Path, name: str | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        load(task, paths, name)
    return caught.value


def test_an_unknown_format_names_its_fields_and_what_the_task_reads(tmp_path: Path) -> None:
    error = refusal("choose", written(tmp_path / "a.jsonl", {"prompt": "x", "chosen": "y"}))
    assert error.message == "The format of a.jsonl is not known: its fields are prompt, chosen."
    assert error.advice == "The task choose reads ceg-cases, halueval; --format chooses one."


def test_a_set_of_another_task_is_pointed_there(tmp_path: Path) -> None:
    halueval = written(tmp_path / "a.jsonl", sample("choose", "halueval"))
    assert "It is a set for the task choose." in refusal("detect", halueval).message
    fever = written(tmp_path / "b.jsonl", {**sample("attribute", "fever"), "label": "SUPPORTS"})
    assert "The task attribute reads these files as fever." in load("detect", [fever]).notes


def test_a_second_file_alone_says_what_it_belongs_to(tmp_path: Path) -> None:
    corpus = written(tmp_path / "corpus.json", {"title": "Tin", "text": "Tin."})
    message = refusal("retrieve", corpus).message
    assert "It goes beside the rows of" in message
    assert "musique" in message


def test_two_sets_at_once_are_refused(tmp_path: Path) -> None:
    one = written(tmp_path / "a.jsonl", sample("attribute", "fever"))
    two = written(tmp_path / "b.jsonl", sample("attribute", "factcheck-gpt"))
    message = refusal("attribute", one, two).message
    assert (
        message == "The files are of different formats: a.jsonl is fever, b.jsonl is factcheck-gpt."
    )


def test_a_format_can_be_named(tmp_path: Path) -> None:
    row = {"claim": "Tin is soft.", "evidence": "It is.", "label": "SUPPORTS"}
    path = written(tmp_path / "a.jsonl", row)
    assert load("attribute", [path]).format == "fever"
    assert load("attribute", [path], "generic").format == "generic"
    error = refusal("attribute", path, name="wice")
    assert error.message.startswith("Nothing in a.jsonl could be used as wice: 1 left out, no meta")
    with pytest.raises(SettingsError) as unknown:
        load("choose", [path], "wice")
    assert unknown.value.message == "The task choose has no format 'wice'."
    assert unknown.value.advice == "It has ceg-cases, halueval."
