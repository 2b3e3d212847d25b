"""Measures what a language model's say does to verdicts: the same items with and without it.

    python scripts/measure_say.py --model FILE.gguf --data SET [SET ...] [--items 60]
    python scripts/measure_say.py --perfect --data SET [SET ...]
    python scripts/measure_say.py --model FILE.gguf --alone --task detect --data SET [SET ...]

The model has to have taken its exam (``veracite models test FILE.gguf``). With ``--perfect`` one is
asked that knows what is supported, and has the say that it earns in the same exam; with ``--alone``
the model judges all by itself, as in CEG (section 3.3). Half of the items are true, drawn by a
seed; each is judged by its own documents. SET is what ``veracite eval TASK`` reads.
"""

import argparse
import random
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from veracite.engine import exam
from veracite.engine.bootstrap import Floats, bootstrap, difference, roc_auc
from veracite.engine.evaluation import items
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.predict import apart, claims_of
from veracite.engine.events import Steps
from veracite.engine.judge.cascade import ModelJudge, Opinion, listen
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Judgement, Label, Scores, Task
from veracite.index.memory import MemoryLibrary


@dataclass(frozen=True, slots=True)
class Perfect:
    """A scripted model that knows whether what it is asked is supported; an empty passage tells
    it nothing."""

    truth: bool

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        """What it says of the claims by their passages."""
        yield from ()
        said = {"": Scores(1 / 3, 1 / 3, 1 / 3)}
        sure = Scores(0.96, 0.02, 0.02) if self.truth else Scores(0.02, 0.96, 0.02)
        rows = [tuple(said.get(passage.text, sure) for passage in t.passages) for t in tasks]
        return tuple(Judgement(row, None) for row in rows)


def measured() -> Generator[object, None, None]:
    """Judges each set both ways and prints what that changes; yields what happens meanwhile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model")
    parser.add_argument("--perfect", action="store_true")
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--task", choices=("attribute", "detect"), default="attribute")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--items", type=int, default=60, help="of each set")
    given = parser.parse_args()
    settings = CheckSettings(model=given.model, judge="gguf" if given.alone else None)
    with closing(OpenModels(settings, Paths.resolve())) as models:
        yield from models.open_generator()
        second = (yield from perfect(models)) if given.perfect else models.second(models.judge())
        if second is None:
            raise SystemExit("It has no say: nothing would differ.")
        print(second.id, second.says)
        for data in given.data:
            print(data.name, flush=True)
            statements, rows = drawn(given.task, data, given.items), []
            libraries = apart([one.sources for one in statements], models.open_encoder())
            for statement, library in zip(statements, libraries, strict=True):
                rows.append((yield from judged(statement, library, models, second)))
            compare(statements, np.array(rows))


def perfect(models: OpenModels) -> Generator[object, None, ModelJudge]:
    """A model that knows what is supported, after its exam."""
    judging, heard = exam.items()[0], list[Floats]()
    judge = replace(models.judge(), sentences=exam.sentences_of)
    readings = yield from exam.verified(judge, models.open_encoder().encode, judging)
    for item, one in zip(judging, readings, strict=True):
        heard += (yield from listen(Perfect(item.label is Label.SUPPORTED), [one], [(0,)]))[1]
    model = np.concatenate(heard)
    says = exam.judgement(judging, readings, model, model[:, 0]).says
    return ModelJudge(Perfect(True), "perfect", 0, judge, says=says)


def drawn(task: items.Task, data: Path, count: int) -> list[items.Statement]:
    """So many statements of a set, half of them true."""
    found = [one for one in load(task, [data]).items if isinstance(one, items.Statement)]
    random.Random(25).shuffle(found)
    halves = ([item for item in found if item.truth is truth] for truth in (True, False))
    return [item for half in halves for item in half[: count // 2]]


def judged(
    statement: items.Statement, library: MemoryLibrary, models: OpenModels, second: ModelJudge
) -> Generator[object, None, list[tuple[float, bool]]]:
    """How probable a statement is, and whether it is called supported: without the say, with it."""
    claims, first = claims_of(statement), models.judge(library)
    skills = Perfect(statement.truth) if isinstance(second.skills, Perfect) else second.skills
    second = replace(second, first=first, skills=skills)
    found = [*first.judge(claims, models.search(library).gather(claims))]
    asked = [Opinion(v, reading) for _, v, reading in found if reading and second.wants(v)]
    ruled = yield from second.judge(asked)
    without, left = [verdict for _, verdict, _ in found], [one.verdict for one in asked]
    ways = without, [*(v for v in without if v not in left), *(one.verdict for one in ruled)]
    least = [min((v.scores.supported if v.scores else 0.0 for v in w), default=0.0) for w in ways]
    called = [{verdict.label for verdict in way} == {Label.SUPPORTED} for way in ways]
    return [*zip(least, called, strict=True)]


def compare(statements: Sequence[items.Statement], rows: Floats) -> None:
    """Prints how well true statements are told from others, by probability and by label.

    Args:
        rows: Of each statement what ``judged`` gives, shape (statements, 2, 2).
    """
    truth = np.array([statement.truth for statement in statements])
    groups = [statement.group for statement in statements]
    for way, name in enumerate(("without", "with")):
        right, wrong = (int(rows[own, way, 1].sum()) for own in (truth, ~truth))
        print(f"{name} the say {right} true ones and {wrong} others are called supported")
    for place, name in enumerate(("AUC", "balanced accuracy")):  # which is the AUC of labels
        ways = [roc_auc(rows[:, way, place], truth) for way in (0, 1)]
        before, after = (bootstrap(one, groups) for one in ways)
        gain = bootstrap(difference(*reversed(ways)), groups)
        told = "better" if gain.low > 0 else "worse" if gain.high < 0 else "no different"
        print(f"{name} {before} without, {after} with: {gain.estimate:+.3f} ({gain.low:+.3f} to "
              f"{gain.high:+.3f}), {told} beyond chance", flush=True)  # fmt: skip


if __name__ == "__main__":
    list(measured())
