"""Which of several documents that disagree decides, by a rule that a person set.

The decision asks only where both sides speak plainly, and the rule names what it went by.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from veracite.engine.types import Verdict
from veracite.index.days import day_of
from veracite.index.documents import Passage

NEWEST = "newest"
Files = Iterable[Collection[str]]
"""The files that say what each premise of a side says, best first."""


class Preferred(NamedTuple):
    """The side that comes before the other."""

    side: int
    """0 or 1."""
    place: int
    """Which of its premises speaks for it."""
    told: str
    """By which rule: ``Decided by --prefer newest: a.md of 2024-05-01 before b.md of ...``"""


@dataclass(frozen=True, slots=True)
class Precedence:
    """What is known of documents that disagree, and which of them decides."""

    rule: str
    """``NEWEST`` or a pattern of files."""
    copies: Callable[[Passage], Sequence[Passage]]
    """The places where a passage stands, itself among them."""
    fits: Callable[[str], bool]
    """Whether the pattern fits a path."""

    def files(self, passage: Passage) -> tuple[str, ...]:
        """Where a passage stands."""
        return tuple(dict.fromkeys(copy.document.path for copy in self.copies(passage)))

    def facts(self, passage: Passage) -> tuple[object, ...]:
        """All that the rule may ask of a passage, for the key of a verdict."""
        return self.rule, *((file, day_of(file)) for file in self.files(passage))

    def between(self, one: Files, other: Files) -> Preferred | None:
        """The side whose documents come before the other's; None where the rule does not tell.

        Args:
            one: The files of one side's premises.
            other: Of the other's.
        """
        ranked = [
            max((self._rank(file), -at, file) for at, files in enumerate(side) for file in files)
            for side in (one, other)
        ]
        side = int(ranked[1][0] > ranked[0][0])
        (best, place, file), (less, _, behind) = ranked[side], ranked[1 - side]
        if best == less or (self.rule == NEWEST and not less):
            return None
        told = f"{self._named(file, behind)} before {self._named(behind, file)}"
        return Preferred(side, -place, f"Decided by --prefer {self.rule}: {told}.")

    def _rank(self, file: str) -> str:
        """The greater, the sooner it decides; empty where nothing is known."""
        return day_of(file) if self.rule == NEWEST else "fits" if self.fits(file) else ""

    def _named(self, file: str, beside: str) -> str:
        """A file's name, with its folder where another one has it too, and its day if it counts."""
        path = Path(file)
        name = path.name if path.name != Path(beside).name else f"{path.parent.name}/{path.name}"
        return f"{name} of {day_of(file)}" if self.rule == NEWEST else name


def dated(verdict: Verdict) -> Verdict:
    """The verdict; where documents disagree, with the days on which their files were changed."""
    if verdict.disagreement is None:
        return verdict
    told = tuple(replace(quote, changed=day_of(quote.file)) for quote in verdict.citations)
    return replace(verdict, citations=told)
