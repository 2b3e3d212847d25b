"""The table fits its terminal, stands in columns, and leaves nothing out."""

import math
import unicodedata
from dataclasses import replace

import pytest

from veracite.engine.evaluation.report import duration, figure_names, number, p_value, render
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

NAMES = ("balanced accuracy", "ROC-AUC", "expected calibration error", "CEG's area")


def method(name: str, value: float, **changes: object) -> MethodResult:
    figures = tuple(
        Figure(figure, value + place / 1000, value - 0.05, value + 0.05)
        for place, figure in enumerate(NAMES)
    )
    return replace(MethodResult(name, figures, 958), **changes)  # type: ignore[arg-type]


OURS = method(
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
)
RESULT = Result(
    task="detect",
    format="tiny",
    files=(DataFile("tiny.json", "ab" * 32, 2_500_000),),
    label_map={"minor": False, "major": False, "accurate": True},
    items=1908,
    positives=0.271,
    methods=(
        OURS,
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
    differences=("[0] is a wrong citation.",),
)


def cells(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def starting(text: str, beginning: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(beginning)]


def test_the_head_says_what_the_figures_are_of() -> None:
    assert render(RESULT, 120).splitlines()[:5] == [
        "detect on tiny: 1,908 items, 27.1 % of them true",
        "Data: tiny.json, 2.5 MB, SHA-256 abababababab...",
        "Labels: taken for true: accurate; for false: major, minor",
        "For thresholds: first half of the groups (2 groups, 950 items, 28.0 % true)",
        "For results: second half of the groups (1 group, 1 item)",
    ]
    many = tuple(DataFile(f"{n}.json", "ab", 1) for n in range(9))
    shown = starting(render(replace(RESULT, files=many)), "Data")
    assert len(shown) == 6
    assert shown[-1] == "Data: 4 more files (--report and --json list them)"


def test_figures_stand_under_their_names_with_their_intervals() -> None:
    lines = render(RESULT, 200).splitlines()
    names, ours, overlap, always = lines[lines.index(starting("\n".join(lines), "Method")[0]) :][:4]
    for place, name in enumerate(NAMES[:2]):
        assert ours[names.index(name) :].startswith(f"{0.75 + place / 1000:.3f} [0.70, 0.80]")
    assert overlap.startswith("overlap* ")
    assert always[names.index(NAMES[1]) :].startswith("n/a  ")
    assert [row.split()[-1] for row in (ours, overlap, always)] == ["35.1", "<0.01", "n/a"]
    assert [row[names.index("Items") :][:5] for row in (ours, overlap)] == ["  958", "  958"]
    assert "* understands nothing; it shows what a figure is worth" in lines


@pytest.mark.parametrize("width", [20, 80, 100, 200, 400])
def test_no_line_is_wider_than_the_terminal_and_every_figure_is_there(width: int) -> None:
    wide = "全" * 60
    result = replace(RESULT, methods=(*RESULT.methods, method(wide, 0.5)), notes=(wide * 4,))
    lines = render(result, width).splitlines()
    assert max(map(cells, lines)) <= max(80, min(width, 200))
    for name in NAMES:
        assert all(any(word in line for line in lines) for word in name.split())


def test_leads_and_sets_have_tables_of_their_own() -> None:
    lines = render(RESULT, 100).splitlines()
    at = lines.index("Leads in balanced accuracy, with 95 % intervals and McNemar's exact test")
    assert [line.split() for line in lines[at + 2 : at + 4]] == [
        "veracite over overlap +0.063 [+0.001, +0.123] p = 0.031".split(),
        "veracite over length -0.020 [-0.030, +0.000] p < 0.001".split(),
    ]
    at = lines.index("By set: balanced accuracy")
    assert [line.split() for line in lines[at + 2 : at + 4]] == [
        ["CNN", "500", "40.0", "%", "0.700"],
        ["日本語", "458", "n/a", "0.800"],
    ]


def test_what_a_reader_must_know_stands_below() -> None:
    text = render(RESULT, 200)
    for line in (
        "Thresholds, from the first half of the groups: veracite 0.431",
        "Note: veracite gave no prediction for 2 of 958 items",
        "Note: 3 rows could not be read.",
        "Not available: MAUVE (needs a model)",
    ):
        assert line in text
    assert "by the papers' scripts in 1 ways" in text


def test_what_comes_from_data_is_neutralised() -> None:
    text = render(replace(RESULT, format="\x1b[31mred\u202e", notes=("a\x07b",)))
    assert text.replace("\n", "").isprintable()


def test_numbers_in_words() -> None:
    assert [number(v) for v in (None, math.inf, 0.1234, 12.34)] == ["n/a", "n/a", "0.123", "12.3"]
    assert [duration(v) for v in (None, 0, 1e-6, 0.0004, 0.0351, 1.2044)] == [
        "n/a", "0", "<0.01", "0.40", "35.1", "1,204",
    ]  # fmt: skip
    assert [p_value(v) for v in (None, 0.5, 0.0001)] == ["n/a", "p = 0.500", "p < 0.001"]


def test_a_figure_that_only_a_later_method_has_stands_where_it_has_it() -> None:
    one = MethodResult("a", (Figure("x", 1), Figure("z", 1)), 1)
    two = MethodResult("b", (Figure("x", 1), Figure("y", 1), Figure("z", 1)), 1)
    assert figure_names(replace(RESULT, methods=(one, two))) == ["x", "y", "z"]
