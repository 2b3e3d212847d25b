"""What happens while a text is checked: the one stream that every front end reads.

A check yields the library's own events first (``veracite.index.progress``), then these. Events are
the only way to a result: the last one, ``Finished``, carries the report.
"""

from dataclasses import dataclass

from veracite.engine.words import Claim, Report, Verdict
from veracite.index.documents import Evidence
from veracite.index.progress import SyncEvent

__all__ = ["Event", "Finished", "Judged", "Retrieved", "Segmented", "Warned"]


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


@dataclass(frozen=True, slots=True)
class Warned:
    """Something the user should know although the work goes on."""

    message: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The check is complete."""

    report: Report


Event = SyncEvent | Segmented | Retrieved | Judged | Warned | Finished
