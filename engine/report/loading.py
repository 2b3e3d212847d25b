"""A report from the JSON that ``veracite.engine.report.json`` wrote, to be written anew."""

from dataclasses import dataclass
from typing import Any

import msgspec

from veracite.engine.errors import InputError
from veracite.engine.report.audit import read
from veracite.engine.types import (
    Answer,
    Change,
    Citation,
    Claim,
    Fix,
    Label,
    Override,
    Report,
    Scores,
    Verdict,
)
from veracite.index.documents import FailedDocument


@dataclass(frozen=True, slots=True)
class _Judged:
    text: str
    start: int
    end: int
    statement: str
    not_checkable: str | None
    label: Label
    probability: float
    scores: Scores | None
    judge: str
    explanation: str
    citations: tuple[Citation, ...]
    override: Override | None = None

    @property
    def verdict(self) -> Verdict:
        """The same as a verdict; what it was searched by is not kept."""
        claim = Claim(
            *(self.text, self.start, self.end, self.statement, self.statement, self.not_checkable)
        )
        judged = (self.label, self.probability, self.scores, self.judge, self.explanation)
        return Verdict(claim, *judged, self.citations, self.override)


@dataclass(frozen=True, slots=True)
class _Text:
    path: str | None
    sha256: str
    source: str


@dataclass(frozen=True, slots=True)
class _Documents:
    read: int
    failed: tuple[FailedDocument, ...]
    other_kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Said:
    text: str
    probability: float | None
    unanswered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Changed:
    before: _Judged
    text: str
    kept: bool
    reason: str


@dataclass(frozen=True, slots=True)
class _Mended:
    source: str
    text: str
    changes: tuple[_Changed, ...]


@dataclass(frozen=True, slots=True)
class _Told:
    veracite: str
    text: _Text
    claims: tuple[_Judged, ...]
    documents: _Documents
    models: tuple[str, ...]
    extractors: dict[str, str]
    settings: dict[str, str | int | float | bool | None]
    notes: tuple[str, ...] = ()
    method: str | None = None
    complete: bool = True
    question: str | None = None
    answer: _Said | None = None
    rounds: int = 1
    sufficient: bool | None = None
    nearest: tuple[Citation, ...] = ()
    fix: _Mended | None = None


def load(content: bytes, name: str) -> Report:
    """The report, whose probabilities have the decimals that its JSON has.

    Args:
        name: What to call it in an error.

    Raises:
        InputError: It is no report, one of another schema, or one that does not hold its text and
            passages, as those of older versions do not.
    """
    read(content, name)
    try:
        told = msgspec.json.decode(content, type=_Told)
    except msgspec.ValidationError as error:
        raise InputError(
            f"{name} does not hold all that is shown ({error}).",
            "Check the text again: reports of older versions lack the text and the passages.",
        ) from error
    verdicts = tuple(claim.verdict for claim in told.claims)
    extra: dict[str, Any] = {}
    if told.answer is not None and told.question is not None:
        said = told.answer
        extra["answer"] = Answer(
            *(told.question, said.text, verdicts, told.rounds, told.sufficient, said.probability),
            *(said.unanswered, told.nearest),
        )
    if told.fix is not None:
        made = (Change(c.before.verdict, c.text, c.kept, c.reason) for c in told.fix.changes)
        extra["fix"] = Fix(told.fix.source, told.fix.text, tuple(made))
    return Report(
        path=told.text.path,
        source=told.text.source,
        sha256=told.text.sha256,
        verdicts=verdicts,
        documents_read=told.documents.read,
        failed=told.documents.failed,
        models=told.models,
        extractors=told.extractors,
        settings=told.settings,
        others=told.documents.other_kinds,
        notes=told.notes,
        method=told.method,
        complete=told.complete,
        version=told.veracite,
        **extra,
    )
