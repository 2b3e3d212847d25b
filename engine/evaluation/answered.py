"""From answers to figures: ``answer``. Short answers, lists, citations and what was retrieved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from veracite.engine.evaluation import alce, short_answers
from veracite.engine.evaluation.items import Prediction, Question, Source
from veracite.engine.evaluation.results import Figure, MethodResult
from veracite.engine.evaluation.significance import bootstrap
from veracite.engine.verify import PairScorer

__all__ = ["MAIN", "AnswerFigures", "Entailment"]

MAIN = "STR-EM"
_JUDGE = "by the bundled verifier, not by TRUE-11B: figures of other papers do not compare"
_RECALLS = (1, 5, 20)
_JOINT = " \u2026 "

Values = NDArray[np.float64]


class Entailment:
    """The bundled verifier as the judge of citations.

    Documents together entail a statement if one of them does, or all of them joined.
    """

    def __init__(self, verifier: PairScorer, least: float = 0.5) -> None:
        self._verifier = verifier
        self._least = least
        self._known: dict[tuple[tuple[str, ...], str], bool] = {}

    def __call__(self, premises: Sequence[str], statement: str) -> bool:
        """Whether the premises together entail the statement."""
        key = (tuple(premises), statement)
        if key not in self._known:
            texts = dict.fromkeys([*premises, _JOINT.join(premises)])
            scores = self._verifier.score([(text, statement) for text in texts])
            self._known[key] = bool(scores[:, 0].max() >= self._least)
        return self._known[key]


@dataclass(frozen=True)
class AnswerFigures:
    """The figures of every method on the same questions.

    Args:
        items: The questions.
        said: Every method's answers by method; questions it did not answer are missing.
        sources: Every document that could be cited, by id.
        lists: Whether answers are lists with commas (QAMPARI).
        entails: Judges citations.
        seed: Of the bootstrap.
        rounds: Of the bootstrap.
    """

    items: Sequence[Question]
    said: Mapping[str, Mapping[str, Prediction]]
    sources: Mapping[str, Source]
    lists: bool
    entails: Callable[[Sequence[str], str], bool]
    seed: int
    rounds: int = 2000

    def methods(self) -> tuple[MethodResult, ...]:
        """A row for each method that answered anything, in their order."""
        return tuple(self._method(method) for method in self.said if self.said[method])

    @cached_property
    def _groups(self) -> list[str]:
        return [question.id for question in self.items]

    def _method(self, method: str) -> MethodResult:
        answers = self.said[method]
        pairs = [(q, answers.get(q.id)) for q in self.items]
        texts = [alce.without_marks(p.text or "") if p else "" for _, p in pairs]
        return MethodResult(
            method=method,
            figures=(
                *self._of_texts(texts),
                *self._of_lists(texts),
                *self._of_citations(pairs),
                *self._of_retrieval(pairs),
                Figure("words", float(np.mean([len(text.split()) for text in texts]))),
            ),
            n=len(pairs),
            problems=sum(p is None or not p.text for _, p in pairs),
            seconds_per_item=float(np.mean([p.seconds for p in answers.values()])),
        )

    def _of_texts(self, texts: Sequence[str]) -> list[Figure]:
        flat = [[alias for group in q.answers for alias in group] for q in self.items]
        figures = []
        if any(flat):
            figures = [
                self._figure(
                    MAIN,
                    [
                        short_answers.str_em(t, q.answers)
                        for t, q in zip(texts, self.items, strict=True)
                    ],
                    "share of the answers whose words stand in the text",
                ),
                self._figure(
                    "EM",
                    [
                        float(short_answers.exact_match(t, a))
                        for t, a in zip(texts, flat, strict=True)
                    ],
                ),
                self._figure(
                    "F1", [short_answers.token_f1(t, a) for t, a in zip(texts, flat, strict=True)]
                ),
            ]
        long = [q.long or tuple(a) for q, a in zip(self.items, flat, strict=True)]
        rouge = [short_answers.rouge_l(t, a) for t, a in zip(texts, long, strict=True)]
        return [*figures, self._figure("ROUGE-L", rouge)]

    def _of_lists(self, texts: Sequence[str]) -> list[Figure]:
        if not self.lists:
            return []
        scores = [
            short_answers.list_scores(short_answers.listed(text), q.answers)
            for text, q in zip(texts, self.items, strict=True)
        ]
        return [
            self._figure("list precision", [s.precision for s in scores]),
            self._figure("list recall-5", [s.recall_5 for s in scores]),
            self._figure("list F1-5", [s.f1_5 for s in scores]),
        ]

    def _of_citations(self, pairs: Sequence[tuple[Question, Prediction | None]]) -> list[Figure]:
        scores = [
            alce.score_answer(
                (p.text or "") if p else "",
                [self.sources[document] for document in p.found] if p else [],
                self.entails,
                question=q.text if self.lists else None,
            )
            for q, p in pairs
        ]
        return [
            self._figure("citation recall", [s.recall for s in scores], _JUDGE),
            self._figure("citation precision", [s.precision for s in scores], _JUDGE),
            Figure("citation F1", alce.total(scores).f1, note="of the two means"),
        ]

    def _of_retrieval(self, pairs: Sequence[tuple[Question, Prediction | None]]) -> list[Figure]:
        if not any(q.answers for q in self.items):
            return []
        figures = []
        for k in _RECALLS:
            values = []
            for q, p in pairs:
                found = [self.sources[document].text for document in p.found] if p else []
                values.append(short_answers.recall_at_k(q.answers, found, k))
            if k <= max((len(p.found) for _, p in pairs if p), default=0):
                figures.append(self._figure(f"recall@{k}", values, "of answers as token spans"))
        return figures

    def _figure(self, name: str, values: Sequence[float], note: str = "") -> Figure:
        column: Values = np.array(values, dtype=np.float64)
        found = bootstrap(
            lambda rows: (
                float(np.nanmean(column[rows])) if np.isfinite(column[rows]).any() else float("nan")
            ),
            self._groups,
            rounds=self.rounds,
            seed=self.seed,
        )
        return Figure(name, found.estimate, found.low, found.high, note)
