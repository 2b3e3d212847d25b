"""The published set of changed facts keeps what its NOTICE promises."""

import json
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

FOLDER = Path(__file__).parent
ROWS = [
    json.loads(line) for line in (FOLDER / "changed_facts.jsonl").read_text("utf-8").splitlines()
]
FIELDS = {"id", "kind", "premise", "claim", "label", "source"}


def test_kinds_and_labels_are_balanced() -> None:
    counted = Counter((row["kind"], row["label"]) for row in ROWS)
    kinds, labels = ("date", "name", "negation", "number"), ("contradicted", "supported")
    assert counted == {(kind, label): 75 for kind in kinds for label in labels}


def test_rows_are_complete_and_their_ids_unique() -> None:
    assert all(set(row) == FIELDS and all(row.values()) for row in ROWS)
    assert len({row["id"] for row in ROWS}) == len(ROWS)


def test_each_sentence_stands_in_its_premise_as_it_is_and_not_as_changed() -> None:
    for row in ROWS:
        assert (row["claim"] in row["premise"]) == (row["label"] == "supported"), row["id"]


def test_one_place_is_changed() -> None:
    for kept, changed in zip(ROWS[::2], ROWS[1::2], strict=True):
        assert kept["premise"] == changed["premise"]
        old, new = kept["claim"].split(), changed["claim"].split()
        edits = [
            e
            for e in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
            if e[0] != "equal"
        ]
        assert len(edits) == 1, changed["id"]


def test_pairs_that_a_reader_dropped_are_not_in_it() -> None:
    dropped = set((FOLDER / "left_out.txt").read_text("utf-8").split())
    assert dropped
    assert not dropped & {row["id"].split("-")[1] for row in ROWS}
