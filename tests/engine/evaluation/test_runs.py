"""A run goes on where it was stopped, and belongs to one evaluation."""

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from veracite.engine.errors import CheckError, InputError
from veracite.engine.evaluation.items import Prediction
from veracite.engine.evaluation.runs import Run
from veracite.engine.methods.cost import Cost

IDENTITY = {"data": "3f2a", "seed": 0}


def _prediction(item: str, method: str = "overlap") -> Prediction:
    return Prediction(item, method, 0.25, None, 0.5, "Ünïcode\u2028text", ("a", "b"))


def test_predictions_come_back(tmp_path: Path) -> None:
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([_prediction("1"), _prediction("2")])
    with Run(tmp_path / "run", IDENTITY) as run:
        assert run.get("1", "overlap") == _prediction("1")
        assert run.has("2", ["overlap"])
        assert not run.has("2", ["overlap", "length"])
        assert run.get("3", "overlap") is None


@pytest.mark.parametrize("kept", range(0, 500, 7))
def test_a_stop_at_any_byte_loses_only_what_was_unfinished(tmp_path: Path, kept: int) -> None:
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([_prediction("1"), _prediction("2"), _prediction("3")])
    path = tmp_path / "run" / "predictions.jsonl"
    content = path.read_bytes()
    path.write_bytes(content[:kept])
    whole = content[:kept].count(b"\n")
    with Run(tmp_path / "run", IDENTITY) as run:
        assert len(run) == whole
        run.add([_prediction(str(n + 1)) for n in range(whole, 3)])
    assert path.read_bytes() == content


def test_what_follows_a_damaged_line_is_made_anew(tmp_path: Path) -> None:
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([_prediction("1"), _prediction("2"), _prediction("3")])
    path = tmp_path / "run" / "predictions.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0\0\0\n" + lines[2])
    with Run(tmp_path / "run", IDENTITY) as run:
        assert len(run) == 1
    assert path.read_bytes() == lines[0]


def test_other_settings_are_another_run(tmp_path: Path) -> None:
    Run(tmp_path / "run", IDENTITY).close()
    with pytest.raises(InputError, match="differs in seed") as raised:
        Run(tmp_path / "run", {**IDENTITY, "seed": 1})
    assert "--run" in raised.value.advice


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="no run"):
        Run(tmp_path, IDENTITY)
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_record_is_there_to_read(tmp_path: Path) -> None:
    Run(tmp_path / "run", IDENTITY).close()
    assert json.loads((tmp_path / "run" / "run.json").read_text()) == IDENTITY


def test_what_an_answer_cites_comes_back_too(tmp_path: Path) -> None:
    cost = Cost(calls=2, searches=3, seconds=0.25)
    cited = replace(
        _prediction("1"),
        cited=(0.5, 0.25),
        text="lone \ud800 surrogate",
        supported=(1, 2),
        cost=cost,
    )
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([cited])
    with Run(tmp_path / "run", IDENTITY) as run:
        assert run.get("1", "overlap") == cited


def test_only_its_owner_can_read_a_run(tmp_path: Path) -> None:
    with Run(tmp_path / "runs" / "run", IDENTITY) as run:
        run.add([_prediction("1")])
        folder = tmp_path / "runs" / "run"
        assert {stat.S_IMODE(f.stat().st_mode) for f in (folder, folder.parent)} == {0o700}
        assert {stat.S_IMODE(f.stat().st_mode) for f in folder.iterdir()} == {0o600}


def test_one_evaluation_at_a_time(tmp_path: Path) -> None:
    with Run(tmp_path / "run", IDENTITY):
        with pytest.raises(CheckError, match="Another evaluation is at work") as raised:
            Run(tmp_path / "run", IDENTITY)
        assert "--run" in raised.value.advice
    Run(tmp_path / "run", IDENTITY).close()


def test_a_stop_while_the_record_was_written_leaves_a_folder_that_can_be_used(
    tmp_path: Path,
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.partial").write_text('{"data"')
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([_prediction("1")])
    assert json.loads((tmp_path / "run" / "run.json").read_text()) == IDENTITY


@pytest.mark.parametrize("damaged", ["", "{", "[]", "null"])
def test_a_record_that_cannot_be_read_is_another_run(tmp_path: Path, damaged: str) -> None:
    Run(tmp_path / "run", IDENTITY).close()
    (tmp_path / "run" / "run.json").write_text(damaged)
    with pytest.raises(InputError, match="holds another run"):
        Run(tmp_path / "run", IDENTITY)


def test_a_place_that_is_no_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(CheckError, match="cannot be kept") as raised:
        Run(tmp_path / "file" / "run", IDENTITY)
    assert "--run" in raised.value.advice
