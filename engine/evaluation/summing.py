"""From what was predicted to the result that is printed, task by task."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from veracite.engine.evaluation import alce, answered, chosen, found, verdicts
from veracite.engine.evaluation.asking import Answered
from veracite.engine.evaluation.items import (
    Choice,
    Item,
    Loaded,
    Prediction,
    Query,
    Question,
    Statement,
)
from veracite.engine.evaluation.judged import JudgedSet, label_meaning
from veracite.engine.evaluation.predicting import Predicting, answers_are_lists, every_source
from veracite.engine.evaluation.results import MethodResult, Result, Unavailable
from veracite.engine.evaluation.speeds import speeds
from veracite.engine.evaluation.verdict_curves import curves
from veracite.engine.evaluation.verdict_sets import subsets
from veracite.engine.report.phrases import LABEL_WORDS

__all__ = ["judged_set", "sum_up"]

_Item = TypeVar("_Item", bound=Item)
_Said = Mapping[str, Sequence[Prediction]]
"""Every item's prediction by method."""

_MAIN = {
    "detect": verdicts.MAIN,
    "attribute": verdicts.MAIN,
    "choose": chosen.MAIN,
    "retrieve": found.MAIN,
    "answer": answered.MAIN,
}
_TIMES = "Times are without reading and indexing the documents."
_SHARED = (
    "What was encoded or judged for one method is not for the next ones: their times are shorter "
    "than they would be alone."
)


def sum_up(said: Answered) -> Result:
    """The figures of every method, with those to show."""
    loaded = said.loaded
    base = Result(
        task=loaded.task,
        format=loaded.format,
        files=said.files,
        label_map=dict(loaded.label_map),
        items=len(loaded.items),
        positives=None,
        methods=(),
        notes=loaded.notes,
        record=said.record,
    )
    result = _of_task(base, said)
    main = _MAIN[loaded.task]
    whole = replace(
        result,
        curves=(*result.curves, *speeds(result.methods, main)),
        notes=(*result.notes, _TIMES, *([_SHARED] if _is_shared(result) else [])),
    )
    return _shown(whole, said.asked.methods) if said.asked.methods else whole


def judged_set(said: Answered) -> JudgedSet:
    """The statements, with what the methods said that said something of every one."""
    return JudgedSet(
        _only(Statement, said.loaded),
        _complete(said),
        label_meaning(said.predicting.against_contradiction),
        said.asked.split,
        said.predicting.seed,
    )


def _of_task(base: Result, said: Answered) -> Result:
    seed = said.predicting.seed
    if base.task in ("detect", "attribute"):
        return _of_statements(base, said)
    if base.task == "choose":
        choices = chosen.ChoiceFigures(_only(Choice, said.loaded), _complete(said), seed)
        return replace(base, methods=choices.methods(), mistakes=choices.mistakes())
    if base.task == "retrieve":
        rankings = found.RankingFigures(_only(Query, said.loaded), _complete(said), seed)
        return replace(base, methods=rankings.methods())
    return _of_answers(base, said)


def _of_statements(base: Result, said: Answered) -> Result:
    judged = judged_set(said)
    return replace(
        base,
        positives=float(judged.truth.mean()),
        methods=verdicts.methods(judged),
        parts=verdicts.parts(judged),
        curves=curves(judged),
        subsets=subsets(judged),
        mistakes=verdicts.mistakes(judged),
        notes=(*base.notes, *_one_sided(judged), _told(said, judged), *_shipped_otherwise(said)),
    )


def _of_answers(base: Result, said: Answered) -> Result:
    answers = answered.AnswerFigures(
        _only(Question, said.loaded),
        said.said,
        {source.id: source for source in every_source(said.loaded)},
        answers_are_lists(said.loaded),
        said.predicting.seed,
    )
    missing = (entry.partition(":") for entry in alce.UNAVAILABLE)
    return replace(
        base,
        methods=answers.methods(),
        differences=alce.FIXED,
        unavailable=tuple(
            Unavailable(name.strip(), reason.strip() or "not computed")
            for name, _, reason in missing
        ),
    )


def _shown(result: Result, methods: Sequence[str]) -> Result:
    """The result with these methods and the trivial ones alone."""

    def kept(name: str) -> bool:
        """ "veracite" is "veracite as shipped" and "veracite, calibrated" too."""
        return any(name == m or name.startswith((f"{m} ", f"{m},")) for m in methods)

    trivial = {m.method for m in result.methods if m.trivial}
    rows = [m for m in result.methods if kept(m.method) or m.method in trivial]
    silent = [m for m in methods if not any(row.method == m for row in rows)]
    return replace(
        result,
        methods=tuple(_compared_with(row, {r.method for r in rows}) for row in rows),
        curves=tuple(c for c in result.curves if kept(c.method)),
        subsets=tuple(
            replace(s, figures={m: f for m, f in s.figures.items() if kept(m) or m in trivial})
            for s in result.subsets
        ),
        mistakes=tuple(m for m in result.mistakes if kept(m.method)),
        notes=(*result.notes, *(f"{m} has nothing to say of these items." for m in silent)),
    )


def _is_shared(result: Result) -> bool:
    """Whether several methods wrote answers, one after the other."""
    return sum(method.figure("support") is not None for method in result.methods) > 1


def _compared_with(row: MethodResult, others: set[str]) -> MethodResult:
    return replace(row, compared=tuple(c for c in row.compared if c.other in others))


def _complete(said: Answered) -> _Said:
    """The methods that said something of every item."""
    items = said.loaded.items
    return {
        method: [given[item.id] for item in items]
        for method, given in said.said.items()
        if len(given) == len(items)
    }


def _only(kind: type[_Item], loaded: Loaded) -> list[_Item]:
    return [item for item in loaded.items if isinstance(item, kind)]


def _one_sided(judged: JudgedSet) -> Iterator[str]:
    """What is missing where the items for results are alike though not all items are."""
    kinds = set(judged.held_truth.tolist())
    if len(kinds) == 1 < len(set(judged.truth.tolist())):
        kind, other = ("true", "false") if kinds == {True} else ("false", "true")
        yield f"All items for results are {kind}: figures that need {other} ones too are n/a."


def _shipped_otherwise(said: Answered) -> Iterator[str]:
    """What makes "as shipped" another than what ships."""
    bar, calibration = said.predicting.uncertain_below, said.record["settings"]["calibration"]
    if calibration is not None:
        yield f"“As shipped” obeys the calibration {calibration}."
    if bar != Predicting().uncertain_below:
        yield f"“As shipped” says uncertain below {bar:g}."


def _told(said: Answered, judged: JudgedSet) -> str:
    words = (LABEL_WORDS[label] for label, value in judged.meaning.items() if value)
    true = ", ".join(words)
    what = "1 - P(contradicted)" if said.predicting.against_contradiction else "P(supported)"
    each = said.predicting.scope == "each"
    whose = "its own documents" if each else "all documents as one library"
    return (
        f"Scores are {what}; of Veracite's labels these count as true: {true}. "
        f"Each item is judged by {whose}."
    )
