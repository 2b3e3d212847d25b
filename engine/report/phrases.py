"""The words that every report for people uses."""

from collections.abc import Callable
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.version import __version__
from veracite.engine.words import Citation, Label, Relation, Report, Verdict

__all__ = [
    "LABEL_WORDS",
    "RELATION_WORDS",
    "SYMBOLS",
    "NameFile",
    "aside",
    "base_name",
    "claims_by_label",
    "documents",
    "facts",
    "percent",
    "place",
]

NameFile = Callable[[str], str]
"""The path of a document to the name a reader is shown, not neutralised."""

LABEL_WORDS = {
    Label.SUPPORTED: "supported",
    Label.CONTRADICTED: "contradicted",
    Label.NOT_FOUND: "not found",
    Label.UNCERTAIN: "uncertain",
    Label.NOT_CHECKABLE: "not checkable",
}

SYMBOLS = {
    Label.SUPPORTED: "✓",
    Label.CONTRADICTED: "✗",
    Label.NOT_FOUND: "?",
    Label.UNCERTAIN: "~",
    Label.NOT_CHECKABLE: "·",
}

RELATION_WORDS: dict[Relation, str] = {
    "supports": "supports it",
    "contradicts": "contradicts it",
    "nearest": "nearest",
}


def base_name(file: str) -> str:
    """A document's name without its folders."""
    return Path(file).name


def percent(probability: float) -> str:
    """A probability as whole per cent; 100 % is kept for certainty."""
    if 0.995 <= probability < 1:
        return "99 %"
    return f"{probability:.0%}".replace("%", " %")


def aside(verdict: Verdict) -> str:
    """What stands behind the label: how likely it is right, or why nothing was judged."""
    return neutralise(verdict.claim.not_checkable or percent(verdict.probability))


def place(citation: Citation, name: NameFile) -> str:
    """Where a quote stands: file, page and characters, neutralised."""
    page = f", page {citation.page}" if citation.page is not None else ""
    span = f"characters {citation.start}-{citation.end}"
    return f"{neutralise(name(citation.file))}{page}, {span}"


def claims_by_label(report: Report) -> str:
    """Such as ``5 claims: 3 supported, 1 contradicted, 1 not found``."""
    total = len(report.verdicts)
    parts = [f"{count} {LABEL_WORDS[label]}" for label, count in report.counts.items() if count]
    return f"{total} {_plural('claim', total)}" + (f": {', '.join(parts)}" if parts else "")


def documents(report: Report) -> str:
    """Such as ``12 documents read, 1 could not be read``; the latter is never left out."""
    failed = len(report.failed)
    read = f"{report.documents_read} {_plural('document', report.documents_read)} read"
    return f"{read}, {failed} could not be read" if failed else f"{read}, none failed"


def facts(report: Report) -> list[tuple[str, str]]:
    """What a reader needs in order to repeat the check, as names and values."""
    return [
        ("Veracite", __version__),
        ("Text, SHA-256", report.sha256),
        ("Models", ", ".join(report.models) or "none"),
        ("Readers", ", ".join(sorted(report.extractors.values())) or "none"),
        *((key, _value(value)) for key, value in sorted(report.settings.items())),
    ]


def _value(value: str | int | float | bool | None) -> str:
    return "chosen by Veracite" if value is None else str(value).lower()


def _plural(noun: str, count: int) -> str:
    return noun if count == 1 else f"{noun}s"
