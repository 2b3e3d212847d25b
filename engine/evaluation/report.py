"""A result as tables, in words: for a terminal, and as a page of HTML with plots.

Both show the same rows and notes. The page needs nothing else and runs nothing: it has no script
and forbids any, its style sheet is allowed by its hash, plots are images within it. Everything
from the data is neutralised, and escaped by the template.
"""

import base64
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure as Canvas
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import PrecisionRecallDisplay, RocCurveDisplay

from veracite.engine import display
from veracite.engine.display import neutralise
from veracite.engine.evaluation.figures import AS_SHIPPED, OURS, VerdictFigures
from veracite.engine.evaluation.items import METHODS, Answered, Comparison, Figure, Result
from veracite.engine.report.html import STYLE, environment

_NARROWEST, _WIDEST = 80, 200
_LONGEST_NAME = 28

Line = tuple[str, str]
"""A line and its style: bold, dim, or none."""


@dataclass(frozen=True, slots=True)
class Table:
    """Figures in rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """As many cells each as there are columns."""


# --- Phrases ----------------------------------------------------------------------------------


def number(value: float | None, sign: str = "") -> str:
    """A figure with three decimals, fewer if it is large; "n/a" if there is none."""
    if value is None:
        return "n/a"
    return f"{value:{sign}.3f}" if abs(value) < 10 else f"{value:{sign},.1f}"


def measured(figure: Figure | None) -> str:
    """Such as ``0.750 [0.70, 0.80]``; empty if a method has no such figure."""
    if figure is None:
        return ""
    bounds = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return number(figure.value) + bounds


def _lead(lead: Comparison) -> str:
    """Such as ``+0.063 [+0.001, +0.123]``."""
    bounds = "" if lead.low is None else f" [{number(lead.low, '+')}, {number(lead.high, '+')}]"
    return number(lead.difference, "+") + bounds


def _items(count: int, true: float | None = None) -> str:
    """Such as ``1 item`` or ``1,908 items, 72.9 % of them true``."""
    share = "" if true is None else f", {100 * true:.1f} % of them true"
    return f"{count:,} item{'' if count == 1 else 's'}{share}"


# --- What is shown, wherever ------------------------------------------------------------------


def _facts(result: Result) -> Iterator[tuple[str, str]]:
    """What was measured on, as names and values."""
    for file in result.record["data"]:
        yield "Data", f"{file['name']}, {file['bytes']:,} bytes, SHA-256 {file['sha256'][:12]}"
    if result.label_map:
        labels = sorted(result.label_map)
        true = ", ".join(label for label in labels if result.label_map[label])
        false = ", ".join(label for label in labels if not result.label_map[label])
        yield "Labels", f"taken for true: {true or 'none'}; for false: {false or 'none'}"
    for part in result.parts:
        groups = f"{len(part.groups):,} group{'' if len(part.groups) == 1 else 's'}"
        yield f"For {part.use}", f"{part.name} ({groups}, {_items(part.items, part.positives)})"


def _tables(result: Result) -> Iterator[Table]:
    """All figures; tables without rows are left out."""
    names = list(dict.fromkeys(f.name for method in result.methods for f in method.figures))
    rows = [
        (method.method, *(measured(method.figure(name)) for name in names))
        for method in result.methods
    ]
    yield Table("", ("Method", *names), tuple(rows))
    leads = [(method.method, each) for method in result.methods for each in method.compared]
    for figure, same in groupby(sorted(leads, key=lambda p: p[1].figure), lambda p: p[1].figure):
        pairs = list(same)
        tested = ["McNemar's p"] if any(lead.mcnemar is not None for _, lead in pairs) else []
        led = tuple(
            (method, lead.other, _lead(lead), *(number(lead.mcnemar) for _ in tested))
            for method, lead in pairs
        )
        title = f"Leads in {figure}, with paired 95 % intervals"
        yield Table(title, ("Method", "Over", "Lead", *tested), led)


def _notes(result: Result) -> Iterator[str]:
    """Thresholds, and what else is to be known."""
    bars = [f"{m.method} {number(m.threshold)}" for m in result.methods if m.threshold is not None]
    if bars:
        yield f"Thresholds, from the {result.parts[0].name}: {', '.join(bars)}"
    for method in result.methods:
        if method.problems:
            lacks = f"{method.problems:,} of {_items(method.n)}"
            yield f"{method.method} gave no prediction for {lacks}"
    yield from result.notes


# --- For a terminal ---------------------------------------------------------------------------


def lines(result: Result, width: int = 80) -> Iterator[Line]:
    """The result as lines of at most ``width`` columns, which is kept within 80 to 200."""
    width = max(_NARROWEST, min(width, _WIDEST))
    title = f"{result.task} on {result.format}: {_items(result.items, result.positives)}"
    yield from _wrapped(title, width, "bold")
    for name, value in _facts(result):
        yield from _wrapped(f"{name}: {value}", width)
    for table in _tables(result):
        yield from _printed(table, width)
    yield "", ""
    for note in _notes(result):
        yield from _wrapped(f"Note: {note}", width, "dim")


def _wrapped(text: str, width: int, style: str = "") -> Iterator[Line]:
    """A text in lines of at most ``width`` cells, all but the first indented."""
    return ((line, style) for line in display.wrap(neutralise(text), width, hanging="  "))


def _printed(table: Table, width: int) -> Iterator[Line]:
    """A table; where it is wider than the terminal in blocks of columns."""
    rows = [
        [display.shorten(neutralise(cell), _LONGEST_NAME) for cell in row]
        for row in (table.columns, *table.rows)
    ]
    for place, block in enumerate(display.table(rows, width)):
        yield "", ""
        if table.title and not place:
            yield from _wrapped(table.title, width, "bold")
        yield from ((line, "") for line in block)


# --- The page ---------------------------------------------------------------------------------

_HERE = Path(__file__).parent
_DRAWING: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "veracite",
    "text.parse_math": False,
    "font.size": 9,
}
"""Texts stay texts, and the same result is the same picture."""


def page(result: Result, answered: Answered) -> str:
    """The result as a self-contained page; the same result gives the same bytes.

    Args:
        answered: What it is of, for the plots.
    """
    does = [(m.method, METHODS[result.task].get(m.method)) for m in result.methods]
    template = environment(_HERE, STYLE, _HERE / "page.css").get_template("page.html")
    return template.render(
        title=f"Evaluation: {result.task} on {result.format}",
        extent=_items(result.items, result.positives),
        tables=[*_tables(result), *_mistakes(result)],
        notes=[*_notes(result), *(f"{m}: {about.replace('`', '')}" for m, about in does if about)],
        facts=[*_facts(result), *((k, _told(v)) for k, v in result.record.items() if k != "data")],
        plots=list(_plots(answered)),
    )


def _mistakes(result: Result) -> Iterator[Table]:
    rows = tuple(
        (m.text, m.item, m.expected, m.given.replace("_", " "), number(m.score))
        for m in result.mistakes
    )
    if rows:
        title = f"Where {AS_SHIPPED} was most surely wrong"
        yield Table(title, ("Text", "Item", "In the set", "Given", "Score"), rows)


def _told(value: Any) -> str:
    """Part of a run's record in words."""
    if isinstance(value, Mapping):
        value = [f"{key.replace('_', ' ')} {_told(item)}" for key, item in sorted(value.items())]
    if isinstance(value, list | tuple):
        return ", ".join(map(_told, value)) or "none"
    return "none" if value is None else str(value)


def _plots(answered: Answered) -> Iterator[tuple[str, str, str]]:
    """Of each plot its title, its image as a ``data:`` address, and what it shows in words.

    There are none where nothing can be told apart.
    """
    if answered.loaded.task not in ("detect", "attribute"):
        return
    judged = VerdictFigures(answered)
    truth = judged.held_truth
    if truth.all() or not truth.any():
        return
    every = list(judged.scores)
    plots: tuple[tuple[str, Any, list[str], dict[str, Any]], ...] = (
        ("Receiver operating characteristic", RocCurveDisplay, every, {}),
        ("Precision and recall", PrecisionRecallDisplay, every, {}),
        ("Reliability", CalibrationDisplay, [OURS], {"n_bins": 10, "strategy": "quantile"}),
    )
    for title, drawn, methods, options in plots:
        with rc_context(_DRAWING):
            canvas = Canvas(figsize=(5.2, 5.6), layout="constrained")
            axes = canvas.subplots()
            for method in methods:
                scores = judged.scores[method][judged.split.held]
                drawn.from_predictions(truth, scores, name=method, ax=axes, **options)
            svg = io.StringIO()
            canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        encoded = base64.b64encode(svg.getvalue().encode()).decode()
        yield title, f"data:image/svg+xml;base64,{encoded}", f"{title}: {', '.join(methods)}"
