"""What happens while a text is checked: the one stream that every front end reads.

A check yields the library's own events first (``veracite.index.progress``), then these; a method
that answers adds those from ``Began`` to ``Settled``. Events are the only way to a result: the last
one, ``Finished``, carries the report.
"""

from collections.abc import Collection, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from veracite.engine.types import Answer, Change, Claim, Conflict, Report, Verdict
from veracite.index.documents import Evidence
from veracite.index.progress import SyncEvent
from veracite.models.chat import Message

DraftKind = Literal["first", "sample", "refined", "revised", "sentence", "hypothetical", "note"]
QueryKind = Literal["question", "answer", "missing", "claim"]


@dataclass(frozen=True, slots=True)
class Segmented:
    """The text was cut into claims."""

    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Evidence was looked up for one claim."""

    index: int
    """Which claim, counted from 0 in the order of ``Segmented.claims``."""
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """One claim has its verdict. Verdicts arrive in any order."""

    index: int
    verdict: Verdict
    cached: bool
    """True if the same claim and passages had been judged before."""
    done: int
    total: int
    early: bool = False
    """By words alone, while the library is still being encoded; another verdict will follow."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two sentences of a library were compared (``Workbench.conflicts``)."""

    done: int
    """Pairs that were compared."""
    total: int
    found: Conflict | None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the user should know although the work goes on."""

    message: str


@dataclass(frozen=True, slots=True)
class Opening:
    """A language model is loaded, which takes a while."""

    file: str
    """Its name, without the folder."""
    first_time: bool
    """Whether the file is new or was changed: then it is hashed and tried first, which takes
    long for a large one."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A language model was asked something."""

    skill: str
    prompt: str
    """Which prompt, in which version."""
    prefilled: int
    """Tokens of the prompt that were computed."""
    reused: int
    """Tokens of the prompt that stood computed from an earlier call."""
    generated: int
    """Tokens written."""
    seconds: float
    done: int = 1
    """How many of the questions that were put together are answered, this one included."""
    total: int = 1
    messages: tuple[Message, ...] = ()
    """What it was asked, word for word."""
    reply: str = ""
    """What it wrote; empty where it chose between options."""
    options: Mapping[str, float] = field(default_factory=dict)
    """Where it chose: the probability of each, which add up to 1."""


@dataclass(frozen=True, slots=True)
class Streamed:
    """A piece of text, as the model writes it."""

    text: str


@dataclass(frozen=True, slots=True)
class Shortened:
    """The passages did not fit into the model's context."""

    skill: str
    dropped: int
    """Passages left out, the least useful ones."""
    trimmed: int
    """Passages cut at the end of a sentence."""
    passages: tuple[str, ...] = ()
    """The ids of all of these."""


_TOO_LONG = """too long for the language model's context and left out or cut at the end of a \
sentence. A larger --context lets it read all."""


def too_long(passages: Collection[str]) -> Iterator[Warned]:
    """That so many passages did not fit, if any did not."""
    if passages:
        what = "1 passage was" if len(passages) == 1 else f"{len(passages)} passages were"
        yield Warned(f"{what} {_TOO_LONG}")


@dataclass(frozen=True, slots=True)
class Unusable:
    """A language model's reply could not be used."""

    skill: str
    reason: str
    reply: str
    attempt: int
    """From 1."""


SkillEvent = Asked | Streamed | Shortened | Unusable
T = TypeVar("T")
Steps = Generator[SkillEvent, None, T]
"""What a skill is: it yields what happens and returns a value."""


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


@dataclass(frozen=True, slots=True)
class Finished:
    """The work is complete."""

    report: Report


@dataclass(frozen=True, slots=True)
class Predicted:
    """So many items of an evaluation have their predictions."""

    done: int
    total: int


Event = (
    SyncEvent
    | Segmented
    | Opening
    | Retrieved
    | Judged
    | Warned
    | SkillEvent
    | MethodEvent
    | Finished
)
