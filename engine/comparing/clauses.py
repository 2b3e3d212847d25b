"""Sentences of several clauses: in which of them a claim's subject, and in which its figure stands.

A network finds "Children pay £4.50" in "free for children; adults pay £4.50". The rules see only
plain clauses and stay silent on all others.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from veracite.engine.comparing.topics import topic_of
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import in_family
from veracite.engine.facts.quantities import Quantity
from veracite.engine.wording.contrasts import is_negation, opposites
from veracite.engine.wording.overlap import Word, words
from veracite.engine.wording.phrases import VERB_ENDING

__all__ = [
    "of_another_case",
    "of_another_clause",
    "of_another_part",
    "opposes_in_a_clause",
    "said_in_a_clause",
]

_BORDER = re.compile(
    r"[;:]\s|,?\s(?:and|but|while|whereas)\s"
    r"|,\s(?=(?:including|among them)\b|(?:\S+\s){0,2}of (?:them|these|which|whom)\b)"
)
_PART = re.compile(r"including\b|among them\b|(?:\S+\s){0,2}of (?:them|these|which|whom)\b")
_AUXILIARIES = frozenset("is are was were be been being has have had will can would".split())
"""What opens a clause leaves it without a subject of its own."""
_COUNTED = ("money", "number", "percent", "time")
"""Kinds of figures that each part of a thing may have its own of."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause's words by what they do in it; stems, small words left out."""

    start: int
    """Its first character in the sentence."""
    text: str
    subject: frozenset[str]
    refers: bool
    """Whether its subject is a pronoun or the like."""
    verbs: frozenset[str]
    rest: frozenset[str]
    denied: bool
    has_verb: bool

    @property
    def is_part(self) -> bool:
        """Whether it tells of some of what the clause before it tells of."""
        return _PART.match(self.text) is not None

    @property
    def party(self) -> frozenset[str]:
        """Its subject's words, where no verb opens it, without adverbs."""
        told = words(self.text)
        if told and (told[0].text in _AUXILIARIES or VERB_ENDING.match(told[0].text)):
            return frozenset()
        adverbs = {word.stem for word in told if word.text.endswith("ly")}
        return self.subject - adverbs


def of_another_part(said: str, told: str) -> bool:
    """Whether a figure of a claim stands in a clause of a sentence that has a subject of its own.

    Or in one that tells of a part ("of which 14 are for children") of which the claim has no word;
    or in one beside the clause on the claim's subject, which has such a figure too.
    """
    own = {word.stem for word in words(said)}
    claimed, clauses = _clauses(said), _clauses(told)
    subject = _clause(said, 0).subject
    if not subject or len(clauses) < 2:
        return False
    for figure in weigh(measures(said), measures(told)):
        stated = figure.stated
        if figure.outcome != "match" or stated is None:
            continue
        clause = next(one for one in reversed(clauses) if one.start <= stated.start)
        others = [one for one in clauses if one is not clause and one.has_verb]
        stems = _beside(clause, stated)
        if _meet(subject, stems):
            continue
        if (
            len(claimed) == 1
            and (clause.party or clause.refers)
            and not clause.is_part
            and figure.claimed.kind in _COUNTED
            and _has_own(figure.claimed.kind, subject, others)
        ):
            return True
        if clause.is_part:
            if stems and not _meet(stems, own):
                return True
        elif (
            clause.subject
            and not clause.refers
            and not _meet(clause.subject, own)
            and any(_meet(subject, _all_stems(one.text)) for one in others if one.party)
        ):
            return True
    return False


def of_another_case(said: str, told: str) -> bool:
    """Whether what stands behind a claim's figure is another case than the claim's.

    "At 16:30 on weekdays and at 13:00 on Sundays": 13:00 is not of weekdays. Of the words behind
    the figures of one kind, the claim has some of another one's alone and none of its own alone.
    """
    own = frozenset(word.stem for word in words(said))
    clauses = _clauses(told)
    for figure in weigh(measures(said), measures(told)):
        kind, stated = figure.claimed.kind, figure.stated
        if figure.outcome != "match" or stated is None or kind not in _COUNTED:
            continue
        behind = [(one, _behind(clause, one)) for clause in clauses for one in _of(clause, kind)]
        mine = next((stems for one, stems in behind if one.start == stated.start), frozenset())
        for one, stems in behind:
            if one.start != stated.start and one.value != stated.value:
                theirs, alone = stems - mine, mine - stems
                if alone and _meet(theirs, own) and not _meet(alone, own):
                    return True
    return False


def of_another_clause(said: str, told: str) -> bool:
    """Whether a sentence says of the claim's subject, in a clause of its own, something else.

    Of two clauses with the claim's verb ("dogs are not allowed; cats are allowed"), the one on its
    subject denies what the claim does not, or has nothing of what the claim says and the other has.
    Or only the one on somebody else has the verb ("Ann chairs it, and Bo keeps the accounts").
    """
    claim = _clause(said, 0)
    clauses = [one for one in _clauses(told) if one.party and one.verbs]
    if not claim.party or not claim.verbs or len({one.party for one in clauses}) < 2:
        return False
    own = [one for one in clauses if one.party & claim.party]
    others = [one for one in clauses if not one.party & claim.party and not one.refers]
    if not own:
        return False
    told_of_others = any(claim.rest & one.rest for one in others if _same_verbs(one, claim))
    if not any(_same_verbs(one, claim) for one in own):
        return told_of_others and not any(claim.rest & one.rest for one in own)
    if any(one.verbs != claim.verbs for one in clauses):
        return False
    if any(one.denied != claim.denied for one in own):
        return True
    return told_of_others and not any(claim.rest & one.rest for one in own)


def opposes_in_a_clause(said: str, told: str) -> bool:
    """Whether a sentence's clause on a claim's subject says its opposite, and no other the same.

    As one would in "opens at 8:30 and closes at 17:00".
    """
    clauses = _clauses(told)
    for claim in _clauses(said) if len(clauses) > 1 else ():
        own = [one for one in clauses if not one.party or one.party & claim.party]
        same = {word.stem for one in own for word in words(one.text)}
        for one in own:
            contrasts = opposites(claim.text, one.text) if one.party else ()
            opposed = any(contrast.word.stem not in same for contrast in contrasts)
            if opposed and one.denied == claim.denied:
                return True
    return False


def said_in_a_clause(said: str, told: str) -> bool:
    """Whether a clause of a sentence, on just the claim's subject, says what the claim says."""
    claim, clauses = _clause(said, 0), _clauses(told)
    if not claim.party or not claim.verbs or len(clauses) < 2:
        return False
    return claim.rest <= {word.stem for word in words(told)} and any(
        one.party == claim.party
        and one.verbs == claim.verbs
        and one.denied == claim.denied
        and one.rest & claim.rest
        for one in clauses
    )


def _clauses(text: str) -> list[_Clause]:
    starts = [0, *(match.end() for match in _BORDER.finditer(text))]
    ends = [*starts[1:], len(text)]
    return [_clause(text[a:b], a) for a, b in zip(starts, ends, strict=True)]


def _clause(text: str, start: int) -> _Clause:
    topic, told = topic_of(text), words(text)
    weighty = [word for word in told if word.weight]
    return _Clause(
        start,
        text,
        subject=_stems([word for word in weighty if word.end <= topic.end]),
        refers=bool(topic.refers),
        verbs=topic.verbs,
        rest=_stems([word for word in weighty if word.start >= topic.end]) - topic.verbs,
        denied=any(map(is_negation, told)),
        has_verb=topic.end > 0 and any(word.start == topic.end for word in told),
    )


def _beside(clause: _Clause, figure: Quantity) -> frozenset[str]:
    """The words of a clause that are not a figure's own."""
    at = figure.start - clause.start
    return _stems([w for w in words(clause.text) if w.weight and not w.start <= at < w.end])


def _same_verbs(one: _Clause, other: _Clause) -> bool:
    return one.verbs == other.verbs or _meet(one.verbs, other.verbs)


def _of(clause: _Clause, kind: str) -> list[Quantity]:
    """A clause's figures of a kind, by their places in the sentence."""
    found = (m.quantity for m in measures(clause.text) if m.quantity.kind == kind)
    return [replace(q, start=q.start + clause.start, end=q.end + clause.start) for q in found]


def _behind(clause: _Clause, figure: Quantity) -> frozenset[str]:
    """The words behind a figure, up to the end of its clause."""
    behind = figure.end - clause.start
    return _stems([w for w in words(clause.text) if w.weight and w.start >= behind])


def _has_own(kind: str, subject: frozenset[str], clauses: Sequence[_Clause]) -> bool:
    """Whether one of the clauses has a claim's subject, and a figure of a kind."""
    return any(
        _meet(one.subject, subject) and any(m.quantity.kind == kind for m in measures(one.text))
        for one in clauses
    )


def _all_stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(text))


def _meet(stems: frozenset[str], others: frozenset[str] | set[str]) -> bool:
    return any(in_family(stem, others) for stem in stems)


def _stems(chosen: Sequence[Word]) -> frozenset[str]:
    return frozenset(word.stem for word in chosen)
