"""A run goes on where it was stopped, and belongs to one evaluation."""

import json
import platform
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from veracite.engine.errors import CheckError, InputError
from veracite.engine.evaluation.items import DataFile, Prediction
from veracite.engine.evaluation.predict import (
    Run,
    code_digest,
    data_files,
    identity,
    record,
    this_machine,
)
from veracite.engine.methods.cost import Cost

IDENTITY = {"data": "3f2a", "seed": 0}


def _prediction(item: str, method: str = "overlap") -> Prediction:
    return Prediction(item, method, 0.25, None, 0.5, "Ünïcode\u2028text", ("a", "b"))


def test_predictions_come_back(tmp_path: Path) -> None:
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([_prediction("1"), _prediction("2")])
    with Run(tmp_path / "run", IDENTITY) as run:
        assert run.get("1", "overlap") == _prediction("1")
        assert run.knows("2", "overlap")
        assert not run.knows("2", "length")
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
        assert sum(run.knows(str(n), "overlap") for n in (1, 2, 3)) == whole
        run.add([_prediction(str(n + 1)) for n in range(whole, 3)])
    assert path.read_bytes() == content


def test_what_follows_a_damaged_line_is_made_anew(tmp_path: Path) -> None:
    with Run(tmp_path / "run", IDENTITY) as run:
        run.add([_prediction("1"), _prediction("2"), _prediction("3")])
    path = tmp_path / "run" / "predictions.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0\0\0\n" + lines[2])
    with Run(tmp_path / "run", IDENTITY) as run:
        assert run.knows("1", "overlap")
        assert not run.knows("3", "overlap")
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
    with pytest.raises(CheckError, match="cannot be saved") as raised:
        Run(tmp_path / "file" / "run", IDENTITY)
    assert "--run" in raised.value.advice


def recorded(**changes: Any) -> dict[str, Any]:
    given: dict[str, Any] = {
        "command": ["/home/ada/bin/veracite", "eval", "detect"],
        "files": [DataFile("a.json", "cd" * 32, 9)],
        "models": ["verifier@12"],
        "settings": {"k": 6},
        "seed": 7,
        "clock": lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    }
    return record(**{**given, **changes})


def test_a_record_is_a_function_of_what_it_is_given() -> None:
    assert json.dumps(recorded()) == json.dumps(recorded())
    assert recorded()["data"] == [{"name": "a.json", "sha256": "cd" * 32, "bytes": 9}]
    assert set(recorded()["libraries"]) >= {"numpy", "onnxruntime"}


def test_the_start_is_in_utc() -> None:
    east = timezone(timedelta(hours=5))
    late = recorded(clock=lambda: datetime(2026, 1, 2, 3, 4, 5, tzinfo=east))
    assert late["started"] == "2026-01-01T22:04:05Z"


def test_no_folder_is_recorded() -> None:
    made = recorded(
        command=[
            "/home/ada/bin/veracite",
            "--data",
            "/home/ada/a.json",
            "--report=/home/ada/r.html",
            "--data=~ada/c.json",
            "ada/b.json",
            "../ada/x=1.json",
            "--seed",
            "7",
        ],
        settings={"file": Path("/home/ada/d.json"), "all": ["/home/ada/e"], "in": {"f": "~ada/f"}},
        models=["/home/ada/m.gguf"],
    )
    assert "ada" not in json.dumps(made)
    assert made["command"] == (
        "veracite --data a.json --report=r.html --data=c.json b.json x=1.json --seed 7"
    )
    assert made["settings"] == {"all": ["e"], "file": "d.json", "in": {"f": "f"}}
    assert made["models"] == ["m.gguf"]


def test_names_with_a_slash_that_are_no_folders_stay() -> None:
    made = recorded(command=["--label", "no/partly=false"], models=["hub/model@1"])
    assert made["command"] == "--label no/partly=false"
    assert made["models"] == ["hub/model@1"]


def test_the_identity_is_what_predictions_depend_on() -> None:
    elsewhere = recorded(command=["other"], clock=lambda: datetime(2027, 1, 1, tzinfo=UTC))
    assert identity(elsewhere) == identity(recorded())
    for change in (
        {"seed": 8},
        {"models": ["verifier@13"]},
        {"settings": {"k": 5}},
        {"files": [DataFile("a.json", "ce" * 32, 9)]},
    ):
        assert identity(recorded(**change)) != identity(recorded())


def test_files_are_named_without_their_folder_and_hashed(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(b"{}")
    corpus = tmp_path / "beir"
    (corpus / "qrels").mkdir(parents=True)
    (corpus / "qrels" / "test.tsv").write_bytes(b"q\td\t1\n")
    (corpus / "corpus.jsonl").write_bytes(b"")
    (corpus / "LICENSE").write_bytes(b"free")
    assert data_files([tmp_path / "one.json", corpus]) == (
        DataFile("one.json", sha256(b"{}").hexdigest(), 2),
        DataFile("beir/corpus.jsonl", sha256(b"").hexdigest(), 0),
        DataFile("beir/qrels/test.tsv", sha256(b"q\td\t1\n").hexdigest(), 6),
    )


def test_other_code_has_another_digest_unless_it_only_shows(tmp_path: Path) -> None:
    def changed(name: str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.read_text() if path.exists() else ''}#")
        return code_digest(tmp_path)

    seen = [changed(name) for name in (
        "engine/judge/judge.py", "engine/judge/judge.py", "engine/judge/decision.json",
        "index/readers/pdf.py", "models/onnx.py", "engine/types.py",
        "engine/evaluation/statements.py", "engine/evaluation/formats.py",
    )]  # fmt: skip
    assert len({*seen}) == len(seen)
    assert changed("engine/evaluation/answer_figures.py") == seen[-1]
    assert changed("tui/app.py") == seen[-1]
    (tmp_path / "models/onnx.py").rename(tmp_path / "models/other.py")
    assert code_digest(tmp_path) not in seen


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.json cannot be read"):
        data_files([tmp_path / "absent.json"])


def test_the_machine_is_told_without_its_name() -> None:
    machine = this_machine()
    assert set(machine) == {"cpu", "cores", "architecture", "system", "python"}
    assert machine["cores"] >= 1
    assert platform.node() not in str(machine)
