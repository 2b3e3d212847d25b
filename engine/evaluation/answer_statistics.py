"""What the figures of answers are computed from: cited answers, support, leads, costs."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.citation_marks import parse
from veracite.engine.evaluation.items import Prediction
from veracite.engine.evaluation.results import Comparison, Figure
from veracite.engine.evaluation.short_answers import str_em
from veracite.engine.evaluation.significance import (
    Figures,
    Statistic,
    Weights,
    mcnemar_exact,
    paired_difference,
)
from veracite.engine.evaluation.weighted import mean
from veracite.engine.methods.cost import Cost

__all__ = ["Values", "citation_f1", "cited_str_em", "costs", "lead", "support"]

Values = NDArray[np.float64]

_MOST = 3
_TOKENS = "of prompts, and written; not those of prompts that stood computed"


def cited_str_em(prediction: Prediction | None, answers: Sequence[Sequence[str]]) -> float:
    """STR-EM of the sentences that cite a document, where there are three sentences at most."""
    sentences = [s for s in parse((prediction and prediction.text) or "") if s.statement]
    if prediction is None or len(sentences) > _MOST:
        return str_em("", answers)
    documents = range(1, len(prediction.found) + 1)
    cited = (s.statement for s in sentences if any(n in documents for n in s.citations))
    return str_em(" ".join(cited), answers)


def citation_f1(cited: Values) -> Statistic:
    """F1 of the means of citation recall and precision, the columns of ``cited``."""

    def f1(weights: Weights) -> Figures:
        recall, precision = (weights @ cited / weights.sum(axis=1, keepdims=True)).T
        total = recall + precision
        out: Figures = np.zeros(len(total))
        np.divide(2 * recall * precision, total, out=out, where=total > 0)
        return out

    return f1


def support(counts: Sequence[tuple[int, int] | None]) -> Statistic:
    """Supported sentences over all sentences, of all answers together.

    Args:
        counts: Each answer's supported sentences, and its sentences; None without an answer.
    """
    both: Values = np.array([pair or (0, 0) for pair in counts], dtype=np.float64)

    def share(weights: Weights) -> Figures:
        supported, sentences = (weights @ both).T
        out: Figures = np.full(len(weights), np.nan)
        np.divide(supported, sentences, out=out, where=sentences > 0)
        return out

    return share


def lead(
    figure: str,
    other: str,
    first: Values,
    second: Values,
    groups: Sequence[str],
    rounds: int,
    seed: int,
) -> Comparison:
    """The lead of ``first`` over ``second``, the figures of the method ``other``, by question.

    McNemar's test is of the questions that were answered in full (1).
    """
    found = paired_difference(mean(first), mean(second), groups, rounds=rounds, seed=seed)
    p = mcnemar_exact(first == 1, second == 1)
    return Comparison(other, figure, found.estimate, found.low, found.high, p)


def costs(spent: Sequence[Cost]) -> list[Figure]:
    """What an answer cost on average; of a language model nothing where none was asked."""
    if not spent:
        return []
    figures = [
        Figure("searches", float(np.mean([cost.searches for cost in spent]))),
        Figure("claims judged", float(np.mean([cost.judged for cost in spent]))),
    ]
    if any(cost.calls for cost in spent):
        tokens = [cost.prefilled + cost.generated for cost in spent]
        figures += [
            Figure("model calls", float(np.mean([cost.calls for cost in spent]))),
            Figure("tokens", float(np.mean(tokens)), note=_TOKENS),
        ]
    return figures
