"""Answers that are lists with commas against the answers there are (QAMPARI, as ALCE counts)."""

from collections.abc import Sequence
from dataclasses import dataclass

from veracite.engine.evaluation.short_answers import normalise

__all__ = ["ListScores", "list_scores"]


@dataclass(frozen=True, slots=True)
class ListScores:
    """A list of answers against all that there are (QAMPARI, as ALCE counts it)."""

    predictions: int
    precision: float
    recall: float
    f1: float
    recall_5: float
    """Five right ones are enough: right answers, at most 5, over all answers, at most 5."""
    f1_5: float


def list_scores(predictions: Sequence[str], answers: Sequence[Sequence[str]]) -> ListScores:
    """Precision and recall of a list; a prediction counts if it equals an alias, normalised.

    As in ALCE a right prediction that is given twice counts twice for precision. No predictions
    score 0; no answers give nan.

    Args:
        predictions: Without citation marks.
        answers: The aliases of each thing asked.
    """
    said = [form for form in map(normalise, predictions) if form]
    forms = [{normalise(alias) for alias in aliases} for aliases in answers]
    right = sum(any(form in aliases for aliases in forms) for form in said)
    hits = sum(not aliases.isdisjoint(said) for aliases in forms)
    precision = right / len(said) if said else 0.0
    recall = hits / len(forms) if forms else float("nan")
    recall_5 = min(5, hits) / min(5, len(forms)) if forms else float("nan")
    return ListScores(
        predictions=len(said),
        precision=precision,
        recall=recall,
        f1=_harmonic(precision, recall),
        recall_5=recall_5,
        f1_5=_harmonic(precision, recall_5),
    )


def _harmonic(precision: float, recall: float) -> float:
    total = precision + recall
    return 2 * precision * recall / total if total != 0 else 0.0
