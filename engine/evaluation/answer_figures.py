"""From answers to figures: ``answer``. Short answers, lists, citations and what was retrieved."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracite.engine.claims.citation_marks import listed, parse, without_marks
from veracite.engine.evaluation import bootstrap as boot
from veracite.engine.evaluation.answers import PLAIN
from veracite.engine.evaluation.bootstrap import Floats, Statistic
from veracite.engine.evaluation.items import Prediction, Question, Source
from veracite.engine.evaluation.results import Comparison, Figure, MethodResult
from veracite.engine.evaluation.short_answers import (
    exact_match,
    list_scores,
    recall_at_k,
    rouge_l,
    str_em,
    token_f1,
)
from veracite.engine.methods.cost import Cost

MAIN = "STR-EM"
CITED = "cited STR-EM"
_IN_TEXT = "share of the answers whose words stand in the text"
_IN_CITED = "STR-EM of the sentences that cite, 0 for answers of more than three sentences"
_JUDGE = (
    "by the bundled verifier, not by TRUE-11B: figures of other papers do not compare; the methods "
    "ask it too, which favours them"
)
_SUPPORT = "share of the sentences that the method's own judge calls supported"
_TOKENS = "of prompts, and written; not those of prompts that stood computed"
_RECALLS = (1, 5, 20)
_MOST_SENTENCES = 3


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
    def _accepted(self) -> list[list[str]]:
        """Every alias of every answer, by question."""
        return [[alias for group in q.answers for alias in group] for q in self.items]

    def _answers(self, method: str) -> list[Prediction | None]:
        return [self.said[method].get(question.id) for question in self.items]

    def _method(self, method: str) -> MethodResult:
        answers = self._answers(method)
        given = [answer for answer in answers if answer]
        texts = _texts(answers)
        return MethodResult(
            method=method,
            figures=(
                self._mean("answered", [float(bool(text)) for text in texts]),
                *self._of_texts(method, texts),
                *self._of_lists(texts),
                *self._of_citations(answers),
                *self._of_retrieval(answers),
                Figure("words", float(np.mean([len(text.split()) for text in texts]))),
                *_costs([answer.cost for answer in given if answer.cost]),
            ),
            n=len(answers),
            problems=sum(answer is None or not answer.text for answer in answers),
            seconds_per_item=float(np.mean([answer.seconds for answer in given])),
            compared=self._leads(method),
            trivial=method in PLAIN,
        )

    def _leads(self, method: str) -> tuple[Comparison, ...]:
        """Of the first method over all others, of another over itself with other settings.

        McNemar's test is of the questions that were answered in full.
        """
        if not any(self._accepted):
            return ()
        first, *others = self._answering
        if method != first:
            others = [other for other in others if other.startswith(f"{method}:")]
        leads = []
        for name, values in ((MAIN, self._str_em), (CITED, self._cited)):
            ours = values(method)
            for other in others:
                theirs = values(other)
                found = self._bootstrap(boot.difference(boot.mean(ours), boot.mean(theirs)))
                p = boot.mcnemar(ours == 1, theirs == 1)
                bounds = found.low, found.high
                leads.append(Comparison(other, name, found.estimate, *bounds, p))
        return tuple(leads)

    def _str_em(self, method: str) -> Floats:
        pairs = zip(_texts(self._answers(method)), self.items, strict=True)
        return np.array([str_em(text, question.answers) for text, question in pairs])

    def _cited(self, method: str) -> Floats:
        pairs = zip(self._answers(method), self.items, strict=True)
        return np.array([cited_str_em(answer, question.answers) for answer, question in pairs])

    def _of_texts(self, method: str, texts: Sequence[str]) -> Iterator[Figure]:
        long = [q.long or tuple(a) for q, a in zip(self.items, self._accepted, strict=True)]
        if any(self._accepted):
            yield self._mean(CITED, self._cited(method), _IN_CITED)
            yield self._mean(MAIN, self._str_em(method), _IN_TEXT)
            yield self._mean("EM", _against(exact_match, texts, self._accepted))
            yield self._mean("F1", _against(token_f1, texts, self._accepted))
        yield self._mean("ROUGE-L", _against(rouge_l, texts, long))

    def _of_lists(self, texts: Sequence[str]) -> Iterator[Figure]:
        if self.lists:
            pairs = zip(texts, self.items, strict=True)
            scores = [list_scores(listed(text), question.answers) for text, question in pairs]
            yield self._mean("list precision", [s.precision for s in scores])
            yield self._mean("list recall-5", [s.recall_5 for s in scores])
            yield self._mean("list F1-5", [s.f1_5 for s in scores])

    def _of_citations(self, answers: Sequence[Prediction | None]) -> Iterator[Figure]:
        """Recall and precision are means over the questions, F1 is of the two means."""
        cited = np.array([(a and a.cited) or (0.0, 0.0) for a in answers], dtype=np.float64)
        recall, precision = boot.mean(cited[:, 0]), boot.mean(cited[:, 1])

        def f1(weights: Floats) -> Floats:
            r, p = recall(weights), precision(weights)
            out: Floats = np.zeros(len(r))
            np.divide(2 * r * p, r + p, out=out, where=r + p > 0)
            return out

        yield self._figure("citation recall", recall, _JUDGE)
        yield self._figure("citation precision", precision, _JUDGE)
        yield self._figure("citation F1", f1, "of the two means")
        counts = np.array([(a and a.supported) or (0, 0) for a in answers], dtype=np.float64)
        if any(answer and answer.supported for answer in answers):
            yield self._figure("support", boot.ratio(counts[:, 0], counts[:, 1]), _SUPPORT)

    def _of_retrieval(self, answers: Sequence[Prediction | None]) -> Iterator[Figure]:
        if not any(self._accepted):
            return
        found = [
            [self.sources[document].text for document in answer.found] if answer else []
            for answer in answers
        ]
        for k in _RECALLS:
            if k <= max(map(len, found)):
                pairs = zip(self.items, found, strict=True)
                values = [recall_at_k(question.answers, texts, k) for question, texts in pairs]
                yield self._mean(f"recall@{k}", values, "of answers as token spans")

    def _mean(self, name: str, values: Sequence[float] | Floats, note: str = "") -> Figure:
        return self._figure(name, boot.mean(values), note)

    def _figure(self, name: str, of: Statistic, note: str = "") -> Figure:
        found = self._bootstrap(of)
        return Figure(name, found.estimate, found.low, found.high, note)

    def _bootstrap(self, of: Statistic) -> boot.Interval:
        groups = [question.id for question in self.items]
        return boot.bootstrap(of, groups, rounds=self.rounds, seed=self.seed)


def cited_str_em(prediction: Prediction | None, answers: Sequence[Sequence[str]]) -> float:
    """STR-EM of the sentences that cite a document, where there are three sentences at most."""
    sentences = [s for s in parse((prediction and prediction.text) or "") if s.statement]
    if prediction is None or len(sentences) > _MOST_SENTENCES:
        return str_em("", answers)
    documents = range(1, len(prediction.found) + 1)
    cited = (s.statement for s in sentences if any(n in documents for n in s.citations))
    return str_em(" ".join(cited), answers)


def _texts(answers: Sequence[Prediction | None]) -> list[str]:
    """Without marks; nothing where there is no answer."""
    return [without_marks((answer and answer.text) or "") for answer in answers]


def _against(
    score: Callable[[str, Sequence[str]], float],
    texts: Sequence[str],
    references: Sequence[Sequence[str]],
) -> Floats:
    """The scores of texts; nan where there is no reference."""
    pairs = zip(texts, references, strict=True)
    return np.array([float(score(text, own)) if own else float("nan") for text, own in pairs])


def _costs(spent: Sequence[Cost]) -> Iterator[Figure]:
    """What an answer cost on average; of a language model nothing where none was asked."""
    if spent:
        yield Figure("searches", float(np.mean([cost.searches for cost in spent])))
        yield Figure("claims judged", float(np.mean([cost.judged for cost in spent])))
    if any(cost.calls for cost in spent):
        tokens = [cost.prefilled + cost.generated for cost in spent]
        yield Figure("model calls", float(np.mean([cost.calls for cost in spent])))
        yield Figure("tokens", float(np.mean(tokens)), note=_TOKENS)
