"""A person's own calibration: what it does to scores, and which files are none."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from veracite.engine.errors import InputError, SettingsError
from veracite.engine.judge.tuning import SCHEMA, Calibration, Tuning, read_tuning
from veracite.engine.types import Scores

MODELS = ("verifier@1", "decision@2")
STEEP = Calibration(slope=2.0, intercept=-1.0)
FLAT = Calibration(slope=0.0, intercept=0.0)


def tuning(calibration: Calibration) -> Tuning:
    return Tuning(calibration, 0.6, "abc")


@pytest.mark.parametrize("calibration", [STEEP, FLAT])
def test_more_support_is_never_less_probable_and_all_sum_to_one(calibration: Calibration) -> None:
    raw = np.linspace(0, 1, 101).tolist()
    made = [tuning(calibration).apply(Scores(p, 0.7 * (1 - p), 0.3 * (1 - p))) for p in raw[:-1]]
    supported = [scores.supported for scores in made]
    assert supported == sorted(supported)
    for scores in made:
        left = 1 - scores.supported  # which the others share as before
        others = (scores.neutral, scores.contradicted)
        assert others == pytest.approx((0.7 * left, 0.3 * left), abs=1e-9)
    assert tuning(FLAT).apply(Scores(1.0, 0.0, 0.0)) == Scores(0.5, 0.5, 0.0)


def held(**changes: Any) -> dict[str, Any]:
    made = {
        "schema": SCHEMA,
        "models": list(MODELS),
        "calibration": asdict(STEEP),
        "supported_from": 0.7,
    }
    return {**made, **changes}


def written(folder: Path, content: object) -> Path:
    path = folder / "own.json"
    content = content if isinstance(content, (str, bytes)) else json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("models", [MODELS[:1], MODELS[::-1], ("verifier@2", "decision@2"), ()])
def test_other_models_are_refused(tmp_path: Path, models: tuple[str, ...]) -> None:
    path = written(tmp_path, held())
    with pytest.raises(InputError, match=r"own\.json was fitted for other models") as refused:
        read_tuning(path, models)
    assert "veracite eval calibrate" in refused.value.advice


@pytest.mark.parametrize(
    "content",
    [
        "",
        json.dumps(held())[:-20],
        held(schema="veracite.report/1"),
        held(supported_from="often"),
        held(supported_from=float("nan")),
        held(calibration={"kind": "isotonic", "points": [[0.5, 0.9]]}),
        held(calibration={"slope": -1.0, "intercept": 0.0}),
        {key: value for key, value in held().items() if key != "models"},
        "[" * 100_000,
        b"\xff\xfe\x00",
    ],
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, content: object) -> None:
    with pytest.raises(InputError, match="is no calibration of this version") as refused:
        read_tuning(written(tmp_path, content), MODELS)
    assert "veracite eval calibrate" in refused.value.advice


@pytest.mark.parametrize("name", ["absent.json", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="cannot be read") as refused:
        read_tuning(tmp_path / name, MODELS)
    assert str(tmp_path) in refused.value.message
