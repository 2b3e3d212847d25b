"""A result in words: a table for a terminal, and a page of HTML with plots.

Of the table, each line says what it is; colour is the caller's. The page needs nothing else
and runs nothing: it has no script and forbids any, its style sheet is allowed by its hash, plots
are images within it. Everything from the data is neutralised, and escaped by the template.
"""

import base64
import hashlib
import io
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.figure import Figure as Canvas

from veracite.engine import display
from veracite.engine.display import neutralise
from veracite.engine.evaluation.items import (
    Comparison,
    Curve,
    CurveKind,
    DataFile,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Result,
)
from veracite.engine.evaluation.predict import METHODS

_DIGEST = 12
"""Letters of a SHA-256 that tell one file from another."""
_NARROWEST, _WIDEST = 80, 200
_LONGEST_NAME = 28
_LONGEST_IN_PAIR = 20
_MOST_FILES = 6
_GAP = "  "

Role = Literal["title", "heading", "columns", "row", "trivial", "note", "text"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and what it is, for whoever adds colours."""

    text: str
    role: Role


_Row = tuple[Sequence[str], Role]
"""The cells of one row, as many as the table has columns, and what it is."""


def lines(result: Result, width: int = 80) -> Iterator[Line]:
    """The result as lines of at most ``width`` columns, which is kept within 80 to 200."""
    width = max(_NARROWEST, min(width, _WIDEST))
    yield from _wrapped(f"{result.task} on {result.format}: {extent(result)}", width, "title")
    for text in _head(result):
        yield from _wrapped(text, width)
    yield from _methods(result, width)
    yield from _paragraph(thresholds(result), width, "text")
    yield from _leads(result, width)
    yield from _subsets(result, width)
    yield from _paragraph(list(_below(result)), width, "note")


# --- Phrases ----------------------------------------------------------------------------------


def extent(result: Result) -> str:
    """Such as ``1,908 items, 72.9 % of them true``."""
    true = "" if result.positives is None else f", {share(result.positives)} of them true"
    return f"{_items(result.items)}{true}"


def _items(count: int) -> str:
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
    return f"{each.use}: {each.name} ({groups}, {_items(each.items)}{true})"


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
        f"{each.method} gave no prediction for {each.problems:,} of {_items(each.n)}"
        for each in result.methods
        if each.problems
    )
    return [*(f"{', '.join(names)}: {note}" for note, names in named.items()), *problems]


def _size(count: int) -> str:
    for unit, least in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= least:
            return f"{count / least:.1f} {unit}"
    return f"{count} bytes"


# --- The table for a terminal -----------------------------------------------------------------


def _head(result: Result) -> Iterator[str]:
    files = result.files
    shown = files if len(files) <= _MOST_FILES else files[: _MOST_FILES - 1]
    for file in shown:
        yield f"Data: {data(file)}"
    if len(shown) < len(files):
        yield f"Data: {len(files) - len(shown):,} more files (--report and --json list them)"
    if result.label_map:
        yield f"Labels: {labels(result)}"
    for each in result.parts:
        yield f"For {part(each)}"


def _methods(result: Result, width: int) -> Iterator[Line]:
    names = figure_names(result)
    of_results = [part.items for part in result.parts if part.use == "results"]
    usual = of_results[0] if of_results else result.items
    counted = any(method.n != usual for method in result.methods)

    def cells(method: MethodResult) -> Iterator[str]:
        yield shorten(method.method) + ("*" if method.trivial else "")
        if counted:
            yield f"{method.n:,}"
        for figure in map(method.figure, names):
            yield "" if figure is None else measured(figure)
        yield duration(method.seconds_per_item)

    head = ("Method", *(["Items"] if counted else []), *names, "ms per item")
    rows: list[_Row] = [(head, "columns")]
    rows += [([*cells(m)], "trivial" if m.trivial else "row") for m in result.methods]
    last = len(head) - 1
    yield from _table("", rows, width, right={1, last} if counted else {last})
    if any(method.trivial for method in result.methods):
        yield Line("* understands nothing; it shows what a figure is worth", "note")


def _leads(result: Result, width: int) -> Iterator[Line]:
    """A table for each figure that methods are compared in."""
    of_figure: dict[str, list[tuple[str, Comparison]]] = {}
    for method in result.methods:
        for each in method.compared:
            of_figure.setdefault(each.figure, []).append((method.method, each))
    for figure, pairs in of_figure.items():
        tested = any(each.p_mcnemar is not None for _, each in pairs)
        rows: list[_Row] = [(("Method", "Lead", *(["McNemar"] if tested else [])), "columns")]
        for leading, each in pairs:
            both = (shorten(name, _LONGEST_IN_PAIR) for name in (leading, each.other))
            p = [p_value(each.p_mcnemar)] if tested else []
            rows.append(((" over ".join(both), lead(each), *p), "row"))
        test = " and McNemar's exact test" if tested else ""
        yield from _table(f"Leads in {figure}, with 95 % intervals{test}", rows, width)


def _subsets(result: Result, width: int) -> Iterator[Line]:
    held = [m.method for m in result.methods if any(m.method in s.figures for s in result.subsets)]
    rows: list[_Row] = [(("Set", "Items", "True", *map(shorten, held)), "columns")]
    for each in result.subsets:
        figures = [each.figures.get(method) for method in held]
        values = ["" if figure is None else number(figure.value) for figure in figures]
        cells = (shorten(each.name), f"{each.items:,}", share(each.positives), *values)
        rows.append((cells, "row"))
    names = dict.fromkeys(f.name for each in result.subsets for f in each.figures.values())
    yield from _table(f"By set: {', '.join(names)}", rows, width, right={1, 2})


def _below(result: Result) -> Iterator[str]:
    for text in (*footnotes(result), *result.notes):
        yield f"Note: {text}"
    if result.differences:
        ways = f"{len(result.differences)} ways (--report and --json list them)"
        yield f"Note: figures are counted otherwise than by the papers' scripts in {ways}"
    if result.unavailable:
        missing = "; ".join(f"{each.name} ({each.reason})" for each in result.unavailable)
        yield f"Not available: {missing}"


def shorten(text: str, most: int = _LONGEST_NAME) -> str:
    """A name, neutralised, or as much of its beginning as ``most`` columns hold."""
    return display.shorten(neutralise(text), most)


def _paragraph(texts: Sequence[str], width: int, role: Role) -> Iterator[Line]:
    """Texts after an empty line; nothing if there are none."""
    if texts:
        yield Line("", "text")
    for text in texts:
        yield from _wrapped(text, width, role)


def _wrapped(text: str, width: int, role: Role = "text") -> Iterator[Line]:
    """A text in lines of at most ``width`` cells, all but the first indented."""
    for line in display.wrap(neutralise(text), width, hanging="  "):
        yield Line(line, role)


def _table(
    heading: str, rows: Sequence[_Row], width: int, right: Iterable[int] = ()
) -> Iterator[Line]:
    """A table under its heading; nothing if it has no rows but the columns' names.

    Where it is wider than the terminal it is printed in blocks of columns, each with the first.

    Args:
        heading: A line of its own; empty for none.
        rows: The first holds the names of the columns.
        width: Of the terminal.
        right: Columns that are flush right.
    """
    if len(rows) < 2:
        return
    columns = list(zip(*(cells for cells, _ in rows), strict=True))
    widths = [_column_width(cells) for cells in columns]
    blocks = [[0]]
    for n in range(1, len(columns)):
        used = sum(widths[each] + len(_GAP) for each in blocks[-1])
        if len(blocks[-1]) > 1 and used + widths[n] > width:
            blocks.append([0])
        blocks[-1].append(n)
    for place, block in enumerate(blocks):
        yield Line("", "text")
        if heading and not place:
            yield from _wrapped(heading, width, "heading")
        for row in rows:
            yield from _row(row, block, widths, set(right))


def _column_width(cells: Sequence[str]) -> int:
    """As wide as its widest value, and as half of its name: that takes two lines, or three."""
    words = [min(display.width_of(word), _LONGEST_NAME) for word in neutralise(cells[0]).split()]
    half = min(_LONGEST_NAME, sum(words) + len(words) - 1) // 2
    return max([half, *words, *map(display.width_of, cells[1:])])


def _row(row: _Row, block: list[int], widths: Sequence[int], right: set[int]) -> Iterator[Line]:
    """A row of the table; the names of columns may take several lines and stand at the bottom."""
    texts, role = row
    stacks = [display.wrap(neutralise(texts[column]), widths[column]) for column in block]
    height = max(map(len, stacks))
    for level in range(height):
        cells = []
        for column, stack in zip(block, stacks, strict=True):
            text = stack[level - height + len(stack)] if level >= height - len(stack) else ""
            padding = " " * (widths[column] - display.width_of(text))
            cells.append(padding + text if column in right else text + padding)
        yield Line(_GAP.join(cells).rstrip(), role)


# --- The page ---------------------------------------------------------------------------------

TITLES: dict[CurveKind, tuple[str, str, str]] = {
    "roc": ("Receiver operating characteristic", "false positive rate", "true positive rate"),
    "precision-recall": ("Precision and recall", "recall", "precision"),
    "reliability": ("Reliability", "probability given", "share that is true"),
}
"""A plot's title and the names of its axes."""
_MOST_MISTAKES = 50
"""Of each method, the ones it was surest of."""
_MOST_GROUPS = 200
_HERE = Path(__file__).parent
_STYLES = (_HERE.parent / "report" / "style.css", _HERE / "page.css")
_FACTS = ("veracite", "code", "command", "started", "seed", "models", "settings")
"""Of the record, what comes first."""
_DRAWING: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "veracite",
    "text.parse_math": False,
    "font.size": 9,
}
"""Texts stay texts, and the same result is the same picture."""
_LINES = ("-", "--", ":", "-.")


def page(result: Result) -> str:
    """The result as a self-contained page; the same result gives the same bytes."""
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["plain"] = neutralise
    phrases = (extent, measured, number, duration, share, lead, p_value, labels, part)
    style = "".join(path.read_text(encoding="utf-8") for path in _STYLES)
    drawn = {kind: plot(result, kind) for kind in TITLES}
    asked = {curve.kind for curve in result.curves}
    sets = result.subsets
    return environment.get_template("page.html").render(
        result=result,
        phrases={phrase.__name__: phrase for phrase in phrases},
        below=thresholds(result) + footnotes(result),
        facts=list(_facts(result.record)),
        names=figure_names(result),
        in_sets=[m.method for m in result.methods if any(m.method in s.figures for s in sets)],
        does=METHODS[result.task],
        set_figures=list(dict.fromkeys(f.name for s in sets for f in s.figures.values())),
        leads=[(method.method, each) for method in result.methods for each in method.compared],
        # The browser hashes what stands between the tags, to the letter.
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        plots={TITLES[kind][0]: made for kind, made in drawn.items() if made},
        undrawn=[TITLES[kind][0] for kind in TITLES if kind in asked and not drawn[kind]],
        bins=[(c.method, drawable(c)) for c in result.curves if c.kind == "reliability"],
        mistakes=_surest(result.mistakes),
        most_groups=_MOST_GROUPS,
    )


def _surest(mistakes: Sequence[Mistake]) -> list[tuple[str, int, list[Mistake]]]:
    """For each method, how many mistakes there are and those it was surest of."""
    held: dict[str, list[Mistake]] = {}
    for mistake in sorted(mistakes, key=lambda m: (-m.confidence, m.item)):
        held.setdefault(mistake.method, []).append(mistake)
    return [(method, len(own), own[:_MOST_MISTAKES]) for method, own in held.items()]


def _facts(recorded: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A run's record as names and values; the data files are listed elsewhere."""
    for name in dict.fromkeys((*_FACTS, *sorted(recorded))):
        if name in recorded and name != "data":
            yield name, _told(recorded[name])


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        told = (f"{key.replace('_', ' ')} {_told(item)}" for key, item in sorted(value.items()))
        return ", ".join(told) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_told, value)) or "none"
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plot, ready for an ``img``."""

    address: str
    """A ``data:`` address that holds the SVG."""
    told: str
    """What it shows, in words."""


def drawable(curve: Curve) -> list[tuple[float, ...]]:
    """A curve's points without those that are not defined."""
    finite = [
        tuple(value for value in point if value is not None and math.isfinite(value))
        for point in curve.points
    ]
    return [known for known, point in zip(finite, curve.points, strict=True) if known == point]


def plot(result: Result, kind: CurveKind) -> Drawn | None:
    """The plot of all curves of a kind; None if nothing can be drawn."""
    curves = [curve for curve in result.curves if curve.kind == kind and drawable(curve)]
    if not curves:
        return None
    methods = (*(m.method for m in result.methods), *(c.method for c in result.curves))
    styles = {method: place for place, method in enumerate(dict.fromkeys(methods))}
    title, x_name, y_name = TITLES[kind]
    rate = result.base_rate
    with rc_context(_DRAWING), warnings.catch_warnings():
        # The reader's browser may have the letters that the font here lacks.
        warnings.simplefilter("ignore", UserWarning)
        canvas = Canvas(figsize=(5.2, 5.6), layout="constrained")
        axes = canvas.subplots()
        axes.set(xlabel=x_name, ylabel=y_name, xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        axes.grid(color="#d9dbd6", linewidth=0.6)
        guide: dict[str, Any] = {"color": "#5b6168", "linestyle": (0, (3, 4)), "linewidth": 1}
        if kind != "precision-recall":
            axes.axline((0, 0), (1, 1), **guide)
        elif rate is not None and math.isfinite(rate):
            axes.axhline(rate, **guide)
            axes.annotate(f"base rate {share(rate)}", (0.01, rate + 0.01))
        # The first method is drawn last, over the others.
        for depth, curve in enumerate(reversed(curves)):
            style, points = styles[curve.method], drawable(curve)
            axes.plot(
                [point[0] for point in points],
                [point[1] for point in points],
                # A precision holds back to the recall before it: the area below is its mean.
                drawstyle="steps-post" if kind == "precision-recall" else "default",
                linestyle=_LINES[style % len(_LINES)],
                marker="o" if kind == "reliability" else None,
                color=f"C{style % 10}",
                label=_named(curve),
                zorder=3 + depth,
            )
        handles, names = axes.get_legend_handles_labels()
        canvas.legend(handles[::-1], names[::-1], loc="outside lower left", frameon=False)
        svg = io.StringIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    encoded = base64.b64encode(svg.getvalue().encode()).decode()
    told = "; ".join(map(_named, curves))
    return Drawn(f"data:image/svg+xml;base64,{encoded}", f"{title}. {told}.")


def _named(curve: Curve) -> str:
    found = curve.summary
    name = shorten(curve.method)
    return f"{name} {shorten(found.name)} {measured(found)}" if found else name
