"""Answers to questions: what the file brings along, the plainest answers, and the methods'.

The plain ones are the best passage as it is, and its best sentences. What each answer cites is
judged at once, since that takes longer than answering.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from veracite.engine.evaluation.alce import Entails, score_answer
from veracite.engine.evaluation.evidence import Quotable
from veracite.engine.evaluation.items import Prediction, Question, Source
from veracite.engine.evaluation.marking import with_marks
from veracite.engine.evaluation.method_answers import MethodAnswers
from veracite.engine.skills.extractive import SentenceEncoder
from veracite.index.documents import Evidence, Sentence
from veracite.index.embeddings import encoder_text

__all__ = ["METHODS", "PLAIN", "Answerer"]

METHODS = {
    "given": "the answer that the file brings along",
    "top-passage": "the best passage, word for word",
    "top-sentences": "the three sentences most similar to the question, word for word",
}
"""Those that stand beside every method; all others are ``veracite.engine.methods``."""
_SENTENCES = 3
PLAIN = ("top-passage", "top-sentences")
"""Those that understand nothing."""

Known = Callable[[str, str], bool]
"""Whether a question, by its id, has been answered by a method."""


@dataclass(frozen=True, slots=True)
class Answerer:
    """Answers questions from the library of each, or from one of all."""

    encoder: SentenceEncoder
    k: int
    ids: Mapping[str, str] | None
    """File name to document id where all share a library; None where each has its own."""
    sources: Mapping[str, Source]
    """Every document that can be cited, by id."""
    lists: bool
    """Whether answers are lists with commas (QAMPARI)."""
    entails: Entails
    """Judges citations."""
    methods: MethodAnswers | None = None
    """None answers plainly alone."""

    def predictions(
        self,
        questions: Sequence[Question],
        libraries: Sequence[Quotable],
        known: Known = lambda item, method: False,
    ) -> list[Prediction]:
        """What every method answers; marks are places in ``Prediction.found``, from 1.

        Args:
            questions: What is asked.
            libraries: The library of each.
            known: What has been answered already is not answered again.
        """
        return [
            self._judged(question, prediction)
            for question, library in zip(questions, libraries, strict=True)
            for prediction in self._answers(question, library, known)
        ]

    def _judged(self, question: Question, prediction: Prediction) -> Prediction:
        score = score_answer(
            prediction.text or "",
            [self.sources[document] for document in prediction.found],
            self.entails,
            question=question.text if self.lists else None,
        )
        return replace(prediction, cited=(round(score.recall, 6), round(score.precision, 6)))

    def _answers(self, question: Question, library: Quotable, known: Known) -> Iterator[Prediction]:
        if not all(known(question.id, method) for method in PLAIN):
            yield from self._plain(question, library)
        if question.output is not None and not known(question.id, "given"):
            ids = tuple(source.id for source in question.sources)
            yield Prediction(question.id, "given", None, None, 0.0, question.output, ids)
        for variant in self.methods.variants if self.methods else ():
            assert self.methods is not None
            if not known(question.id, variant.name):
                yield self.methods.answer(
                    question, library, variant, lambda path: self._id(question, path)
                )

    def _plain(self, question: Question, library: Quotable) -> Iterator[Prediction]:
        began = time.perf_counter()
        (found,) = library.search_many([question.text], k=self.k, threshold=None, mode="hybrid")
        searched = time.perf_counter() - began
        documents = [self._id(question, item.passage.document.path) for item in found]
        sentences = self._sentences(question, library, found)
        chosen = time.perf_counter() - began
        top = [(s.text, documents[0]) for f in found[:1] for s in library.sentences(f.passage)]
        nearest = [(s.text, documents[rank]) for s, rank in sentences]
        yield _answer(question, "top-passage", top, documents, searched)
        yield _answer(question, "top-sentences", nearest, documents, chosen)

    def _id(self, question: Question, path: str) -> str:
        name = PurePath(path).name
        return question.sources[int(name)].id if self.ids is None else self.ids[name]

    def _sentences(
        self, question: Question, library: Quotable, found: Sequence[Evidence]
    ) -> list[tuple[Sentence, int]]:
        """The sentences nearest to the question with their passages' ranks, in reading order."""
        every = [
            (sentence, rank)
            for rank, item in enumerate(found)
            for sentence in library.sentences(item.passage)
        ]
        if not every:
            return []
        texts = [encoder_text(found[rank].passage.heading, s.text) for s, rank in every]
        vectors = self.encoder.encode([question.text, *texts])
        near = np.argsort(-(vectors[1:] @ vectors[0]), kind="stable")[:_SENTENCES]
        return [every[i] for i in sorted(near)]


def _answer(
    question: Question,
    method: str,
    parts: Sequence[tuple[str, str]],
    documents: Sequence[str],
    seconds: float,
) -> Prediction:
    """Sentences with the marks of their documents, the full stop last as ALCE writes it."""
    places = list(dict.fromkeys(documents))
    text = " ".join(with_marks(part, [places.index(document) + 1]) for part, document in parts)
    return Prediction(question.id, method, None, None, round(seconds, 6), text, tuple(places))
