"""The words of the judgement: claims, labels, citations, verdicts, reports.

Every value is frozen; the report's JSON (``veracite.report/1``) is made from these alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

__all__ = [
    "Citation",
    "Claim",
    "FailedDocument",
    "Label",
    "Relation",
    "Report",
    "Scores",
    "Verdict",
]


class Label(StrEnum):
    """The five verdicts, everywhere."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    UNCERTAIN = "uncertain"
    NOT_CHECKABLE = "not_checkable"


Relation = Literal["supports", "contradicts", "nearest"]


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of the text, usually a sentence."""

    text: str
    """Exactly the text as given, ``source[start:end]``: markup and citation marks included."""
    start: int
    end: int
    statement: str
    """The text without markup, citation marks and line breaks: what is judged and shown."""
    query: str
    """The statement with its context (who "she" is, the heading above it): what is searched."""
    not_checkable: str | None = None
    """Why no document could confirm this ("a question"); None for a checkable claim."""


@dataclass(frozen=True, slots=True)
class Scores:
    """The three probabilities behind a verdict; they sum to 1."""

    supported: float
    neutral: float
    contradicted: float


@dataclass(frozen=True, slots=True)
class Citation:
    """The sentence a verdict rests on, or, for *not found*, the nearest one."""

    file: str
    """Absolute path of the document."""
    page: int | None
    start: int
    end: int
    quote: str
    """Verbatim: the document's extracted text from start to end."""
    relation: Relation
    probability: float
    """That the quote alone supports (contradicts) the claim; for nearest, its similarity."""
    document_sha256: str
    context: str
    """The whole passage, cleaned, that the quote stands in (for display)."""
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was found about one claim."""

    claim: Claim
    label: Label
    probability: float
    """That the label is right, 0..1, calibrated."""
    scores: Scores | None
    """None where no model judged (not checkable)."""
    judge: str
    """Who decided: a model's name and version, or ``"rules"``."""
    explanation: str
    """One sentence a person understands."""
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A file of the library that could not be read."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one check found; ``veracite.engine.report`` writes it."""

    path: str | None
    """Of the text; None for standard input."""
    source: str
    """The text as given."""
    sha256: str
    """Of the text's UTF-8 bytes."""
    verdicts: tuple[Verdict, ...]
    documents_read: int
    failed: tuple[FailedDocument, ...]
    models: tuple[str, ...]
    """Names of the models that took part, with the start of their SHA-256."""
    extractors: Mapping[str, str]
    """Format to reader version, such as {"pdf": "pdf/1"}."""
    settings: Mapping[str, str | int | float | bool | None]
    notes: tuple[str, ...] = field(default=())
    """What the reader should know, such as a search that had to do without the encoder."""

    @property
    def counts(self) -> dict[Label, int]:
        """How many claims got each label, all five named."""
        counts = dict.fromkeys(Label, 0)
        for verdict in self.verdicts:
            counts[verdict.label] += 1
        return counts
