"""A run goes on where it was stopped, and its record says what it was of and not where or whose."""

import platform
import stat
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from labelled import DOCUMENTS, QUESTIONS, STATEMENTS, write_rows

from veracite.engine.errors import CheckError
from veracite.engine.evaluation import predict
from veracite.engine.evaluation.figures import sum_up
from veracite.engine.evaluation.items import Answered, Asked, Prediction
from veracite.engine.evaluation.predict import (
    Run,
    ask,
    code_digest,
    data_files,
    ids_of,
    without_folders,
)
from veracite.engine.events import Predicted
from veracite.engine.methods.cost import Cost
from veracite.engine.models import OpenModels
from veracite.models.verifier import Pair, Verifier

IDENTITY = {"data": "3f2a", "seed": 0}


def opened(folder: Path) -> closing[Run]:
    return closing(Run(folder, IDENTITY))


def _prediction(item: str) -> Prediction:
    return Prediction(item, "overlap", 0.25, None, 0.5, "Ünïcode\u2028text", ("a", "b"))


def test_predictions_come_back(tmp_path: Path) -> None:
    answer = replace(
        _prediction("2"),
        text="lone \ud800 surrogate",
        cited=(0.5, 0.25),
        supported=(1, 2),
        cost=Cost(calls=2, searches=3, seconds=0.25),
    )
    with opened(tmp_path / "run") as run:
        run.add([_prediction("1"), answer])
    with opened(tmp_path / "run") as run:
        assert run.done == {("1", "overlap"): _prediction("1"), ("2", "overlap"): answer}


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
    lines = content.splitlines(keepends=True)
    path.write_bytes(lines[0] + b"\0\0\0\n" + lines[2])
    with opened(tmp_path / "run") as run:
        assert [*run.done] == [("1", "overlap")], "what follows a damaged line is made anew"


def test_one_evaluation_at_a_time_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "runs" / "run"
    with opened(folder) as run:
        run.add([_prediction("1")])
        assert {stat.S_IMODE(f.stat().st_mode) for f in (folder, folder.parent)} == {0o700}
        assert {stat.S_IMODE(f.stat().st_mode) for f in folder.iterdir()} == {0o600}
        with pytest.raises(CheckError, match="Another evaluation is at work"):
            Run(folder, IDENTITY)
    Run(folder, IDENTITY).close()


def test_no_folder_is_recorded() -> None:
    words = "/home/ada/bin/veracite --report=/home/ada/r.html --data=~ada/c.json ../ada/x=1.json"
    told = [without_folders(word) for word in f"{words} no/partly=false --seed".split()]
    assert told == [
        "veracite", "--report=r.html", "--data=c.json", "x=1.json", "no/partly=false", "--seed",
    ]  # fmt: skip


def test_files_are_named_without_their_folder_and_hashed(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_bytes(b"{}")
    corpus = tmp_path / "beir"
    (corpus / "qrels").mkdir(parents=True)
    (corpus / "qrels" / "test.tsv").write_bytes(b"q\td\t1\n")
    (corpus / "corpus.jsonl").write_bytes(b"")
    (corpus / "LICENSE").write_bytes(b"free")
    assert [tuple(file.values()) for file in data_files([tmp_path / "one.json", corpus])] == [
        ("one.json", sha256(b"{}").hexdigest(), 2),
        ("beir/corpus.jsonl", sha256(b"").hexdigest(), 0),
        ("beir/qrels/test.tsv", sha256(b"q\td\t1\n").hexdigest(), 6),
    ]


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


def finish(asked: Asked, models: OpenModels, tmp_path: Path) -> tuple[list[Predicted], Answered]:
    *told, last = ask(asked, models, tmp_path / "runs")
    assert isinstance(last, Answered)
    return [event for event in told if isinstance(event, Predicted)], last


def test_a_failure_of_the_models_keeps_what_was_done(
    models: OpenModels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predict, "_CHUNK", 3)
    asked = Asked("detect", (write_rows(tmp_path / "statements.jsonl", STATEMENTS[:8]),))
    kind = type(models.open_verifier())
    score = kind.score

    def fail_at_the_second(self: Verifier, pairs: Sequence[Pair]) -> object:
        if any("ferry" in claim for _, claim in pairs):
            raise RuntimeError("the graph failed")
        return score(self, pairs)

    with monkeypatch.context() as patch:
        patch.setattr(kind, "score", fail_at_the_second)
        with pytest.raises(RuntimeError):
            finish(asked, models, tmp_path)
    progress, _ = finish(asked, models, tmp_path)
    assert progress[0] == Predicted(3, 8)


def test_the_record_tells_what_the_run_was_of(models: OpenModels, tmp_path: Path) -> None:
    data = write_rows(tmp_path / "statements.jsonl", STATEMENTS[:8])
    asked = Asked("detect", (data,), limit=4, seed=3)
    _, answered = finish(asked, models, tmp_path)
    held = answered.record
    assert (held["seed"], held["settings"]["k"], held["settings"]["limit"]) == (3, None, 4)
    assert held["models"] == ids_of(models)
    assert [file["name"] for file in held["data"]] == ["statements.jsonl"]
    assert held["machine"]["cores"] >= 1
    assert str(tmp_path) not in str(held)
    assert platform.node() not in str(held["machine"])


def test_a_limit_keeps_for_one_library_the_documents_of_all(
    models: OpenModels, tmp_path: Path
) -> None:
    data = write_rows(tmp_path / "questions.jsonl", QUESTIONS)
    _, answered = finish(Asked("answer", (data,), limit=1, scope="all"), models, tmp_path)
    texts = {source.text for source in answered.loaded.sources}
    assert texts == {DOCUMENTS[name] for name in ("mill", "bees", "school", "lighthouse")}
    assert sum_up(answered).items == 1
    _, own = finish(Asked("answer", (data,), limit=1), models, tmp_path)
    assert len({source.text for source in own.loaded.sources}) == 2
