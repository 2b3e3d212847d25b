"""From a drafted answer to its claims, and to what each of them cites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from veracite.engine.claims.checkability import FRAGMENT, GREETING
from veracite.engine.claims.citation_marks import CitedSentence, parse
from veracite.engine.claims.segmentation import segment
from veracite.engine.types import Claim
from veracite.index.markup import NUMBERS

_ANSWERS_ALONE = (FRAGMENT, GREETING)
""" "1904" and "Yes." are no statements, and yet they answer a question."""

_MARKED_END = re.compile(
    rf"[^\s\[\].](?:[^\S\n]*\[\s?{NUMBERS}\s?\])+[.!?][\"'”’)]*(?P<blank>\s+)(?=[^\s\[])"
)
"""A full stop behind a mark ends a sentence, whatever follows it."""
_BLANK, _PARAGRAPH = " ", "\n\n"


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

    No claim has words of two of its sentences: those that would be read as one stand in paragraphs
    of their own.

    Args:
        question: What it answers.
        draft: As it was written.
        passages: What the marks number, from 1.
    """
    sentences = _sentences(draft)
    after = [_BLANK] * len(sentences)
    while True:
        parts = [one.statement + gap for one, gap in zip(sentences, after, strict=True)]
        text = "".join(parts).rstrip()
        borders = list(accumulate(map(len, parts)))
        claims = claims_of(question, text)
        wanted = [
            _PARAGRAPH if any(one.start < border < one.end for one in claims) else gap
            for border, gap in zip(borders, after, strict=True)
        ]
        if wanted == after:
            break
        after = wanted
    numbers = [
        next(s.citations for s, end in zip(sentences, borders, strict=True) if claim.start < end)
        for claim in claims
    ]
    cited = tuple(tuple(n - 1 for n in own if 1 <= n <= len(passages)) for own in numbers)
    return Written(text, claims, cited)


def _sentences(draft: str) -> list[CitedSentence]:
    """Those that say something."""
    borders = [0, *(end.start("blank") for end in _MARKED_END.finditer(draft)), len(draft)]
    parts = [draft[start:end] for start, end in pairwise(borders)]
    return [one for part in parts for one in parse(part.strip()) if one.statement]


def _whole(question: str, claim: Claim) -> Claim:
    if claim.not_checkable not in _ANSWERS_ALONE:
        return claim
    asked = f"{question} {claim.statement}"
    return replace(claim, not_checkable=None, query=asked, resolved=asked, answers=question)
