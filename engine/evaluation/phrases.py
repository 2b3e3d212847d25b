"""The wording of a result: what the table in the terminal and the page of HTML both say.

Nothing is neutralised here: whoever shows a phrase does it.
"""

import math

from veracite.engine.evaluation.results import Comparison, DataFile, Figure, Part, Result

__all__ = [
    "data",
    "duration",
    "extent",
    "figure_names",
    "footnotes",
    "headline",
    "interval",
    "items",
    "labels",
    "lead",
    "measured",
    "number",
    "p_value",
    "part",
    "share",
    "thresholds",
    "unavailable",
]

_DIGEST = 12
"""Letters of a SHA-256 that tell one file from another."""


def headline(result: Result) -> str:
    """Such as ``detect on wikibio: 1,908 items, 72.9 % of them true``."""
    return f"{result.task} on {result.format}: {extent(result)}"


def extent(result: Result) -> str:
    """Such as ``1,908 items, 72.9 % of them true``."""
    true = "" if result.positives is None else f", {share(result.positives)} of them true"
    return f"{items(result.items)}{true}"


def items(count: int) -> str:
    """Such as ``1 item`` or ``1,908 items``."""
    return f"{count:,} item{'' if count == 1 else 's'}"


def data(file: DataFile) -> str:
    """Such as ``dev.jsonl, 2.5 MB, SHA-256 13860a85cfdc...``: enough to tell it from another."""
    digest = file.sha256
    shown = digest if len(digest) <= _DIGEST else f"{digest[:_DIGEST]}..."
    return f"{file.name}, {_size(file.bytes)}, SHA-256 {shown}"


def number(value: float | None) -> str:
    """A figure with three decimals, fewer if it is large; "n/a" if there is none."""
    if value is None or not math.isfinite(value):
        return "n/a"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"


def interval(low: float | None, high: float | None, form: str = ".2f") -> str:
    """Such as ``[0.70, 0.80]``; empty if there is none."""
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return ""
    return f"[{low + 0.0:{form}}, {high + 0.0:{form}}]"


def measured(figure: Figure) -> str:
    """Such as ``0.750 [0.70, 0.80]``."""
    value = number(figure.value)
    return value if value == "n/a" else f"{value} {interval(figure.low, figure.high)}".rstrip()


def lead(comparison: Comparison) -> str:
    """Such as ``+0.063 [+0.001, +0.123]``."""
    difference = comparison.difference
    if difference is None or not math.isfinite(difference):
        return "n/a"
    bounds = interval(comparison.low, comparison.high, "+.3f")
    return f"{difference + 0.0:+.3f} {bounds}".rstrip()


def p_value(p: float | None) -> str:
    """Such as ``p = 0.031``, ``p < 0.001`` or ``n/a``."""
    if p is None or not math.isfinite(p):
        return "n/a"
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def share(value: float | None) -> str:
    """Such as ``27.1 %``."""
    return "n/a" if value is None or not math.isfinite(value) else f"{100 * value:.1f} %"


def duration(seconds: float | None) -> str:
    """Seconds as milliseconds without the unit: ``1,204``, ``35.1``, ``0.42`` or ``<0.01``."""
    if seconds is None or not math.isfinite(seconds):
        return "n/a"
    ms = 1000 * seconds
    if ms < 0.01:
        return "<0.01" if ms > 0 else "0"
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 1 else f"{ms:.2f}"


def labels(result: Result) -> str:
    """The label map, such as ``taken for true: accurate; for false: major, minor``."""
    sides = (
        (word, [label for label, truth in sorted(result.label_map.items()) if truth is side])
        for word, side in (("true", True), ("false", False))
    )
    return "taken " + "; ".join(f"for {word}: {', '.join(n) or 'none'}" for word, n in sides)


def part(each: Part) -> str:
    """Such as ``thresholds: first half of the groups (119 groups, 944 items, 71.0 % true)``."""
    true = "" if each.positives is None else f", {share(each.positives)} true"
    groups = f"{len(each.groups):,} group{'' if len(each.groups) == 1 else 's'}"
    return f"{each.use}: {each.name} ({groups}, {items(each.items)}{true})"


def figure_names(result: Result) -> list[str]:
    """The names of all methods' figures; what only a later method has stands where it has it."""
    names: list[str] = []
    for method in result.methods:
        place = 0
        for figure in method.figures:
            if figure.name not in names:
                names.insert(place, figure.name)
            place = names.index(figure.name) + 1
    return names


def thresholds(result: Result) -> list[str]:
    """One line for each part that thresholds come from, with all of these."""
    found: dict[str | None, list[str]] = {}
    for each in result.methods:
        if each.threshold is not None:
            of_part = found.setdefault(each.threshold_from, [])
            of_part.append(f"{each.method} {number(each.threshold)}")
    fixed = [
        f"Threshold of {each.method}, from {each.threshold_from}"
        for each in result.methods
        if each.threshold is None and each.threshold_from
    ]
    chosen = [
        f"Thresholds{f', from the {source}' if source else ', given'}: {', '.join(held)}"
        for source, held in found.items()
    ]
    return chosen + fixed


def footnotes(result: Result) -> list[str]:
    """What the figures' notes say, each once, and how many items have no prediction."""
    named: dict[str, dict[str, None]] = {}
    for method in result.methods:
        for figure in method.figures:
            if figure.note:
                named.setdefault(figure.note, {})[figure.name] = None
    problems = (
        f"{each.method} gave no prediction for {each.problems:,} of {items(each.n)}"
        for each in result.methods
        if each.problems
    )
    return [*(f"{', '.join(names)}: {note}" for note, names in named.items()), *problems]


def unavailable(result: Result) -> str:
    """What is not computed and why, in one line; empty if there is nothing to say."""
    return "; ".join(f"{each.name} ({each.reason})" for each in result.unavailable)


def _size(count: int) -> str:
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= least:
            return f"{count / least:.1f} {unit}"
    return f"{count} bytes"
