"""A result survives being written as JSON."""

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from veracite.engine.errors import InputError
from veracite.engine.evaluation.results import (
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
