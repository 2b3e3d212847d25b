"""The JSON report keeps to the schema that other programs rely on, and to the bytes."""

import json
from typing import Any

import pytest
from reports import HOSTILE, SOURCE, citation, conflicting, disagreed, report, validator, verdict

from veracite.engine.report.json import render
from veracite.engine.types import Label, Report
from veracite.index.documents import FailedDocument

CITED = (
    *("file", "page", "heading", "start", "end", "quote"),
    *("relation", "probability", "document_sha256", "sheet", "cells", "context"),
)


def rendered(of: Report) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(render(of))
    return made


@pytest.mark.parametrize(
    ("where", "wrong"),
    [
        (("claims", 0, "label"), "true"),
        (("claims", 0, "probability"), 1.2),
        (("claims", 0, "citations"), []),
        (("claims", 0, "citations", 0, "relation"), "proves"),
        (("claims", 0, "words", 0, "outcome"), "wrong"),
        (("claims", 1, "words", 0, "stated"), None),
        (("claims", 0, "disagreement"), {"supports": [0], "contradicts": []}),
        (("text", "sha256"), "12"),
        (("schema",), "veracite.report/2"),
    ],
)
def test_the_schema_notices_what_is_wrong(where: tuple[str | int, ...], wrong: object) -> None:
    validator().check_schema(validator().schema)
    made = rendered(report())
    validator().validate(made)
    validator().validate(rendered(report(path=None, failed=(), notes=())))
    *path, last = where
    inner: Any = made
    for step in path:
        inner = inner[step]
    inner[last] = wrong
    assert not validator().is_valid(made)


def test_the_fields_of_the_design_are_all_there() -> None:
    made = rendered(report())
    claim = made["claims"][1]
    assert made["text"] == {"path": "draft.md", "sha256": report().sha256, "source": SOURCE}
    assert made["counts"] == report().counts
    why = {"reason": "The file is encrypted.", "advice": "Open it.", "partly": False}
    failed = [{"file": "/papers/broken.pdf", **why}]
    digests = {"/papers/mill.pdf": "ab" * 32}
    documents = {"read": 12, "failed": failed, "other_kinds": [], "quoted": digests}
    assert made["documents"] == documents
    assert made["coverage"] == {
        **{"checkable": 3, "settled": 2, "quoted_documents": 1},
        "text": round(1 - len("Mill") / sum(map(str.isalnum, SOURCE)), 4),
    }
    assert made["extractors"] == {"md": "markdown/1", "pdf": "pdf/1"}
    assert SOURCE[claim["start"] : claim["end"]] == claim["text"] == "It was rebuilt in 1911."
    assert claim["scores"] == {"supported": 0.9, "neutral": 0.08, "contradicted": 0.02}
    assert claim["probability"] == 0.9322
    (quoted,) = report().verdicts[1].citations
    assert claim["citations"] == [{name: getattr(quoted, name) for name in CITED}]
    assert made["claims"][2]["scores"] is None


def test_each_word_of_a_claim_is_given_with_what_the_quote_says() -> None:
    told = conflicting("The mill burned in 1914 at night.", "By then it\nburned in 1904.")
    (made,) = rendered(told)["claims"]
    assert made["disagreement"] is None
    assert made["off_subject"] == 0
    assert [
        (made["statement"][word["start"] : word["end"]], word["kind"], word["outcome"])
        for word in made["words"]
    ] == [
        ("mill", "word", "found"),
        ("burned", "word", "found"),
        ("1914", "date", "conflict"),
        ("night", "word", "missing"),
    ]


def test_both_sides_of_a_disagreement_are_numbered() -> None:
    made = rendered(disagreed())
    validator().validate(made)
    assert made["claims"][0]["disagreement"] == {"supports": [0], "contradicts": [1]}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_escaped_and_comes_back_unchanged(text: str) -> None:
    source = f"Claim {text}."
    quoted = citation(text, file=f"/{text}.pdf")
    claim = verdict(source, Label.SUPPORTED, quoted, source=source)
    failed = (FailedDocument(text, text),)
    out = render(report(claim, source=source, sha256="0" * 64, failed=failed))
    out.encode("utf-8")
    assert out.replace("\n", "").isprintable()
    (told,) = json.loads(out)["claims"]
    assert (told["text"], told["citations"][0]["quote"]) == (source, text)
    assert told["citations"][0]["file"] == f"/{text}.pdf"
