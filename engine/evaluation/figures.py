"""From what was predicted to the result that is printed, task by task.

Thresholds are chosen on one part of the statements, the figures are of the other.
"""

import math
import re
import string
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from veracite.engine.claims.citation_marks import parse, without_marks
from veracite.engine.evaluation import bootstrap as boot
from veracite.engine.evaluation.answers import DIFFERENCES
from veracite.engine.evaluation.bootstrap import Floats, Marks, Statistic
from veracite.engine.evaluation.calibrate import calibration_error, logistic_threshold
from veracite.engine.evaluation.items import (
    TRIVIAL,
    Answered,
    Choice,
    Comparison,
    Figure,
    Item,
    Loaded,
    MethodResult,
    Mistake,
    Part,
    Predicting,
    Prediction,
    Query,
    Question,
    Result,
    Statement,
)
from veracite.engine.report.phrases import LABEL_WORDS
from veracite.engine.types import Label

_I = TypeVar("_I", bound=Item)
_Said = Mapping[str, Sequence[Prediction]]
"""Every item's prediction by method."""

OURS = "veracite"
AS_SHIPPED = "veracite as shipped"
MAIN = "balanced accuracy"
_STR_EM = "STR-EM"
_CITED = "cited STR-EM"
_ORDER = (
    *(MAIN, "false supported", "AUC-ROC", "AP true", "AP false", "accuracy", "ECE"),
    *("wrong when true", "false contradicted", "uncertain"),
)
"""What matters most comes first."""
_MISTAKES = 50
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
    if loaded.task in ("detect", "attribute"):
        result = _of_statements(base, said)
    elif loaded.task == "choose":
        result = _of_choices(base, said)
    elif loaded.task == "retrieve":
        result = replace(base, methods=tuple(_ranking(_only(Query, loaded), said)))
    else:
        methods = AnswerFigures(said).methods()
        result = replace(base, methods=methods, notes=(*base.notes, *DIFFERENCES))
    written = sum(method.figure("support") is not None for method in result.methods)
    notes = (*result.notes, _TIMES, *([_SHARED] if written > 1 else []))
    return _shown(replace(result, notes=notes), said.asked.methods)


def _shown(result: Result, methods: Sequence[str]) -> Result:
    """The result with these methods, if any are named, and the trivial ones alone."""
    if not methods:
        return result

    def asked(name: str) -> bool:
        """ "veracite" is "veracite as shipped" too."""
        return any(name == method or name.startswith(f"{method} ") for method in methods)

    rows = {m.method: m for m in result.methods if m.trivial or asked(m.method)}
    silent = [method for method in methods if method not in rows]
    return replace(
        result,
        methods=tuple(
            replace(row, compared=tuple(c for c in row.compared if c.other in rows))
            for row in rows.values()
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


def _known(value: float) -> float | None:
    """A number as results have it; None where it is not defined."""
    return round(float(value), 6) + 0.0 if math.isfinite(value) else None


def _mean(values: Sequence[float] | Floats | Marks) -> float | None:
    return _known(float(np.mean(values))) if len(values) else None


@dataclass(frozen=True)
class _Measuring:
    """Figures of the same rows with their intervals."""

    groups: Sequence[str]
    seed: int

    def figure(self, name: str, of: Statistic, note: str = "") -> Figure:
        """A figure by this statistic."""
        found = boot.bootstrap(of, self.groups, seed=self.seed)
        return Figure(name, _known(found.estimate), _known(found.low), _known(found.high), note)

    def mean(self, name: str, values: Sequence[float] | Floats | Marks, note: str = "") -> Figure:
        """The mean of the rows' values."""
        return self.figure(name, boot.mean(values), note)

    def lead(self, other: str, name: str, ours: Statistic, theirs: Statistic) -> Comparison:
        """Of one method over another in such a figure."""
        found = boot.bootstrap(boot.difference(ours, theirs), self.groups, seed=self.seed)
        bounds = (_known(found.estimate), _known(found.low), _known(found.high))
        return Comparison(other, name, *bounds)


def _row(
    method: str,
    said: Sequence[Prediction],
    figures: Sequence[Figure],
    compared: Sequence[Comparison] = (),
) -> MethodResult:
    return MethodResult(
        method=method,
        figures=tuple(figures),
        n=len(said),
        problems=sum(p.problem is not None for p in said),
        seconds_per_item=_mean([p.seconds for p in said]),
        compared=tuple(compared),
        trivial=method in TRIVIAL,
    )


# --- Statements: which part is for what -------------------------------------------------------

_STANDARD_ERRORS = 3
"""Halves of files in no order of labels are as far apart once in 370 times."""


@dataclass(frozen=True, slots=True)
class Split:
    """Two parts of the items as masks of shape (n,)."""

    chosen: Marks
    """For thresholds and calibration."""
    held: Marks
    """For results."""
    names: tuple[str, str]


def split(groups: Sequence[str], parts: Sequence[str], truth: Marks) -> Split:
    """Halve each set's groups, in the order of the file; sentences of a group stay together.

    Files that are sorted by label have their groups dealt in turn: those where a half would hold
    items of one class only, or where a set's halves differ in their shares of true groups by more
    than three standard errors. Where a set is a single group, its items take the place of groups.

    Args:
        groups: The group of each item.
        parts: The set of each item.
        truth: Of each item.
    """
    members: dict[str, dict[str, list[int]]] = {}
    for item, (group, part) in enumerate(zip(groups, parts, strict=True)):
        members.setdefault(part, {}).setdefault(group, []).append(item)
    sets = [list(by_group.values()) for by_group in members.values()]
    sets = [[[item] for item in units[0]] if len(units) == 1 else units for units in sets]
    where = " of each set" if len(sets) > 1 else ""

    def made(taken: Callable[[list[list[int]]], list[list[int]]], *names: str) -> Split:
        chosen = np.zeros(len(groups), bool)
        chosen[[item for units in sets for unit in taken(units) for item in unit]] = True
        first, second = names
        return Split(chosen, ~chosen, (f"{first}{where}", f"{second}{where}"))

    halves = made(
        lambda units: units[: len(units) // 2],
        "first half of the groups",
        "second half of the groups",
    )
    sides = (truth[halves.chosen], truth[halves.held])
    if all(_both(side) for side in sides) and not any(_sorted(units, truth) for units in sets):
        return halves
    return made(lambda units: units[::2], "odd-numbered groups", "even-numbered groups")


def _sorted(units: Sequence[list[int]], truth: Marks) -> bool:
    """Whether true groups stand so much more often in one half that the file is sorted by them."""
    shares = np.array([truth[unit].mean() for unit in units])
    middle = len(units) // 2
    if not middle:
        return False
    error = shares.std() * np.sqrt(1 / middle + 1 / (len(units) - middle))
    return bool(abs(shares[:middle].mean() - shares[middle:].mean()) > _STANDARD_ERRORS * error)


def _both(truth: Marks) -> bool:
    return bool(truth.any()) and not bool(truth.all())


# --- Statements: ``detect`` and ``attribute`` -------------------------------------------------


@dataclass(frozen=True)
class VerdictFigures:
    """Statements with what the methods said that said something of every one."""

    answered: Answered

    @cached_property
    def items(self) -> list[Statement]:
        """The statements."""
        return _only(Statement, self.answered.loaded)

    @cached_property
    def said(self) -> _Said:
        """Predictions by method, in the order of the items."""
        return _complete(self.answered)

    @cached_property
    def truth(self) -> Marks:
        """Of every item."""
        return np.array([item.truth for item in self.items], bool)

    @cached_property
    def groups(self) -> list[str]:
        """Of every item; groups of two sets are two, even if they have one name."""
        return [f"{i.part}/{i.group}" if i.part else i.group for i in self.items]

    @cached_property
    def split(self) -> Split:
        """The parts for thresholds and for results."""
        return split(self.groups, [i.part for i in self.items], self.truth)

    def scores(self, method: str) -> Floats:
        """What a method gave every item."""
        return np.array([p.score if p.score is not None else 0.0 for p in self.said[method]])

    def means_true(self, label: str | None) -> bool:
        """Whether one of the product's labels counts as true.

        CEG's Table 12: on FELM only an actual error is nonfactual; elsewhere whatever is not
        supported.
        """
        against = self.answered.predicting.against_contradiction
        return label is not None and (label != "contradicted" if against else label == "supported")

    # --- The part for results -----------------------------------------------------------------

    @cached_property
    def held(self) -> list[int]:
        """The places of its items."""
        return np.flatnonzero(self.split.held).tolist()

    @cached_property
    def held_truth(self) -> Marks:
        """Of its items."""
        return self.truth[self.split.held]

    @cached_property
    def _measuring(self) -> _Measuring:
        return _Measuring([self.groups[i] for i in self.held], self.answered.predicting.seed)

    @cached_property
    def _labels(self) -> list[str | None]:
        return [self.said[OURS][place].label for place in self.held]

    def threshold(self, method: str) -> float | None:
        """From where on a method calls items true; None where the other part does not say."""
        chosen = self.split.chosen
        return _known(logistic_threshold(self.scores(method)[chosen], self.truth[chosen]))

    @cached_property
    def _calls(self) -> dict[str, Marks]:
        """What each method calls true, by its threshold, or as shipped, if it has one."""
        calls = {}
        for method in (OURS, AS_SHIPPED, *self.said):
            threshold = None if method == AS_SHIPPED else self.threshold(method)
            if method == AS_SHIPPED:
                calls[method] = np.array([self.means_true(label) for label in self._labels], bool)
            elif threshold is not None:
                calls[method] = self.scores(method)[self.split.held] >= threshold
        return calls

    # --- What is told of them -----------------------------------------------------------------

    def parts(self) -> Iterator[Part]:
        """What each part was for."""
        masks = (self.split.chosen, self.split.held)
        uses = ("thresholds", "results")
        for use, name, mask in zip(uses, self.split.names, masks, strict=True):
            groups = dict.fromkeys(np.array(self.groups, object)[mask].tolist())
            yield Part(use, name, tuple(groups), int(mask.sum()), _mean(self.truth[mask]))

    def methods(self) -> Iterator[MethodResult]:
        """A row for each method, the product's own first, and for who always says the same."""
        others = [method for method in self.said if method != OURS]
        for method in (OURS, AS_SHIPPED, *others):
            calls, shipped = self._calls.get(method), method == AS_SHIPPED
            every = self.said[OURS if shipped else method]
            figures = [*self._of_calls(calls)]
            figures += self._of_labels() if shipped else self._of_scores(self.scores(method))
            if method == OURS:
                error = calibration_error(self.scores(OURS)[self.split.held], self.held_truth)
                note = "expected calibration error of the probabilities"
                figures.append(Figure("ECE", _known(error), note=note))
            leads = self._leads(method) if method in (OURS, AS_SHIPPED) else ()
            row = _row(method, [every[place] for place in self.held], _in_order(figures), [*leads])
            chosen = calls is not None and not shipped
            yield replace(
                row,
                seconds_per_item=_mean([p.seconds for p in every]),
                threshold=None if shipped else self.threshold(method),
                threshold_from=self.split.names[0] if chosen else None,
            )
        n = len(self.held)
        for name, value in (("always true", True), ("always false", False)):
            scores = np.zeros(len(self.items))
            figures = [*self._of_calls(np.full(n, value)), *self._of_scores(scores)]
            bare = [replace(figure, low=None, high=None) for figure in figures]
            yield MethodResult(name, _in_order(bare), n, trivial=True)

    def mistakes(self) -> list[Mistake]:
        """What the product as shipped got wrong, the surest first."""
        found = []
        for place in self.held:
            item, said = self.items[place], self.said[OURS][place]
            called, score = self.means_true(said.label), said.score or 0.0
            if said.label and called != item.truth:
                sure = score if called else 1 - score
                given = (item.id, AS_SHIPPED, item.text, item.label, str(said.label), said.score)
                found.append(Mistake(*given, sure))
        return sorted(found, key=lambda m: -m.confidence)[:_MISTAKES]

    # --- Figures of a row ---------------------------------------------------------------------

    def _of_calls(self, calls: Marks | None) -> Iterator[Figure]:
        """Figures of what is called true; of a method that has no threshold they are n/a."""
        if calls is None:
            yield Figure(MAIN, None, note="n/a where no threshold tells true from false")
            yield from (Figure(n, None) for n in ("false supported", "accuracy", "wrong when true"))
            return
        truth = self.held_truth
        yield self._measuring.figure(MAIN, boot.balanced_accuracy(calls, truth))
        share = "share of the false items that is called true"
        yield self._measuring.figure("false supported", boot.rate(calls, ~truth), share)
        yield Figure("accuracy", _mean(calls == truth))
        wrong = "share of the items called true that is false"
        yield Figure("wrong when true", _mean(~truth[calls]), note=wrong)

    def _of_labels(self) -> Iterator[Figure]:
        """Figures of labels as a user sees them: no threshold is chosen on this data."""
        labels = np.array(self._labels, object)
        unsure = _mean(np.asarray(labels == Label.UNCERTAIN, bool))
        yield Figure("uncertain", unsure, note="share of the items that are labelled so")
        yield self._measuring.figure(
            "false contradicted",
            boot.rate(np.asarray(labels == Label.CONTRADICTED, bool), self.held_truth),
            "share of the true items that is labelled contradicted",
        )

    def _of_scores(self, scores: Floats) -> Iterator[Figure]:
        truth, scores = self.held_truth, scores[self.split.held]
        yield self._measuring.figure("AUC-ROC", boot.roc_auc(scores, truth))
        for side, ranked, wanted in (("true", scores, truth), ("false", -scores, ~truth)):
            note = f"average precision where the items come first that are taken for {side}"
            of = boot.average_precision(ranked, wanted)
            yield self._measuring.figure(f"AP {side}", of, note)

    def _leads(self, ours: str) -> Iterator[Comparison]:
        """The leads over every other method, where both call anything true."""
        truth, calls = self.held_truth, self._calls.get(ours)
        for other, theirs in self._calls.items():
            if calls is not None and other not in (OURS, AS_SHIPPED):
                own, rival = (boot.balanced_accuracy(made, truth) for made in (calls, theirs))
                yield self._measuring.lead(other, MAIN, own, rival)


def _in_order(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    return tuple(sorted(figures, key=lambda figure: _ORDER.index(figure.name)))


def _of_statements(base: Result, said: Answered) -> Result:
    judged = VerdictFigures(said)
    return replace(
        base,
        positives=_mean(judged.truth),
        methods=tuple(judged.methods()),
        parts=tuple(judged.parts()),
        mistakes=tuple(judged.mistakes()),
        notes=(*base.notes, *_remarks(said, judged)),
    )


def _remarks(said: Answered, judged: VerdictFigures) -> Iterator[str]:
    """What is missing, what scores mean, and what makes "as shipped" another than what ships."""
    if not _both(judged.held_truth) and _both(judged.truth):
        kind, other = ("true", "false") if judged.held_truth.all() else ("false", "true")
        yield f"All items for results are {kind}: figures that need {other} ones too are n/a."
    true = ", ".join(LABEL_WORDS[label] for label in Label if judged.means_true(label))
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


# --- Choices ----------------------------------------------------------------------------------


def _of_choices(base: Result, said: Answered) -> Result:
    """A row for each method, and where the wrong answer was taken by the widest margin."""
    given, choices = _complete(said), _only(Choice, said.loaded)
    measuring = _Measuring([choice.id for choice in choices], said.predicting.seed)
    right = {m: np.array([p.label == "right" for p in own], bool) for m, own in given.items()}
    accuracy = {method: boot.mean(marks) for method, marks in right.items()}
    leads = [
        measuring.lead(other, "accuracy", accuracy[OURS], theirs)
        for other, theirs in accuracy.items()
        if other != OURS
    ]
    wrong = [
        Mistake(c.id, OURS, c.question, c.right, c.wrong, p.score, min(1.0, abs(p.score or 0.0)))
        for c, p in zip(choices, given[OURS], strict=True)
        if p.label != "right"
    ]
    return replace(
        base,
        methods=tuple(
            _row(m, own, [measuring.figure("accuracy", accuracy[m])], leads if m == OURS else ())
            for m, own in given.items()
        ),
        mistakes=tuple(sorted(wrong, key=lambda m: -m.confidence)[:_MISTAKES]),
    )


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


_RANKING: dict[str, tuple[Callable[[Sequence[str], Mapping[str, int], int], float], int]] = {
    "nDCG@10": (ndcg, 10),
    **{f"recall@{k}": (recall, k) for k in (1, 6, 10, 100)},
}


def _ranking(queries: Sequence[Query], answered: Answered) -> Iterator[MethodResult]:
    """A row for each method, in their order."""
    said = _complete(answered)
    measuring = _Measuring([query.id for query in queries], answered.predicting.seed)

    def values(method: str, name: str) -> Statistic:
        of, k = _RANKING[name]
        pairs = zip(queries, said[method], strict=True)
        return boot.mean([of(ranked.found, query.relevant, k) for query, ranked in pairs])

    main, ours = "nDCG@10", values("hybrid", "nDCG@10")
    for method, own in said.items():
        others = [other for other in said if other != "hybrid" and method == "hybrid"]
        leads = [measuring.lead(other, main, ours, values(other, main)) for other in others]
        figures = [measuring.figure(name, values(method, name)) for name in _RANKING]
        problems = sum(not prediction.found for prediction in own)
        yield replace(_row(method, own, figures, leads), problems=problems)


# --- Answers: short ones and citations --------------------------------------------------------

_IN_TEXT = "share of the answers whose words stand in the text"
_IN_CITED = "STR-EM of the sentences that cite, 0 for answers of more than three sentences"
_JUDGE = (
    "by the bundled verifier, not by TRUE-11B: figures of other papers do not compare; the methods "
    "ask it too, which favours them"
)
_SUPPORT = "share of the sentences that the method's own judge calls supported"
_TOKENS = "of prompts, and written; not those of prompts that stood computed"
_MOST_SENTENCES = 3


@dataclass(frozen=True)
class AnswerFigures:
    """The figures of every method on the same questions; what it did not answer is missing."""

    answered: Answered

    @cached_property
    def _items(self) -> list[Question]:
        return _only(Question, self.answered.loaded)

    @cached_property
    def _measuring(self) -> _Measuring:
        return _Measuring([question.id for question in self._items], self.answered.predicting.seed)

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method that answered anything, in their order."""
        return tuple(self._method(method) for method, own in self.answered.said.items() if own)

    def _method(self, method: str) -> MethodResult:
        told, own = self._told(method), self.answered.said[method]
        texts = [without_marks(answer.text or "") for answer in told]
        figures = (
            self._measuring.mean("answered", [float(bool(text)) for text in texts]),
            self._measuring.mean(_CITED, self._cited(method), _IN_CITED),
            self._measuring.mean(_STR_EM, self._str_em(method), _IN_TEXT),
            *self._of_citations(told),
            Figure("words", _mean([len(text.split()) for text in texts])),
            *_costs([*own.values()]),
        )
        return replace(
            _row(method, [*own.values()], figures, [*self._leads(method)]),
            n=len(told),
            problems=sum(not answer.text for answer in told),
        )

    def _told(self, method: str) -> list[Prediction]:
        """Of every question; an empty answer where there is none."""
        own, none = self.answered.said[method], Prediction("", method, None, None, 0.0)
        return [own.get(question.id, none) for question in self._items]

    def _leads(self, method: str) -> Iterator[Comparison]:
        """Of the first method over all others, of another over itself with other settings."""
        first, *others = [name for name, own in self.answered.said.items() if own]
        if method != first:
            others = [other for other in others if other.startswith(f"{method}:")]
        for name, values in ((_STR_EM, self._str_em), (_CITED, self._cited)):
            for other in others:
                means = (boot.mean(values(method)), boot.mean(values(other)))
                yield self._measuring.lead(other, name, *means)

    def _str_em(self, method: str) -> Floats:
        pairs = zip(self._told(method), self._items, strict=True)
        return np.array([str_em(without_marks(a.text or ""), q.answers) for a, q in pairs])

    def _cited(self, method: str) -> Floats:
        pairs = zip(self._told(method), self._items, strict=True)
        return np.array([cited_str_em(answer, question.answers) for answer, question in pairs])

    def _of_citations(self, told: Sequence[Prediction]) -> Iterator[Figure]:
        """Recall and precision are means over the questions, F1 is of the two means."""
        cited = np.array([a.cited or (0.0, 0.0) for a in told], dtype=np.float64)
        recalled, precise = boot.mean(cited[:, 0]), boot.mean(cited[:, 1])

        def f1(weights: Floats) -> Floats:
            r, p = recalled(weights), precise(weights)
            return np.divide(2 * r * p, r + p, out=np.zeros(len(r)), where=r + p > 0)

        yield self._measuring.figure("citation recall", recalled, _JUDGE)
        yield self._measuring.figure("citation precision", precise, _JUDGE)
        yield self._measuring.figure("citation F1", f1, "of the two means")
        counts = np.array([a.supported or (0, 0) for a in told], dtype=np.float64)
        if any(answer.supported for answer in told):
            of = boot.ratio(counts[:, 0], counts[:, 1])
            yield self._measuring.figure("support", of, _SUPPORT)


def cited_str_em(prediction: Prediction, accepted: Sequence[Sequence[str]]) -> float:
    """STR-EM of the sentences that cite a document, where there are three sentences at most."""
    sentences = [s for s in parse(prediction.text or "") if s.statement]
    if len(sentences) > _MOST_SENTENCES:
        return str_em("", accepted)
    documents = range(1, len(prediction.found) + 1)
    cited = (s.statement for s in sentences if any(n in documents for n in s.citations))
    return str_em(" ".join(cited), accepted)


def _costs(given: Sequence[Prediction]) -> Iterator[Figure]:
    """What an answer cost on average; of a language model nothing where none was asked."""
    spent = [answer.cost for answer in given if answer.cost]
    if spent:
        yield Figure("searches", _mean([cost.searches for cost in spent]))
        yield Figure("claims judged", _mean([cost.judged for cost in spent]))
    if any(cost.calls for cost in spent):
        yield Figure("model calls", _mean([cost.calls for cost in spent]))
        tokens = [cost.prefilled + cost.generated for cost in spent]
        yield Figure("tokens", _mean(tokens), note=_TOKENS)


_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normalise(text: str) -> str:
    """Lower case without punctuation, articles and needless whitespace (SQuAD, KILT).

    On ASCII text exactly what SQuAD's script does, save that an answer of nothing but articles
    and punctuation keeps them: "A" and "!!!" may be right answers, an empty one never is. Beyond
    ASCII, accents in one code point or two are the same, and typographic punctuation goes too.
    """
    lowered = unicodedata.normalize("NFC", text).lower()
    bare = "".join(
        char
        for char in lowered
        if char not in string.punctuation
        and (char.isascii() or not unicodedata.category(char).startswith("P"))
    )
    forms = (form.split() for form in (_ARTICLES.sub(" ", bare), bare, lowered))
    return " ".join(next((words for words in forms if words), []))


def str_em(text: str, accepted: Sequence[Sequence[str]]) -> float:
    """STR-EM (ASQA, ALCE): the share of answers one of whose aliases occurs in the text.

    Aliases are found as whole normalised tokens, not as ALCE does inside words ("art" in "party").

    Args:
        text: An answer, without citation marks.
        accepted: The aliases of each thing asked; none gives nan.
    """
    spaced = f" {normalise(text)} "
    found = [
        any(f" {alias} " in spaced for alias in map(normalise, own) if alias) for own in accepted
    ]
    return sum(found) / len(found) if found else float("nan")
