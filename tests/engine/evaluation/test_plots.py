"""Points land where their values say, and every method can be told from every other."""

import math
from itertools import pairwise

import pytest
from lxml import etree

from veracite.engine.evaluation.plots import TITLES, plot
from veracite.engine.evaluation.results import (
    Curve,
    CurveKind,
    Figure,
    MethodResult,
    Part,
    Result,
)
from veracite.engine.evaluation.strokes import COLOURS

Points = list[tuple[float, float]]

SVG = "{http://www.w3.org/2000/svg}"


def result(*curves: Curve, **changes: object) -> Result:
    names = dict.fromkeys(curve.method for curve in curves)
    methods = tuple(MethodResult(name, (), 10) for name in names)
    given = {"positives": 0.3, "methods": methods, "curves": curves, **changes}
    return Result("detect", "tiny", (), {}, 10, **given)  # type: ignore[arg-type]


def drawing(made: Result, kind: CurveKind) -> etree._Element:
    svg = plot(made, kind)
    assert svg is not None
    return etree.fromstring(svg)


def drawn(kind: CurveKind, *points: tuple[float | None, ...]) -> etree._Element:
    return drawing(result(Curve(kind, "m", points, Figure("area", 0.5, 0.4, 0.6))), kind)


def points(line: etree._Element) -> Points:
    pairs = [pair.split(",") for pair in line.get("points", "").split()]
    return [(float(x), float(y)) for x, y in pairs]


def series(svg: etree._Element) -> etree._Element:
    """The group of the first method's curve: the last one drawn, before the legend's."""
    groups = [g for g in svg.iter(f"{SVG}g") if g.get("class") == "series s0"]
    return groups[0]


def curve(svg: etree._Element) -> Points:
    (line,) = series(svg).findall(f"{SVG}polyline[@class='line']")
    return points(line)


def chance(svg: etree._Element) -> Points:
    (line,) = (each for each in svg.iter(f"{SVG}polyline") if each.get("class") == "chance")
    return points(line)


def frame(svg: etree._Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the rectangle that data are drawn in."""
    (rect,) = (each for each in svg.iter(f"{SVG}rect") if each.get("class") == "frame")
    x, y, width, height = (float(rect.get(name, "")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def texts(svg: etree._Element) -> list[str]:
    return ["".join(map(str, each.itertext())) for each in svg.iter(f"{SVG}text")]


def test_a_perfect_roc_goes_through_the_upper_left_corner() -> None:
    svg = drawn("roc", (0.0, 0.0), (0.0, 0.5), (0.0, 1.0), (1.0, 1.0))
    left, top, right, bottom = frame(svg)
    assert curve(svg) == [(left, bottom), (left, top), (right, top)]


def test_chance_is_the_diagonal_of_the_roc() -> None:
    svg = drawn("roc", (0.0, 0.0), (1.0, 1.0))
    left, top, right, bottom = frame(svg)
    assert chance(svg) == [(left, bottom), (right, top)]
    assert curve(svg) == chance(svg)
    assert right - left == bottom - top


def test_a_point_of_the_roc_lies_at_its_rates() -> None:
    svg = drawn("roc", (0.0, 0.0), (0.25, 0.8), (1.0, 1.0))
    left, top, right, bottom = frame(svg)
    x, y = curve(svg)[1]
    assert (x - left) / (right - left) == pytest.approx(0.25, abs=1e-3)
    assert (bottom - y) / (bottom - top) == pytest.approx(0.8, abs=1e-3)


def test_ticks_stand_at_their_values() -> None:
    svg = drawn("roc", (0.0, 0.0), (1.0, 1.0))
    left, _, right, bottom = frame(svg)
    below = {
        t.text: float(t.get("x", ""))
        for t in svg.iter(f"{SVG}text")
        if float(t.get("y", "")) == bottom + 16
    }
    assert list(below) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    for text, x in below.items():
        assert x == pytest.approx(left + float(str(text)) * (right - left))
    assert {"false positive rate", "true positive rate"} <= set(texts(svg))


def test_the_base_rate_is_a_level_line_at_the_share_of_the_part_for_results() -> None:
    made = result(
        Curve("precision-recall", "m", ((1.0, 0.6), (0.0, 1.0))),
        parts=(Part("thresholds", "a", (), 5, 0.1), Part("results", "b", (), 5, 0.6)),
    )
    svg = drawing(made, "precision-recall")
    left, top, right, bottom = frame(svg)
    (x0, y0), (x1, y1) = chance(svg)
    assert (x0, x1, y0) == (left, right, y1)
    assert (bottom - y0) / (bottom - top) == pytest.approx(0.6, abs=1e-3)
    assert "base rate 60.0 %" in texts(svg)
    drawn = list(svg.iter())
    (label,) = (each for each in drawn if each.text == "base rate 60.0 %")
    assert drawn.index(label) > drawn.index(series(svg)), "no curve is drawn over it"


@pytest.mark.parametrize("backwards", [False, True])
def test_precision_is_drawn_in_steps_whose_area_is_average_precision(backwards: bool) -> None:
    rising = ((0.0, 1.0), (0.5, 1.0), (0.5, 0.5), (1.0, 0.6))
    svg = drawn("precision-recall", *(reversed(rising) if backwards else rising))
    left, top, right, bottom = frame(svg)
    steps = curve(svg)
    area = sum((x1 - x0) * (bottom - y1) for (x0, _), (x1, y1) in pairwise(steps))
    assert area / (right - left) / (bottom - top) == pytest.approx(0.5 * 1.0 + 0.5 * 0.6, abs=1e-3)
    assert min(bottom - y for _, y in steps) / (bottom - top) == pytest.approx(0.5, abs=1e-3)


def test_bins_lie_at_probability_and_share_and_their_bars_show_counts() -> None:
    svg = drawn("reliability", (0.1, 0.0, 50.0), (0.9, 1.0, 100.0), (0.95, math.nan, 0.0))
    left, top, right, bottom = frame(svg)
    marks = [
        (float(c.get("cx", "")), float(c.get("cy", ""))) for c in series(svg).iter(f"{SVG}circle")
    ]
    across = right - left
    assert marks == [(left + 0.1 * across, bottom), (left + 0.9 * across, top)]
    (strip,) = (g for g in svg.iter(f"{SVG}g") if str(g.get("class")).startswith("counts"))
    few, many = strip.findall(f"{SVG}rect")
    assert float(many.get("height", "")) == 2 * float(few.get("height", ""))
    assert float(few.get("x", "")) + float(few.get("width", "")) / 2 == marks[0][0]
    assert [t.text for t in strip.iter(f"{SVG}text")] == ["50–100"]
    assert "m: given 0.100, true 0.000, 50 items" in [t.text for t in svg.iter(f"{SVG}title")]
    assert chance(svg) == [(left, bottom), (right, top)]


def test_time_is_on_a_logarithmic_axis() -> None:
    svg = drawn("speed", (1.0, 0.5), (10.0, 0.6), (100.0, 0.6))
    left, _, right, _ = frame(svg)
    (x0, _), (x1, y1), (x2, y2) = curve(svg)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.11)
    assert left < x0 < x2 < right
    assert y1 == y2
    names = texts(svg)
    assert names.index("0.1") < names.index("1") < names.index("10") < names.index("100")
    assert "milliseconds per item" in names
    slow = texts(drawn("speed", (900.0, 0.5), (2_000_000.0, 0.6)))
    assert {"1,000", "1,000,000"} <= set(slow)


def test_accuracy_has_the_name_and_the_interval_of_its_figure() -> None:
    made = result(Curve("speed", "m", ((3.0, 0.7),), Figure("balanced accuracy", 0.7, 0.6, 0.8)))
    svg = drawing(made, "speed")
    assert "balanced accuracy" in texts(svg)
    (bar,) = (each for each in svg.iter(f"{SVG}polyline") if each.get("class") == "interval")
    (x0, low), (x1, high) = points(bar)
    (mark,) = series(svg).iter(f"{SVG}circle")
    assert x0 == x1 == float(mark.get("cx", ""))
    assert (low + high) / 2 == pytest.approx(float(mark.get("cy", "")), abs=0.1)
    assert low > high


@pytest.mark.parametrize("value", [0.0, 0.02, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("ms", [1e-5, 1.0, 10.0, 12345.0])
def test_whatever_was_measured_lies_inside_the_frame(value: float, ms: float) -> None:
    svg = drawn("speed", (ms, value))
    left, top, right, bottom = frame(svg)
    (mark,) = series(svg).iter(f"{SVG}circle")
    assert left <= float(mark.get("cx", "")) <= right
    assert top <= float(mark.get("cy", "")) <= bottom


@pytest.mark.parametrize("kind", TITLES)
@pytest.mark.parametrize("gone", [(), ((math.nan, 0.5, 1.0),), ((None, None, None),)])
def test_nothing_is_drawn_of_what_is_not_defined(
    kind: CurveKind, gone: tuple[tuple[float | None, ...], ...]
) -> None:
    assert plot(result(Curve(kind, "m", gone)), kind) is None


def test_no_time_has_no_place_on_a_logarithmic_axis() -> None:
    assert plot(result(Curve("speed", "m", ((0.0, 0.5),))), "speed") is None


def test_a_long_curve_is_thinned_without_changing_its_shape() -> None:
    up = [(0.0, n / 5000) for n in range(5000)]
    across = [(n / 5000, 1.0) for n in range(5001)]
    svg = drawn("roc", *up, *across)
    left, top, right, bottom = frame(svg)
    assert curve(svg) == [(left, bottom), (left, top), (right, top)]
    spike = drawn("roc", (0.0, 0.5), (0.0, 0.1), (0.0, 0.9), (1.0, 1.0))
    assert len(curve(spike)) == 4


def test_every_method_looks_unlike_every_other_and_alike_in_all_plots() -> None:
    names = [f"m{n}" for n in range(24)]
    ends = ((0.1, 0.2, 1.0), (0.8, 0.9, 1.0))
    made = result(*(Curve(kind, name, ends) for kind in TITLES for name in names))
    looks = [looks_of(drawing(made, kind)) for kind in TITLES]
    assert looks[0] == looks[1] == looks[2] == looks[3]
    assert len({*looks[0].values()}) == len(names) > COLOURS


def looks_of(svg: etree._Element) -> dict[str, tuple[str | None, str | None]]:
    """Colour and dashes of each method in the legend."""
    found = {}
    for group in svg.findall(f"{SVG}g"):
        line, name = group.find(f"{SVG}polyline"), group.find(f"{SVG}text/{SVG}tspan")
        if line is not None and name is not None:
            found[str(name.text)] = (group.get("class"), line.get("stroke-dasharray"))
    return found


def test_a_method_without_a_row_has_a_look_of_its_own() -> None:
    made = result(*(Curve("roc", m, ((0.0, 0.0), (1.0, 1.0))) for m in "abc"), methods=())
    assert len({*looks_of(drawing(made, "roc")).values()}) == 3


@pytest.mark.parametrize("kind", TITLES)
def test_a_plot_is_told_to_those_who_do_not_see_it(kind: CurveKind) -> None:
    svg = drawn(kind, (0.1, 0.2, 1.0), (0.8, 0.9, 1.0))
    assert svg.get("role") == "img"
    told = [svg.find(f"*[@id='{name}']") for name in str(svg.get("aria-labelledby")).split()]
    assert [each.text for each in told if each is not None] == [
        TITLES[kind],
        f"{TITLES[kind]}. m area 0.500 [0.40, 0.60].",
    ]
    assert "m area 0.500 [0.40, 0.60]" in texts(svg)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><a onload="x', "\x1b[31m\u202ex", "]]>", "\ud800"]
)
@pytest.mark.parametrize("kind", TITLES)
def test_a_hostile_name_adds_nothing(name: str, kind: CurveKind) -> None:
    def made(method: str) -> etree._Element:
        ends = ((0.1, 0.2, 1.0), (0.8, 0.9, 1.0))
        return drawing(result(Curve(kind, method, ends, Figure(method, 0.5))), kind)

    shape = [(e.tag, sorted(e.attrib)) for e in made(name).iter()]
    assert shape == [(e.tag, sorted(e.attrib)) for e in made("harmless").iter()]
    assert all(text.isprintable() for text in texts(made(name)))
