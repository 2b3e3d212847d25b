"""Axes of a plot: where values are drawn, with ticks, grid and names."""

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement

from veracite.engine.evaluation import strokes
from veracite.engine.evaluation.strokes import Point

__all__ = ["Axes", "frame"]

_TENTHS = tuple(n / 5 for n in range(6))


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


def frame(svg: Element, axes: Axes, x_name: str, y_name: str) -> None:
    """The axes with ticks, grid and names."""
    bottom, right = axes.top + axes.height, axes.left + axes.width
    for value in _decades(*axes.x_range) if axes.log_x else _TENTHS:
        x, _ = axes.at(value, axes.y_range[0])
        strokes.line(svg, [(x, axes.top), (x, bottom)], {"class": "grid"})
        strokes.text(svg, x, bottom + 16, f"{value:,.10g}", "middle")
    for value in _steps(*axes.y_range):
        _, y = axes.at(axes.x_range[0], value)
        strokes.line(svg, [(axes.left, y), (right, y)], {"class": "grid"})
        strokes.text(svg, axes.left - 7, y + 4, f"{value:g}", "end")
    box = {"x": axes.left, "y": axes.top, "width": axes.width, "height": axes.height}
    SubElement(svg, "rect", {"class": "frame", **{name: f"{v:g}" for name, v in box.items()}})
    strokes.text(svg, axes.left + axes.width / 2, bottom + 34, x_name, "middle")
    middle = axes.top + axes.height / 2
    name = strokes.text(svg, 14, middle, y_name, "middle")
    name.set("transform", f"rotate(-90 14 {middle:g})")


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
