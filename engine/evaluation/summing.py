"""From what was predicted to the result that is printed, task by task."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from veracite.engine.evaluation import alce
from veracite.engine.evaluation.answered import AnswerFigures, Entailment
from veracite.engine.evaluation.asking import Answered
from veracite.engine.evaluation.chosen import ChoiceFigures
from veracite.engine.evaluation.found import RankingFigures
from veracite.engine.evaluation.items import (
    Choice,
    Item,
    Loaded,
    Prediction,
    Query,
    Question,
    Statement,
)
from veracite.engine.evaluation.predicting import Models, Predicting
from veracite.engine.evaluation.results import Result, Unavailable
from veracite.engine.evaluation.verdict_curves import curves
from veracite.engine.evaluation.verdicts import VerdictFigures, label_meaning
from veracite.engine.words import Label

__all__ = ["sum_up", "verdict_figures"]

_Item = TypeVar("_Item", bound=Item)
_Said = Mapping[str, Sequence[Prediction]]
"""Every item's prediction by method."""

_LISTS = ("qampari",)
"""Formats whose answers are lists with commas."""


def sum_up(answered: Answered, models: Models) -> Result:
    """The figures of every method, with those to show.

    Args:
        answered: What was asked and predicted.
        models: Judge the citations of answers.
    """
    loaded, predicting = answered.loaded, answered.predicting
    base = Result(
        task=loaded.task,
        format=loaded.format,
        files=answered.files,
        label_map=dict(loaded.label_map),
        items=len(loaded.items),
        positives=None,
        methods=(),
        notes=loaded.notes,
        record=answered.record,
    )
    result = _of_task(base, answered, predicting, models)
    shown = answered.asked.methods
    if not shown:
        return result
    return replace(
        result,
        methods=tuple(m for m in result.methods if m.method in shown or m.trivial),
        curves=tuple(c for c in result.curves if c.method in shown),
    )


def verdict_figures(answered: Answered) -> VerdictFigures:
    """The figures of statements."""
    return VerdictFigures(
        _only(Statement, answered.loaded),
        _complete(answered),
        label_meaning(answered.predicting.against_contradiction),
        answered.asked.split,
        answered.predicting.seed,
    )


def _of_task(base: Result, answered: Answered, predicting: Predicting, models: Models) -> Result:
    if base.task in ("detect", "attribute"):
        return _of_statements(base, answered)
    if base.task == "choose":
        chosen = ChoiceFigures(_only(Choice, answered.loaded), _complete(answered), predicting.seed)
        return replace(base, methods=chosen.methods(), mistakes=chosen.mistakes())
    if base.task == "retrieve":
        found = RankingFigures(_only(Query, answered.loaded), _complete(answered), predicting.seed)
        return replace(base, methods=found.methods())
    return _of_answers(base, answered, models)


def _of_statements(base: Result, answered: Answered) -> Result:
    verdicts = verdict_figures(answered)
    return replace(
        base,
        positives=float(verdicts.truth.mean()),
        methods=verdicts.methods(),
        parts=verdicts.parts(),
        curves=curves(verdicts),
        subsets=verdicts.subsets(),
        mistakes=verdicts.mistakes(),
        notes=(*base.notes, _told(answered.predicting, verdicts.meaning)),
    )


def _of_answers(base: Result, answered: Answered, models: Models) -> Result:
    questions = _only(Question, answered.loaded)
    answers = AnswerFigures(
        questions,
        answered.said,
        {source.id: source for question in questions for source in question.sources},
        answered.loaded.format in _LISTS,
        Entailment(models.verifier),
        answered.predicting.seed,
    )
    missing = (entry.partition(":") for entry in alce.UNAVAILABLE)
    return replace(
        base,
        methods=answers.methods(),
        notes=(*base.notes, *(f"Unlike ALCE's script: {fixed}" for fixed in alce.FIXED)),
        unavailable=tuple(
            Unavailable(name.strip(), reason.strip() or "not computed")
            for name, _, reason in missing
        ),
    )


def _complete(answered: Answered) -> _Said:
    """The methods that said something of every item."""
    items = answered.loaded.items
    return {
        method: [given[item.id] for item in items]
        for method, given in answered.said.items()
        if len(given) == len(items)
    }


def _only(kind: type[_Item], loaded: Loaded) -> list[_Item]:
    return [item for item in loaded.items if isinstance(item, kind)]


def _told(predicting: Predicting, meaning: Mapping[Label, bool]) -> str:
    true = ", ".join(str(label) for label, value in meaning.items() if value)
    what = "1 - P(contradicted)" if predicting.against_contradiction else "P(supported)"
    whose = "its own documents" if predicting.scope == "each" else "all documents as one library"
    return (
        f"Scores are {what}; of Veracite's labels these count as true: {true}. "
        f"Each item is judged by {whose}."
    )
