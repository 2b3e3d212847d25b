"""The table fits its terminal, stands in columns, and leaves nothing out."""

import math
import re
import unicodedata
from dataclasses import replace

import pytest

from veracite.engine.evaluation.phrases import duration, figure_names, interval, number, p_value
from veracite.engine.evaluation.results import (
    Comparison,
    DataFile,
    Figure,
    MethodResult,
    Part,
    Result,
    Subset,
    Unavailable,
)
from veracite.engine.evaluation.table import lines, render

NAMES = (
    "balanced accuracy",
    "ROC-AUC",
    "average precision",
    "expected calibration error",
    "CEG's area",
)


def method(name: str, value: float, **changes: object) -> MethodResult:
    figures = tuple(
        Figure(figure, value + place / 1000, value - 0.05, value + 0.05)
        for place, figure in enumerate(NAMES)
    )
    return replace(MethodResult(name, figures, 958), **changes)  # type: ignore[arg-type]


def result(**changes: object) -> Result:
    made = Result(
        task="detect",
        format="tiny",
        files=(DataFile("tiny.json", "ab" * 32, 2_500_000),),
        label_map={"minor": False, "major": False, "accurate": True},
        items=1908,
        positives=0.271,
        methods=(
            method(
                "veracite",
                0.75,
                threshold=0.431,
                threshold_from="first half of the groups",
                seconds_per_item=0.0351,
                problems=2,
                compared=(
                    Comparison("overlap", NAMES[0], 0.063, 0.001, 0.123, 0.0313),
                    Comparison("length", NAMES[0], -0.02, -0.0301, 0.0004, 1e-9),
                ),
            ),
            method("overlap", 0.6, trivial=True, threshold=0.2, seconds_per_item=0.000002),
            MethodResult("always", (Figure(NAMES[0], 0.5), Figure(NAMES[1], math.nan, 0, 1)), 958),
        ),
        parts=(
            Part("thresholds", "first half of the groups", ("a", "b"), 950, 0.28),
            Part("results", "second half of the groups", ("c",), 1, None),
        ),
        subsets=(
            Subset("CNN", 500, 0.4, {"veracite": Figure(NAMES[0], 0.7, 0.6, 0.8)}),
            Subset("日本語", 458, None, {"veracite": Figure(NAMES[0], 0.8, 0.7, 0.9)}),
        ),
        notes=("3 rows could not be read.",),
        unavailable=(Unavailable("MAUVE", "needs a model"),),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def starting(text: str, beginning: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(beginning)]


def test_the_head_says_what_the_figures_are_of() -> None:
    text = render(result(), 120)
    assert starting(text, "detect") == ["detect on tiny: 1,908 items, 27.1 % of them true"]
    assert starting(text, "Data") == ["Data: tiny.json, 2.5 MB, SHA-256 abababababab..."]
    assert starting(text, "Labels") == ["Labels: taken for true: accurate; for false: major, minor"]
    assert starting(text, "For") == [
        "For thresholds: first half of the groups (2 groups, 950 items, 28.0 % true)",
        "For results: second half of the groups (1 group, 1 item)",
    ]


def test_figures_stand_under_their_names_with_their_intervals() -> None:
    _, names, ours, trivial, always = render(result(), 200).splitlines()[6:11]
    for place, name in enumerate((NAMES[0], NAMES[1], NAMES[2])):
        column = names.index(name)
        assert ours[column:].startswith(f"{0.75 + place / 1000:.3f} [0.70, 0.80]")
    assert trivial.startswith("overlap* ")
    assert trivial[names.index(NAMES[0]) :].startswith("0.600 [0.55, 0.65]")
    assert always[names.index(NAMES[0]) :].startswith("0.500  ")
    assert always[names.index(NAMES[1]) :].startswith("n/a  ")
    assert "0, 1" not in always


def test_counts_and_times_are_flush_right() -> None:
    rows = render(result(), 200).splitlines()[7:11]
    assert [row[rows[0].index("Items") :][:5] for row in rows] == ["Items", *["  958"] * 3]
    assert [row.split()[-1] for row in rows] == ["item", "35.1", "<0.01", "n/a"]
    assert len({len(row) for row in rows}) == 1


def test_items_are_counted_in_the_rows_only_where_the_head_does_not_say_how_many() -> None:
    parts = (Part("thresholds", "a", ("x",), 950), Part("results", "b", ("y",), 958))
    assert "Items" not in render(result(parts=parts, subsets=()), 200)
    assert "Items" in render(result(parts=parts[:1], subsets=()), 200)


def test_names_take_a_third_line_where_that_saves_a_block() -> None:
    names = ("wrong when true", "wrong when false", "area when true", "area when false")
    figures = tuple(Figure(name, 0.5) for name in names)
    method = MethodResult("m" * 28, figures, 958, seconds_per_item=0.1)

    def head(name: str) -> list[list[str]]:
        """The words of the lines that hold the columns' names, of a table that is one block."""
        made = render(result(methods=(replace(method, method=name),), subsets=(), parts=()))
        every = [line.split() for line in made.splitlines()]
        (last,) = (place for place, line in enumerate(every) if line[:1] == ["Method"])
        first = max(place for place in range(last) if not every[place])
        return every[first + 1 : last + 1]

    assert head("m") == [
        "wrong wrong when area when area when ms per".split(),
        ["Method", "Items", *"when true false true false item".split()],
    ]
    assert head("m" * 28) == [
        "wrong wrong area area ms".split(),
        "when when when when per".split(),
        ["Method", "Items", *"true false true false item".split()],
    ]


def test_what_a_star_means_is_said() -> None:
    assert starting(render(result()), "*") == [
        "* understands nothing; it shows what a figure is worth"
    ]
    plain = tuple(replace(m, trivial=False) for m in result().methods)
    assert "*" not in render(result(methods=plain))


def test_figures_stand_where_their_methods_have_them() -> None:
    first = MethodResult("a", (Figure("one", 1.0), Figure("three", 1.0)), 1)
    second = MethodResult("b", (Figure("one", 1.0), Figure("two", 1.0), Figure("three", 1.0)), 1)
    last = MethodResult("c", (Figure("zero", 1.0), Figure("one", 1.0), Figure("four", 1.0)), 1)
    made = result(methods=(first, second, last))
    assert figure_names(made) == ["zero", "one", "four", "two", "three"]


def test_many_files_are_counted_and_not_all_named() -> None:
    files = tuple(DataFile(f"{n}.json", f"{n:064}", 10) for n in range(40))
    shown = starting(render(result(files=files)), "Data")
    assert len(shown) == 6
    assert shown[0] == "Data: 0.json, 10 bytes, SHA-256 000000000000..."
    assert shown[-1] == "Data: 35 more files (--report and --json list them)"
    assert len(starting(render(result(files=files[:6])), "Data: 5.json")) == 1


@pytest.mark.parametrize("width", [80, 81, 97, 120, 160, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    long = replace(
        method("a method whose name goes on and on and on, 長い名前の方法", 0.7),
        compared=(Comparison("another " * 9, "a figure " * 9, 0.1, 0.0, 0.2, 0.5),),
        trivial=True,
    )
    made = result(
        methods=(*result().methods, long),
        notes=("word " * 60, "無" * 300, "x" * 300),
        label_map={f"label {n}": n % 2 == 0 for n in range(60)},
    )
    text = render(made, width)
    assert max(map(cells, text.splitlines())) <= width
    assert text.count("無") == 300
    assert "x" * 300 in re.sub(r"\s+", "", text)


@pytest.mark.parametrize(("asked", "kept"), [(20, 80), (1000, 200)])
def test_the_width_is_kept_within_bounds(asked: int, kept: int) -> None:
    assert render(result(), asked) == render(result(), kept)


def test_a_wide_table_goes_on_in_blocks_that_repeat_the_methods() -> None:
    wide, narrow = render(result(), 200), render(result(), 80)
    assert len(starting(wide, "overlap*")) == 1
    blocks = starting(narrow, "overlap*")
    assert len(blocks) == 2
    values = [f"{0.6 + place / 1000:.3f} [0.55, 0.65]" for place in range(len(NAMES))]
    found = [value for block in blocks for value in re.findall(r"\d\.\d{3} \[[^]]+\]", block)]
    assert found == values


def test_wide_characters_do_not_shift_the_columns() -> None:
    (plain,), (wide,) = starting(render(result()), "CNN"), starting(render(result()), "日本語")
    assert cells(plain[: plain.index("500")]) == cells(wide[: wide.index("458")])
    assert cells(plain[: plain.index("0.700")]) == cells(wide[: wide.index("0.800")])
    assert " n/a " in wide


def test_leads_are_signed_with_interval_and_test() -> None:
    assert starting(render(result()), "Leads") == [
        "Leads in balanced accuracy, with 95 % intervals and McNemar's exact test"
    ]
    over_overlap, over_length = starting(render(result()), "veracite over")
    assert over_overlap.split("  ")[0] == "veracite over overlap"
    assert "+0.063 [+0.001, +0.123]" in over_overlap
    assert over_overlap.endswith("p = 0.031")
    assert "-0.020 [-0.030, +0.000]" in over_length
    assert over_length.endswith("p < 0.001")


def test_each_figure_that_methods_are_compared_in_has_its_leads() -> None:
    first = result().methods[0]
    compared = (*first.compared, Comparison("overlap", "mean over sets", 0.1, 0.0, 0.2))
    text = render(result(methods=(replace(first, compared=compared),)))
    leads = starting(text, "Leads in")
    assert leads[1] == "Leads in mean over sets, with 95 % intervals"
    below = text[text.index(leads[1]) :].splitlines()
    assert below[1].split() == ["Method", "Lead"]
    assert "veracite over overlap  +0.100 [+0.000, +0.200]" in below[2]


def test_sets_show_their_figure_without_the_interval() -> None:
    text = render(result())
    assert starting(text, "By set") == ["By set: balanced accuracy"]
    (row,) = starting(text, "CNN")
    assert row.split() == ["CNN", "500", "40.0", "%", "0.700"]


def test_thresholds_name_the_part_that_they_are_from() -> None:
    shipped = replace(result().methods[2], threshold_from="the product")
    text = render(result(methods=(*result().methods[:2], shipped)), 120)
    assert starting(text, "Thresh") == [
        "Thresholds, from the first half of the groups: veracite 0.431",
        "Thresholds, given: overlap 0.200",
        "Threshold of always, from the product",
    ]


def test_everything_a_reader_must_know_stands_below() -> None:
    first = result().methods[0]
    areas = tuple(Figure(name, 0.9, note="a trapezoid") for name in ("area", "other area"))
    noted = replace(first, figures=areas)
    text = render(
        result(
            methods=(noted, replace(noted, method="other", problems=0)),
            unavailable=(Unavailable("MAUVE", "needs a model"), Unavailable("TRUE", "too large")),
            differences=("one", "two", "three"),
        ),
        200,
    )
    assert text.splitlines()[-5:] == [
        "Note: area, other area: a trapezoid",
        "Note: veracite gave no prediction for 2 of 958 items",
        "Note: 3 rows could not be read.",
        "Note: figures are counted otherwise than by the papers' scripts in 3 ways "
        "(--report and --json list them)",
        "Not available: MAUVE (needs a model); TRUE (too large)",
    ]


def test_what_there_is_not_takes_no_room() -> None:
    bare = Result("retrieve", "beir", (), {}, 1, None, (MethodResult("veracite", (), 1),))
    assert render(bare).splitlines() == [
        "retrieve on beir: 1 item",
        "",
        "          ms per",
        "Method      item",
        "veracite     n/a",
    ]


def test_lines_say_what_they_are() -> None:
    roles = [(line.role, line.text.split(" ")[0]) for line in lines(result(), 200)]
    assert roles[0] == ("title", "detect")
    assert ("trivial", "overlap*") in roles
    assert ("row", "veracite") in roles
    assert ("note", "Not") in roles
    assert ("heading", "By") in roles


def test_nothing_that_a_terminal_obeys_comes_through() -> None:
    evil = "a\x1b[31m\u202eb\nc"
    made = result(
        format=evil,
        files=(DataFile(evil, evil, 1),),
        label_map={evil: True},
        methods=(
            MethodResult(
                evil,
                (Figure(evil, 1.0, note=evil),),
                1,
                threshold=0.1,
                threshold_from=evil,
                compared=(Comparison(evil, evil, 0.1),),
            ),
        ),
        parts=(Part(evil, evil, (), 1),),
        subsets=(Subset(evil, 1, None, {evil: Figure(evil, 1.0)}),),
        notes=(evil,),
        unavailable=(Unavailable(evil, evil),),
        differences=(evil,),
    )
    text = render(made, 120)
    assert text.replace("\n", "").isprintable()
    assert text.count(r"a\x1b[31m\u202eb c") >= 12


@pytest.mark.parametrize(
    ("value", "told"),
    [(None, "n/a"), (math.nan, "n/a"), (math.inf, "n/a"), (0.75, "0.750"), (1234.5, "1,234.5")],
)
def test_numbers(value: float | None, told: str) -> None:
    assert number(value) == told


def test_intervals_durations_and_p_values() -> None:
    assert interval(0.7, 0.8) == "[0.70, 0.80]"
    assert interval(None, 0.8) == interval(0.1, math.nan) == ""
    assert [duration(s) for s in (1.2, 0.0351, 0.0042, 0.00042, 1e-7, 0, None)] == [
        "1,200", "35.1", "4.2", "0.42", "<0.01", "0", "n/a",
    ]  # fmt: skip
    assert [p_value(p) for p in (1.0, 0.0313, 0.004, 0.0005, None, math.nan)] == [
        "p = 1.000", "p = 0.031", "p = 0.004", "p < 0.001", "n/a", "n/a",
    ]  # fmt: skip
