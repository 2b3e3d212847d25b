"""Measures what a language model's say does to verdicts: the same items with and without it.

    python scripts/measure_say.py --model FILE.gguf --data DATA ... [--items 60]

The model has to have taken its exam (``veracite models test FILE.gguf``). Half of the items are
true, drawn by a seed; each is judged by its own documents. DATA is a set that
``veracite eval attribute`` reads.
"""

import argparse
import random
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from veracite.engine.bootstrap import bootstrap, difference, roc_auc
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import apart, claims_of
from veracite.engine.events import Judged
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.cascade import ModelJudge
from veracite.engine.judge.checking import Checking
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label, Verdict
from veracite.index.memory import MemoryLibrary

SEED = 25


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--items", type=int, default=60)
    given = parser.parse_args()
    sets = {data.stem: drawn(data, given.items) for data in given.data}
    with closing(OpenModels(CheckSettings(model=given.model), Paths.resolve())) as models:
        list(models.open_generator())
        second = models.second(models.judge())
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


def judged(
    statements: Sequence[Statement],
    libraries: Sequence[MemoryLibrary],
    models: OpenModels,
    second: ModelJudge,
) -> list[tuple[list[Verdict], list[Verdict]]]:
    """The verdicts on the claims of each statement, without the say and with it."""
    found: list[tuple[list[Verdict], list[Verdict]]] = []
    for statement, library in zip(statements, libraries, strict=True):
        claims, first = claims_of(statement), models.judge(library)
        ways: tuple[list[Verdict], list[Verdict]] = ([], [])
        for judge, way in zip((None, replace(second, first=first)), ways, strict=True):
            with tempfile.TemporaryDirectory() as scratch, Memory(Path(scratch) / "m") as memory:
                checking = Checking(models.search(library), first, memory, judge)
                way += [e.verdict for e in checking.judge_all(claims) if isinstance(e, Judged)]
        found.append(ways)
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


if __name__ == "__main__":
    main()
