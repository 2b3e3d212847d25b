"""Passages cut to what a model can read: the last ones go first, and whole sentences.

Passages come best first, so the last is the least useful.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from veracite.index.documents import Passage
from veracite.index.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class Fitted:
    """The passages that fit, in their order."""

    passages: tuple[Passage, ...]
    dropped: int = 0
    """Passages that were left out, from the end."""
    trimmed: int = 0
    """1 if the last one left was cut at the end of a sentence."""


def fit(
    tokens: Callable[[Sequence[Passage]], int], passages: Sequence[Passage], room: int
) -> Fitted | None:
    """As many passages as there is room for; None if there is none even without them.

    Args:
        tokens: The length of the prompt with these passages, in tokens; more passages are longer.
        room: How long it may be, in tokens.
    """
    if tokens(passages) <= room:
        return Fitted(tuple(passages))
    whole = bisect_right(range(len(passages)), room, key=lambda n: tokens(passages[:n])) - 1
    if whole < 0:
        return None
    kept = tuple(passages[:whole])
    shorter = _trimmed(tokens, kept, passages[whole], room)
    if shorter is None:
        return Fitted(kept, dropped=len(passages) - whole)
    return Fitted((*kept, shorter), dropped=len(passages) - whole - 1, trimmed=1)


def _trimmed(
    tokens: Callable[[Sequence[Passage]], int],
    kept: tuple[Passage, ...],
    passage: Passage,
    room: int,
) -> Passage | None:
    """The passage's first sentences that fit behind the ones kept; None if not one does."""
    sentences = sentence_spans(passage.text)
    beginnings = [replace(passage, text=passage.text[: span.end]) for span in sentences]
    fitting = bisect_right(beginnings, room, key=lambda one: tokens((*kept, one)))
    return beginnings[fitting - 1] if fitting else None
