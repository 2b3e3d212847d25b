"""The report for programs: JSON, schema ``veracite.report/1`` (``report-1.schema.json`` beside)."""

import json
from typing import Any

from veracite.engine.display import is_harmless
from veracite.engine.report.answers import Sentence, numbered
from veracite.engine.types import Aligned, Answer, Citation, Disagreement, Fix, Report, Verdict
from veracite.engine.version import __version__

SCHEMA = "veracite.report/1"

_DIGITS = 4
"""Decimals of a probability: more would promise a precision that no model has."""


def render(report: Report) -> str:
    """The report as indented JSON with a line break at its end."""
    return safe_json(as_json(report), indent=2) + "\n"


def safe_json(value: object, indent: int | None = None) -> str:
    """JSON that is readable in any script and yet holds no control or invisible character.

    Those stand as ``\\uXXXX``, so the values that a reader gets back are exactly those given, lone
    surrogates (of file names that are no UTF-8) included.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(
        character if character < "\x7f" or is_harmless(character) else json.dumps(character)[1:-1]
        for character in text
    ).replace("\x7f", "\\u007f")


def as_json(report: Report) -> dict[str, Any]:
    """The report in the schema's words; what only an answer or a mended text has comes last."""
    return _checked(report) | _written(report)


def _checked(report: Report) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "veracite": __version__,
        "text": {"path": report.path, "sha256": report.sha256},
        "claims": [_claim(verdict) for verdict in report.verdicts],
        "counts": {str(label): count for label, count in report.counts.items()},
        "documents": {
            "read": report.documents_read,
            "failed": [{"file": item.file, "reason": item.reason} for item in report.failed],
        },
        "models": list(report.models),
        "extractors": dict(sorted(report.extractors.items())),
        "settings": dict(sorted(report.settings.items())),
        "notes": list(report.notes),
    }


def _written(report: Report) -> dict[str, Any]:
    if report.method is None:
        return {}
    told: dict[str, Any] = {"method": report.method, "complete": report.complete}
    if report.answer is not None:
        told |= _answer(report.answer)
    if report.fix is not None:
        told |= {"fix": _fix(report.fix)}
    return told


def _answer(answer: Answer) -> dict[str, Any]:
    laid_out = numbered(answer)
    return {
        "question": answer.question,
        "answer": {
            "text": answer.text,
            "probability": None
            if answer.probability is None
            else round(answer.probability, _DIGITS),
            "unanswered": list(answer.unanswered),
            "sentences": [_sentence(sentence) for sentence in laid_out.sentences],
            "citations": [
                {"number": number, **_citation(citation)}
                for number, citation in enumerate(laid_out.sources, start=1)
            ],
        },
        "rounds": answer.rounds,
        "sufficient": answer.sufficient,
        "nearest": [_citation(citation) for citation in answer.nearest],
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    claim = sentence.verdict.claim
    return {
        "start": claim.start,
        "end": claim.end,
        "label": str(sentence.verdict.label),
        "supported_by": list(sentence.supports),
        "contradicted_by": list(sentence.contradicts),
        "nearest": list(sentence.nearest),
    }


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "text": fix.text,
        "changes": [
            {
                "before": _claim(change.before),
                "text": change.text,
                "kept": change.kept,
                "reason": change.reason,
            }
            for change in fix.changes
        ],
    }


def _claim(verdict: Verdict) -> dict[str, Any]:
    scores = verdict.scores
    return {
        "text": verdict.claim.text,
        "start": verdict.claim.start,
        "end": verdict.claim.end,
        "statement": verdict.claim.statement,
        "label": str(verdict.label),
        "probability": round(verdict.probability, _DIGITS),
        "scores": None
        if scores is None
        else {
            "supported": round(scores.supported, _DIGITS),
            "neutral": round(scores.neutral, _DIGITS),
            "contradicted": round(scores.contradicted, _DIGITS),
        },
        "judge": verdict.judge,
        "explanation": verdict.explanation,
        "citations": [_citation(citation) for citation in verdict.citations],
        "words": [_aligned(part) for part in verdict.words],
        "disagreement": _disagreement(verdict.disagreement),
        "off_subject": verdict.off_subject,
    } | _override(verdict)


def _override(verdict: Verdict) -> dict[str, Any]:
    """Only of those that a person overrode."""
    said = verdict.override
    if said is None:
        return {}
    return {"override": {"instead_of": str(said.instead_of), "note": said.note}}


def _aligned(part: Aligned) -> dict[str, Any]:
    stated = part.stated
    return {
        "start": part.start,
        "end": part.end,
        "kind": part.kind,
        "outcome": part.outcome,
        "stated": None
        if stated is None
        else {
            "text": stated.text,
            "citation": stated.citation,
            "start": stated.start,
            "end": stated.end,
        },
    }


def _disagreement(split: Disagreement | None) -> dict[str, list[int]] | None:
    if split is None:
        return None
    return {"supports": list(split.supports), "contradicts": list(split.contradicts)}


def _citation(citation: Citation) -> dict[str, Any]:
    return {
        "file": citation.file,
        "page": citation.page,
        "heading": citation.heading,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "relation": citation.relation,
        "probability": round(citation.probability, _DIGITS),
        "document_sha256": citation.document_sha256,
    }
