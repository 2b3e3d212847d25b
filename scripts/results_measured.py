"""What was measured of each set, and what its methods are called on the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quality_sets import Entry

from veracite.engine.evaluation.results import Comparison, Figure, MethodResult, Result, from_json

MAIN = "balanced accuracy"
OURS = "veracite"
AS_SHIPPED = "veracite as shipped"
VERIFIER = "verifier"
PLAIN = ("overlap", "similarity", "length")
"""Measures that understand nothing."""
_NAMES = {
    OURS: "Veracite",
    AS_SHIPPED: "Veracite as shipped",
    VERIFIER: "the verifier alone",
    "overlap": "words in common",
    "shorter": "the shorter answer",
}


@dataclass(frozen=True)
class Measured:
    """An entry with what its command printed, and when and where that was."""

    entry: Entry
    command: str
    date: str
    machine: str
    models: tuple[str, ...]
    stale: bool
    """Whether models or code have changed since."""
    printed: Any
    """As JSON values; text for scripts that print text."""

    @property
    def result(self) -> Result | None:
        """What ``veracite eval`` printed; None of scripts."""
        return from_json(self.printed) if self.entry.kind == "eval" else None

    def method(self, name: str) -> MethodResult | None:
        """One method's row."""
        result = self.result
        return next((m for m in result.methods if m.method == name), None) if result else None

    def figure(self, name: str = MAIN, method: str = OURS) -> Figure | None:
        """One figure of one method."""
        row = self.method(method)
        return row.figure(name) if row else None

    def leads(self, name: str = MAIN, method: str = OURS) -> Iterator[Comparison]:
        """What a method's figure is ahead of others' by."""
        row = self.method(method)
        yield from (c for c in (row.compared if row else ()) if c.figure == name)


def named(method: str) -> str:
    """A method as the page calls it."""
    return _NAMES.get(method, method)
