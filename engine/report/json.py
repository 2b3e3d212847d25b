"""Reports for programs: JSON, schema ``veracite.report/1`` (``report-1.schema.json`` beside)."""

import json
from dataclasses import asdict
from typing import Any

from veracite.engine.display import is_harmless
from veracite.engine.report.answers import Compared, Comparison, Sentence, numbered
from veracite.engine.report.beside import words
from veracite.engine.report.phrases import coverage, quoted_documents
from veracite.engine.types import Answer, Change, Citation, Report, Verdict
from veracite.engine.version import __version__

SCHEMA = "veracite.report/1"
COMPARISON_SCHEMA = "veracite.comparison/1"

_DIGITS = 4
"""Decimals of a probability: more would promise a precision that no model has."""


def render(report: Report | Comparison) -> str:
    """The report, or methods on one question, as indented JSON with a line break at its end."""
    told = as_json(report) if isinstance(report, Report) else _compared(report)
    return safe_json(told, indent=2)


def safe_json(value: object, indent: int | None = None) -> str:
    """JSON, ended by a line break, that is readable in any script and holds nothing invisible.

    Control and invisible characters stand as ``\\uXXXX``, so the values that a reader gets back
    are exactly those given, lone surrogates (of file names that are no UTF-8) included.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n"
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(
        character if character < "\x7f" or is_harmless(character) else json.dumps(character)[1:-1]
        for character in text
    ).replace("\x7f", "\\u007f")


def as_json(report: Report) -> dict[str, Any]:
    """The report in the schema's words; what only an answer or a mended text has comes last."""
    told: dict[str, Any] = {
        "schema": SCHEMA,
        "veracite": report.version,
        "text": _picked(report, "path", "sha256", "source"),
        "claims": [_claim(verdict) for verdict in report.verdicts],
        "counts": report.counts,
        "coverage": coverage(report),
        "documents": {
            "read": report.documents_read,
            "failed": [asdict(document) for document in report.failed],
            "other_kinds": report.others,
            "quoted": quoted_documents(report),
        },
        "models": report.models,
        "extractors": dict(sorted(report.extractors.items())),
        "settings": dict(sorted(report.settings.items())),
        "notes": report.notes,
    }
    if report.method is not None:
        told |= _picked(report, "method", "complete")
    if report.answer is not None:
        told |= _answer(report.answer)
    if report.fix is not None:
        changes = [_change(change) for change in report.fix.changes]
        told["fix"] = {**_picked(report.fix, "source", "text"), "changes": changes}
    return told


def _compared(comparison: Comparison) -> dict[str, Any]:
    """Seconds have three decimals."""
    return {
        "schema": COMPARISON_SCHEMA,
        "veracite": __version__,
        **_picked(comparison, "question", "complete"),
        "methods": [_method(one) for one in comparison.compared],
    }


def _method(one: Compared) -> dict[str, Any]:
    return {
        "method": one.report.method,
        "sentences": len(one.report.verdicts),
        **_picked(one, "supported"),
        "cost": asdict(one.cost) | {"seconds": round(one.cost.seconds, 3)},
        "report": as_json(one.report),
    }


def _answer(answer: Answer) -> dict[str, Any]:
    laid_out = numbered(answer)
    sources = enumerate(laid_out.sources, start=1)
    return {
        "question": answer.question,
        "answer": {
            **_picked(answer, "text", "probability", "unanswered", "problem"),
            "sentences": [_sentence(sentence) for sentence in laid_out.sentences],
            "citations": [{"number": number} | _citation(source) for number, source in sources],
        },
        **_picked(answer, "rounds", "sufficient"),
        "nearest": [_citation(citation) for citation in answer.nearest],
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        **_picked(sentence.verdict.claim, "start", "end"),
        "label": sentence.verdict.label,
        "supported_by": sentence.supports,
        "contradicted_by": sentence.contradicts,
        "nearest": sentence.nearest,
    }


def _change(change: Change) -> dict[str, Any]:
    return {"before": _claim(change.before), **_picked(change, "text", "kept", "reason")}


def _claim(verdict: Verdict) -> dict[str, Any]:
    told: dict[str, Any] = {
        **_picked(verdict.claim, "text", "start", "end", "statement", "not_checkable"),
        **_picked(verdict, "label", "probability"),
        "scores": verdict.scores
        and _picked(verdict.scores, "supported", "neutral", "contradicted"),
        **_picked(verdict, "judge", "explanation"),
        "citations": [_citation(citation) for citation in verdict.citations],
        "words": [asdict(part) for part in words(verdict)],
        "disagreement": asdict(verdict.disagreement) if verdict.disagreement else None,
        "off_subject": 0,  # nothing is left out so any more; readers of reports expect it
    }
    # Only of those that a person overrode.
    return told | ({"override": asdict(verdict.override)} if verdict.override else {})


def _citation(citation: Citation) -> dict[str, Any]:
    place = _picked(citation, "file", "page", "heading", "start", "end", "quote", "relation")
    told = _picked(citation, "probability", "document_sha256", "sheet", "cells", "context")
    # Only of those whose documents disagree.
    return place | told | (_picked(citation, "changed") if citation.changed else {})


def _picked(value: object, *names: str) -> dict[str, Any]:
    """Some fields of a value; probabilities have as many decimals as mean something."""
    found = {name: getattr(value, name) for name in names}
    return {n: round(v, _DIGITS) if isinstance(v, float) else v for n, v in found.items()}
