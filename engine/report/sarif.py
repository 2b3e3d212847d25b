"""Reports for code scanning and editors: SARIF 2.1.0, a result for each claim.

Lines, columns and offsets are those of the checked text, counted from 1 and in characters. There
are none where the text was extracted from a format without lines of its own, such as PDF. Braces
are doubled in messages and what would be a link loses its meaning (SARIF, sections 3.11.5 and 6).
"""

import hashlib
import os
import re
from collections.abc import Collection
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.json import safe_json
from veracite.engine.report.phrases import NameFile
from veracite.engine.texts import is_plain
from veracite.engine.types import Citation, Label, Report, Verdict

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {Label.CONTRADICTED: "error", Label.NOT_FOUND: "warning", Label.UNCERTAIN: "note"}
_KINDS = {Label.SUPPORTED: "pass", Label.NOT_CHECKABLE: "notApplicable"}
_RULES = list(Label)
_NO_BYTES = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")


def render(
    report: Report, name: NameFile = phrases.base_name, only: Collection[Label] | None = None
) -> str:
    """The report on a text as indented JSON with a line break at its end.

    Args:
        name: Turns the path of a document into the name that messages have for it.
        only: Labels of the claims that become results; None takes all.
    """
    documents = phrases.quoted_documents(report)
    rules = [_rule(label) for label in _RULES]
    run = {
        "tool": {"driver": {"name": "Veracite", "version": report.version, "rules": rules}},
        "invocations": [_invocation(report)],
        "artifacts": [
            _artifact(_text(report), report.sha256) | {"roles": ["analysisTarget"]},
            *(_artifact({"uri": uri(file)}, digest) for file, digest in documents.items()),
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(one, report, name) for _, one in phrases.chosen(report, only)],
        "properties": {
            "counts": report.counts,
            "coverage": phrases.coverage(report),
            "documentsRead": report.documents_read,
            "models": report.models,
            "settings": dict(sorted(report.settings.items())),
        },
    }
    return safe_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def told(verdict: Verdict, name: NameFile) -> str:
    """A verdict in lines of plain text: claim, reason, and the quotes that it rests on."""
    lines = [f"{phrases.LABEL_WORDS[verdict.label]} ({phrases.aside(verdict)}): "]
    lines[0] = lines[0].capitalize() + neutralise(verdict.claim.statement)
    if said := phrases.override(verdict):
        lines.append(f"Overridden by hand: {said}")
    lines.append(neutralise(verdict.explanation))
    settling = [c for c in verdict.citations if c.relation != "nearest"]
    for citation in settling or verdict.citations[:1]:
        relation = phrases.RELATION_WORDS[citation.relation]
        quote, place = neutralise(prose(citation)), phrases.place(citation, name)
        lines.append(f"{relation.capitalize()}: “{quote}” ({place})")
    return "\n".join(lines)


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Where a character stands, both from 1; lines end with a line feed."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def has_lines(file: str | None) -> bool:
    """Whether the lines of what was read are those of the file: it is text or Markdown."""
    return file is None or is_plain(Path(file))


def uri(file: str) -> str:
    """The address of a file, absolute or not, of which every byte is kept."""
    address = quote_from_bytes(os.fsencode(_NO_BYTES.sub("\ufffd", file)))
    return f"file://{address}" if file.startswith("/") else address


def _rule(label: Label) -> dict[str, Any]:
    return {
        "id": label.value,
        "name": label.value.title().replace("_", ""),
        "shortDescription": {"text": phrases.MEANINGS[label]},
        "defaultConfiguration": {"level": _LEVELS.get(label, "none")},
    }


def _invocation(report: Report) -> dict[str, Any]:
    unread = [
        {
            "level": "warning",
            "message": _message(f"Not read: {one.reason} {one.advice}".strip()),
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": uri(one.file)}}}],
        }
        for one in report.failed
    ]
    notes = [{"level": "note", "message": _message(note)} for note in report.notes]
    return {"executionSuccessful": report.complete, "toolExecutionNotifications": unread + notes}


def _artifact(location: dict[str, Any], digest: str) -> dict[str, Any]:
    return {"location": location, "hashes": {"sha-256": digest}}


def _text(report: Report) -> dict[str, Any]:
    if report.path is None:
        return {"description": _message(phrases.STANDARD_INPUT)}
    return {"uri": uri(report.path)}


def _result(verdict: Verdict, report: Report, name: NameFile) -> dict[str, Any]:
    claim, label = verdict.claim, verdict.label
    place: dict[str, Any] = {"artifactLocation": _text(report) | {"index": 0}}
    if has_lines(report.path):
        line, column = line_and_column(report.source, claim.start)
        last, end = line_and_column(report.source, claim.end)
        place["region"] = {
            **{"startLine": line, "startColumn": column, "endLine": last, "endColumn": end},
            **{"charOffset": claim.start, "charLength": claim.end - claim.start},
            "snippet": {"text": claim.text},
        }
    words = " ".join(claim.statement.split()).encode("utf-8", "surrogatepass")
    return {
        "ruleId": label.value,
        "ruleIndex": _RULES.index(label),
        "kind": _KINDS.get(label, "fail"),
        "level": _LEVELS.get(label, "none"),
        "message": _message(told(verdict, name)),
        "locations": [{"physicalLocation": place}],
        "relatedLocations": [
            _related(number, one, name) for number, one in enumerate(verdict.citations, start=1)
        ],
        "partialFingerprints": {"claim/v1": hashlib.sha256(words).hexdigest()},
        "properties": {"probability": round(verdict.probability, 4), "judge": verdict.judge},
    }


def _related(number: int, citation: Citation, name: NameFile) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": uri(citation.file)}}
    if has_lines(citation.file):
        length = citation.end - citation.start
        quoted = {"snippet": {"text": citation.quote}}
        place["region"] = {"charOffset": citation.start, "charLength": length} | quoted
    about = f"{phrases.RELATION_WORDS[citation.relation]}: {phrases.place(citation, name)}"
    return {"id": number, "physicalLocation": place, "message": _message(about)}


def _message(text: str) -> dict[str, str]:
    plain = neutralise(text, lines=True).replace("{", "{{").replace("}", "}}")
    return {"text": _LINK.sub(r"\\[", plain)}
