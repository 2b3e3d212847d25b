"""A result as JSON and back, as a table, and as a page that runs nothing whatever the data hold."""

import base64
import hashlib
import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from lxml import html

from veracite.engine.errors import InputError
from veracite.engine.evaluation.items import (
    Comparison,
    Curve,
    DataFile,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Result,
    Subset,
    Unavailable,
    as_json,
    from_json,
)
from veracite.engine.evaluation.report import duration, lines, number, p_value, page, plot

RESULT = Result(
    task="attribute",
    format="tiny",
    files=(DataFile("tiny.jsonl", "ab" * 32, 120),),
    label_map={"yes": True, "partly": False, "no": False},
    items=4,
    positives=0.25,
    methods=(
        MethodResult(
            method="veracite",
            figures=(Figure("balanced accuracy", 0.75, 0.5, 1.0), Figure("ROC-AUC", None)),
            n=2,
            problems=1,
            seconds_per_item=0.03,
            threshold=0.4,
            threshold_from="first half of the groups",
            compared=(Comparison("overlap", "balanced accuracy", 0.1, -0.1, 0.3, 0.5),),
        ),
        MethodResult("overlap", (Figure("balanced accuracy", 0.65, note="of words"),), 2),
        MethodResult("always", (), 2, trivial=True),
    ),
    parts=(
        Part("thresholds", "first half of the groups", ("a", "b"), 2, 0.0),
        Part("results", "second half of the groups", ("c",), 2, 0.5),
    ),
    curves=(
        Curve("roc", "veracite", ((0.0, 0.0), (0.0, 1.0), (1.0, 1.0)), Figure("ROC-AUC", 1.0)),
        Curve("reliability", "veracite", ((0.2, 0.1, 7.0), (0.8, None, 0.0))),
    ),
    subsets=(Subset("one", 2, None, {"veracite": Figure("balanced accuracy", 0.7)}),),
    mistakes=(Mistake("c1", "veracite", "It rained.", "no", "supported", 0.9, 0.8),),
    notes=("1 row could not be read.",),
    unavailable=(Unavailable("MAUVE", "needs a model"),),
    differences=("[0] is a wrong citation.",),
    record={"seed": 7, "settings": {"k": 6, "limit": None}, "models": ["m@1"]},
)
"""Every field is set somewhere."""


def through_json(result: Result) -> Result:
    return from_json(json.loads(json.dumps(as_json(result), allow_nan=False)))


def changed(**fields: object) -> Any:
    return {**json.loads(json.dumps(as_json(RESULT))), **fields}


def test_a_result_comes_back_from_json_as_it_was() -> None:
    assert through_json(RESULT) == RESULT


def test_the_schema_comes_first() -> None:
    assert next(iter(as_json(RESULT).items())) == ("schema", "veracite.evaluation/1")


def test_mappings_have_one_order_however_they_were_filled() -> None:
    other = replace(
        RESULT,
        label_map=dict(reversed([*RESULT.label_map.items()])),
        record=dict(reversed([*RESULT.record.items()])),
    )
    assert json.dumps(as_json(other)) == json.dumps(as_json(RESULT))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan"), None])
def test_what_is_not_finite_is_null(value: float | None) -> None:
    result = replace(RESULT, positives=value)
    assert as_json(result)["positives"] is None
    assert through_json(result).positives is None


def test_floats_have_six_decimals_and_no_negative_zero() -> None:
    half: Any = np.float32(0.5)
    three: Any = np.int64(3)
    method = MethodResult("m", (Figure("f", 0.12345678, -1e-9, half),), three)
    (written,) = as_json(replace(RESULT, methods=(method,)))["methods"]
    (figure,) = written["figures"]
    assert [figure["value"], str(figure["low"]), figure["high"]] == [0.123457, "0.0", 0.5]
    assert (written["n"], type(written["n"])) == (3, int)


def test_fields_of_a_later_version_are_passed_over() -> None:
    assert from_json(changed(later=1)) == RESULT


@pytest.mark.parametrize(
    "value",
    [
        [],
        None,
        changed(schema="veracite.report/1"),
        changed(methods=[{"method": "m"}]),
        changed(positives="many"),
        changed(label_map=[]),
    ],
)
def test_what_is_no_result_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="no result of an evaluation") as refused:
        from_json(value)
    assert "veracite eval --json" in refused.value.advice


def test_the_base_rate_is_that_of_the_part_for_results() -> None:
    assert RESULT.base_rate == 0.5
    assert replace(RESULT, parts=()).base_rate == 0.25


def test_figures_are_found_by_name() -> None:
    assert RESULT.methods[0].figure("balanced accuracy") == Figure(
        "balanced accuracy", 0.75, 0.5, 1.0
    )
    assert RESULT.methods[0].figure("accuracy") is None


HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"


def shown(result: Result, width: int = 80) -> str:
    return "\n".join(line.text for line in lines(result, width))


def test_every_figure_stands_in_the_table_within_the_width() -> None:
    text = shown(RESULT)
    assert max(map(len, text.splitlines())) <= 80
    for said in ("0.750 [0.50, 1.00]", "n/a", "+0.100 [-0.100, +0.300]", "p = 0.500", "always*"):
        assert said in text
    assert "Threshold" in text
    assert "Not available: MAUVE (needs a model)" in text
    assert "veracite gave no prediction for 1 of 2 items" in text


def test_a_table_that_is_too_wide_is_printed_in_blocks() -> None:
    figures = tuple(Figure(f"figure {n}", 0.5, 0.4, 0.6) for n in range(9))
    text = shown(replace(RESULT, methods=(MethodResult("veracite", figures, 2),)))
    assert max(map(len, text.splitlines())) <= 80
    assert text.count("Method ") > 1


def test_numbers_are_as_long_as_they_need() -> None:
    assert [number(v) for v in (None, 0.12345, 1234.5)] == ["n/a", "0.123", "1,234.5"]
    assert [duration(v) for v in (None, 0.0351, 1.204)] == ["n/a", "35.1", "1,204"]
    assert [p_value(v) for v in (0.0312, 1e-9)] == ["p = 0.031", "p < 0.001"]


def test_the_page_holds_figures_and_plots_and_allows_no_script() -> None:
    made = page(RESULT)
    assert made == page(RESULT), "the same result is the same page"
    tree = html.fromstring(made.encode())
    (policy,) = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    style = tree.xpath("//style")[0].text
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert tree.xpath("//figure/figcaption/text()") == [
        "Receiver operating characteristic", "Reliability",
    ]  # fmt: skip
    assert all(src.startswith("data:image/svg+xml") for src in tree.xpath("//img/@src"))


def test_what_the_data_hold_is_neutralised() -> None:
    hostile = replace(
        RESULT,
        format=HOSTILE,
        notes=(HOSTILE,),
        mistakes=(Mistake(HOSTILE, "veracite", HOSTILE, HOSTILE, HOSTILE, 0.9, 0.8),),
        curves=(Curve("roc", HOSTILE, ((0.0, 0.0), (1.0, 1.0)), Figure("AUC-ROC", 1.0)),),
    )
    made = page(hostile)
    assert not html.fromstring(made.encode()).xpath("//script")
    for held in (made, shown(hostile)):
        assert "\u202e" not in held
        assert "\x1b" not in held


def test_what_is_not_defined_is_not_drawn() -> None:
    empty = replace(RESULT, curves=(Curve("roc", "veracite", ()),))
    assert plot(empty, "roc") is None
    assert "not drawn, since it is not defined" in page(empty)
