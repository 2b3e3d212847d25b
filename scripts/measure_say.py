"""Measures what a language model's say does to verdicts: the same items with and without it.

    python scripts/measure_say.py --model FILE.gguf --data SET [SET ...] [--items 60]
    python scripts/measure_say.py --perfect --data SET [SET ...]

The model has to have taken its exam (``veracite models test FILE.gguf``). With ``--perfect`` one is
asked that knows what is supported, and has the say that it earns in the same exam. Half of the
items are true, drawn by a seed; each is judged by its own documents. SET is what
``veracite eval attribute`` reads.
"""

import argparse
import random
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from veracite.engine import exam
from veracite.engine.bootstrap import bootstrap, difference, roc_auc
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import apart, claims_of
from veracite.engine.events import Steps
from veracite.engine.judge.cascade import ModelJudge, Opinion, listen
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Judgement, Label, Scores, Task, Verdict
from veracite.index.memory import MemoryLibrary

SEED = 25
Ways = tuple[list[Verdict], list[Verdict]]
"""The verdicts on the claims of a statement, without the say and with it."""


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


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model")
    parser.add_argument("--perfect", action="store_true")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--items", type=int, default=60, help="of each set")
    given = parser.parse_args()
    with closing(OpenModels(CheckSettings(model=given.model), Paths.resolve())) as models:
        for _ in measured(given, models):
            pass


def measured(given: argparse.Namespace, models: OpenModels) -> Generator[object, None, None]:
    """Judges each set both ways and prints what that changes; yields what happens meanwhile."""
    yield from models.open_generator()
    second = (yield from perfect(models)) if given.perfect else models.second(models.judge())
    if second is None or second.says is None:
        raise SystemExit("It has no say: nothing would differ.")
    print(" and ".join(f"{say.weight:.2f}" for say in second.says), "for a claim and against")
    for data in given.data:
        print(data.name, flush=True)
        statements, pairs = drawn(data, given.items), list[Ways]()
        libraries = apart([one.sources for one in statements], models.open_encoder())
        for statement, library in zip(statements, libraries, strict=True):
            pairs.append((yield from judged(statement, library, models, second)))
        compare(statements, pairs)


def perfect(models: OpenModels) -> Generator[object, None, ModelJudge]:
    """A model that knows what is supported, after its exam."""
    judging, heard = exam.items()[0], []
    judge = replace(models.judge(), sentences=exam.sentences_of)
    readings = yield from exam.verified(judge, models.open_encoder().encode, judging)
    for item, one in zip(judging, readings, strict=True):
        knows = Perfect(item.label is Label.SUPPORTED)
        heard += (yield from listen(knows, [one], [(0,)]))[1]
    model = np.concatenate(heard)
    says = exam.judgement(judging, readings, model, model[:, 0]).says
    return ModelJudge(Perfect(True), "perfect", 0, judge, says=says)


def drawn(data: Path, count: int) -> list[Statement]:
    """So many statements of a set, half of them true."""
    items = [item for item in load("attribute", [data]).items if isinstance(item, Statement)]
    random.Random(SEED).shuffle(items)
    halves = ([item for item in items if item.truth is truth] for truth in (True, False))
    return [item for half in halves for item in half[: count // 2]]


def judged(
    statement: Statement, library: MemoryLibrary, models: OpenModels, second: ModelJudge
) -> Generator[object, None, Ways]:
    """The verdicts on a statement's claims."""
    claims, first = claims_of(statement), models.judge(library)
    skills = Perfect(statement.truth) if isinstance(second.skills, Perfect) else second.skills
    second = replace(second, first=first, skills=skills)
    found = [*first.judge(claims, models.search(library).gather(claims))]
    asked = [Opinion(v, reading) for _, v, reading in found if reading and second.wants(v)]
    ruled = yield from second.judge(asked)
    rulings = {id(o.verdict): r.verdict for o, r in zip(asked, ruled, strict=True)}
    without = [verdict for _, verdict, _ in found]
    return without, [rulings.get(id(verdict), verdict) for verdict in without]


def compare(statements: Sequence[Statement], pairs: Sequence[Ways]) -> None:
    """Prints how well true statements are told from others, and what is called supported."""
    truth = np.array([statement.truth for statement in statements])
    groups = [statement.group for statement in statements]
    areas = []
    for name, way in (("without", 0), ("with", 1)):
        areas.append(roc_auc(np.array([_score(pair[way]) for pair in pairs]), truth))
        called = np.array([all(v.label is Label.SUPPORTED for v in pair[way]) for pair in pairs])
        right, wrong = (called & truth).sum(), (called & ~truth).sum()
        print(f"{name}: AUC {bootstrap(areas[-1], groups)}, {right} true ones and {wrong} others "
              "called supported")  # fmt: skip
    gain = bootstrap(difference(*reversed(areas)), groups)
    told = "better" if gain.low > 0 else "worse" if gain.high < 0 else "neither better nor worse"
    changed = sum(one != other for one, other in pairs)
    print(f"AUC with the say {gain.estimate:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}): {told} "
          f"beyond chance; {changed} statements changed")  # fmt: skip


def _score(verdicts: Sequence[Verdict]) -> float:
    return min((v.scores.supported if v.scores else 0.0 for v in verdicts), default=0.0)


if __name__ == "__main__":
    main()
