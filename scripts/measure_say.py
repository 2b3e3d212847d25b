"""Measures what a language model's say does to verdicts: the same items with and without it.

    python scripts/measure_say.py --model FILE.gguf --data DATA ... [--items 60]
    python scripts/measure_say.py --perfect --data DATA ...

The model has to have taken its exam (``veracite models test FILE.gguf``). --perfect asks one that
knows every label instead, the exam's and the set's: the most that a say can do. Half of the items
are true, drawn by a seed; each is judged by its own documents. DATA is a set that
``veracite eval attribute`` reads.
"""

import argparse
import random
import tempfile
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from veracite.engine import exam
from veracite.engine.bootstrap import bootstrap, difference, roc_auc
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import apart, claims_of
from veracite.engine.events import Judged
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.cascade import ModelJudge, listen
from veracite.engine.judge.checking import Checking
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.skills.base import Judgement, Steps, Task
from veracite.engine.types import Label, Scores, Verdict
from veracite.index.memory import MemoryLibrary

T = TypeVar("T")
SEED = 25
UNKNOWN = Scores(1 / 3, 1 / 3, 1 / 3)
KNOWN = {
    Label.SUPPORTED: Scores(0.96, 0.02, 0.02),
    Label.NOT_FOUND: Scores(0.02, 0.96, 0.02),
    Label.CONTRADICTED: Scores(0.02, 0.02, 0.96),
}


@dataclass(frozen=True, slots=True)
class Perfect:
    """Knows what is true of a claim, whatever the passage, and nothing beside an empty one."""

    labels: dict[str, Label]

    def judge(self, tasks: Sequence[Task], *, joint: bool = False) -> Steps[tuple[Judgement, ...]]:
        """As ``Skills.judge``."""
        yield from ()
        known = [KNOWN[self.labels[task.claim.text]] for task in tasks]
        return tuple(
            Judgement(tuple(scores if p.text else UNKNOWN for p in task.passages), None)
            for task, scores in zip(tasks, known, strict=True)
        )


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--perfect", action="store_true")
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--items", type=int, default=60)
    given = parser.parse_args()
    sets = {data.stem: drawn(data, given.items) for data in given.data}
    chosen = CheckSettings(model=str(given.model) if given.model else None)
    with closing(OpenModels(chosen, Paths.resolve())) as models:
        list(models.open_generator())
        every = [statement for statements in sets.values() for statement in statements]
        second = perfect(models, every) if given.perfect else models.second(models.judge())
        if second is None or second.says is None:
            raise SystemExit("It has no say: nothing would differ.")
        print(" and ".join(f"{say.weight:.2f}" for say in second.says), "for a claim and against")
        for name, statements in sets.items():
            print(name, flush=True)
            libraries = apart([one.sources for one in statements], models.open_encoder())
            compare(statements, judged(statements, libraries, models, second))


def drawn(data: Path, count: int) -> list[Statement]:
    """So many statements of a set, half of them true."""
    items = [item for item in load("attribute", [data]).items if isinstance(item, Statement)]
    random.Random(SEED).shuffle(items)
    halves = ([item for item in items if item.truth is truth] for truth in (True, False))
    return [item for half in halves for item in half[: count // 2]]


def perfect(models: OpenModels, statements: Sequence[Statement]) -> ModelJudge:
    """A judge who knows everything, with the say that the exam gives it."""
    judging, _ = exam.items()
    readings = ended(exam.verified(models, judging))
    knowing = Perfect({item.claim: item.label for item in judging})
    _, heard = ended(listen(knowing, readings, [(0,)] * len(judging)))
    bare = np.array([float(item.label is Label.SUPPORTED) for item in judging])
    says = exam.judgement(judging, readings, np.concatenate(heard), bare).says
    known = {True: Label.SUPPORTED, False: Label.NOT_FOUND}
    labels = {claim.text: known[s.truth] for s in statements for claim in claims_of(s)}
    return ModelJudge(Perfect(labels), "perfect", 4096, models.judge(), says=says)


def judged(
    statements: Sequence[Statement],
    libraries: Sequence[MemoryLibrary],
    models: OpenModels,
    second: ModelJudge,
) -> list[tuple[list[Verdict], list[Verdict]]]:
    """The verdicts on the claims of each statement, without the say and with it."""
    found = []
    for statement, library in zip(statements, libraries, strict=True):
        claims, first = claims_of(statement), models.judge(library)
        pair = []
        for judge in (None, replace(second, first=first)):
            with tempfile.TemporaryDirectory() as scratch, Memory(Path(scratch) / "m") as memory:
                checking = Checking(models.search(library), first, memory, judge)
                events = [e for e in checking.judge_all(claims) if isinstance(e, Judged)]
                pair.append([event.verdict for event in events])
        found.append((pair[0], pair[1]))
    return found


def compare(
    statements: Sequence[Statement], pairs: Sequence[tuple[list[Verdict], list[Verdict]]]
) -> None:
    """Prints how well true statements are told from others, and what is called supported."""
    truth = np.array([statement.truth for statement in statements])
    groups = [statement.group for statement in statements]
    scores = [np.array([_score(pair[way]) for pair in pairs]) for way in (0, 1)]
    for way, name in enumerate(("without", "with")):
        called = np.array([_supported(pair[way]) for pair in pairs])
        print(
            f"{name:8s} AUC {bootstrap(roc_auc(scores[way], truth), groups)}, called supported: "
            f"{(called & truth).sum()} true ones, {(called & ~truth).sum()} others"
        )
    gain = bootstrap(difference(*(roc_auc(s, truth) for s in reversed(scores))), groups)
    asked = sum(one != other for one, other in pairs)
    print(f"AUC with the say: {gain.estimate:+.3f} ({gain.low:+.3f} to {gain.high:+.3f}); "
          f"{asked} of {len(pairs)} statements were put to the model")  # fmt: skip


def _score(verdicts: Sequence[Verdict]) -> float:
    return min((v.scores.supported if v.scores else 0.0 for v in verdicts), default=0.0)


def _supported(verdicts: Sequence[Verdict]) -> bool:
    return bool(verdicts) and all(v.label is Label.SUPPORTED for v in verdicts)


def ended(steps: Generator[Any, None, T]) -> T:
    """What a generator of events returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            value: T = end.value
            return value


if __name__ == "__main__":
    main()
