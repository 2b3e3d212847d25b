"""A run goes on where it was stopped, and belongs to one evaluation."""

import platform
import stat
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from veracite.engine.errors import CheckError, InputError
from veracite.engine.evaluation.items import DataFile, Prediction
from veracite.engine.evaluation.predict import (
    Run,
    code_digest,
    data_files,
    this_machine,
    without_folders,
)
from veracite.engine.methods.cost import Cost

IDENTITY = {"data": "3f2a", "seed": 0}


def opened(folder: Path) -> closing[Run]:
    return closing(Run(folder, IDENTITY))


def _prediction(item: str, method: str = "overlap") -> Prediction:
    return Prediction(item, method, 0.25, None, 0.5, "Ünïcode\u2028text", ("a", "b"))


def test_predictions_come_back(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as run:
        run.add([_prediction("1"), _prediction("2")])
    with opened(tmp_path / "run") as run:
        assert run.done["1", "overlap"] == _prediction("1")
        assert [*run.done] == [("1", "overlap"), ("2", "overlap")]


@pytest.mark.parametrize("kept", range(0, 800, 53))
def test_a_stop_at_any_byte_loses_only_what_was_unfinished(tmp_path: Path, kept: int) -> None:
    with opened(tmp_path / "run") as run:
        run.add([_prediction("1"), _prediction("2"), _prediction("3")])
    path = tmp_path / "run" / "predictions.jsonl"
    content = path.read_bytes()
    path.write_bytes(content[:kept])
    whole = content[:kept].count(b"\n")
    with opened(tmp_path / "run") as run:
        assert len(run.done) == whole
        run.add([_prediction(str(n + 1)) for n in range(whole, 3)])
    assert path.read_bytes() == content


def test_what_follows_a_damaged_line_is_made_anew(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as run:
        run.add([_prediction("1"), _prediction("2"), _prediction("3")])
    path = tmp_path / "run" / "predictions.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0\0\0\n" + lines[2])
    with opened(tmp_path / "run") as run:
        assert [*run.done] == [("1", "overlap")]
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


def test_what_an_answer_cites_comes_back_too(tmp_path: Path) -> None:
    cost = Cost(calls=2, searches=3, seconds=0.25)
    cited = replace(
        _prediction("1"),
        cited=(0.5, 0.25),
        text="lone \ud800 surrogate",
        supported=(1, 2),
        cost=cost,
    )
    with opened(tmp_path / "run") as run:
        run.add([cited])
    with opened(tmp_path / "run") as run:
        assert run.done["1", "overlap"] == cited


def test_only_its_owner_can_read_a_run(tmp_path: Path) -> None:
    with opened(tmp_path / "runs" / "run") as run:
        run.add([_prediction("1")])
        folder = tmp_path / "runs" / "run"
        assert {stat.S_IMODE(f.stat().st_mode) for f in (folder, folder.parent)} == {0o700}
        assert {stat.S_IMODE(f.stat().st_mode) for f in folder.iterdir()} == {0o600}


def test_one_evaluation_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path / "run"):
        with pytest.raises(CheckError, match="Another evaluation is at work") as raised:
            Run(tmp_path / "run", IDENTITY)
        assert "--run" in raised.value.advice
    Run(tmp_path / "run", IDENTITY).close()


@pytest.mark.parametrize("damaged", ["", "{", "[]", "null"])
def test_a_record_that_cannot_be_read_is_another_run(tmp_path: Path, damaged: str) -> None:
    Run(tmp_path / "run", IDENTITY).close()
    (tmp_path / "run" / "run.json").write_text(damaged)
    with pytest.raises(InputError, match="holds another run"):
        Run(tmp_path / "run", IDENTITY)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("/home/ada/bin/veracite", "veracite"),
        ("--report=/home/ada/r.html", "--report=r.html"),
        ("--data=~ada/c.json", "--data=c.json"),
        ("../ada/x=1.json", "x=1.json"),
        ("no/partly=false", "no/partly=false"),
        ("--seed", "--seed"),
    ],
)
def test_no_folder_is_recorded(word: str, told: str) -> None:
    assert without_folders(word) == told


def test_files_are_named_without_their_folder_and_hashed(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(b"{}")
    corpus = tmp_path / "beir"
    (corpus / "qrels").mkdir(parents=True)
    (corpus / "qrels" / "test.tsv").write_bytes(b"q\td\t1\n")
    (corpus / "corpus.jsonl").write_bytes(b"")
    (corpus / "LICENSE").write_bytes(b"free")
    assert tuple(data_files([tmp_path / "one.json", corpus])) == (
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
        "engine/evaluation/predict.py", "engine/evaluation/formats.py",
    )]  # fmt: skip
    assert len({*seen}) == len(seen)
    assert changed("engine/evaluation/figures.py") == seen[-1]
    assert changed("tui/app.py") == seen[-1]
    (tmp_path / "models/onnx.py").rename(tmp_path / "models/other.py")
    assert code_digest(tmp_path) not in seen


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no file .*absent\.json"):
        list(data_files([tmp_path / "absent.json"]))


def test_the_machine_is_told_without_its_name() -> None:
    assert this_machine()["cores"] >= 1
    assert platform.node() not in str(this_machine())
