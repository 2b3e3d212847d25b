"""From a drafted answer to its claims, and to what each of them cites."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from veracite.engine.checkability import FRAGMENT, GREETING
from veracite.engine.citation_marks import parse
from veracite.engine.claims import segment
from veracite.engine.words import Claim

__all__ = ["Written", "claims_of", "read"]

_ANSWERS_ALONE = (FRAGMENT, GREETING)
""" "1904" and "Yes." are no statements, and yet they answer a question."""


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it was written."""

    text: str
    """Without citation marks."""
    claims: tuple[Claim, ...]
    """Of its sentences, in order."""
    cited: tuple[tuple[int, ...], ...]
    """What each claim cites: places of passages, from 0, as the answer has them; marks of passages
    that there are not are left out."""


def claims_of(question: str, text: str) -> tuple[Claim, ...]:
    """The claims of an answer; an answer of a few words is judged as the question with it."""
    return tuple(_whole(question, claim) for claim in segment(text, markdown=False))


def read(question: str, draft: str, passages: Sequence[object] = ()) -> Written:
    """Read a draft with marks such as [1][2].

    Args:
        question: What it answers.
        draft: As it was written.
        passages: What the marks number, from 1.
    """
    sentences = [sentence for sentence in parse(draft) if sentence.statement]
    text, ends = "", []
    for sentence in sentences:
        text += f"{' ' if text else ''}{sentence.statement}"
        ends.append(len(text))
    claims = claims_of(question, text)
    numbers = [
        next(s.citations for s, end in zip(sentences, ends, strict=True) if claim.start < end)
        for claim in claims
    ]
    cited = tuple(tuple(n - 1 for n in own if 1 <= n <= len(passages)) for own in numbers)
    return Written(text, claims, cited)


def _whole(question: str, claim: Claim) -> Claim:
    if claim.not_checkable not in _ANSWERS_ALONE:
        return claim
    asked = f"{question} {claim.statement}"
    return replace(claim, not_checkable=None, query=asked, resolved=asked, answers=question)
