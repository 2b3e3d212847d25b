"""Exams of a few items, and the outcomes of language models, as if they had been taken."""

from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from veracite.engine import exam
from veracite.engine.bootstrap import Interval
from veracite.engine.exam_outcome import Judging, Outcome, Reader
from veracite.engine.judge.decision import Say
from veracite.engine.paths import Paths

SOME = Interval(0.8, 0.7, 0.9)
Items = tuple[list[exam.Judged], list[exam.Exercise]]


def shortened(monkeypatch: pytest.MonkeyPatch, premises: int) -> Items:
    """An exam of the shortest premises, with their claims, and one exercise of each kind."""
    judging, writing = exam.items()
    judging.sort(key=lambda item: (len(item.premise), item.group))
    some = judging[: 3 * premises], [*{type(item): item for item in writing}.values()]
    monkeypatch.setattr(exam, "items", lambda **_: some)
    return some


def passed(
    file: Path, paths: Paths, *weights: float, auc: float = 0.8, by: str | None = None
) -> Outcome:
    """Keep that a model took its exam and got these weights; it is opened for that.

    Args:
        auc: Of its own judgement; the verifier's is 0.8.
        by: What the outcome holds for, if not for things as they are.
    """
    with closing(exam.opened(file, paths)) as models:
        list(models.open_generator(writes=True))
        assert models.generator is not None
        sha256 = models.generator.sha256
        reader, own = Reader(SOME, 0.1), Reader(Interval(auc, auc, auc), 0.1)
        says = (Say(weights[0]), Say(weights[1]))
        judging = Judging(9, reader, own, reader, SOME, says)
        conditions = (by,) if by else models.conditions
        outcome = Outcome(models.generator.id, sha256, conditions, False, judging, {}, 1.0, 1.0, 1)
    folder = paths.models / ".exams"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{sha256}.json").write_bytes(msgspec.json.encode(outcome))
    return outcome
