"""The goals beside what was reached, and where Veracite loses: read off the measured results."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quality_sets import Entry

from veracite.engine.evaluation import phrases
from veracite.engine.evaluation.results import Comparison, Figure, MethodResult, Result
from veracite.engine.evaluation.results_json import from_json

__all__ = ["AS_SHIPPED", "MAIN", "OURS", "Goal", "Measured", "goals", "losses", "named"]

MAIN = "balanced accuracy"
OURS = "veracite"
AS_SHIPPED = "veracite as shipped"
_NAMES = {
    OURS: "Veracite",
    AS_SHIPPED: "Veracite as shipped",
    "verifier": "the verifier alone",
    "overlap": "words in common",
    "shorter": "the shorter answer",
}
_OVER_SETS = "mean over sets"
_HELD_ECE = 0.05


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


@dataclass(frozen=True)
class Goal:
    """A goal and what was reached."""

    goal: str
    least: str
    reached: str
    met: bool | None
    """None where it was not measured."""


def named(method: str) -> str:
    """A method as the page calls it."""
    return _NAMES.get(method, method)


def goals(measured: Mapping[str, Measured]) -> list[Goal]:
    """Every goal in their order; ``measured`` by the name of the entry."""
    return [
        _figure_goal("WikiBio, articles as one library", measured.get("wikibio"), 0.776),
        _mean_goal("Mean over attribution sets never trained on", measured, held_out=False),
        _mean_goal("Mean over these and the held-out parts of others", measured, held_out=True),
        _figure_goal("FELM with CEG's passages", measured.get("felm"), 0.62),
        *_fact_goals(measured.get("changed-facts")),
        _calibration_goal(measured),
        *_claim_goals(measured.get("claims")),
        _speed_goal(measured.get("speed")),
    ]


def losses(measured: Sequence[Measured]) -> Iterator[str]:
    """Sentences on every set where Veracite is not surely better than a plain measure."""
    for one in measured:
        if one.entry.kind != "eval" or one.entry.name == "aggrefact":
            continue
        result = one.result
        assert result is not None
        leads = [c for m in result.methods if m.method in (OURS, "hybrid") for c in m.compared]
        yield from _not_beaten(one.entry.title, leads)
        yield from _unsafe(one)


def _not_beaten(title: str, leads: Sequence[Comparison]) -> Iterator[str]:
    said: dict[str, list[str]] = {"loses to": [], "is not surely better than": []}
    for lead in leads:
        if lead.low is None or lead.high is None or lead.low > 0 or lead.figure == _OVER_SETS:
            continue
        how = "loses to" if lead.high < 0 else "is not surely better than"
        said[how].append(f"{named(lead.other)} ({lead.figure} {phrases.lead(lead)})")
    clauses = [f"{how} {', '.join(others)}" for how, others in said.items() if others]
    if clauses:
        yield f"{title}: {'; '.join(clauses)}."


def _unsafe(one: Measured) -> Iterator[str]:
    """A wrong *supported* is the error that hurts."""
    wrong = one.figure("false supported", AS_SHIPPED)
    if wrong is not None and wrong.value is not None and wrong.value > 1 / 3:
        share = phrases.share(wrong.value)
        yield f"{one.entry.title}: as shipped, {share} of what is false is called supported."


def _figure_goal(name: str, one: Measured | None, least: float) -> Goal:
    figure = one.figure() if one else None
    if figure is None or figure.value is None:
        return Goal(name, f"{least:.3f}", "not measured", None)
    return Goal(name, f"{least:.3f}", phrases.measured(figure), figure.value >= least)


def _mean_goal(name: str, measured: Mapping[str, Measured], *, held_out: bool) -> Goal:
    found = [
        (one, figure.value)
        for one in measured.values()
        if one.entry.counts
        and (held_out or not one.entry.was_trained_on)
        and (figure := one.figure()) is not None
        and figure.value is not None
    ]
    if not found:
        return Goal(name, "0.700", "not measured", None)
    mean = statistics.fmean(value for _, value in found)
    sets = ", ".join(one.entry.name for one, _ in found)
    return Goal(name, "0.700", f"{mean:.3f} ({sets})", mean >= 0.7)


def _fact_goals(one: Measured | None) -> Iterator[Goal]:
    name, least = "Changed facts, two-way accuracy", 0.85
    if one is None:
        yield Goal(name, f"{least:.3f}", "not measured", None)
        return
    for method in ("Veracite, two-way", "verifier, two-way"):
        values = {
            line["kind"]: line["cells"][method]["value"]
            for line in one.printed["lines"]
            if line["half"] == "both"
        }
        kinds = ", ".join(f"{kind} {value:.3f}" for kind, value in values.items() if kind != "all")
        reached = f"{values['all']:.3f} ({kinds})"
        shown = f"{name}: {method.partition(',')[0]}"
        yield Goal(shown, f"{least:.3f}", reached, values["all"] >= least)


def _calibration_goal(measured: Mapping[str, Measured]) -> Goal:
    found = _values("ECE calibrated", measured)
    chance = _values("ECE by chance", measured)
    name, least = "Calibration error, calibrated on the other part", f"at most {_HELD_ECE:.3f}"
    if not found:
        return Goal(name, least, "not measured", None)
    within = sum(value <= _HELD_ECE for value in found.values())
    worst = max(found, key=lambda name: found[name])
    reached = f"{within} of {len(found)} sets; worst {found[worst]:.3f} ({worst})"
    if chance:
        possible = sum(value <= _HELD_ECE for value in chance.values())
        reached += f"; were every probability right, {possible} sets would"
    return Goal(name, least, reached, within == len(found))


def _values(name: str, measured: Mapping[str, Measured]) -> dict[str, float]:
    """A figure of each set that has it."""
    found = {one.entry.name: one.figure(name) for one in measured.values()}
    return {n: f.value for n, f in found.items() if f is not None and f.value is not None}


_SEGMENTED = re.compile(r"^(WikiBio|FELM)|^ +Veracite .*?F1 (\d\.\d+)", re.M)


def _claim_goals(one: Measured | None) -> Iterator[Goal]:
    found: dict[str, float] = {}
    part = ""
    for match in _SEGMENTED.finditer(one.printed if one else ""):
        part = match[1] or part
        if match[2]:
            found.setdefault(part, float(match[2]))
    for name in ("WikiBio", "FELM"):
        value = found.get(name)
        reached = "not measured" if value is None else f"{value:.4f}"
        met = None if value is None else value >= 0.98
        yield Goal(f"Sentence boundaries, F1 on {name}", "0.980", reached, met)


def _speed_goal(one: Measured | None) -> Goal:
    name, least = "Pairs judged, against one at a time in transformers", "4.0 times"
    timed = one.printed["throughput"] if one else None
    if timed is None:
        return Goal(name, least, "not measured", None)
    return Goal(name, least, f"{timed['ratio']:.2f} times", timed["ratio"] >= 4)
