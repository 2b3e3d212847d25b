"""A result as one page of HTML with plots, which needs nothing else and runs nothing.

The page has no script and forbids any; its one style sheet is allowed by its hash, its plots are
images within it. Everything from the data is neutralised and escaped by the template's autoescape.
"""

import base64
import hashlib
import io
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

from veracite.engine.display import neutralise
from veracite.engine.evaluation import report
from veracite.engine.evaluation.predict import METHODS
from veracite.engine.evaluation.results import Curve, CurveKind, Mistake, Result

TITLES: dict[CurveKind, str] = {
    "roc": "Receiver operating characteristic",
    "precision-recall": "Precision and recall",
    "reliability": "Reliability",
    "speed": "Accuracy against time",
}
_AXES: dict[CurveKind, tuple[str, str]] = {
    "roc": ("false positive rate", "true positive rate"),
    "precision-recall": ("recall", "precision"),
    "reliability": ("probability given", "share that is true"),
    "speed": ("milliseconds per item", "accuracy"),
}
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
_MARKERS = "osv^D"


def render(result: Result) -> str:
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
    drawn = {kind: plot(result, kind) for kind in TITLES}
    asked = {curve.kind for curve in result.curves}
    sets = result.subsets
    return environment.get_template("page.html").render(
        result=result,
        phrases=report,
        facts=list(_facts(result.record)),
        names=report.figure_names(result),
        in_sets=[m.method for m in result.methods if any(m.method in s.figures for s in sets)],
        does=METHODS[result.task],
        set_figures=list(dict.fromkeys(f.name for s in sets for f in s.figures.values())),
        leads=[(method.method, each) for method in result.methods for each in method.compared],
        # The browser hashes what stands between the tags, to the letter.
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        asked=asked,
        plots={kind: made for kind, made in drawn.items() if made},
        undrawn=[title for kind, title in TITLES.items() if kind in asked and not drawn[kind]],
        titles=TITLES,
        bins=[(c.method, drawable(c)) for c in result.curves if c.kind == "reliability"],
        mistakes=_surest(result.mistakes, [method.method for method in result.methods]),
        most_groups=_MOST_GROUPS,
    )


def _surest(
    mistakes: Iterable[Mistake], methods: list[str]
) -> list[tuple[str, int, list[Mistake]]]:
    """For each method, how many mistakes there are and those it was surest of."""
    known = {method: place for place, method in enumerate(methods)}
    ordered = sorted(
        mistakes, key=lambda m: (known.get(m.method, len(known)), m.method, -m.confidence, m.item)
    )
    held = [(method, list(own)) for method, own in groupby(ordered, key=lambda m: m.method)]
    return [(method, len(own), own[:_MOST_MISTAKES]) for method, own in held]


def _facts(recorded: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A run's record as names and values; the data files are listed elsewhere."""
    names = dict.fromkeys((*_FACTS, *sorted(recorded)))
    for name in names:
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


# --- Plots ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Drawn:
    """A plot, ready for an ``img``."""

    address: str
    """A ``data:`` address that holds the SVG."""
    told: str
    """What it shows, in words."""


def drawable(curve: Curve) -> list[tuple[float, ...]]:
    """A curve's points without those that have no place in its plot, such as undefined ones."""
    parts = 3 if curve.kind == "reliability" else 2
    finite = [
        tuple(float(value) for value in point[:parts] if value is not None and math.isfinite(value))
        for point in curve.points
    ]
    whole = [point for point in finite if len(point) == parts]
    return [point for point in whole if point[0] > 0] if curve.kind == "speed" else whole


def plot(result: Result, kind: CurveKind) -> Drawn | None:
    """The plot of all curves of a kind; None if nothing can be drawn."""
    curves = [curve for curve in result.curves if curve.kind == kind and drawable(curve)]
    if not curves:
        return None
    methods = (*(m.method for m in result.methods), *(c.method for c in result.curves))
    styles = {method: place for place, method in enumerate(dict.fromkeys(methods))}
    with rc_context(_DRAWING), warnings.catch_warnings():
        # The reader's browser may have the letters that the font here lacks.
        warnings.simplefilter("ignore", UserWarning)
        canvas = Canvas(figsize=(5.2, 5.6), layout="constrained")
        counts = kind == "reliability"
        grid = canvas.subplots(1 + counts, squeeze=False, height_ratios=[5, 1] if counts else [1])
        axes: Axes = grid[0, 0]
        _frame(axes, kind, curves, result.base_rate)
        # The first method is drawn last, over the others.
        for depth, curve in enumerate(reversed(curves)):
            _draw(axes, curve, styles[curve.method], depth)
        handles, names = axes.get_legend_handles_labels()
        canvas.legend(handles[::-1], names[::-1], loc="outside lower left", frameon=False)
        if counts:
            _draw_counts(grid[1, 0], curves, styles)
        svg = io.StringIO()
        canvas.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    encoded = base64.b64encode(svg.getvalue().encode()).decode()
    told = "; ".join(map(_named, curves))
    return Drawn(f"data:image/svg+xml;base64,{encoded}", f"{TITLES[kind]}. {told}.")


def _frame(axes: Axes, kind: CurveKind, curves: Sequence[Curve], base_rate: float | None) -> None:
    x_name, y_name = _AXES[kind]
    axes.set_xlabel(x_name)
    axes.set_ylabel(y_name)
    axes.grid(color="#d9dbd6", linewidth=0.6)
    if kind == "speed":
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.set_ylabel(report.shorten(curves[0].summary.name) if curves[0].summary else y_name)
        return
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    if kind != "precision-recall":
        axes.axline((0, 0), (1, 1), color="#5b6168", linestyle=(0, (3, 4)), linewidth=1)
    elif base_rate is not None and math.isfinite(base_rate):
        axes.axhline(base_rate, color="#5b6168", linestyle=(0, (3, 4)), linewidth=1)
        axes.annotate(f"base rate {report.share(base_rate)}", (0.01, base_rate + 0.01))


def _draw(axes: Axes, curve: Curve, style: int, depth: int) -> None:
    """Each method has one colour, line and marker in all plots."""
    points = drawable(curve)
    x, y = [point[0] for point in points], [point[1] for point in points]
    look: dict[str, Any] = {"color": f"C{style % 10}", "label": _named(curve), "zorder": 3 + depth}
    line, marker = _LINES[style % len(_LINES)], _MARKERS[style % len(_MARKERS)]
    found = curve.summary
    if curve.kind == "precision-recall":
        # A precision holds back to the recall before it: average precision is the area below.
        axes.step(x, y, where="post", linestyle=line, **look)
    elif curve.kind == "roc":
        axes.plot(x, y, linestyle=line, **look)
    elif curve.kind == "speed" and found and found.low is not None and found.high is not None:
        errors = [[max(0.0, y[0] - found.low)], [max(0.0, found.high - y[0])]]
        axes.errorbar(x, y, errors, fmt=marker, **look)
    else:
        axes.plot(x, y, linestyle=line, marker=marker, **look)


def _draw_counts(axes: Axes, curves: Sequence[Curve], styles: Mapping[str, int]) -> None:
    """Under the reliability diagram: a bar for each bin, as high as it has items."""
    for place, curve in enumerate(curves):
        points = drawable(curve)
        x = [point[0] + 0.012 * place for point in points]
        axes.bar(x, [point[2] for point in points], 0.01, color=f"C{styles[curve.method] % 10}")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylabel("items")


def _named(curve: Curve) -> str:
    name = report.shorten(curve.method)
    found = curve.summary
    return f"{name} {report.shorten(found.name)} {report.measured(found)}" if found else name
