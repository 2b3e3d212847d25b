"""Fits the weights in engine/skills/extractive/ranking.py; reads train/qed, no evaluation row.

    python -m scripts.fit_extractive --data DATA [--limit 400] [--verifier FOLDER]

Questions of QED (files 04 and 05), each asked of all their paragraphs as one library, with the
articles' titles and without; a third with their own article taken away, the others once
more without the sentences that hold the answer. Whether anything answers is fitted on questions
beside written texts, too, that never train: most ask what their text leaves open. How well it does
is measured on other questions:
``measure_answers.py``.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from scripts.training.pairs import SUPPORTED, detokenise, options, read_rows
from scripts.training.written import blocks
from veracite.engine.evaluation.figures import str_em
from veracite.engine.evaluation.items import Question, Source
from veracite.engine.skills.extractive.questions import Question as Asked
from veracite.engine.skills.extractive.quotes import quotes_of
from veracite.engine.skills.extractive.ranking import WEIGHTS, answering, bearing, features
from veracite.index.documents import Passage
from veracite.index.embeddings import encoder_text
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import BUNDLED, bundled_encoder, bundled_verifier
from veracite.models.verifier import Verifier

Values = NDArray[np.float64]

FILES = ("qed/nq-train-04-qed.jsonlines.gz", "qed/nq-train-05-qed.jsonlines.gz")
"""No question of these trains the verifier."""
K, DEEPER = 6, 12
"""Passages that an answer is made from, and that are looked at where an article is taken away."""
TAKEN_AWAY = 1 / 3
NEAR = 0.25
"""How much a question counts that is asked without the sentences that hold its answer: another may
answer in other words; and one of a written text, as each has many. Chosen beside the bar, on
questions to three folders of documents."""
REGULARISATION = 0.5


class Asking:
    """One library of all a set's passages, and the network that reads the questions."""

    def __init__(
        self, questions: Sequence[Question], vectors: Vectors, verifier: Verifier, titled: bool
    ) -> None:
        self._vectors, self._verifier = vectors, verifier
        sources = {source.id: source for question in questions for source in question.sources}
        self._titles = {source.id: source.title for source in sources.values()}
        texts = [Text(s.id, s.text, s.title if titled else None) for s in sources.values()]
        self._library = MemoryLibrary(texts, vectors)

    def row(self, question: Question, article: bool, answered: bool = True) -> "Row":
        """A question beside its passages, best first; without its own article's if told so.

        One without answers is answered by all its own text, or by nothing.
        """
        (found,) = self._library.search_many([question.text], k=DEEPER)
        passages = [item.passage for item in found]
        passages = [p for p in passages if article or not self._is_own(question, p)][:K]
        asked = Asked(question.text)
        quotes = bearing(asked, quotes_of(passages, self._library.sentences, structures=False))
        texts = [encoder_text(quote.passage.heading, quote.verbatim) for quote in quotes]
        wanted, *held = self._vectors.of([question.text, *texts])
        near = [float(vector @ wanted) for vector in held]
        read = answering(asked, quotes, near, self._verifier.score)
        own = np.array([self._is_own(question, q.passage) for q in quotes], dtype=bool)
        gold = [str_em(q.text, question.answers) == 1 for q in quotes]
        holds = np.array(gold, dtype=bool) if question.answers else own & answered
        values = features(asked, quotes, near, read)
        return Row(values, holds & own, holds, not (article and answered))

    def _is_own(self, question: Question, passage: Passage) -> bool:
        """Whether a passage is of the article that a question was asked about."""
        path = passage.document.path
        return any(
            path == source.id or (source.title and self._titles[path] == source.title)
            for source in question.sources
        )


@dataclass(frozen=True)
class Row:
    """A question and what it may be answered by."""

    features: Values
    answers: NDArray[np.bool_]
    """Whether each quote is of the question's own article and has the answer."""
    holds: NDArray[np.bool_]
    """Whether each has it, whatever its article."""
    taken_away: bool
    """Its own article, or what holds the answer."""
    weight: float = 1.0
    """In telling whether any quote answers."""


def main() -> None:
    """Reads the questions, fits, prints."""
    rows = _rows(**vars(options(__doc__, "--data", limit=400, verifier=BUNDLED)))
    scale = np.concatenate([row.features for row in rows]).std(axis=0)
    ranks = _weights(rows, scale)
    for fitted in (ranks, _of_any(rows, ranks, scale)):
        for name, weight in zip([*WEIGHTS, "CONSTANT"], fitted, strict=False):
            print(f"    {name!r}: {weight:.3f},")


def _rows(data: Path, limit: int, verifier: Path) -> list[Row]:
    vectors = Vectors(bundled_encoder().encode)
    network = bundled_verifier(folder=verifier)
    paths = tuple(data / "train" / name for name in FILES)
    told = [asked for path in paths for asked in _questions(path)]
    generator = random.Random(1)
    generator.shuffle(told)
    rows = []
    for titled in (True, False):
        asking = Asking(told, vectors, network, titled)
        for question in told[:limit]:
            article = generator.random() >= TAKEN_AWAY
            row = asking.row(question, article)
            rows += [row, _without_answer(row)] if article else [row]
    written = [*_written()]
    asking = Asking([question for question, _ in written], vectors, network, titled=True)
    for question, answered in written:
        rows.append(replace(asking.row(question, True, answered), weight=NEAR))
    return [row for row in rows if len(row.features)]


def _written() -> Iterator[tuple[Question, bool]]:
    """Questions beside written texts that never train, and whether the text answers them."""
    kept = [block for block in blocks() if block.set == "written_asked" and block.held_out]
    for number, block in enumerate(kept):
        source = Source(f"{number}.txt", block.premise, block.heading or None)
        for text, label in block.claims:
            yield Question(text, text, (), (source,)), label == SUPPORTED


def _questions(path: Path) -> Iterator[Question]:
    for row in read_rows(path):
        text, answers = detokenise(row["paragraph_text"]), map(detokenise, row["answer_text"])
        source = Source(text, text, row["title_text"])
        asked = str(row["example_id"]), row["question_text"]
        yield Question(*asked, (tuple(answers),), (source,), (text,))


def _without_answer(row: Row) -> Row:
    """The same question without the sentences that hold its answer."""
    kept = {name: getattr(row, name)[~row.holds] for name in ("features", "answers", "holds")}
    return replace(row, **kept, taken_away=True, weight=NEAR)


def _weights(rows: list[Row], scale: Values) -> Values:
    """Of the features, from the questions that a quote answers."""
    told = [row for row in rows if not row.taken_away and 0 < row.answers.sum() < len(row.answers)]
    stacked = np.concatenate([row.features / scale for row in told])
    truth = np.concatenate([row.answers for row in told])
    of = np.repeat(np.arange(len(told)), [len(row.answers) for row in told])

    def loss(weights: Values) -> tuple[float, Values]:
        """Minus the log-likelihood that an answering quote is drawn, with its gradient."""
        scores = stacked @ weights
        highest = np.full(len(told), -np.inf)
        np.maximum.at(highest, of, scores)
        odds = np.exp(scores - highest[of])
        total, right = np.bincount(of, odds), np.bincount(of, odds * truth)
        slope = odds / total[of] - odds * truth / right[of]
        value = -np.log(right / total).sum() + REGULARISATION * (weights @ weights) / 2
        return float(value), slope @ stacked + REGULARISATION * weights

    found = minimize(loss, np.zeros(len(scale)), jac=True, method="L-BFGS-B")
    weights: Values = found.x / scale
    return weights


def _of_any(rows: list[Row], weights: Values, scale: Values) -> Values:
    """Of the first quote's features, to whether any answers; the constant last."""
    best = [row.features[(row.features @ weights).argmax()] / scale for row in rows]
    any_answers = np.array([row.answers.any() for row in rows])
    weighted = [row.weight for row in rows]
    fitted = LogisticRegression(C=10.0, max_iter=1000).fit(best, any_answers, weighted)
    return np.append(fitted.coef_[0] / scale, fitted.intercept_)


if __name__ == "__main__":
    main()
