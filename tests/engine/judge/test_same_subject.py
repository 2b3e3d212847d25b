"""Contradicted needs a passage on the same subject and time; anything else is not found.

The real verifier and decision judge claims about a small invented library
(``same_subject.json``). Which label a single claim gets may change with them, so only the sums are
asserted, with room.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from mill import write_documents
from reports import report_of

from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Verdict
from veracite.engine.workbench import Workbench

DATA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "data" / "same_subject.json").read_text(encoding="utf-8")
)
CASES: list[dict[str, Any]] = DATA["claims"]
MOST_FALSE = 8
"""Of the 91 claims that nothing in the library contradicts; without the rules it is over 50."""
LEAST_TRUE = 35
"""Of the 49 that it does contradict."""


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    home = tmp_path_factory.mktemp("same")
    texts = {document["name"]: document["text"] for document in DATA["documents"]}
    library = write_documents(home / "library", texts)
    text = "\n\n".join(case["claim"] for case in CASES)
    paths = Paths(home / "data", home / "cache", home / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        return list(report_of(list(bench.check(text, against=(library,)))).verdicts)


def test_every_claim_is_judged_as_it_stands(verdicts: list[Verdict]) -> None:
    assert [v.claim.statement for v in verdicts] == [case["claim"] for case in CASES]
    assert Counter("not" in case for case in CASES).most_common() == [(True, 91), (False, 49)]


def test_what_speaks_of_something_else_contradicts_nothing(verdicts: list[Verdict]) -> None:
    wrong = {
        case["claim"]: f"{case['not']}: {verdict.explanation}"
        for case, verdict in zip(CASES, verdicts, strict=True)
        if "not" in case and verdict.label is Label.CONTRADICTED
    }
    assert len(wrong) <= MOST_FALSE, wrong


def test_what_speaks_of_the_same_still_contradicts(verdicts: list[Verdict]) -> None:
    missed = {
        case["claim"]: f"{verdict.label}: {verdict.explanation}"
        for case, verdict in zip(CASES, verdicts, strict=True)
        if "differs" in case and verdict.label is not Label.CONTRADICTED
    }
    assert 49 - len(missed) >= LEAST_TRUE, missed


def test_the_reason_is_told_and_the_passage_it_speaks_of_comes_first(
    verdicts: list[Verdict],
) -> None:
    reasons = ("The nearest passage speaks of ", "The nearest passage only says what is planned")
    told = [v for v in verdicts if v.explanation.startswith(reasons)]
    assert len(told) >= 15
    for verdict in told:
        assert verdict.label in (Label.NOT_FOUND, Label.UNCERTAIN)
        assert {citation.relation for citation in verdict.citations} == {"nearest"}
