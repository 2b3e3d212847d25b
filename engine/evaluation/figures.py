"""From what was predicted to the result that is printed, task by task."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np

from veracite.engine.evaluation import answer_figures, citations, verdict_figures
from veracite.engine.evaluation import bootstrap as boot
from veracite.engine.evaluation.answer_figures import AnswerFigures
from veracite.engine.evaluation.bootstrap import Floats
from veracite.engine.evaluation.items import (
    Choice,
    Item,
    Loaded,
    Predicting,
    Prediction,
    Query,
    Question,
    Statement,
)
from veracite.engine.evaluation.predict import Answered, answers_are_lists, every_source
from veracite.engine.evaluation.results import (
    Comparison,
    Curve,
    Figure,
    MethodResult,
    Mistake,
    Result,
    Unavailable,
)
from veracite.engine.evaluation.verdict_figures import VerdictFigures, label_meaning
from veracite.engine.report.phrases import LABEL_WORDS

_I = TypeVar("_I", bound=Item)
_Said = Mapping[str, Sequence[Prediction]]
"""Every item's prediction by method."""

_ACCURACY = "accuracy"
_NDCG = "nDCG@10"
_MAIN = {
    "detect": verdict_figures.MAIN,
    "attribute": verdict_figures.MAIN,
    "choose": _ACCURACY,
    "retrieve": _NDCG,
    "answer": answer_figures.MAIN,
}
_OURS = "veracite"
_TRIVIAL_CHOICES = ("overlap", "shorter", "first")
_MISTAKES = 50
_TIMES = "Times are without reading and indexing the documents."
_SHARED = (
    "What was encoded or judged for one method is not for the next ones: their times are shorter "
    "than they would be alone."
)


def sum_up(said: Answered) -> Result:
    """The figures of every method, with those to show."""
    loaded, seed = said.loaded, said.predicting.seed
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
    if loaded.task in ("detect", "attribute"):
        result = _of_statements(base, said)
    elif loaded.task == "choose":
        choices = _only(Choice, loaded)
        methods = choosing(_complete(said), seed)
        result = replace(base, methods=methods, mistakes=_chosen_wrong(choices, _complete(said)))
    elif loaded.task == "retrieve":
        result = replace(base, methods=ranking(_only(Query, loaded), _complete(said), seed))
    else:
        result = _of_answers(base, said)
    written = sum(method.figure("support") is not None for method in result.methods)
    whole = replace(
        result,
        curves=(*result.curves, *_speeds(result.methods, _MAIN[loaded.task])),
        notes=(*result.notes, _TIMES, *([_SHARED] if written > 1 else [])),
    )
    return _shown(whole, said.asked.methods) if said.asked.methods else whole


def verdict_figures_of(said: Answered) -> VerdictFigures:
    """The statements, with what the methods said that said something of every one."""
    return VerdictFigures(
        _only(Statement, said.loaded),
        _complete(said),
        label_meaning(said.predicting.against_contradiction),
        said.asked.split,
        said.predicting.seed,
    )


# --- Statements and answers -------------------------------------------------------------------


def _of_statements(base: Result, said: Answered) -> Result:
    judged = verdict_figures_of(said)
    return replace(
        base,
        positives=float(judged.truth.mean()),
        methods=judged.methods(),
        parts=judged.parts(),
        curves=judged.curves(),
        subsets=judged.subsets(),
        mistakes=judged.mistakes(),
        notes=(*base.notes, *_remarks(said, judged)),
    )


def _remarks(said: Answered, judged: VerdictFigures) -> Iterator[str]:
    """What is missing, what scores mean, and what makes "as shipped" another than what ships."""
    kinds = set(judged.held_truth.tolist())
    if len(kinds) == 1 < len(set(judged.truth.tolist())):
        kind, other = ("true", "false") if kinds == {True} else ("false", "true")
        yield f"All items for results are {kind}: figures that need {other} ones too are n/a."
    true = ", ".join(LABEL_WORDS[label] for label, value in judged.meaning.items() if value)
    what = "1 - P(contradicted)" if said.predicting.against_contradiction else "P(supported)"
    each = said.predicting.scope == "each"
    whose = "its own documents" if each else "all documents as one library"
    yield (
        f"Scores are {what}; of Veracite's labels these count as true: {true}. "
        f"Each item is judged by {whose}."
    )
    bar, calibration = said.predicting.uncertain_below, said.record["settings"]["calibration"]
    if calibration is not None:
        yield f"“As shipped” obeys the calibration {calibration}."
    if bar != Predicting().uncertain_below:
        yield f"“As shipped” says uncertain below {bar:g}."


def _of_answers(base: Result, said: Answered) -> Result:
    answers = AnswerFigures(
        _only(Question, said.loaded),
        said.said,
        {source.id: source for source in every_source(said.loaded)},
        answers_are_lists(said.loaded),
        said.predicting.seed,
    )
    missing = (entry.partition(":") for entry in citations.UNAVAILABLE)
    return replace(
        base,
        methods=answers.methods(),
        differences=citations.FIXED,
        unavailable=tuple(
            Unavailable(name.strip(), reason.strip() or "not computed")
            for name, _, reason in missing
        ),
    )


# --- Choices ----------------------------------------------------------------------------------


def choosing(said: _Said, seed: int) -> tuple[MethodResult, ...]:
    """A row for each method, in their order."""
    right = {m: np.array([p.label == "right" for p in own], bool) for m, own in said.items()}
    values = {method: marks.astype(np.float64) for method, marks in right.items()}
    groups = [prediction.item for prediction in said[_OURS]]
    leads = tuple(
        replace(lead, p_mcnemar=boot.mcnemar(right[_OURS], right[lead.other]))
        for lead in _leads(values, _OURS, _ACCURACY, groups, seed)
    )
    return tuple(
        MethodResult(
            method=method,
            figures=(_mean(_ACCURACY, values[method], groups, seed),),
            n=len(own),
            problems=sum(p.problem is not None for p in own),
            seconds_per_item=float(np.mean([p.seconds for p in own])),
            compared=leads if method == _OURS else (),
            trivial=method in _TRIVIAL_CHOICES,
        )
        for method, own in said.items()
    )


def _chosen_wrong(choices: Sequence[Choice], said: _Said) -> tuple[Mistake, ...]:
    """Where the wrong answer was taken by the widest margin."""
    wrong = [
        Mistake(
            item.id,
            _OURS,
            item.question,
            item.right,
            item.wrong,
            chosen.score,
            min(1.0, abs(chosen.score or 0.0)),
        )
        for item, chosen in zip(choices, said[_OURS], strict=True)
        if chosen.label != "right"
    ]
    return tuple(sorted(wrong, key=lambda m: -m.confidence)[:_MISTAKES])


# --- Rankings: documents without a grade are not relevant -------------------------------------


def ndcg(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """Normalised discounted cumulative gain with linear gains, as BEIR's (trec_eval's)."""

    def discounted(gains: Sequence[int]) -> float:
        return sum(gain / math.log2(place + 2) for place, gain in enumerate(gains[:k]))

    ideal = discounted(sorted(relevant.values(), reverse=True))
    gains = [relevant.get(document, 0) for document in found[:k]]
    return discounted(gains) / ideal if ideal else float("nan")


def recall(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """The share of the relevant documents among the first k."""
    wanted = {document for document, grade in relevant.items() if grade > 0}
    return len(wanted.intersection(found[:k])) / len(wanted) if wanted else float("nan")


def success(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """1 if any relevant document is among the first k, else 0."""
    return float(any(relevant.get(document, 0) > 0 for document in found[:k]))


def reciprocal_rank(found: Sequence[str], relevant: Mapping[str, int], k: int) -> float:
    """One over the rank of the first relevant document, 0 if it is not among the first k."""
    ranks = (rank for rank, d in enumerate(found[:k], start=1) if relevant.get(d, 0) > 0)
    return 1 / next(ranks, math.inf)


_RANKING: dict[str, tuple[Callable[[Sequence[str], Mapping[str, int], int], float], int]] = {
    _NDCG: (ndcg, 10),
    "recall@1": (recall, 1),
    "recall@5": (recall, 5),
    "recall@10": (recall, 10),
    "recall@100": (recall, 100),
    "success@5": (success, 5),
    "MRR@10": (reciprocal_rank, 10),
}


def ranking(queries: Sequence[Query], said: _Said, seed: int) -> tuple[MethodResult, ...]:
    """A row for each method, in their order."""
    groups = [query.id for query in queries]

    def values(method: str, name: str) -> Floats:
        of, k = _RANKING[name]
        pairs = zip(queries, said[method], strict=True)
        return np.array([of(ranked.found, query.relevant, k) for query, ranked in pairs])

    leads = _leads(
        {method: values(method, _NDCG) for method in said}, "hybrid", _NDCG, groups, seed
    )
    return tuple(
        MethodResult(
            method=method,
            figures=tuple(_mean(name, values(method, name), groups, seed) for name in _RANKING),
            n=len(own),
            problems=sum(not p.found for p in own),
            seconds_per_item=float(np.mean([p.seconds for p in own])),
            compared=leads if method == "hybrid" else (),
            trivial=method == "random",
        )
        for method, own in said.items()
    )


# --- What they share --------------------------------------------------------------------------


def _mean(name: str, values: Floats, groups: Sequence[str], seed: int) -> Figure:
    found = boot.bootstrap(boot.mean(values), groups, seed=seed)
    return Figure(name, found.estimate, found.low, found.high)


def _leads(
    values: Mapping[str, Floats], ours: str, name: str, groups: Sequence[str], seed: int
) -> tuple[Comparison, ...]:
    """Of our method over every other one, in the mean of these values."""
    leads = []
    for other in values:
        if other != ours:
            ahead = boot.difference(boot.mean(values[ours]), boot.mean(values[other]))
            found = boot.bootstrap(ahead, groups, seed=seed)
            leads.append(Comparison(other, name, found.estimate, found.low, found.high))
    return tuple(leads)


def _speeds(methods: Sequence[MethodResult], main: str) -> Iterator[Curve]:
    """Each method's main figure against its milliseconds per item; not of what takes no time."""
    for method in methods:
        figure, seconds = method.figure(main), method.seconds_per_item
        if figure is not None and seconds:
            yield Curve("speed", method.method, ((1000 * seconds, figure.value),), figure)


def _shown(result: Result, methods: Sequence[str]) -> Result:
    """The result with these methods and the trivial ones alone."""
    trivial = {m.method for m in result.methods if m.trivial}

    def asked(name: str) -> bool:
        """ "veracite" is "veracite as shipped" and "veracite, calibrated" too."""
        return any(name == m or name.startswith((f"{m} ", f"{m},")) for m in methods)

    rows = {m.method: m for m in result.methods if asked(m.method) or m.method in trivial}
    silent = [method for method in methods if method not in rows]
    return replace(
        result,
        methods=tuple(
            replace(row, compared=tuple(c for c in row.compared if c.other in rows))
            for row in rows.values()
        ),
        curves=tuple(c for c in result.curves if asked(c.method)),
        subsets=tuple(
            replace(s, figures={m: f for m, f in s.figures.items() if asked(m) or m in trivial})
            for s in result.subsets
        ),
        mistakes=tuple(m for m in result.mistakes if asked(m.method)),
        notes=(*result.notes, *(f"{m} has nothing to say of these items." for m in silent)),
    )


def _complete(said: Answered) -> _Said:
    """The methods that said something of every item."""
    items = said.loaded.items
    return {
        method: [given[item.id] for item in items]
        for method, given in said.said.items()
        if len(given) == len(items)
    }


def _only(kind: type[_I], loaded: Loaded) -> list[_I]:
    return [item for item in loaded.items if isinstance(item, kind)]
