"""Plots of an evaluation's curves as SVG, coloured by the page's style sheet (``report.css``).

Each method has one colour, one dash pattern and one marker in all plots. Texts are neutralised, and
escaped by the serialiser.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, tostring

from veracite.engine.display import neutralise
from veracite.engine.evaluation import strokes
from veracite.engine.evaluation.axes import Axes, frame
from veracite.engine.evaluation.columns import shorten
from veracite.engine.evaluation.phrases import measured, number, share
from veracite.engine.evaluation.results import Curve, CurveKind, Result
from veracite.engine.evaluation.strokes import Point

__all__ = ["TITLES", "drawable", "plot"]

TITLES: dict[CurveKind, str] = {
    "roc": "Receiver operating characteristic",
    "precision-recall": "Precision and recall",
    "reliability": "Reliability",
    "speed": "Accuracy against time",
}

_LEFT, _TOP, _SIDE, _WIDTH = 56, 14, 400, 480
_LEGEND_ROW, _STRIP = 18, 24


def drawable(curve: Curve) -> list[tuple[float, ...]]:
    """A curve's points without those that have no place in its plot, such as undefined ones."""
    parts = 3 if curve.kind == "reliability" else 2
    finite = [
        tuple(float(value) for value in point[:parts] if value is not None and math.isfinite(value))
        for point in curve.points
    ]
    whole = [point for point in finite if len(point) == parts]
    return [point for point in whole if point[0] > 0] if curve.kind == "speed" else whole


def plot(result: Result, kind: CurveKind) -> str | None:
    """The plot of all curves of a kind as an ``<svg>`` element; None if nothing can be drawn."""
    curves = [curve for curve in result.curves if curve.kind == kind and drawable(curve)]
    if not curves:
        return None
    styles = _styles(result)
    axes = _speed_axes(curves) if kind == "speed" else Axes(_LEFT, _TOP, _SIDE, _SIDE)
    strips = _STRIP * len(curves) + 18 if kind == "reliability" else 0
    below = axes.top + axes.height + 46 + strips
    svg = _canvas(kind, curves, below + _LEGEND_ROW * len(curves) + 8)
    frame(svg, axes, *_names(kind, curves))
    if kind == "precision-recall":
        _base_rate(svg, axes, result.base_rate)
    elif kind != "speed":
        strokes.line(svg, [axes.at(0, 0), axes.at(1, 1)], {"class": "chance"})
    # The first method is drawn last, over the others.
    for curve in reversed(curves):
        _series(svg, axes, curve, styles[curve.method])
    if kind == "precision-recall":
        _name_base_rate(svg, axes, result.base_rate)
    if kind == "reliability":
        _counts(svg, axes, curves, styles)
    _legend(svg, below, curves, styles)
    return tostring(svg, encoding="unicode", short_empty_elements=False)


def _styles(result: Result) -> dict[str, int]:
    """The number of each method's style, the same in all plots."""
    methods = (*(m.method for m in result.methods), *(c.method for c in result.curves))
    return {method: style for style, method in enumerate(dict.fromkeys(methods))}


def _canvas(kind: CurveKind, curves: Sequence[Curve], height: float) -> Element:
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "class": "plot", "role": "img"})
    svg.set("viewBox", f"0 0 {_WIDTH} {height:g}")
    svg.set("aria-labelledby", f"{kind}-title {kind}-description")
    SubElement(svg, "title", {"id": f"{kind}-title"}).text = TITLES[kind]
    told = "; ".join(f"{neutralise(curve.method)}{_summary(curve, ' ')}" for curve in curves)
    SubElement(svg, "desc", {"id": f"{kind}-description"}).text = f"{TITLES[kind]}. {told}."
    return svg


def _names(kind: CurveKind, curves: Sequence[Curve]) -> tuple[str, str]:
    if kind == "roc":
        return "false positive rate", "true positive rate"
    if kind == "precision-recall":
        return "recall", "precision"
    if kind == "reliability":
        return "probability given", "share that is true"
    return "milliseconds per item", curves[0].summary.name if curves[0].summary else "accuracy"


def _base_rate(svg: Element, axes: Axes, rate: float | None) -> None:
    if rate is not None and math.isfinite(rate):
        strokes.line(svg, [axes.at(0, rate), axes.at(1, rate)], {"class": "chance"})


def _name_base_rate(svg: Element, axes: Axes, rate: float | None) -> None:
    if rate is not None and math.isfinite(rate):
        x, y = axes.at(0, rate)
        y += 14 if rate > 0.06 else -5
        strokes.text(svg, x + 6, y, f"base rate {share(rate)}", "start").set("class", "over")


def _series(svg: Element, axes: Axes, curve: Curve, style: int) -> None:
    group = SubElement(svg, "g", {"class": f"series {strokes.colour(style)}"})
    SubElement(group, "title").text = f"{neutralise(curve.method)}{_summary(curve, ' ')}"
    points = drawable(curve)
    path = list(_stairs(points)) if curve.kind == "precision-recall" else points
    at = strokes.thinned([axes.at(point[0], point[1]) for point in path])
    if len(at) > 1:
        strokes.line(group, at, strokes.dashes(style))
    if curve.kind in ("roc", "precision-recall"):
        return
    if curve.kind == "speed" and len(points) == 1:
        _error_bar(group, axes, curve, points[0][0])
    for point in points:
        marker = strokes.marker(group, *axes.at(point[0], point[1]), style)
        SubElement(marker, "title").text = f"{neutralise(curve.method)}: {_told(curve, point)}"


def _told(curve: Curve, point: tuple[float, ...]) -> str:
    if curve.kind == "speed":
        return f"{point[0]:.3g} ms, {number(point[1])}"
    return f"given {number(point[0])}, true {number(point[1])}, {point[2]:,.0f} items"


def _error_bar(svg: Element, axes: Axes, curve: Curve, x: float) -> None:
    found = curve.summary
    if found and found.low is not None and found.high is not None:
        ends = [axes.at(x, min(max(y, 0.0), 1.0)) for y in (found.low, found.high)]
        strokes.line(svg, ends, {"class": "interval"})


def _counts(svg: Element, axes: Axes, curves: Sequence[Curve], styles: Mapping[str, int]) -> None:
    """Under the diagram, a strip for each method: a bar for each bin, as high as it has items."""
    top = axes.top + axes.height + 48
    strokes.text(svg, axes.left, top + 6, "items in each bin", "start")
    most = max(point[2] for curve in curves for point in drawable(curve))
    for row, curve in enumerate(curves):
        floor = top + 14 + _STRIP * (row + 1) - 4
        style = styles[curve.method]
        group = SubElement(svg, "g", {"class": f"counts {strokes.colour(style)}"})
        strokes.line(
            group, [(axes.left, floor), (axes.left + axes.width, floor)], {"class": "grid"}
        )
        counts = [point[2] for point in drawable(curve)]
        span = f"{min(counts):,.0f}" + (f"–{max(counts):,.0f}" if len({*counts}) > 1 else "")
        strokes.text(group, axes.left - 7, floor, span, "end")
        for point in drawable(curve):
            x, _ = axes.at(point[0], 0)
            height = (_STRIP - 6) * point[2] / max(most, 1)
            bar = {"x": x - 2, "y": floor - height, "width": 4, "height": height}
            SubElement(group, "rect", {name: f"{value:.1f}" for name, value in bar.items()})


def _legend(svg: Element, top: float, curves: Sequence[Curve], styles: Mapping[str, int]) -> None:
    for row, curve in enumerate(curves):
        y = top + _LEGEND_ROW * row + 8
        style = styles[curve.method]
        group = SubElement(svg, "g", {"class": f"series {strokes.colour(style)}"})
        if curve.kind != "speed" or len(drawable(curve)) > 1:
            strokes.line(group, [(_LEFT, y), (_LEFT + 40, y)], strokes.dashes(style))
        if curve.kind in ("reliability", "speed"):
            strokes.marker(group, _LEFT + 20, y, style)
        text = strokes.text(group, _LEFT + 50, y + 4, "", "start")
        name = SubElement(text, "tspan", {"class": "name"})
        name.text, name.tail = shorten(curve.method), _summary(curve, " ")


def _summary(curve: Curve, before: str) -> str:
    figure = curve.summary
    return "" if figure is None else f"{before}{shorten(figure.name)} {measured(figure)}"


def _stairs(points: Sequence[tuple[float, ...]]) -> Iterator[Point]:
    """A precision holds back to the recall before it: average precision is the area below."""
    ascending = points if points[0][0] <= points[-1][0] else points[::-1]
    before = ascending[0][0]
    for recall, precision in ascending:
        yield before, precision
        yield recall, precision
        before = recall


def _speed_axes(curves: Sequence[Curve]) -> Axes:
    points = [point for curve in curves for point in drawable(curve)]
    bounds = [bound for c in curves if c.summary for bound in (c.summary.low, c.summary.high)]
    heights = [p[1] for p in points] + [b for b in bounds if b is not None and math.isfinite(b)]
    slowest, fastest = max(p[0] for p in points), min(p[0] for p in points)
    first = math.floor(math.log10(fastest / 1.2))
    last = max(math.ceil(math.log10(slowest * 1.2)), first + 1)
    low = max(0.0, math.floor(min(heights) * 10 - 0.2) / 10)
    high = max(math.ceil(max(heights) * 10 + 0.2) / 10, low + 0.2)
    if max(heights) <= 1:
        high = min(high, 1.0)
    return Axes(_LEFT, _TOP, _SIDE, 300, (10.0**first, 10.0**last), (low, high), log_x=True)
