"""From answers to figures: ``answer``. Short answers, lists, citations and what was retrieved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracite.engine.claims.citation_marks import listed, without_marks
from veracite.engine.evaluation import answer_statistics as statistics
from veracite.engine.evaluation.answer_statistics import Values
from veracite.engine.evaluation.answering import PLAIN
from veracite.engine.evaluation.items import Prediction, Question, Source
from veracite.engine.evaluation.list_answers import list_scores
from veracite.engine.evaluation.results import Comparison, Figure, MethodResult
from veracite.engine.evaluation.short_answers import (
    exact_match,
    recall_at_k,
    rouge_l,
    str_em,
    token_f1,
)
from veracite.engine.evaluation.significance import Statistic, bootstrap
from veracite.engine.evaluation.weighted import mean

__all__ = ["CITED", "MAIN", "AnswerFigures"]

MAIN = "STR-EM"
CITED = "cited STR-EM"
_IN_CITED = "STR-EM of the sentences that cite, 0 for answers of more than three sentences"
_JUDGE = (
    "by the bundled verifier, not by TRUE-11B: figures of other papers do not compare; the methods "
    "ask it too, which favours them"
)
_SUPPORT = "share of the sentences that the method's own judge calls supported"
_RECALLS = (1, 5, 20)


@dataclass(frozen=True)
class AnswerFigures:
    """The figures of every method on the same questions.

    Args:
        items: The questions.
        said: Every method's answers by method; questions it did not answer are missing.
        sources: Every document that could be cited, by id.
        lists: Whether answers are lists with commas (QAMPARI).
        seed: Of the bootstrap.
        rounds: Of the bootstrap.
    """

    items: Sequence[Question]
    said: Mapping[str, Mapping[str, Prediction]]
    sources: Mapping[str, Source]
    lists: bool
    seed: int
    rounds: int = 2000

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method that answered anything, in their order."""
        return tuple(self._method(method) for method in self._answering)

    @cached_property
    def _answering(self) -> list[str]:
        return [method for method in self.said if self.said[method]]

    @cached_property
    def _groups(self) -> list[str]:
        return [question.id for question in self.items]

    @cached_property
    def _accepted(self) -> list[list[str]]:
        """Every alias of every answer, by question."""
        return [[alias for group in q.answers for alias in group] for q in self.items]

    def _method(self, method: str) -> MethodResult:
        answers = self.said[method]
        pairs = [(q, answers.get(q.id)) for q in self.items]
        texts = self._texts(method)
        return MethodResult(
            method=method,
            figures=(
                self._figure("answered", [float(bool(text)) for text in texts]),
                *self._of_texts(method, texts),
                *self._of_lists(texts),
                *self._of_citations(pairs),
                *self._of_support(pairs),
                *self._of_retrieval(pairs),
                Figure("words", float(np.mean([len(text.split()) for text in texts]))),
                *statistics.costs([p.cost for p in answers.values() if p.cost]),
            ),
            n=len(pairs),
            problems=sum(p is None or not p.text for _, p in pairs),
            seconds_per_item=float(np.mean([p.seconds for p in answers.values()])),
            compared=self._leads(method),
            trivial=method in PLAIN,
        )

    def _texts(self, method: str) -> list[str]:
        """What a method answered, without marks; nothing where it did not."""
        answers = (self.said[method].get(q.id) for q in self.items)
        return [without_marks(p.text or "") if p else "" for p in answers]

    def _leads(self, method: str) -> tuple[Comparison, ...]:
        """Of the first method over all others, of another over itself with other settings."""
        if not any(self._accepted):
            return ()
        first, *others = self._answering
        if method != first:
            others = [other for other in others if other.startswith(f"{method}:")]
        drawn = (self._groups, self.rounds, self.seed)
        return tuple(
            statistics.lead(figure, other, values(method), values(other), *drawn)
            for figure, values in ((MAIN, self._str_em), (CITED, self._cited))
            for other in others
        )

    def _str_em(self, method: str) -> Values:
        pairs = zip(self._texts(method), self.items, strict=True)
        return np.array([str_em(text, question.answers) for text, question in pairs])

    def _cited(self, method: str) -> Values:
        said = self.said[method]
        return np.array([statistics.cited_str_em(said.get(q.id), q.answers) for q in self.items])

    def _of_texts(self, method: str, texts: Sequence[str]) -> list[Figure]:
        long = [q.long or tuple(a) for q, a in zip(self.items, self._accepted, strict=True)]
        rouge = self._figure("ROUGE-L", _against(rouge_l, texts, long))
        if not any(self._accepted):
            return [rouge]
        note = "share of the answers whose words stand in the text"
        return [
            self._figure(CITED, self._cited(method), _IN_CITED),
            self._figure(MAIN, self._str_em(method), note),
            self._figure("EM", _against(exact_match, texts, self._accepted)),
            self._figure("F1", _against(token_f1, texts, self._accepted)),
            rouge,
        ]

    def _of_lists(self, texts: Sequence[str]) -> list[Figure]:
        if not self.lists:
            return []
        scores = [
            list_scores(listed(text), q.answers) for text, q in zip(texts, self.items, strict=True)
        ]
        return [
            self._figure("list precision", [s.precision for s in scores]),
            self._figure("list recall-5", [s.recall_5 for s in scores]),
            self._figure("list F1-5", [s.f1_5 for s in scores]),
        ]

    def _of_citations(self, pairs: Sequence[tuple[Question, Prediction | None]]) -> list[Figure]:
        """Recall and precision are means over the questions, F1 is of the two means."""
        cited = [p.cited or (0.0, 0.0) if p else (0.0, 0.0) for _, p in pairs]
        both: Values = np.array(cited, dtype=np.float64).reshape(len(cited), 2)
        return [
            self._figure("citation recall", both[:, 0], _JUDGE),
            self._figure("citation precision", both[:, 1], _JUDGE),
            self._bootstrapped("citation F1", statistics.citation_f1(both), "of the two means"),
        ]

    def _of_support(self, pairs: Sequence[tuple[Question, Prediction | None]]) -> list[Figure]:
        counts = [p.supported if p else None for _, p in pairs]
        return (
            [self._bootstrapped("support", statistics.support(counts), _SUPPORT)]
            if any(counts)
            else []
        )

    def _of_retrieval(self, pairs: Sequence[tuple[Question, Prediction | None]]) -> list[Figure]:
        if not any(q.answers for q in self.items):
            return []
        figures = []
        for k in _RECALLS:
            values = []
            for q, p in pairs:
                found = [self.sources[document].text for document in p.found] if p else []
                values.append(recall_at_k(q.answers, found, k))
            if k <= max((len(p.found) for _, p in pairs if p), default=0):
                figures.append(self._figure(f"recall@{k}", values, "of answers as token spans"))
        return figures

    def _figure(self, name: str, values: Sequence[float] | Values, note: str = "") -> Figure:
        return self._bootstrapped(name, mean(np.asarray(values, dtype=np.float64)), note)

    def _bootstrapped(self, name: str, of: Statistic, note: str) -> Figure:
        found = bootstrap(of, self._groups, rounds=self.rounds, seed=self.seed)
        return Figure(name, found.estimate, found.low, found.high, note)


def _against(
    score: Callable[[str, Sequence[str]], float],
    texts: Sequence[str],
    references: Sequence[Sequence[str]],
) -> Values:
    """The scores of texts; nan where there is no reference."""
    pairs = zip(texts, references, strict=True)
    return np.array([float(score(text, own)) if own else float("nan") for text, own in pairs])
