"""The goals beside what was reached, and beside that what plainer ways reach."""

import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from results_means import BESIDE, HELD_OUT, NEVER_TRAINED_ON, means
from results_measured import OURS, PLAIN, VERIFIER, Measured, named

from veracite.engine.evaluation import report as phrases
from veracite.engine.evaluation.results import Comparison

_SHOWN = (VERIFIER, "overlap", "similarity")
_HELD_ECE = 0.05
_MEAN = 0.7
_FACTS = 0.85
_BOUNDARIES = 0.98
_TIMES = 4.0


@dataclass(frozen=True)
class Goal:
    """A goal and what was reached."""

    goal: str
    least: str
    reached: str
    met: bool | None
    """None where it was not measured."""
    beside: str = ""
    """What plainer ways reach."""
    stale: bool = False
    """Whether models or code have changed since, so that nobody knows whether it is met."""


def goals(measured: Mapping[str, Measured]) -> list[Goal]:
    """Every goal in their order; ``measured`` by the name of the entry."""
    return [
        _figure_goal("WikiBio, articles as one library", measured.get("wikibio"), 0.776),
        *_mean_goals(list(measured.values())),
        _figure_goal("FELM with CEG's passages", measured.get("felm"), 0.62),
        *_fact_goals(measured.get("changed-facts")),
        _refitted_goal(measured),
        _calibration_goal(measured),
        *_claim_goals(measured.get("claims")),
        _speed_goal(measured.get("speed")),
    ]


def _figure_goal(name: str, one: Measured | None, least: float) -> Goal:
    figure = one.figure() if one else None
    if one is None or figure is None or figure.value is None:
        return _not_measured(name, f"{least:.3f}")
    beside = {
        method: phrases.measured(found)
        for method in BESIDE
        if (found := one.figure(method=method)) and found.value is not None
    }
    values = {method: found.value for method in PLAIN if (found := one.figure(method=method))}
    known = {method: value for method, value in values.items() if value is not None}
    return Goal(
        name,
        f"{least:.3f}",
        phrases.measured(figure),
        figure.value >= least,
        _beside(beside, known, list(one.leads())),
        one.stale,
    )


def _mean_goals(measured: Sequence[Measured]) -> Iterator[Goal]:
    found = {mean.title: mean for mean in means(measured)}
    for title in (NEVER_TRAINED_ON, HELD_OUT):
        mean = found.get(title)
        if mean is None:
            yield _not_measured(title, f"{_MEAN:.3f}")
            continue
        value = mean.values[OURS]
        beside = {
            method: f"{mean.values[method]:.3f}" for method in BESIDE if method in mean.values
        }
        known = {method: mean.values[method] for method in PLAIN if method in mean.values}
        yield Goal(
            title,
            f"{_MEAN:.3f}",
            f"{_against(value, _MEAN)} ({', '.join(one.entry.name for one in mean.sets)})",
            value >= _MEAN,
            _beside(beside, known, mean.leads),
            any(one.stale for one in mean.sets),
        )


def _against(value: float, least: float) -> str:
    """Three digits, or as many as it takes for what misses a goal not to look as if it met it."""
    digits = 3
    while value < least <= round(value, digits):
        digits += 1
    return f"{value:.{digits}f}"


def _beside(
    told: Mapping[str, str], plain: Mapping[str, float], leads: Sequence[Comparison]
) -> str:
    """Other methods' figures, and the lead over the best of those that understand nothing."""
    parts = [f"{named(method)} {told[method]}" for method in _SHOWN if method in told]
    best = max(plain, key=lambda method: plain[method]) if plain else None
    if best is not None and best not in _SHOWN:
        parts.append(f"{named(best)} {told[best]}")
    lead = next((lead for lead in leads if lead.other == best), None)
    if lead is not None:
        parts.append(f"lead over {named(lead.other)} {phrases.lead(lead)}")
    return "; ".join(parts)


def _fact_goals(one: Measured | None) -> Iterator[Goal]:
    name = "Changed facts, two-way accuracy"
    if one is None:
        yield _not_measured(name, f"{_FACTS:.3f}")
        return
    lines = {line["kind"]: line["cells"] for line in one.printed["lines"] if line["half"] == "both"}
    every = lines["all"]
    for method in ("Veracite", "verifier"):
        values = {kind: cells[f"{method}, two-way"]["value"] for kind, cells in lines.items()}
        kinds = ", ".join(f"{kind} {value:.3f}" for kind, value in values.items() if kind != "all")
        beside = [
            f"{shown} {every[column]['value']:.3f}"
            for shown, column in (
                ("three-way", f"{method}, three-way"),
                ("words in common", "words in common, two-way"),
            )
            if column in every
        ]
        if method == "Veracite" and (lead := every.get("lead over words in common")):
            told = Comparison("overlap", "", lead["value"], lead["low"], lead["high"])
            beside.append(f"lead over words in common {phrases.lead(told)}")
        yield Goal(
            f"{name}: {method}",
            f"{_FACTS:.3f}",
            f"{values['all']:.3f} ({kinds})",
            values["all"] >= _FACTS,
            "; ".join(beside),
            one.stale,
        )


def _refitted_goal(measured: Mapping[str, Measured]) -> Goal:
    """After a map that was fitted to the other part; sets where none could be are named."""
    found = _values("ECE calibrated", measured)
    told = _errors("Calibration error, calibrated on the other part", found, measured)
    if not found:
        return told
    chance = _values("ECE by chance", measured)
    reached = [told.reached]
    if chance:
        possible = sum(value <= _HELD_ECE for value in chance.values())
        reached.append(f"were every probability right, {possible} sets would")
    without = [name for name in _values("ECE", measured) if name not in found]
    if without:
        counts = ", ".join(f"{name} ({_to_fit_on(measured[name])})" for name in without)
        reached.append(f"too few to fit on: {counts}")
    same = [name for name in found if _is_identity(measured[name])]
    if same:
        reached.append(f"no map was better than none, so nothing was changed: {', '.join(same)}")
    stale = told.stale or any(measured[name].stale for name in without)
    return Goal(told.goal, told.least, "; ".join(reached), told.met, stale=stale)


def _calibration_goal(measured: Mapping[str, Measured]) -> Goal:
    """Of the probabilities that a user sees."""
    found = _values("ECE", measured)
    return _errors("Calibration error, as shipped", found, measured)


def _errors(name: str, found: Mapping[str, float], measured: Mapping[str, Measured]) -> Goal:
    least = f"at most {_HELD_ECE:.3f}"
    if not found:
        return _not_measured(name, least)
    within = sum(value <= _HELD_ECE for value in found.values())
    worst = max(found, key=lambda name: found[name])
    mean = statistics.fmean(found.values())
    reached = f"{within} of {len(found)} sets; mean {mean:.3f}, worst {found[worst]:.3f} ({worst})"
    stale = any(measured[name].stale for name in found)
    return Goal(name, least, reached, within == len(found), stale=stale)


def _values(name: str, measured: Mapping[str, Measured]) -> dict[str, float]:
    """A figure of each set that has it."""
    found = {one.entry.name: one.figure(name) for one in measured.values()}
    return {n: f.value for n, f in found.items() if f is not None and f.value is not None}


def _to_fit_on(one: Measured) -> str:
    """Such as ``47 true, 3 false items``."""
    result = one.result
    part = next((p for p in result.parts if p.use != "results"), None) if result else None
    if part is None or part.positives is None:
        return "no items"
    true = round(part.positives * part.items)
    return f"{true} true, {part.items - true} false items"


def _is_identity(one: Measured) -> bool:
    figure = one.figure("ECE calibrated")
    return figure is not None and "(identity)" in figure.note


_SEGMENTED = re.compile(r"^(WikiBio|FELM)|^ +Veracite .*?F1 (\d\.\d+)", re.M)


def _claim_goals(one: Measured | None) -> Iterator[Goal]:
    found: dict[str, float] = {}
    part = ""
    for match in _SEGMENTED.finditer(one.printed if one else ""):
        part = match[1] or part
        if match[2]:
            found.setdefault(part, float(match[2]))
    for name in ("WikiBio", "FELM"):
        title, least = f"Sentence boundaries, F1 on {name}", f"{_BOUNDARIES:.3f}"
        value = found.get(name)
        if one is None or value is None:
            yield _not_measured(title, least)
        else:
            yield Goal(title, least, f"{value:.4f}", value >= _BOUNDARIES, stale=one.stale)


def _speed_goal(one: Measured | None) -> Goal:
    name, least = "Pairs judged, against one at a time in transformers", f"{_TIMES:.1f} times"
    timed = one.printed["throughput"] if one else None
    if one is None or timed is None:
        return _not_measured(name, least)
    ratio = timed["ratio"]
    return Goal(name, least, f"{ratio:.2f} times", ratio >= _TIMES, stale=one.stale)


def _not_measured(name: str, least: str) -> Goal:
    return Goal(name, least, "not measured", None)
