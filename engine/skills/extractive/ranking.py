"""The sentences of passages, ranked by how likely each answers a question.

A conditional logit says which of the quotes answers, if one does; a logistic regression over the
features of that one whether any does. The verifier reads the quotes nearest to the question beside
it, as if the question were a claim. Both, but for one weight, were fitted on questions of QED's
files 04 and 05, each asked twice of all their paragraphs as one library, with the articles' titles
and without; a third had their own article taken away, so that no quote answered; and on questions
of written texts, which leave most of them open. For the second one QED's were asked once more
without the sentences that hold the answer (``scripts/fit_extractive.py``).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.checkability import names_source
from veracite.engine.claims.coreference import noun_of
from veracite.engine.judge.decision import log_odds
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.quotes import Quote, Sentences, quotes_of
from veracite.engine.wording.names import names
from veracite.engine.wording.overlap import content_words, coverage, stems
from veracite.index.documents import Passage
from veracite.models.encoder import Encoder

Values = NDArray[np.float64]

WEIGHTS = {
    "network": (1.042, 0.661),
    "similarity": (-2.249, 1.348),
    "highest similarity in its passage": (14.232, 4.284),
    "words of the question in it or its heading": (-0.463, -0.632),
    "words of the question in its passage": (3.087, 1.322),
    "lacks the kind of thing asked for": (-1.301, -1.5),
    "has the kind of thing asked for": (-1.016, -0.449),
    "place in its passage": (-0.543, -0.351),
}
"""Of the features, by their names, and what those of the first quote add to the log-odds that any
answers. What it adds that the quote lacks the kind of thing asked for is set: fitted it was -0.118,
by questions of which hardly one was left open by a sentence on the very thing."""
CONSTANT = -3.527
"""What is added to them always."""
_LACKS = {"number": 2.0, "date": 1.5}
"""How much it counts that a quote lacks the kind of thing asked for: a name may go by a word. Not
fitted but set: it lowers answers to "how many" that have no number at all."""
_READ = 16
"""Quotes that the verifier reads, those nearest to the question."""
_SAID = 0.8
"""A sentence of whose words so many have been said is a repetition."""
_VECTORS = 4096
"""Texts whose embeddings are kept: windows, rounds and answers read the same sentences."""
_ELSEWHERE = re.compile(
    r"(?:main articles?|(?:further|more) (?:information|reading)|details)\s?:"
    r"|see also\b|not to be confused with\b|for other (?:uses|people|places)\b"
    r"|.{0,80}\barchived \(.*\bfrom the original\b",
    re.IGNORECASE,
)
"""How a sentence begins that only says where to read on."""
_SOURCE = re.compile(r"\bdoi:|https?://|www\.|\(PDF\)|\bpp?\. ?\d|\A(?:\^|\d+\. ?[\"“]|[\"“])")
"""What an entry of a bibliography has, and hardly a sentence without a verb."""


@dataclass(frozen=True)
class Ranking:
    """What passages say on a question."""

    question: Question
    quotes: tuple[Quote, ...]
    """In the order of the passages."""
    answered: float
    """The probability that one of them answers."""
    shares: tuple[float, ...]
    """The probability, for each, that it is the one, if one is; they sum to 1."""

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Places of the quotes, the likeliest first."""
        return tuple(sorted(range(len(self.quotes)), key=lambda place: -self.shares[place]))


@dataclass(frozen=True, slots=True)
class Ranker:
    """The bundled models, as far as ranking needs them."""

    encoder: Encoder
    sentences: Sentences
    score: Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
    """The verifier: premises beside questions to probabilities, that they answer first."""
    _vectors: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def rank(self, question: str, passages: Sequence[Passage]) -> Ranking:
        """Ranks the sentences of passages, which come best first."""
        asked = Question(question)
        quotes = bearing(asked, self.quotes(passages))
        near = self.similarities(question, [quote.encoded for quote in quotes])
        read = answering(asked, quotes, near, self.score)
        return Ranking(asked, quotes, *odds(features(asked, quotes, near, read)))

    def quotes(self, passages: Sequence[Passage]) -> tuple[Quote, ...]:
        """The sentences of passages that could answer something, in order."""
        found = quotes_of(passages, self.sentences, structures=True, lines=True)
        return tuple(one for one in found if not points_elsewhere(one.text, is_row=one.is_row))

    def similarities(self, query: str, texts: Sequence[str]) -> list[float]:
        """Cosines of texts to a query; no texts need no encoder."""
        if not texts:
            return []
        if len(self._vectors) > _VECTORS:
            self._vectors.clear()
        new = [one for one in dict.fromkeys([query, *texts]) if one not in self._vectors]
        if new:
            self._vectors.update(zip(new, self.encoder.encode(new), strict=True))
        vectors = np.stack([self._vectors[text] for text in texts])
        return [float(cosine) for cosine in vectors @ self._vectors[query]]


def answering(
    question: Question,
    quotes: Sequence[Quote],
    similarities: Sequence[float],
    score: Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]],
) -> list[float]:
    """The log-odds that each quote answers, by the verifier; of those nearest to the question."""
    covered = [coverage(question.words, quote.headed_stems) for quote in quotes]
    nearest = sorted(range(len(quotes)), key=lambda place: -similarities[place] - covered[place])
    found = [log_odds(0.0)] * len(quotes)
    if nearest := nearest[:_READ]:
        rows = score([(quotes[place].premise, question.text) for place in nearest])
        for place, row in zip(nearest, rows, strict=True):
            found[place] = log_odds(float(row[0]))
    return found


def features(
    question: Question,
    quotes: Sequence[Quote],
    similarities: Sequence[float],
    read: Sequence[float],
) -> Values:
    """One row for each quote, in the order of the weights.

    Args:
        similarities: Of each quote under its heading to the question.
        read: What the verifier says of each.
    """
    highest: dict[int, float] = {}
    stems: dict[int, frozenset[str]] = {}
    for quote, similarity in zip(quotes, similarities, strict=True):
        highest[quote.place] = max(highest.get(quote.place, -1.0), similarity)
        stems[quote.place] = stems.get(quote.place, frozenset()) | quote.headed_stems
    rows = []
    for quote, similarity, told in zip(quotes, similarities, read, strict=True):
        found = bool(question.answers(quote.text))
        rows.append(
            (
                told,
                similarity,
                highest[quote.place],
                coverage(question.words, quote.headed_stems),
                coverage(question.words, stems[quote.place]),
                0.0 if found or question.kind is None else _LACKS.get(question.kind, 1.0),
                float(found),
                np.log1p(quote.number),
            )
        )
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(WEIGHTS))


def odds(rows: Values) -> tuple[float, tuple[float, ...]]:
    """From the features of quotes to what ``Ranking`` holds; no quotes answer nothing."""
    if not len(rows):
        return 0.0, ()
    ranks, answers = np.array(list(WEIGHTS.values())).T
    scores = rows @ ranks
    shares = np.exp(scores - scores.max())
    answered = rows[scores.argmax()] @ answers + CONSTANT
    return float(1 / (1 + np.exp(-answered))), tuple(map(float, shares / shares.sum()))


def points_elsewhere(text: str, *, is_row: bool = False) -> bool:
    """Whether a sentence tells where something stands, and not what; a row may hold addresses."""
    is_entry = not is_row and _SOURCE.search(text) is not None and names_source(text)
    return is_entry or _ELSEWHERE.match(text) is not None


def is_said(text: str, before: Sequence[str]) -> bool:
    """Whether a sentence repeats what stands before it."""
    own = content_words(text)
    return any(coverage(own, stems(one)) >= _SAID for one in before)


def bearing(question: Question, quotes: Sequence[Quote]) -> tuple[Quote, ...]:
    """The quotes without the rows of a table that share fewer of the question's words than others,
    in order; one that calls its subject as the question does ("the club") stands alone."""
    sections = [(quote.passage.document.path, quote.passage.heading) for quote in quotes]
    shares = [coverage(question.words, quote.stems) if quote.is_row else 0.0 for quote in quotes]
    most: dict[tuple[str, str | None], float] = {}
    for section, share in zip(sections, shares, strict=True):
        most[section] = max(most.get(section, 0.0), share)
    return tuple(
        replace(quote, stands_alone=_stands_alone(question, quote))
        for quote, section, share in zip(quotes, sections, shares, strict=True)
        if not quote.is_row or share == most[section]
    )


def _stands_alone(question: Question, quote: Quote) -> bool:
    """ "The museum" is that of a question for "the museum", and not sure to be Brae Museum."""
    noun = noun_of(quote.text)
    if noun and re.search(rf"\bthe (?:[\w-]+ )?{noun}\b", question.text, re.IGNORECASE):
        return True
    named = (n.text for n in names(question.text) if noun and n.text.lower().endswith(noun))
    return quote.stands_alone and all(name in quote.text for name in named)
