"""A result as plain text for a terminal, and the wording that the HTML page shares.

Colour is the caller's: each line says what it is. Tables that are wider than the terminal are
printed in blocks of columns, each block with the first column.
"""

import math
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from veracite.engine.display import neutralise
from veracite.engine.evaluation.results import Comparison, Figure, Part, Result

__all__ = [
    "Line",
    "duration",
    "extent",
    "footnotes",
    "headline",
    "interval",
    "labels",
    "lead",
    "lines",
    "measured",
    "number",
    "p_value",
    "part",
    "render",
    "share",
    "shorten",
    "thresholds",
]

_NARROWEST, _WIDEST = 80, 200
_LONGEST_NAME = 28
_LONGEST_IN_PAIR = 20
_NAME_COLUMN = 13
"""A column's name is not broken to less than this."""
_GAP = "  "
_FILL = "\ufffc"
"""Stands beside a wide character while lines are cut, so that it counts as two cells."""

Role = Literal["title", "heading", "columns", "row", "trivial", "note", "text"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and what it is, for whoever adds colours."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class _Row:
    cells: tuple[str, ...]
    role: Role = "row"


def render(result: Result, width: int = 80) -> str:
    """The result as text of at most ``width`` columns, which is kept within 80 to 200."""
    return "\n".join(line.text for line in lines(result, width)) + "\n"


def lines(result: Result, width: int = 80) -> Iterator[Line]:
    """The lines of ``render``, without line breaks."""
    width = max(_NARROWEST, min(width, _WIDEST))
    yield from _wrapped(headline(result), width, role="title")
    for file in result.files:
        yield from _wrapped(f"Data: {file.name}, {_size(file.bytes)}, SHA-256 {file.sha256}", width)
    if result.label_map:
        yield from _wrapped(f"Labels: {labels(result)}", width)
    for each in result.parts:
        yield from _wrapped(f"For {part(each)}", width)
    rows = _methods(result)
    yield from _section("", rows, width, right={1, len(rows[0].cells) - 1})
    cut_offs = thresholds(result)
    if cut_offs:
        yield Line("", "text")
    for text in cut_offs:
        yield from _wrapped(text, width)
    yield from _section(
        "Leads, with 95 % intervals and McNemar's exact test", _leads(result), width
    )
    yield from _section("By set", _subsets(result), width, right={1, 2})
    yield from _below(result, width)


def headline(result: Result) -> str:
    """Such as ``detect on wikibio: 1,908 items, 72.9 % of them true``."""
    return f"{result.task} on {result.format}: {extent(result)}"


def extent(result: Result) -> str:
    """Such as ``1,908 items, 72.9 % of them true``."""
    true = "" if result.positives is None else f", {share(result.positives)} of them true"
    return f"{_items(result.items)}{true}"


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
    """The label map, such as ``true: accurate; false: major, minor``."""
    sides = (
        (word, [label for label, truth in sorted(result.label_map.items()) if truth is side])
        for word, side in (("true", True), ("false", False))
    )
    return "; ".join(f"{word}: {', '.join(names) or 'none'}" for word, names in sides)


def part(each: Part) -> str:
    """Such as ``thresholds: first half of the groups (119 groups, 944 items, 71.0 % true)``."""
    true = "" if each.positives is None else f", {share(each.positives)} true"
    groups = f"{len(each.groups):,} group{'' if len(each.groups) == 1 else 's'}"
    return f"{each.use}: {each.name} ({groups}, {_items(each.items)}{true})"


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
    of_figures = {
        f"{figure.name}: {figure.note}": None
        for method in result.methods
        for figure in method.figures
        if figure.note
    }
    problems = (
        f"{each.method} gave no prediction for {each.problems:,} of {_items(each.n)}"
        for each in result.methods
        if each.problems
    )
    return [*of_figures, *problems]


def _methods(result: Result) -> list[_Row]:
    names = list(dict.fromkeys(f.name for m in result.methods for f in m.figures))
    rows = [_Row(("Method", "Items", *names, "ms per item"), "columns")]
    for each in result.methods:
        mark = " (trivial)" if each.trivial else ""
        figures = (_figure(each.figure(name)) for name in names)
        cells = (
            shorten(each.method) + mark,
            f"{each.n:,}",
            *figures,
            duration(each.seconds_per_item),
        )
        rows.append(_Row(cells, "trivial" if each.trivial else "row"))
    return rows


def _leads(result: Result) -> list[_Row]:
    rows = [
        _Row(
            (
                f"{shorten(method.method, _LONGEST_IN_PAIR)} over "
                f"{shorten(each.other, _LONGEST_IN_PAIR)}",
                shorten(each.figure),
                lead(each),
                p_value(each.p_mcnemar),
            )
        )
        for method in result.methods
        for each in method.compared
    ]
    return [_Row(("Method", "Figure", "Lead", "McNemar"), "columns"), *rows]


def _subsets(result: Result) -> list[_Row]:
    held = [m.method for m in result.methods if any(m.method in s.figures for s in result.subsets)]
    rows = [
        _Row(
            (
                shorten(each.name),
                f"{each.items:,}",
                share(each.positives),
                *(_figure(each.figures.get(method)) for method in held),
            )
        )
        for each in result.subsets
    ]
    return [_Row(("Set", "Items", "True", *map(shorten, held)), "columns"), *rows]


def _below(result: Result, width: int) -> Iterator[Line]:
    notes = [f"Note: {text}" for text in (*footnotes(result), *result.notes)]
    missing = [f"Not available: {each.name} ({each.reason})" for each in result.unavailable]
    if notes or missing:
        yield Line("", "text")
    for text in (*notes, *missing):
        yield from _wrapped(text, width, role="note")


def _figure(figure: Figure | None) -> str:
    return "" if figure is None else measured(figure)


def _section(
    heading: str, rows: list[_Row], width: int, right: Iterable[int] = ()
) -> Iterator[Line]:
    """A table under its heading, unless it has no rows."""
    if len(rows) < 2:
        return
    yield Line("", "text")
    if heading:
        yield Line(heading, "heading")
    widths = [_column_width([row.cells[n] for row in rows]) for n in range(len(rows[0].cells))]
    for position, block in enumerate(_blocks(widths, width)):
        if position:
            yield Line("", "text")
        for row in rows:
            yield from _row(row, block, widths, set(right))


def _blocks(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """The columns of each block: the first, and as many others as fit."""
    block, used = [0], widths[0]
    for column in range(1, len(widths)):
        if len(block) > 1 and used + len(_GAP) + widths[column] > width:
            yield block
            block, used = [0], widths[0]
        block.append(column)
        used += len(_GAP) + widths[column]
    yield block


def _row(row: _Row, block: list[int], widths: Sequence[int], right: set[int]) -> Iterator[Line]:
    """A row of the table; the names of columns may take several lines and stand at the bottom."""
    stacks = [_cut(row.cells[column], widths[column]) for column in block]
    height = max(map(len, stacks))
    for level in range(height):
        cells = []
        for column, stack in zip(block, stacks, strict=True):
            text = stack[level - height + len(stack)] if level >= height - len(stack) else ""
            padding = " " * (widths[column] - _cells(text))
            cells.append(padding + text if column in right else text + padding)
        yield Line(_GAP.join(cells).rstrip(), row.role)


def _column_width(cells: Sequence[str]) -> int:
    """As wide as the widest value, or the longest word of its name."""
    name = neutralise(cells[0])
    words = max((_cells(word) for word in name.split()), default=0)
    named = max(min(_cells(name), _NAME_COLUMN), min(words, _LONGEST_NAME))
    return max(named, *(_cells(cell) for cell in cells[1:]))


def _wrapped(text: str, width: int, role: Role = "text") -> Iterator[Line]:
    for line in _cut(text, width, indent="  "):
        yield Line(line, role)


def _cut(text: str, width: int, indent: str = "") -> list[str]:
    plain = neutralise(text)
    if _cells(plain) <= width:
        return [plain]
    doubled = "".join(c + _FILL if _cells(c) == 2 else c for c in plain)
    # A cut may part a wide character from what stands beside it.
    room = width - (doubled != plain)
    cut = textwrap.wrap(doubled, room, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(_FILL, "") for line in cut]


def shorten(text: str, most: int = _LONGEST_NAME) -> str:
    """A name, neutralised, or as much of its beginning as ``most`` columns hold."""
    plain = neutralise(text)
    if _cells(plain) <= most:
        return plain
    while _cells(plain) > most - 3:
        plain = plain[:-1]
    return plain.rstrip() + "..."


def _cells(text: str) -> int:
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _items(count: int) -> str:
    return f"{count:,} item{'' if count == 1 else 's'}"


def _size(count: int) -> str:
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= least:
            return f"{count / least:.1f} {unit}"
    return f"{count} bytes"
