"""Which of several questions in one an answer leaves open."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from veracite.engine.facts.names import names
from veracite.engine.methods.base import Steps, Tools, is_quoted, unique
from veracite.engine.methods.events import Settled
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.types import Answer, Citation
from veracite.engine.wording.overlap import Word, content_words, coverage
from veracite.index.documents import Evidence

_LIKELY = 0.75
"""A part that is answered less probably than this must be spoken of in a quote:"""
_COVERED = 0.5
"""so much of what it asks must stand there, or what its kind of question asks for. Else "who
designed its first lens" is taken to be answered by what answers the other part. Of 166 questions of
NQ that were answered rightly this would leave 13 % open, and 8 % if one word were enough. Of one
that is answered more probably one word must stand there, or what may answer it: its answer may be
in the passages and in no quote."""


def with_open_parts(answer: Answer, found: Iterable[Evidence], tools: Tools) -> Steps[Answer]:
    """The answer with the parts of its question that the passages it quotes do not answer.

    Args:
        answer: Verified. One whose quotes support nothing is left as it is.
        found: All that was found for it.
    """
    parts = Question(answer.question).parts
    quotes = [c for one in answer.verdicts for c in one.citations if c.relation == "supports"]
    quoted = [item.passage for item in unique(found) if is_quoted(item.passage, quotes)]
    if len(parts) < 2 or not quoted or not all(part.words for part in parts):
        return answer
    scores: dict[str, float] = {}
    left_out, beside = [], []
    for part in parts:
        told = yield from tools.skills.sufficient(part.text, quoted)
        if not told.sufficient:
            left_out.append(part.text)
        elif not _is_spoken_of(part, parts, quotes, is_likely=told.score >= _LIKELY):
            beside.append(part.text)
        else:
            scores[part.text] = told.score
    if not left_out and not beside:
        return answer
    probability = answer.probability
    if probability is not None and beside:  # which it was the probability of, too
        probability = min(scores.values(), default=None)
    asked = (part.text for part in parts if part.text not in scores)
    unanswered = tuple(f"{_as_asked(text, answer.question)}?" for text in asked)
    answer = replace(answer, unanswered=unanswered, probability=probability)
    yield Settled(answer)
    return answer


def _is_spoken_of(
    part: Question, parts: Iterable[Question], quotes: Sequence[Citation], *, is_likely: bool
) -> bool:
    is_told = is_likely or part.kind in ("date", "number")
    if is_told and any(part.answers(quote.quote) for quote in quotes):
        return True
    said = content_words(" ".join(f"{quote.heading or ''} {quote.quote}" for quote in quotes))
    covered = coverage(_own(part, parts), {word.stem for word in said})
    return covered > 0 if is_likely else covered >= _COVERED


def _as_asked(part: str, question: str) -> str:
    """A part without the words of another one that were added at its end, and its question mark."""
    words, whole = part.rstrip(" ?").split(), question.rstrip(" ?")
    texts = (" ".join(words[:count]) for count in range(len(words), 1, -1))
    return next((text for text in texts if whole.endswith(text)), " ".join(words))


def _own(part: Question, parts: Iterable[Question]) -> Sequence[Word]:
    """What one part asks and no other one, without the names that all of them speak of."""
    known = {stem for other in parts if other is not part for stem in other.stems}
    known |= {stem for name in names(part.text) for stem in name.stems}
    return [word for word in part.words if word.stem not in known] or part.words
