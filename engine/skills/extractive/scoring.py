"""How likely quotes answer a question, by two regressions over plain features.

A conditional logit says which of the quotes answers, if one does; a logistic regression over the
highest of its scores says whether any does. Both were fitted on questions of the training parts
(800 of QED's files 04 and 05, 300 of XQuAD), each asked twice of all their paragraphs as one
library, with the articles' titles and without; a third had their own article taken away, so that no
quote answered. For the second one the others were asked once more without the sentences that hold
the answer: the passages are about what is asked and do not say it. In five-fold cross-validation
the first quote held the answer to 65 and 59 % of QED's others (with titles, without) and to 77 and
77 % of XQuAD's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.quotes import Quote
from veracite.engine.wording.overlap import coverage

Values = NDArray[np.float64]

WEIGHTS = {
    "similarity": 2.874,
    "highest similarity in its passage": 13.557,
    "words of the question in it or its heading": 2.701,
    "words of the question in its passage": 3.538,
    "lacks the kind of thing asked for": -1.458,
    "has the kind of thing asked for": 1.027,
    "place in its passage": -0.522,
}
"""Of the features, by their names."""
_SLOPE, _INTERCEPT = 0.4109, -5.26
"""From the highest score to the log-odds that any quote answers."""
_LACKS = {"number": 2.0, "date": 1.5}
"""How much it counts that a quote lacks the kind of thing asked for: a name may go by a word. Not
fitted but set: it lowers answers to "how many" that have no number at all, and changed no
measured figure."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What quotes are worth as answers."""

    answered: float
    """The probability that one of them answers."""
    shares: tuple[float, ...]
    """The probability, for each quote, that it is the one, if one is; they sum to 1."""


def features(question: Question, quotes: Sequence[Quote], similarities: Sequence[float]) -> Values:
    """One row for each quote, in the order of the weights.

    Args:
        similarities: Of each quote under its heading to the question.
    """
    highest: dict[int, float] = {}
    stems: dict[int, frozenset[str]] = {}
    for quote, similarity in zip(quotes, similarities, strict=True):
        highest[quote.place] = max(highest.get(quote.place, -1.0), similarity)
        stems[quote.place] = stems.get(quote.place, frozenset()) | quote.headed_stems
    rows = []
    for quote, similarity in zip(quotes, similarities, strict=True):
        found = bool(question.answers(quote.text))
        rows.append(
            (
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


def odds(rows: Values) -> Odds:
    """From the features of quotes to probabilities; no quotes answer nothing."""
    if not len(rows):
        return Odds(0.0, ())
    scores = rows @ np.array(list(WEIGHTS.values()))
    shares = np.exp(scores - scores.max())
    answered = 1 / (1 + np.exp(-(_SLOPE * scores.max() + _INTERCEPT)))
    return Odds(float(answered), tuple(map(float, shares / shares.sum())))
