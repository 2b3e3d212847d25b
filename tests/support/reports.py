"""A small report, made by hand, for the tests of what writes it."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema

from veracite.engine.events import Event, Finished
from veracite.engine.types import Citation, Claim, Label, Relation, Report, Scores, Verdict
from veracite.index.documents import FailedDocument

SOURCE = "# Mill\n\nThe mill burned in 1904. It was rebuilt in 1911.\nWho paid? Stamps, she said.\n"


def citation(quote: str, relation: Relation = "supports", **changes: object) -> Citation:
    """A quote from page 3 of /papers/mill.pdf."""
    made = Citation(
        file="/papers/mill.pdf",
        page=3,
        start=120,
        end=120 + len(quote),
        quote=quote,
        relation=relation,
        probability=0.9,
        document_sha256="ab" * 32,
        context=f"Before. {quote} After.",
        heading="The mill > History",
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def verdict(text: str, label: Label, *citations: Citation, source: str = SOURCE) -> Verdict:
    """A verdict on a claim that stands in the source."""
    start = source.index(text)
    checkable = label is not Label.NOT_CHECKABLE
    return Verdict(
        claim=Claim(
            text, start, start + len(text), text, text, None if checkable else "a question"
        ),
        label=label,
        probability=0.93215678,
        scores=Scores(0.9, 0.08, 0.02) if checkable else None,
        judge="verifier@0123" if checkable else "rules",
        explanation="The quoted sentence says so." if checkable else "A question claims nothing.",
        citations=citations,
    )


def report(*verdicts: Verdict, source: str = SOURCE, **changes: object) -> Report:
    """The report on these verdicts, by default one of each of four labels."""
    made = Report(
        path="draft.md",
        source=source,
        sha256=hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest(),
        verdicts=verdicts
        or (
            verdict("The mill burned in 1904.", Label.SUPPORTED, citation("It burned in 1904.")),
            verdict(
                "It was rebuilt in 1911.",
                Label.CONTRADICTED,
                citation("It was never rebuilt.", "contradicts", page=None),
            ),
            verdict("Who paid?", Label.NOT_CHECKABLE),
            verdict("Stamps, she said.", Label.NOT_FOUND, citation("He kept bees.", "nearest")),
        ),
        documents_read=12,
        failed=(FailedDocument("/papers/broken.pdf", "The file is encrypted.", "Open it."),),
        models=("encoder@01", "verifier@02"),
        extractors={"pdf": "pdf/1", "md": "markdown/1"},
        settings={"k": 6, "threshold": None, "retrieval": "hybrid", "markdown": True},
        notes=("Search goes by words alone.",),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def report_of(events: Sequence[Event]) -> Report:
    """What a check that has ended found."""
    last = events[-1]
    assert isinstance(last, Finished)
    return last.report


def conflicting(claim: str, quote: str) -> Report:
    """The report on one claim that a quote contradicts."""
    against = citation(quote, "contradicts", context=f"The mill. {quote}")
    return report(verdict(claim, Label.CONTRADICTED, against, source=claim), source=claim)


def disagreed() -> Report:
    """The report on one claim that one document supports and another one contradicts."""
    against = citation("The fire was in 1905.", "contradicts", file="/papers/leaflet.pdf", page=1)
    agreed = citation("It burned in 1904.")
    return report(verdict("The mill burned in 1904.", Label.SUPPORTED, agreed, against))


HOSTILE = {
    "terminal escape": "\x1b[31mred\x1b[0m",
    "one-byte escape": "\x9b31mred",
    "window title": "\x1b]0;owned\x07",
    "backspaces": "false\b\b\b\b\btrue",
    "carriage return": "harmless\rreplaced",
    "null and delete": "a\x00b\x7fc",
    "override": "\u202egnp.exe",
    "isolate": "\u2066hidden\u2069",
    "mark": "a\u200fb\u061cc",
    "zero width": "sup\u200bport\u2060ed\ufeff",
    "tags": "hi\U000e0041\U000e0042",
    "separators": "one\u2028two\u2029three",
    "lone surrogate": "caf\udce9.pdf",
    "blank letters": "a\u3164b\u115fc",
}
"""What nobody may see as it is, by what it is."""


@cache
def validator() -> jsonschema.Draft202012Validator:
    """Of the report's JSON, by the schema that other programs rely on."""
    schema = files("veracite.engine.report").joinpath("report-1.schema.json").read_text("utf-8")
    return jsonschema.Draft202012Validator(json.loads(schema))


def valid(out: str) -> dict[str, Any]:
    """A report's JSON, which keeps to that schema."""
    made: dict[str, Any] = json.loads(out)
    validator().validate(made)
    return made
