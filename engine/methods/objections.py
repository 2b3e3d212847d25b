"""What speaks against a change of a text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veracite.engine.claims.pronouns import pronoun_of
from veracite.engine.judge.topics import all_names
from veracite.engine.methods.lookups import LookedUp
from veracite.engine.methods.reasons import (
    BREAKS_MARKUP,
    DISTURBS,
    NEEDED,
    NOBODY_KNOWS_WHO,
    why_unsupported,
    would_unsettle,
)
from veracite.engine.methods.splicing import Splice, leaves_the_rest, unpairs_markup
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.wording.overlap import Word, content_words, coverage, words

_MEANT = 0.5
"""The share of what "it" is likely to mean that must stand around a quote for it."""
_COPIED = 0.8
_COPIED_WORDS = 6
"""The share of a claim's words, and how many, that a quote must have to be where it is from."""
_LINES_APART = 3
"""Lines, the last and the first included, that a blank one stands between."""
_FACTS = ("number", "date", "name")
_PERSONAL = re.compile(r"\b(?:it|he|him|she|they|them)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LookedUpText:
    """A text with its claims looked up."""

    text: str
    claims: tuple[LookedUp, ...]

    def within(self, start: int, end: int) -> list[LookedUp]:
        """The claims that stand at least partly in a stretch."""
        return [
            one
            for one in self.claims
            if one.verdict.claim.start < end and start < one.verdict.claim.end
        ]


def objection(
    current: LookedUpText, read: LookedUpText, splice: Splice, markdown: bool
) -> str | None:
    """Why a change may not stand; None if it may."""
    if unpairs_markup(splice, markdown=markdown):
        return BREAKS_MARKUP
    before = [one.verdict for one in current.claims]
    after = [one.verdict for one in read.claims]
    if not leaves_the_rest(
        splice, [v.claim for v in before], [v.claim for v in after], markdown=markdown
    ):
        return DISTURBS
    there = [one.verdict for one in read.within(splice.start, splice.stop)]
    unsupported = [verdict for verdict in there if verdict.label is not Label.SUPPORTED]
    if unsupported or (splice.text and not there):
        return why_unsupported(unsupported)
    if not all(map(_is_on_the_matter, there)):
        return NOBODY_KNOWS_WHO
    for verdict in before:
        claim = verdict.claim
        if verdict.label is Label.SUPPORTED and not splice.start <= claim.start < splice.end:
            place = claim.start + (splice.shift if claim.start >= splice.end else 0)
            now = next(v for v in after if v.claim.start == place)
            if now.label is not Label.SUPPORTED:
                return would_unsettle(now)
    if not splice.text and _explained_the_next(splice, before, after):
        return NEEDED
    return None


def _explained_the_next(
    splice: Splice, before: Sequence[Verdict], after: Sequence[Verdict]
) -> bool:
    """Whether the claim behind what is taken out speaks of something named there."""
    following = next((v.claim for v in before if v.claim.start >= splice.end), None)
    if following is None:
        return False
    now = next(v.claim for v in after if v.claim.start == following.start + splice.shift)
    if pronoun_of(following.statement) is not None and (
        following.resolved or now.query != following.query
    ):
        return (now.query, now.resolved) != (following.query, following.resolved)
    between = splice.source[splice.end : following.start]
    is_same_paragraph = len(between.splitlines()) < _LINES_APART
    speaks_of_it = _PERSONAL.search(following.statement) is not None
    return is_same_paragraph and speaks_of_it and not all_names(following.statement)


def is_nearly_supported(verdict: Verdict) -> bool:
    """Whether a claim leans to supported and the quotes have all of its figures and names."""
    scores = verdict.scores
    return (
        verdict.label is Label.UNCERTAIN
        and scores is not None
        and scores.supported > max(scores.neutral, scores.contradicted)
        and not any(
            part.kind in _FACTS and part.outcome in ("conflict", "missing")
            for part in verdict.words
        )
    )


def is_left_open(verdict: Verdict) -> bool:
    """Whether nobody can tell whom or what a claim is about.

    One that is nearly copied from a document is about whom or what the document means.
    """
    return _left_open(verdict.claim) == () and not _is_copied(verdict)


def _left_open(claim: Claim) -> tuple[Word, ...] | None:
    """What the context of a claim says of its subject, where that is a pronoun that may mean
    several things; else None."""
    if claim.resolved is not None or pronoun_of(claim.statement) is None:
        return None
    own = {word.stem for word in words(claim.statement)}
    return tuple(word for word in content_words(claim.query) if word.stem not in own)


def _is_copied(verdict: Verdict) -> bool:
    """Whether a quote has a claim's words, what it says otherwise aside."""
    other = [part for part in verdict.words if part.outcome == "conflict"]
    said = [
        word
        for word in content_words(verdict.claim.statement)
        if not any(part.start <= word.start < part.end for part in other)
    ]
    quoted = [{word.stem for word in words(c.quote)} for c in verdict.citations]
    return len(said) >= _COPIED_WORDS and any(coverage(said, one) >= _COPIED for one in quoted)


def _is_on_the_matter(verdict: Verdict) -> bool:
    """Whether what supports a claim speaks of what its pronoun is likely to mean."""
    meant = _left_open(verdict.claim)
    if meant is None:
        return True
    if not meant:
        return _is_copied(verdict)
    around = {w.stem for c in verdict.citations for w in words(f"{c.heading or ''} {c.context}")}
    return coverage(meant, around) >= _MEANT
