"""From what was predicted to the result that is printed, task by task.

Thresholds are chosen on one part of the statements, the figures are of the other.
"""

import math
import re
import string
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import binomtest
from sklearn.metrics import auc, precision_recall_curve

from veracite.engine import bootstrap as boot
from veracite.engine.bootstrap import Floats, Marks, Statistic, calibration_error
from veracite.engine.claims.citation_marks import parse, without_marks
from veracite.engine.evaluation.answering import DIFFERENCES
from veracite.engine.evaluation.calibrate import logistic_threshold
from veracite.engine.evaluation.items import (
    Answered,
    Comparison,
    Figure,
    MethodResult,
    Mistake,
    Part,
    Prediction,
    Query,
    Question,
    Result,
    Statement,
)
from veracite.engine.report.phrases import LABEL_WORDS
from veracite.engine.types import Label

OURS = "veracite"
AS_SHIPPED = "veracite as shipped"
MAIN = "balanced accuracy"
_MISTAKES = 50


def sum_up(answered: Answered) -> Result:
    """The figures of every method, with those to show."""
    loaded = answered.loaded
    base = Result(
        task=loaded.task,
        format=loaded.format,
        label_map=dict(loaded.label_map),
        items=len(loaded.items),
        notes=loaded.notes,
        record=answered.record,
    )
    tasks = {"retrieve": _of_rankings, "answer": _of_answers}
    return tasks.get(loaded.task, _of_statements)(base, answered)


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

    def figure(self, name: str, of: Statistic) -> Figure:
        """A figure by this statistic."""
        return Figure(name, *self._bounds(of))

    def lead(
        self, other: str, name: str, of: tuple[Statistic, Statistic], right: Sequence[Marks] = ()
    ) -> Comparison:
        """Of one method over another in such a figure; tested where items are right or wrong."""
        bounds = self._bounds(boot.difference(*of))
        return Comparison(other, name, *bounds, mcnemar(*right) if right else None)

    def _bounds(self, of: Statistic) -> tuple[float | None, float | None, float | None]:
        found = boot.bootstrap(of, self.groups, seed=self.seed)
        return _known(found.estimate), _known(found.low), _known(found.high)


def _by_method(answered: Answered) -> dict[str, list[Prediction]]:
    """What each method said of the items, in their order."""
    items = answered.loaded.items
    return {method: [own[item.id] for item in items] for method, own in answered.said.items()}


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
    members: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for item, (group, part) in enumerate(zip(groups, parts, strict=True)):
        members[part][group].append(item)
    sets = [list(by_group.values()) for by_group in members.values()]
    sets = [[[item] for item in units[0]] if len(units) == 1 else units for units in sets]
    where = " of each set" if len(sets) > 1 else ""

    def made(names: str, taken: Callable[[list[list[int]]], list[list[int]]]) -> Split:
        chosen = np.zeros(len(groups), bool)
        chosen[[item for units in sets for unit in taken(units) for item in unit]] = True
        first, second = (f"{name} groups{where}" for name in names.split("|"))
        return Split(chosen, ~chosen, (first, second))

    halves = made("first half of the|second half of the", lambda units: units[: len(units) // 2])
    both = all(_both(truth[side]) for side in (halves.chosen, halves.held))
    if both and not any(_is_sorted(units, truth) for units in sets):
        return halves
    return made("odd-numbered|even-numbered", lambda units: units[::2])


def _is_sorted(units: Sequence[list[int]], truth: Marks) -> bool:
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


class VerdictFigures:
    """Statements with what the methods said of them; figures are of the part held out."""

    def __init__(self, answered: Answered) -> None:
        self.items = [item for item in answered.loaded.items if isinstance(item, Statement)]
        self.groups = [f"{i.part}/{i.group}" if i.part else i.group for i in self.items]
        """Of every item; groups of two sets are two, even if they have one name."""
        self.truth: Marks = np.array([item.truth for item in self.items], bool)
        self.split = split(self.groups, [item.part for item in self.items], self.truth)
        self.held_truth = self.truth[self.split.held]
        self.said = _by_method(answered)
        self.scores = {m: np.array([p.score or 0.0 for p in own]) for m, own in self.said.items()}
        """What each method gave every item."""
        self._against = answered.asked.against_contradiction
        self._held: list[int] = np.flatnonzero(self.split.held).tolist()
        self._labels = np.array([self.said[OURS][place].label for place in self._held], object)
        held_groups = [self.groups[place] for place in self._held]
        self._measuring = _Measuring(held_groups, answered.asked.seed)

    def means_true(self, label: str | None) -> bool:
        """Whether one of the product's labels counts as true.

        CEG's Table 12: on FELM only an actual error is nonfactual; elsewhere whatever is not
        supported.
        """
        return label is not None and (
            label != "contradicted" if self._against else label == "supported"
        )

    def parts(self) -> Iterator[Part]:
        """What each part was for."""
        masks = (self.split.chosen, self.split.held)
        for use, name, mask in zip(("thresholds", "results"), self.split.names, masks, strict=True):
            groups = dict.fromkeys(np.array(self.groups, object)[mask].tolist())
            yield Part(use, name, tuple(groups), int(mask.sum()), _mean(self.truth[mask]))

    def methods(self) -> Iterator[MethodResult]:
        """A row for each method, the product's own first, and for who always says the same."""
        chosen, held, n = self.split.chosen, self.split.held, len(self._held)
        thresholds = {
            method: _known(logistic_threshold(scores[chosen], self.truth[chosen]))
            for method, scores in self.scores.items()
        }
        calls = {m: self.scores[m][held] >= t for m, t in thresholds.items() if t is not None}
        shipped = np.array([self.means_true(label) for label in self._labels], bool)
        others = [method for method in self.said if method != OURS]
        for method in (OURS, AS_SHIPPED, *others):
            said = self.said.get(method, self.said[OURS])
            called = shipped if method == AS_SHIPPED else calls.get(method)
            if method == AS_SHIPPED:
                more = [*self._of_labels()]
            else:
                more = [*self._of_scores(self.scores[method][held])]
            if method == OURS:
                error = calibration_error(self.scores[OURS][held], self.held_truth)
                more.append(Figure("ECE", _known(error)))
            calling = [*self._of_calls(called)]
            leads = (
                self._lead(other, called, calls[other])
                for other in others
                if called is not None and other in calls and method in (OURS, AS_SHIPPED)
            )
            figures = (*calling[:2], *more, *calling[2:])
            failed = sum(said[place].problem is not None for place in self._held)
            yield MethodResult(method, figures, n, failed, thresholds.get(method), tuple(leads))
        for name, value in (("always true", True), ("always false", False)):
            figures = (*self._of_calls(np.full(n, value)), *self._of_scores(np.zeros(n)))
            bare = tuple(replace(figure, low=None, high=None) for figure in figures)
            yield MethodResult(name, bare, n)

    def mistakes(self) -> tuple[Mistake, ...]:
        """What the product as shipped got wrong, the surest first."""
        found = []
        for place in self._held:
            item, said = self.items[place], self.said[OURS][place]
            called, score = self.means_true(said.label), said.score or 0.0
            if said.label and called != item.truth:
                mistake = Mistake(item.id, item.text, item.label, said.label, said.score)
                found.append((score if called else 1 - score, mistake))
        found.sort(key=lambda one: -one[0])
        return tuple(mistake for _, mistake in found[:_MISTAKES])

    def _of_calls(self, calls: Marks | None) -> Iterator[Figure]:
        """Figures of what is called true; none of a method that no threshold was found for."""
        truth, figure = self.held_truth, self._measuring.figure
        if calls is None:
            return
        yield figure(MAIN, boot.balanced_accuracy(calls, truth))
        yield figure("false supported", boot.rate(calls, ~truth))
        for side, called, wanted in (("true", calls, truth), ("false", ~calls, ~truth)):
            area = trapezoid(called, wanted) if _both(truth) else None
            yield Figure(f"CEG's area {side}", area)
        yield Figure("accuracy", _mean(calls == truth))
        yield Figure("wrong when true", _mean(~truth[calls]))

    def _of_labels(self) -> Iterator[Figure]:
        """Figures of labels as a user sees them: no threshold is chosen on this data."""
        denied = boot.rate(np.asarray(self._labels == Label.CONTRADICTED), self.held_truth)
        yield self._measuring.figure("false contradicted", denied)
        yield Figure("uncertain", _mean(np.asarray(self._labels == Label.UNCERTAIN)))

    def _of_scores(self, scores: Floats) -> Iterator[Figure]:
        truth = self.held_truth
        yield self._measuring.figure("AUC-ROC", boot.roc_auc(scores, truth))
        for side, ranked, wanted in (("true", scores, truth), ("false", -scores, ~truth)):
            yield self._measuring.figure(f"AP {side}", boot.average_precision(ranked, wanted))

    def _lead(self, other: str, ours: Marks, theirs: Marks) -> Comparison:
        truth, both = self.held_truth, (ours, theirs)
        own, rival = (boot.balanced_accuracy(made, truth) for made in both)
        return self._measuring.lead(other, MAIN, (own, rival), [made == truth for made in both])


def trapezoid(called: Marks, wanted: Marks) -> float | None:
    """The area under precision over recall of hard labels, which is no average precision."""
    precision, recalled, _ = precision_recall_curve(wanted, called)
    return _known(auc(recalled, precision))


def mcnemar(ours: Marks, theirs: Marks) -> float | None:
    """The p of McNemar's exact test: whether two methods are right equally often."""
    only, differ = int((ours & ~theirs).sum()), int((ours != theirs).sum())
    return _known(binomtest(only, differ).pvalue) if differ else 1.0


def _of_statements(base: Result, answered: Answered) -> Result:
    judged = VerdictFigures(answered)
    return replace(
        base,
        positives=_mean(judged.truth),
        methods=tuple(judged.methods()),
        parts=tuple(judged.parts()),
        mistakes=judged.mistakes(),
        notes=(*base.notes, *_remarks(answered, judged)),
    )


def _remarks(answered: Answered, judged: VerdictFigures) -> Iterator[str]:
    """What is missing, and what scores and labels mean."""
    if not _both(judged.held_truth):
        kind, other = ("true", "false") if judged.held_truth.all() else ("false", "true")
        yield f"All items for results are {kind}: figures that need {other} ones too are n/a."
    settings = answered.asked
    true = ", ".join(LABEL_WORDS[label] for label in Label if judged.means_true(label))
    what = "1 - P(contradicted)" if settings.against_contradiction else "P(supported)"
    whose = "its own documents" if settings.scope == "each" else "all documents as one library"
    whose = "the documents named with --against" if settings.against else whose
    yield (
        f"Scores are {what}; of Veracite's labels these count as true: {true}. "
        f"Each item is judged by {whose}."
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


def _of_rankings(base: Result, answered: Answered) -> Result:
    """A row for each way to search; the first leads the others by so much in nDCG."""
    queries = [item for item in answered.loaded.items if isinstance(item, Query)]
    measuring = _Measuring([query.id for query in queries], answered.asked.seed)
    figures = (("nDCG", ndcg, 10), *(("recall", recall, k) for k in (1, 6, 10, 100)))
    said = _by_method(answered)
    of = {
        method: {
            f"{name}@{k}": boot.mean(
                [figure(p.found, q.relevant, k) for q, p in zip(queries, own, strict=True)]
            )
            for name, figure, k in figures
        }
        for method, own in said.items()
    }
    main, (first, *others) = "nDCG@10", said
    leads = [measuring.lead(other, main, (of[first][main], of[other][main])) for other in others]
    rows = []
    for method, own in said.items():
        found = tuple(measuring.figure(name, statistic) for name, statistic in of[method].items())
        failed, led = sum(one.problem is not None for one in own), leads if method == first else []
        rows.append(MethodResult(method, found, len(own), failed, compared=tuple(led)))
    return replace(base, methods=tuple(rows))


# --- Answers: short ones and citations --------------------------------------------------------

_MOST_SENTENCES = 3


def _of_answers(base: Result, answered: Answered) -> Result:
    """A row for each method that answered anything; what it did not answer is missing.

    The first method is compared with all others, another with itself with other settings.
    """
    questions = [item for item in answered.loaded.items if isinstance(item, Question)]
    measuring = _Measuring([q.id for q in questions], answered.asked.seed)
    said = {method: own for method, own in answered.said.items() if own}
    told = {m: [own.get(q.id, Prediction(q.id, m)) for q in questions] for m, own in said.items()}
    right = {method: _of_words(every, questions) for method, every in told.items()}
    rows: list[MethodResult] = []
    for method, every in told.items():
        texts = [without_marks(answer.text or "") for answer in every]
        others = [m for m in told if m != method]
        if rows:
            others = [other for other in others if other.startswith(f"{method}:")]
        figures = (
            measuring.figure("answered", boot.mean([bool(text) for text in texts])),
            *(measuring.figure(name, of) for name, of in right[method].items()),
            *_of_citations(every, measuring),
            *_by_gold(every, questions, measuring),
            Figure("words", _mean([len(text.split()) for text in texts])),
            *_costs([*said[method].values()]),
        )
        leads = (
            measuring.lead(other, name, (of, right[other][name]))
            for name, of in right[method].items()
            for other in others
        )
        empty = sum(not answer.text for answer in every)
        rows.append(MethodResult(method, figures, len(every), empty, compared=tuple(leads)))
    return replace(base, methods=tuple(rows), notes=(*base.notes, *DIFFERENCES))


def _of_words(told: Sequence[Prediction], questions: Sequence[Question]) -> dict[str, Statistic]:
    """How right an answer's words are: STR-EM, or ROUGE-L where a whole text was asked for."""
    every = [(a, without_marks(a.text or ""), q) for a, q in zip(told, questions, strict=True)]
    if all(question.reference for question in questions):
        return {"ROUGE-L": boot.mean([rouge_l(text, q.reference) for _, text, q in every])}
    return {
        "cited STR-EM": boot.mean([cited_str_em(a, q.answers) for a, _, q in every]),
        "STR-EM": boot.mean([str_em(text, q.answers) for _, text, q in every]),
    }


def _of_citations(told: Sequence[Prediction], measuring: _Measuring) -> Iterator[Figure]:
    """Recall and precision are means over the questions, F1 is of the two means."""
    cited = np.array([answer.cited or (0.0, 0.0) for answer in told])
    recalled, precise = boot.mean(cited[:, 0]), boot.mean(cited[:, 1])

    def f1(weights: Floats) -> Floats:
        r, p = recalled(weights), precise(weights)
        return np.nan_to_num(boot.divided(2 * r * p, r + p))

    yield measuring.figure("citation recall", recalled)
    yield measuring.figure("citation precision", precise)
    yield measuring.figure("citation F1", f1)
    if any(answer.supported for answer in told):
        counts = np.array([answer.supported or (0, 0) for answer in told], dtype=np.float64)
        yield measuring.figure("support", boot.ratio(counts[:, 0], counts[:, 1]))


def _by_gold(
    told: Sequence[Prediction], questions: Sequence[Question], measuring: _Measuring
) -> Iterator[Figure]:
    """The share of the set's own evidence that is cited, and of what is cited that is evidence.

    Questions for which the set names none do not count.
    """
    if not any(question.gold for question in questions):
        return
    rights = []
    for answer, question in zip(told, questions, strict=True):
        cited = {n for sentence in parse(answer.text or "") for n in sentence.citations}
        right = {answer.found[n - 1] for n in cited if 1 <= n <= len(answer.found)}
        right &= (gold := {*question.gold})
        shares = len(right) / max(1, len(gold)), len(right) / max(1, len(cited))
        rights.append(shares if gold else (math.nan, math.nan))
    for place, name in enumerate(("gold recall", "gold precision")):
        yield measuring.figure(name, boot.mean([right[place] for right in rights]))


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
    if spent := [answer.cost for answer in given if answer.cost]:
        yield Figure("searches", _mean([cost.searches for cost in spent]))
        yield Figure("claims judged", _mean([cost.judged for cost in spent]))
    if any(cost.calls for cost in spent):
        yield Figure("model calls", _mean([cost.calls for cost in spent]))
        yield Figure("prompt tokens", _mean([cost.prefilled + cost.reused for cost in spent]))
        yield Figure("computed", _mean([cost.prefilled for cost in spent]))
        yield Figure("written", _mean([cost.generated for cost in spent]))


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


def rouge_l(text: str, reference: str) -> float:
    """ROUGE-L (Lin 2004): F1 of the longest common subsequence of their words, normalised.

    Args:
        text: An answer, without citation marks.
        reference: What it should have said.
    """
    said, wanted = normalise(text).split(), normalise(reference).split()
    common = [0] * (len(wanted) + 1)
    for word in said:
        before, common = common, [0]
        for place, other in enumerate(wanted):
            longer = before[place] + 1 if word == other else 0
            common.append(max(longer, before[place + 1], common[place]))
    return 2 * common[-1] / max(1, len(said) + len(wanted))
