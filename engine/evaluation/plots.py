"""Plots of an evaluation's curves as SVG, coloured by the page's style sheet (``report.css``).

Each method has one colour, one dash pattern and one marker in all plots. Texts are neutralised, and
escaped by the serialiser.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

from veracite.engine.display import neutralise
from veracite.engine.evaluation.results import Curve, CurveKind, Result
from veracite.engine.evaluation.table import measured, number, share, shorten

__all__ = ["COLOURS", "TITLES", "Axes", "drawable", "plot"]

TITLES: dict[CurveKind, str] = {
    "roc": "Receiver operating characteristic",
    "precision-recall": "Precision and recall",
    "reliability": "Reliability",
    "speed": "Accuracy against time",
}

COLOURS = 8
"""Classes ``s0`` to ``s7`` of the style sheet."""

_DASHES = ("", "8 3", "2 3", "9 3 2 3", "14 4", "5 2 1 2 1 2", "4 4")
_MARKERS = ("circle", "square", "triangle", "diamond", "cross")
_LEFT, _TOP, _SIDE, _WIDTH = 56, 14, 400, 480
_TENTHS = tuple(n / 5 for n in range(6))
_LEGEND_ROW, _STRIP = 18, 24

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axes:
    """The rectangle in which data are drawn; lengths in the SVG's own units."""

    left: float
    top: float
    width: float
    height: float
    x_range: tuple[float, float] = (0.0, 1.0)
    y_range: tuple[float, float] = (0.0, 1.0)
    log_x: bool = False

    def at(self, x: float, y: float) -> Point:
        """Where a value is drawn, to a tenth of a unit."""
        low, high = self.x_range
        if self.log_x:
            x, low, high = math.log10(x), math.log10(low), math.log10(high)
        across = (x - low) / (high - low)
        up = (y - self.y_range[0]) / (self.y_range[1] - self.y_range[0])
        return (
            round(self.left + self.width * across, 1),
            round(self.top + self.height * (1 - up), 1),
        )


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
    _frame(svg, axes, *_names(kind, curves))
    if kind == "precision-recall":
        _base_rate(svg, axes, result.base_rate)
    elif kind != "speed":
        _line(svg, [axes.at(0, 0), axes.at(1, 1)], {"class": "chance"})
    # The first method is drawn last, over the others.
    for curve in reversed(curves):
        _series(svg, axes, curve, styles[curve.method])
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


def _frame(svg: Element, axes: Axes, x_name: str, y_name: str) -> None:
    """The axes with ticks, grid and names."""
    bottom, right = axes.top + axes.height, axes.left + axes.width
    for value in _decades(*axes.x_range) if axes.log_x else _TENTHS:
        x, _ = axes.at(value, axes.y_range[0])
        _line(svg, [(x, axes.top), (x, bottom)], {"class": "grid"})
        _text(svg, x, bottom + 16, f"{value:g}", "middle")
    for value in _steps(*axes.y_range):
        _, y = axes.at(axes.x_range[0], value)
        _line(svg, [(axes.left, y), (right, y)], {"class": "grid"})
        _text(svg, axes.left - 7, y + 4, f"{value:g}", "end")
    box = {"x": axes.left, "y": axes.top, "width": axes.width, "height": axes.height}
    SubElement(svg, "rect", {"class": "frame", **{name: f"{v:g}" for name, v in box.items()}})
    _text(svg, axes.left + axes.width / 2, bottom + 34, x_name, "middle")
    middle = axes.top + axes.height / 2
    name = _text(svg, 14, middle, y_name, "middle")
    name.set("transform", f"rotate(-90 14 {middle:g})")


def _base_rate(svg: Element, axes: Axes, rate: float | None) -> None:
    if rate is None or not math.isfinite(rate):
        return
    _line(svg, [axes.at(0, rate), axes.at(1, rate)], {"class": "chance"})
    x, y = axes.at(0, rate)
    _text(svg, x + 6, y + (14 if rate > 0.06 else -5), f"base rate {share(rate)}", "start")


def _series(svg: Element, axes: Axes, curve: Curve, style: int) -> None:
    group = SubElement(svg, "g", {"class": f"series {_colour(style)}"})
    SubElement(group, "title").text = f"{neutralise(curve.method)}{_summary(curve, ' ')}"
    points = drawable(curve)
    path = list(_stairs(points)) if curve.kind == "precision-recall" else points
    at = _thinned([axes.at(point[0], point[1]) for point in path])
    if len(at) > 1:
        _line(group, at, _dashes(style))
    if curve.kind in ("roc", "precision-recall"):
        return
    if curve.kind == "speed" and len(points) == 1:
        _error_bar(group, axes, curve, points[0][0])
    for point in points:
        marker = _marker(group, *axes.at(point[0], point[1]), style)
        SubElement(marker, "title").text = f"{neutralise(curve.method)}: {_told(curve, point)}"


def _told(curve: Curve, point: tuple[float, ...]) -> str:
    if curve.kind == "speed":
        return f"{point[0]:.3g} ms, {number(point[1])}"
    return f"given {number(point[0])}, true {number(point[1])}, {point[2]:,.0f} items"


def _error_bar(svg: Element, axes: Axes, curve: Curve, x: float) -> None:
    found = curve.summary
    if found and found.low is not None and found.high is not None:
        ends = [axes.at(x, min(max(y, 0.0), 1.0)) for y in (found.low, found.high)]
        _line(svg, ends, {"class": "interval"})


def _counts(svg: Element, axes: Axes, curves: Sequence[Curve], styles: Mapping[str, int]) -> None:
    """Under the diagram, a strip for each method: a bar for each bin, as high as it has items."""
    top = axes.top + axes.height + 48
    _text(svg, axes.left, top + 6, "items in each bin", "start")
    most = max(point[2] for curve in curves for point in drawable(curve))
    for row, curve in enumerate(curves):
        floor = top + 14 + _STRIP * (row + 1) - 4
        style = styles[curve.method]
        group = SubElement(svg, "g", {"class": f"counts {_colour(style)}"})
        _line(group, [(axes.left, floor), (axes.left + axes.width, floor)], {"class": "grid"})
        counts = [point[2] for point in drawable(curve)]
        span = f"{min(counts):,.0f}" + (f"–{max(counts):,.0f}" if len({*counts}) > 1 else "")
        _text(group, axes.left - 7, floor, span, "end")
        for point in drawable(curve):
            x, _ = axes.at(point[0], 0)
            height = (_STRIP - 6) * point[2] / max(most, 1)
            bar = {"x": x - 2, "y": floor - height, "width": 4, "height": height}
            SubElement(group, "rect", {name: f"{value:.1f}" for name, value in bar.items()})


def _legend(svg: Element, top: float, curves: Sequence[Curve], styles: Mapping[str, int]) -> None:
    for row, curve in enumerate(curves):
        y = top + _LEGEND_ROW * row + 8
        style = styles[curve.method]
        group = SubElement(svg, "g", {"class": f"series {_colour(style)}"})
        if curve.kind != "speed" or len(drawable(curve)) > 1:
            _line(group, [(_LEFT, y), (_LEFT + 40, y)], _dashes(style))
        if curve.kind in ("reliability", "speed"):
            _marker(group, _LEFT + 20, y, style)
        text = _text(group, _LEFT + 50, y + 4, "", "start")
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


def _thinned(points: Sequence[Point]) -> list[Point]:
    """The same line without points that lie on a level or upright stretch of it."""
    kept: list[Point] = []
    for point in points:
        if kept and kept[-1] == point:
            continue
        if len(kept) > 1 and _between(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _between(a: Point, b: Point, c: Point) -> bool:
    straight = a[0] == b[0] == c[0] or a[1] == b[1] == c[1]
    return straight and all((b[n] - a[n]) * (c[n] - b[n]) >= 0 for n in (0, 1))


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


def _decades(low: float, high: float) -> list[float]:
    first, last = round(math.log10(low)), round(math.log10(high))
    between = (1, 2, 5) if last - first <= 2 else (1,)
    values = [step * 10.0**n for n in range(first, last + 1) for step in between]
    return [value for value in values if value <= high * 1.001]


def _steps(low: float, high: float) -> list[float]:
    """Round values from ``low`` to ``high``, four to ten of them."""
    step = next(s for s in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 10**9) if (high - low) / s <= 8)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(n * step, 2) for n in range(first, last + 1)]


def _colour(style: int) -> str:
    return f"s{style % COLOURS}"


def _dashes(style: int) -> dict[str, str]:
    dashes = _DASHES[style % len(_DASHES)]
    return {"class": "line", **({"stroke-dasharray": dashes} if dashes else {})}


def _line(parent: Element, points: Sequence[Point], attributes: Mapping[str, str]) -> None:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    SubElement(parent, "polyline", {**attributes, "points": path})


def _text(parent: Element, x: float, y: float, text: str, anchor: str) -> Element:
    place = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor}
    element = SubElement(parent, "text", place)
    element.text = neutralise(text)
    return element


def _marker(parent: Element, x: float, y: float, style: int) -> Element:
    """A filled shape of about nine units around a point."""
    shape = _MARKERS[style % len(_MARKERS)]
    if shape == "circle":
        place = {"cx": f"{x:g}", "cy": f"{y:g}", "r": "4.5"}
        return SubElement(parent, "circle", {"class": "marker", **place})
    corners = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "triangle": ((0, -5.5), (5, 4), (-5, 4)),
        "diamond": ((0, -6), (5, 0), (0, 6), (-5, 0)),
        "cross": ((-2, -5), (2, -5), (2, -2), (5, -2), (5, 2), (2, 2), (2, 5), (-2, 5), (-2, 2),
                  (-5, 2), (-5, -2), (-2, -2)),
    }[shape]  # fmt: skip
    path = " ".join(f"{x + dx:g},{y + dy:g}" for dx, dy in corners)
    return SubElement(parent, "polygon", {"class": "marker", "points": path})
