"""An evaluation is a stream of events that can be closed, and goes on from there."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import cast

import pytest
from labelled import DOCUMENTS, QUESTIONS, STATEMENTS, write_rows

from veracite.engine.evaluation import predict
from veracite.engine.evaluation.figures import sum_up
from veracite.engine.evaluation.items import Answered, Asked, Predicting
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predict import ask
from veracite.engine.events import Predicted
from veracite.index.progress import SyncEvent
from veracite.models.verifier import Pair, Verifier

Events = Generator[SyncEvent | Predicted | Answered, None, None]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "statements.jsonl", STATEMENTS[:8])


def events(asked: Asked, models: Models, tmp_path: Path) -> Events:
    return cast(Events, ask(asked, models, tmp_path / "runs"))


def finish(asked: Asked, models: Models, tmp_path: Path) -> tuple[list[Predicted], Answered]:
    told = list(events(asked, models, tmp_path))
    last = told.pop()
    assert isinstance(last, Answered)
    return [event for event in told if isinstance(event, Predicted)], last


def test_a_failure_of_the_models_keeps_what_was_done(
    models: Models, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(predict, "_CHUNK", 3)
    asked = Asked("detect", (data,))
    kind = type(models.verifier)
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


def test_the_record_tells_what_the_run_was_of(models: Models, data: Path, tmp_path: Path) -> None:
    asked = Asked("detect", (data,), limit=4, predicting=Predicting(seed=3, k=2))
    _, answered = finish(asked, models, tmp_path)
    held = answered.record
    assert (held["seed"], held["settings"]["k"], held["settings"]["limit"]) == (3, 2, 4)
    assert held["models"] == list(models.ids)
    assert [file["name"] for file in held["data"]] == ["statements.jsonl"]
    assert len(held["data"][0]["sha256"]) == 64
    assert str(tmp_path) not in str(held)


def test_a_limit_keeps_the_order_and_for_one_library_the_documents_of_all(
    models: Models, tmp_path: Path
) -> None:
    data = write_rows(tmp_path / "questions.jsonl", QUESTIONS)
    scope = Predicting(scope="all")
    _, answered = finish(Asked("answer", (data,), limit=1, predicting=scope), models, tmp_path)
    texts = {source.text for source in answered.loaded.sources}
    assert texts == {DOCUMENTS[name] for name in ("mill", "bees", "school", "lighthouse")}
    assert sum_up(answered).items == 1
    _, own = finish(Asked("answer", (data,), limit=1), models, tmp_path)
    assert len({source.text for source in own.loaded.sources}) == 2
