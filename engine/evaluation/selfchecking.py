"""SelfCheck by NLI beside the verdicts, for sets that carry other answers of the same model.

It takes a pass of the verifier for each sentence and sample, so it runs only when it is asked for.
"""

import time
from collections.abc import Iterator, Sequence

from veracite.engine.errors import InputError
from veracite.engine.evaluation.items import Loaded, Prediction, Statement
from veracite.engine.evaluation.progress import Predicted
from veracite.engine.evaluation.runs import Run
from veracite.engine.judging.verify import PairScorer
from veracite.engine.methods.selfcheck import inconsistencies

__all__ = ["SELFCHECK", "selfcheck"]

SELFCHECK = "selfcheck-nli"
_CHUNK = 16
"""Statements that are scored and kept together."""


def selfcheck(loaded: Loaded, verifier: PairScorer, run: Run) -> Iterator[Predicted]:
    """Score every statement with samples that has no score in this run, and keep the scores.

    A score is how little the samples contradict the statement, 0..1.

    Raises:
        InputError: No statement has samples.
    """
    items = [one for one in loaded.items if isinstance(one, Statement) and one.samples]
    if not items:
        raise InputError(
            f"{SELFCHECK} compares a text with other answers of the same model, and these data "
            "hold none.",
            "Leave the method out, or give SelfCheckGPT's WikiBio file, which has them.",
        )
    left = [one for one in items if not run.knows(one.id, SELFCHECK)]
    done = len(items) - len(left)
    yield Predicted(done, len(items))
    for start in range(0, len(left), _CHUNK):
        chunk = left[start : start + _CHUNK]
        run.add(_predictions(chunk, verifier))
        done += len(chunk)
        yield Predicted(done, len(items))


def _predictions(statements: Sequence[Statement], verifier: PairScorer) -> Iterator[Prediction]:
    for one in statements:
        began = time.perf_counter()
        (inconsistency,) = inconsistencies([one.text], one.samples, verifier)
        spent = time.perf_counter() - began
        yield Prediction(
            item=one.id,
            method=SELFCHECK,
            score=round(1.0 - inconsistency, 6),
            label=None,
            seconds=round(spent, 6),
        )
