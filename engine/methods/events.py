"""What happens while a method answers: with the check's own events, all that a trace holds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from veracite.engine.types import Answer, Change, Verdict
from veracite.index.documents import Evidence

DraftKind = Literal["first", "sample", "refined", "revised", "sentence", "hypothetical", "note"]
QueryKind = Literal["question", "answer", "missing", "claim"]


@dataclass(frozen=True, slots=True)
class Began:
    """A method sets out."""

    question: str | None
    """None where a text is mended."""
    method: str
    skills: str
    """Which set of skills, on which models."""
    settings: Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text was written, unverified as yet."""

    text: str
    kind: DraftKind
    round: int
    """From 1."""
    mean_probability: float | None = None
    """See ``veracite.engine.skills.base.Draft``."""


@dataclass(frozen=True, slots=True)
class Searched:
    """Passages were looked for."""

    query: str
    kind: QueryKind
    """What the query was made from."""
    evidence: tuple[Evidence, ...]
    """Best first, with their scores."""
    round: int


@dataclass(frozen=True, slots=True)
class Selected:
    """Some of the passages were kept, best first."""

    window: tuple[Evidence, ...]
    """What there was to choose from, in the order in which it was shown."""
    kept: tuple[Evidence, ...]
    round: int


@dataclass(frozen=True, slots=True)
class Assessed:
    """Passages were asked whether they suffice (LLatrieval, section 3.2)."""

    sufficient: bool
    score: float
    """Probability of yes (classify), or 0..10 (score)."""
    round: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """What VTG's memories hold now."""

    long: tuple[Evidence, ...]
    short: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Attempted:
    """A sentence was verified against passages (VTG, section 3.4)."""

    text: str
    by: Literal["citations", "memory"]
    evidence: tuple[Evidence, ...]
    verdict: Verdict
    attempt: int
    """From 1."""


@dataclass(frozen=True, slots=True)
class Simplified:
    """Citations that a sentence can do without were dropped (VTG, section 3.5)."""

    text: str
    kept: tuple[Evidence, ...]
    dropped: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """Of two texts one was kept."""

    text: str
    rejected: str
    reason: str
    round: int


@dataclass(frozen=True, slots=True)
class Proposed:
    """A claim of a text that is mended, and what was done about it."""

    change: Change


@dataclass(frozen=True, slots=True)
class Settled:
    """The answer as it stands now, every sentence verified: what is reported if it stops here."""

    answer: Answer


MethodEvent = (
    Began
    | Drafted
    | Searched
    | Selected
    | Assessed
    | Remembered
    | Attempted
    | Simplified
    | Chosen
    | Proposed
    | Settled
)
