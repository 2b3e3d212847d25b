"""A result as tables, in words: for a terminal, and as a page of HTML with plots.

Both show the same rows and notes. The page needs nothing else and runs nothing: it has no script
and forbids any, its style sheet is allowed by its hash, plots are images within it. Everything
from the data is neutralised, and escaped by the template.
"""

import base64
import hashlib
import io
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
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
    Figure,
    MethodResult,
    Result,
)
from veracite.engine.evaluation.predict import METHODS

_NARROWEST, _WIDEST = 80, 200
_LONGEST_NAME = 28
_MOST_FILES = 6
_GAP = "  "

Role = Literal["title", "heading", "columns", "row", "trivial", "note", "text"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line, and what it is, for whoever adds colours."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class Table:
    """Figures in rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """As many cells each as there are columns."""
    about: str = ""
    """What a reader of the table has to know."""
    trivial: frozenset[str] = frozenset()
    """First cells of rows that are told apart, since they understand nothing."""


# --- Phrases ----------------------------------------------------------------------------------


def number(value: float | None) -> str:
    """A figure with three decimals, fewer if it is large; "n/a" if there is none."""
    if value is None:
        return "n/a"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:,.1f}"


def measured(figure: Figure | None) -> str:
    """Such as ``0.750 [0.70, 0.80]``; empty if a method has no such figure."""
    if figure is None:
        return ""
    bounds = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return number(figure.value) + bounds


def _lead(comparison: Comparison) -> str:
    """Such as ``+0.063 [+0.001, +0.123]``."""
    if comparison.difference is None:
        return "n/a"
    low, high = comparison.low, comparison.high
    return f"{comparison.difference:+.3f}" + ("" if low is None else f" [{low:+.3f}, {high:+.3f}]")


def _share(value: float | None) -> str:
    """Such as ``27.1 %``."""
    return "n/a" if value is None else f"{100 * value:.1f} %"


def duration(seconds: float | None) -> str:
    """Seconds as milliseconds without the unit: ``1,204``, ``35.1`` or ``0.42``."""
    if seconds is None:
        return "n/a"
    ms = 1000 * seconds
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.1f}" if ms >= 1 else f"{ms:.2f}"


def _items(count: int, true: float | None = None) -> str:
    """Such as ``1 item`` or ``1,908 items, 72.9 % of them true``."""
    share = "" if true is None else f", {_share(true)} of them true"
    return f"{count:,} item{'' if count == 1 else 's'}{share}"


# --- What is shown, wherever ------------------------------------------------------------------


def _facts(result: Result) -> Iterator[tuple[str, str]]:
    """What was measured on, as names and values."""
    for file in result.files:
        yield "Data", f"{file.name}, {file.bytes:,} bytes, SHA-256 {file.sha256[:12]}"
    if result.label_map:
        labels: dict[bool, list[str]] = {True: [], False: []}
        for label, truth in sorted(result.label_map.items()):
            labels[truth].append(label)
        true, false = (", ".join(labels[truth]) or "none" for truth in (True, False))
        yield "Labels", f"taken for true: {true}; for false: {false}"
    for part in result.parts:
        groups = f"{len(part.groups):,} group{'' if len(part.groups) == 1 else 's'}"
        yield f"For {part.use}", f"{part.name} ({groups}, {_items(part.items, part.positives)})"


def _tables(result: Result) -> Iterator[Table]:
    """All figures; tables without rows are left out."""
    names: list[str] = []
    for method in result.methods:
        place = 0
        for figure in method.figures:
            if figure.name not in names:
                names.insert(place, figure.name)
            place = names.index(figure.name) + 1
    trivial = any(method.trivial for method in result.methods)
    counted = ["Items"] if len({method.n for method in result.methods}) > 1 else []
    yield Table(
        "",
        ("Method", *counted, *names, "ms per item"),
        tuple(
            (
                _name(m),
                *(f"{m.n:,}" for _ in counted),
                *(measured(m.figure(n)) for n in names),
                _time(m),
            )
            for m in result.methods
        ),
        "* understands nothing; it shows what a figure is worth" if trivial else "",
        frozenset(_name(method) for method in result.methods if method.trivial),
    )
    leads = [(method.method, each) for method in result.methods for each in method.compared]
    for figure, pairs in groupby(sorted(leads, key=lambda p: p[1].figure), lambda p: p[1].figure):
        rows = tuple((m, c.other, _lead(c), _p_value(c.p_mcnemar)) for m, c in pairs)
        about = "With 95 % intervals; McNemar's exact test is of what is right or wrong"
        yield Table(f"Leads in {figure}", ("Method", "Over", "Lead", "McNemar"), rows, about)


def _name(method: MethodResult) -> str:
    return method.method + ("*" if method.trivial else "")


def _time(method: MethodResult) -> str:
    return duration(method.seconds_per_item)


def _p_value(p: float | None) -> str:
    """Such as ``p = 0.031`` or ``p < 0.001``; empty where nothing was tested."""
    return "" if p is None else "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def _notes(result: Result) -> Iterator[str]:
    """Thresholds, what the figures' notes say, each once, and what else is to be known."""
    found: dict[str, list[str]] = {}
    named: dict[str, dict[str, None]] = {}
    for method in result.methods:
        if method.threshold is not None:
            of_part = found.setdefault(method.threshold_from or "", [])
            of_part.append(f"{method.method} {number(method.threshold)}")
        for figure in method.figures:
            if figure.note:
                named.setdefault(figure.note, {})[figure.name] = None
    for part, held in found.items():
        yield f"Thresholds{part and f', from the {part}'}: {', '.join(held)}"
    yield from (f"{', '.join(names)}: {note}" for note, names in named.items())
    for method in result.methods:
        if method.problems:
            lacks = f"{method.problems:,} of {_items(method.n)}"
            yield f"{method.method} gave no prediction for {lacks}"
    yield from result.notes


def shorten(text: str, most: int = _LONGEST_NAME) -> str:
    """A name, neutralised, or as much of its beginning as ``most`` columns hold."""
    return display.shorten(neutralise(text), most)


# --- For a terminal ---------------------------------------------------------------------------


def lines(result: Result, width: int = 80) -> Iterator[Line]:
    """The result as lines of at most ``width`` columns, which is kept within 80 to 200."""
    width = max(_NARROWEST, min(width, _WIDEST))
    title = f"{result.task} on {result.format}: {_items(result.items, result.positives)}"
    yield from _wrapped(title, width, "title")
    facts = [f"{name}: {value}" for name, value in _facts(result)]
    if len(result.files) > _MOST_FILES:
        more = len(result.files) - _MOST_FILES
        hint = f"Data: {more:,} more files (--report and --json list them)"
        facts = [*facts[:_MOST_FILES], hint, *facts[len(result.files) :]]
    for fact in facts:
        yield from _wrapped(fact, width)
    for table in _tables(result):
        yield from _printed(table, width)
    yield Line("", "text")
    for note in _notes(result):
        yield from _wrapped(f"Note: {note}", width, "note")


def _wrapped(text: str, width: int, role: Role = "text") -> Iterator[Line]:
    """A text in lines of at most ``width`` cells, all but the first indented."""
    for line in display.wrap(neutralise(text), width, hanging="  "):
        yield Line(line, role)


def _printed(table: Table, width: int) -> Iterator[Line]:
    """A table; where it is wider than the terminal in blocks of columns, each with the first."""
    rows = [[shorten(cell) for cell in row] for row in (table.columns, *table.rows)]
    widths = [max(map(display.width_of, column)) for column in zip(*rows, strict=True)]
    blocks = [[0]]
    for n in range(1, len(widths)):
        used = sum(widths[each] + len(_GAP) for each in blocks[-1])
        if len(blocks[-1]) > 1 and used + widths[n] > width:
            blocks.append([0])
        blocks[-1].append(n)
    for place, block in enumerate(blocks):
        yield Line("", "text")
        if table.title and not place:
            yield from _wrapped(table.title, width, "heading")
        for number_of, row in enumerate(rows):
            cells = (row[n] + " " * (widths[n] - display.width_of(row[n])) for n in block)
            trivial = number_of and table.rows[number_of - 1][0] in table.trivial
            role: Role = "trivial" if trivial else "row" if number_of else "columns"
            yield Line(_GAP.join(cells).rstrip(), role)
    if table.about:
        yield from _wrapped(table.about, width, "note")


# --- The page ---------------------------------------------------------------------------------

TITLES: dict[CurveKind, tuple[str, str, str]] = {
    "roc": ("Receiver operating characteristic", "false positive rate", "true positive rate"),
    "precision-recall": ("Precision and recall", "recall", "precision"),
    "reliability": ("Reliability", "probability given", "share that is true"),
}
"""A plot's title and the names of its axes."""
_HERE = Path(__file__).parent
_STYLES = (_HERE.parent / "report" / "style.css", _HERE / "page.css")
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
    style = "".join(path.read_text(encoding="utf-8") for path in _STYLES)
    drawn = {TITLES[kind][0]: plot(result, kind) for kind in TITLES}
    asked = {TITLES[curve.kind][0] for curve in result.curves}
    does = [(m.method, METHODS[result.task].get(m.method)) for m in result.methods]
    return environment.get_template("page.html").render(
        title=f"Evaluation: {result.task} on {result.format}",
        extent=_items(result.items, result.positives),
        tables=[*_tables(result), *_details(result)],
        notes=[*_notes(result), *(f"{m}: {about.replace('`', '')}" for m, about in does if about)],
        facts=[*_facts(result), *((k, _told(v)) for k, v in result.record.items() if k != "data")],
        # The browser hashes what stands between the tags, to the letter.
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        plots={title: made for title, made in drawn.items() if made},
        undrawn=[title for title, made in drawn.items() if title in asked and not made],
    )


def _details(result: Result) -> Iterator[Table]:
    """What only the page has room for: the reliability diagram's bins, and mistakes."""
    for curve in result.curves:
        if curve.kind == "reliability" and curve.points:
            rows = tuple((number(p), number(true), f"{n:,.0f}") for p, true, n in curve.points)
            columns = ("Mean probability", "Share that is true", "Items")
            yield Table(f"The bins of the reliability diagram of {curve.method}", columns, rows)
    wrong = tuple(
        (m.text, m.item, m.expected, m.given.replace("_", " "), number(m.score))
        for m in result.mistakes
    )
    if wrong:
        title = f"Where {result.mistakes[0].method} was most surely wrong"
        yield Table(title, ("Text", "Item", "In the set", "Given", "Score"), wrong)


def _told(value: Any) -> str:
    """Part of a run's record in words."""
    if isinstance(value, Mapping):
        value = [f"{key.replace('_', ' ')} {_told(item)}" for key, item in sorted(value.items())]
    if isinstance(value, list | tuple):
        return ", ".join(map(_told, value)) or "none"
    return "none" if value is None else str(value)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plot, ready for an ``img``."""

    address: str
    """A ``data:`` address that holds the SVG."""
    told: str
    """What it shows, in words."""


def plot(result: Result, kind: CurveKind) -> Drawn | None:
    """The plot of all curves of a kind; None if nothing can be drawn."""
    curves = [curve for curve in result.curves if curve.kind == kind and curve.points]
    if not curves:
        return None
    styles = {curve.method: place for place, curve in enumerate(result.curves)}
    title, x_name, y_name = TITLES[kind]
    rate = next((part.positives for part in result.parts if part.use == "results"), None)
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
        elif rate is not None:
            axes.axhline(rate, **guide)
            axes.annotate(f"base rate {_share(rate)}", (0.01, rate + 0.01))
        # The first method is drawn last, over the others.
        for depth, curve in enumerate(reversed(curves)):
            style = styles[curve.method]
            axes.plot(
                [point[0] for point in curve.points],
                [point[1] for point in curve.points],
                # A precision holds back to the recall before it: the area below is its mean.
                drawstyle="steps-post" if kind == "precision-recall" else "default",
                linestyle=_LINES[style % len(_LINES)],
                marker="o" if kind == "reliability" else None,
                color=f"C{style % 10}",
                label=_legend(curve),
                zorder=3 + depth,
            )
        handles, names = axes.get_legend_handles_labels()
        canvas.legend(handles[::-1], names[::-1], loc="outside lower left", frameon=False)
        svg = io.StringIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    encoded = base64.b64encode(svg.getvalue().encode()).decode()
    told = "; ".join(map(_legend, curves))
    return Drawn(f"data:image/svg+xml;base64,{encoded}", f"{title}. {told}.")


def _legend(curve: Curve) -> str:
    found = curve.summary
    named = shorten(curve.method)
    return f"{named} {shorten(found.name)} {measured(found)}" if found else named
