"""The strokes of a plot: lines, texts and markers of SVG, and the looks that tell methods apart."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement

from veracite.engine.display import neutralise

__all__ = ["COLOURS", "Point", "colour", "dashes", "line", "marker", "text", "thinned"]

COLOURS = 8
"""Classes ``s0`` to ``s7`` of the style sheet."""

_DASHES = ("", "8 3", "2 3", "9 3 2 3", "14 4", "5 2 1 2 1 2", "4 4")
_MARKERS = ("circle", "square", "triangle", "diamond", "cross")

Point = tuple[float, float]


def colour(style: int) -> str:
    """The class of a style's colour."""
    return f"s{style % COLOURS}"


def dashes(style: int) -> dict[str, str]:
    """The attributes of a style's line."""
    pattern = _DASHES[style % len(_DASHES)]
    return {"class": "line", **({"stroke-dasharray": pattern} if pattern else {})}


def line(parent: Element, points: Sequence[Point], attributes: Mapping[str, str]) -> None:
    """A line through points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    SubElement(parent, "polyline", {**attributes, "points": path})


def text(parent: Element, x: float, y: float, said: str, anchor: str) -> Element:
    """A text, neutralised; ``anchor`` is the end of it that stands at the point."""
    place = {"x": f"{x:g}", "y": f"{y:g}", "text-anchor": anchor}
    element = SubElement(parent, "text", place)
    element.text = neutralise(said)
    return element


def marker(parent: Element, x: float, y: float, style: int) -> Element:
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


def thinned(points: Sequence[Point]) -> list[Point]:
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
