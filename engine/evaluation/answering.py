"""Answers to questions: what the file brings along, and the plainest answers from the documents.

Methods that write answers stand beside these: the best passage as it is, and its best sentences.
What each answer cites is judged at once, since that takes longer than answering.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np

from veracite.engine.citation_marks import without_marks
from veracite.engine.evaluation.alce import Entails, score_answer
from veracite.engine.evaluation.evidence import Quotable
from veracite.engine.evaluation.items import Prediction, Question, Source
from veracite.index.documents import Evidence, Sentence
from veracite.models.encoder import Encoder

__all__ = ["METHODS", "Answerer"]

METHODS = {
    "given": "the answer that the file brings along",
    "top-passage": "the best passage, word for word",
    "top-sentences": "the three sentences most similar to the question, word for word",
}
_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class Answerer:
    """Answers questions from the library of each, or from one of all."""

    encoder: Encoder
    k: int
    ids: Mapping[str, str] | None
    """File name to document id where all share a library; None where each has its own."""
    sources: Mapping[str, Source]
    """Every document that can be cited, by id."""
    lists: bool
    """Whether answers are lists with commas (QAMPARI)."""
    entails: Entails
    """Judges citations."""

    def predictions(
        self, questions: Sequence[Question], libraries: Sequence[Quotable]
    ) -> list[Prediction]:
        """What every method answers; marks are places in ``Prediction.found``, from 1."""
        return [
            self._judged(question, prediction)
            for question, library in zip(questions, libraries, strict=True)
            for prediction in self._answers(question, library)
        ]

    def _judged(self, question: Question, prediction: Prediction) -> Prediction:
        score = score_answer(
            prediction.text or "",
            [self.sources[document] for document in prediction.found],
            self.entails,
            question=question.text if self.lists else None,
        )
        return replace(prediction, cited=(round(score.recall, 6), round(score.precision, 6)))

    def _answers(self, question: Question, library: Quotable) -> list[Prediction]:
        began = time.perf_counter()
        (found,) = library.search_many([question.text], k=self.k, threshold=None, mode="hybrid")
        searched = time.perf_counter() - began
        documents = [self._id(question, item) for item in found]
        sentences = self._sentences(question, library, found)
        chosen = time.perf_counter() - began
        made = [
            _answer(
                question,
                "top-passage",
                [(s.text, documents[0]) for f in found[:1] for s in library.sentences(f.passage)],
                documents,
                searched,
            ),
            _answer(
                question,
                "top-sentences",
                [(s.text, documents[rank]) for s, rank in sentences],
                documents,
                chosen,
            ),
        ]
        if question.output is not None:
            ids = tuple(source.id for source in question.sources)
            made.append(Prediction(question.id, "given", None, None, 0.0, question.output, ids))
        return made

    def _id(self, question: Question, item: Evidence) -> str:
        path = PurePath(item.passage.document.path)
        if self.ids is not None:
            return self.ids[path.name]
        return question.sources[int(path.name)].id

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
        headings = [found[rank].passage.heading for _, rank in every]
        texts = [
            f"{heading}. {sentence.text}" if heading else sentence.text
            for (sentence, _), heading in zip(every, headings, strict=True)
        ]
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
    text = " ".join(
        f"{without_marks(part).removesuffix('.').rstrip()} [{places.index(document) + 1}]."
        for part, document in parts
    )
    return Prediction(question.id, method, None, None, round(seconds, 6), text, tuple(places))
