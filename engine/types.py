"""The words of the judgement: claims, labels, citations, verdicts, reports.

Every value is frozen; the report's JSON (``veracite.report/1``) is made from these alone.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from veracite.engine.version import __version__
from veracite.index.documents import FailedDocument, Passage


class Label(StrEnum):
    """The five verdicts, everywhere."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"
    UNCERTAIN = "uncertain"
    NOT_CHECKABLE = "not_checkable"


Relation = Literal["supports", "contradicts", "nearest"]
AlignedKind = Literal["word", "name", "number", "date", "negation"]
Outcome = Literal["found", "conflict", "missing"]


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
    resolved: str | None = None
    """The statement with its subject's name for a pronoun ("Ada Brown moved to Oslo."); None where
    it names its subject itself, or nobody can be sure whom it means."""
    before: str | None = None
    """The sentences that it goes back to by a pronoun which nobody can be sure of; else None."""
    answers: str | None = None
    """The question without which it says nothing ("1904."); None for a statement."""

    @property
    def hypothesis(self) -> str:
        """What is judged: the statement as it would stand alone."""
        return self.resolved or self.statement

    def meets(self, start: int, end: int) -> bool:
        """Whether it stands at least partly in a stretch of the text."""
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Scores:
    """The three probabilities behind a verdict; they sum to 1."""

    supported: float
    neutral: float
    contradicted: float


@dataclass(frozen=True, slots=True)
class Task:
    """A claim and the passages it is judged against, best first."""

    claim: Claim
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of one task."""

    passages: tuple[Scores | None, ...]
    """Of each passage alone, in the task's order; None where it was left out or undecided."""
    joint: Scores | None
    """Of all passages together; None if not asked for, or undecided."""
    cut: Mapping[int, str] = field(default_factory=dict)
    """By their places, the passages too long to be read whole: what was read of each, empty where
    it was left out."""


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
    sheet: str | None = None
    """The name of its sheet, of a spreadsheet that has sheets."""
    cells: str | None = None
    """Of a spreadsheet: those that hold figures of the claim ("B14, D14"), or all ("A14:F14")."""
    changed: str = ""
    """The day of the file's last change (``2024-12-31``), where documents disagree."""


@dataclass(frozen=True, slots=True)
class Counterpart:
    """What a document says in the place of a part of a claim."""

    text: str
    citation: int
    """Which of the verdict's citations, from 0."""
    start: int
    """In characters of its quote."""
    end: int


@dataclass(frozen=True, slots=True)
class Aligned:
    """A word, name, number, date or negation of a claim beside the quotes of its verdict."""

    start: int
    """In characters of the claim's statement."""
    end: int
    kind: AlignedKind
    outcome: Outcome
    """Whether the quotes say it, say something else in its place, or neither."""
    stated: Counterpart | None = None
    """For a conflict what stands there instead; for a number or date that was found, its form."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Places of the library that contradict each other about a claim, by number of citation."""

    supports: tuple[int, ...]
    contradicts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Override:
    """What a person knows better than the check."""

    instead_of: Label
    """What the check said."""
    note: str
    """Why, in the person's words."""


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
    override: Override | None = None
    """Whose label this is, if a person gave it; all else is the check's."""

    @property
    def judged(self) -> Label:
        """What the check said, whatever a person says."""
        return self.override.instead_of if self.override else self.label

    @property
    def disagreement(self) -> Disagreement | None:
        """Where the library disagrees with itself about the claim; None if it does not."""
        supports, contradicts = (
            tuple(i for i, c in enumerate(self.citations) if c.relation == relation)
            for relation in ("supports", "contradicts")
        )
        return Disagreement(supports, contradicts) if supports and contradicts else None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sentences of a library that contradict each other."""

    first: Citation
    second: Citation
    probability: float
    """That one contradicts the other, the mean of both directions, 0..1."""
    explanation: str
    """One sentence that says what differs."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a method says to a question: every sentence of it has its verdict."""

    question: str
    text: str
    """Without citation marks; empty if there is no answer."""
    verdicts: tuple[Verdict, ...]
    """Of its sentences, in order; a claim's span is its place in the text."""
    rounds: int = 1
    """How often the method began anew; what a round is, each method says."""
    sufficient: bool | None = None
    """Whether the passages suffice for an answer (LLatrieval); None where nobody asked."""
    probability: float | None = None
    """That it answers the question, 0..1, calibrated; None where nothing tells. Of a question with
    parts that stay unanswered, that it answers the others."""
    unanswered: tuple[str, ...] = ()
    """The parts of the question that no sentence answers."""
    nearest: tuple[Citation, ...] = ()
    """What stands nearest to the question, best first."""
    problem: str | None = None
    """Why there is no answer, where that says nothing of the documents; with what to do."""


@dataclass(frozen=True, slots=True)
class Change:
    """What was proposed for a claim that no document supports."""

    before: Verdict
    """Its claim's span is the place in the text as given."""
    text: str
    """What is to stand there; empty if the claim is to go."""
    kept: bool
    """Whether it was changed so: only for something better supported."""
    reason: str
    """One sentence a person understands."""


@dataclass(frozen=True, slots=True)
class Fix:
    """A text rewritten where no document supports it (CEG, section 3.4)."""

    source: str
    """The text as given."""
    text: str
    """The text with the changes that were kept."""
    changes: tuple[Change, ...]
    """In order of position; one for each claim that was not supported."""


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
    others: tuple[str, ...] = ()
    """The files of kinds that are not read."""
    notes: tuple[str, ...] = field(default=())
    """What the reader should know, such as a search that had to do without the encoder."""
    method: str | None = None
    """Which method wrote or rewrote the text; None for a check."""
    answer: Answer | None = None
    """Whose text this is; None unless a question was asked."""
    fix: Fix | None = None
    """Whose result this is; None unless a text was to be mended."""
    complete: bool = True
    """False if it was interrupted: what is here was verified, and there would have been more."""
    version: str = __version__
    """Of Veracite, that found it."""

    @property
    def counts(self) -> dict[Label, int]:
        """How many claims got each label, all five named."""
        given = Counter(verdict.label for verdict in self.verdicts)
        return {label: given[label] for label in Label}
