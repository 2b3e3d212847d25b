"""Where the library disagrees with itself: one place supports a claim, another contradicts it.

Both are quoted, side by side: which of them is right is the reader's to say.
"""

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from veracite.engine.comparing.comparatives import is_turned_round
from veracite.engine.comparing.permissions import allows_and_forbids
from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.reading import Reading
from veracite.engine.comparing.restating import restates
from veracite.engine.comparing.sameness import RawText, apart
from veracite.engine.comparing.sides import Sides
from veracite.engine.comparing.topics import happens_once, topic_of
from veracite.engine.facts.measures import measures
from veracite.engine.facts.names import stands_in
from veracite.engine.judging.grounds import can_support, denies, other_figure, says_otherwise
from veracite.engine.wording.overlap import Word, coverage, stem, words
from veracite.engine.words import Citation, Claim, Relation

__all__ = [
    "both_ways",
    "dates_otherwise",
    "denied_outright",
    "opposed",
    "told_by",
    "told_otherwise",
]

_PLAIN = 0.8
"""A sentence must be this probable to stand against others."""
_WITH_FIGURE = 0.5
"""Or this, if it has another number or date in place of one of the claim's."""
_SURE = 0.8
"""A sentence with another figure must be this probable to decide alone, and cover"""
_ALIKE = 0.5
"""this much of the claim, figures aside;"""
_UNTOLD = 0.25
"""or the verifier must think it no likelier than this that it says nothing of the claim,"""
_NEARLY = 0.75
"""and it must cover this much, half of it without its heading."""
_RELATED = 0.5
"""And it must cover this much of the claim under its heading,"""
_OWN = 1 / 3
"""and this much without."""
_DATES = stem("dates")
_BEGUN = frozenset(map(stem, ("dates", "founded", "established", "created", "built", "erected")))
"""Verbs of what a thing dates from."""
_COLUMNS: dict[Relation, int] = {"supports": 0, "contradicts": 2}
_Chosen = list[tuple[Candidate, Relation, float]]


def opposed(
    reading: Reading, relation: Relation, chosen: Sequence[Candidate], raw_text: RawText
) -> _Chosen:
    """The sentence of another place that plainly says the opposite, if there is one.

    Another document goes before another passage of one of the same.

    Args:
        relation: Of the opposing sentence to the claim.
        chosen: The sentences that it opposes.
        raw_text: As ``sameness.apart``.
    """
    documents = {candidate.passage.document for candidate in chosen}
    taken = {candidate.sentence.text for candidate in chosen}
    plain = _plainly(reading, relation, raw_text)
    if relation == "contradicts":
        plain += _forbidding(reading, chosen)
    found = [
        (candidate, relation, probability)
        for candidate, probability in plain
        if candidate.sentence.text not in taken
    ]
    found.sort(key=lambda item: (item[0].passage.document in documents, -item[2]))
    return found[:1]


def both_ways(reading: Reading, raw_text: RawText) -> _Chosen:
    """A sentence that plainly supports the claim and one that plainly contradicts it, or none."""
    for candidate, probability in _plainly(reading, "supports", raw_text)[:1]:
        if against := opposed(reading, "contradicts", [candidate], raw_text):
            return [(candidate, "supports", probability), *against]
    return []


def denied_outright(statement: str, citations: Sequence[Citation]) -> bool:
    """Whether what opposes a claim has its main verb, and what supports it has not.

    Of what happens once ("was born in Vienna") that is no second answer.
    """
    verbs = topic_of(statement).verbs
    stems = {
        relation: [
            {word.stem for word in words(c.quote)} for c in citations if c.relation == relation
        ]
        for relation in ("supports", "contradicts")
    }
    return happens_once(statement) and (
        any(verbs & told for told in stems["contradicts"])
        and not any(verbs & told for told in stems["supports"])
    )


def told_otherwise(reading: Reading, raw_text: RawText) -> Candidate | None:
    """The sentence that says the same with another figure or its opposite; None if others agree.

    The verifier need not be sure that such a sentence denies the claim, if it is that the sentence
    says something of it: it cannot tell 5.6 from 6.5.

    Args:
        reading: What the verifier said of the claim.
        raw_text: As ``sameness.apart``.
    """
    claim, figures = reading.premises.claim, [m.quantity for m in reading.figures]
    said = [w for w in reading.said if not any(f.start <= w.start < f.end for f in figures)]
    if not said or _plainly(reading, "supports", raw_text):
        return None
    for candidate, row in zip(reading.premises.judged, reading.of_sentences, strict=True):
        supported, neutral, contradicted = map(float, row)
        told = candidate.sentence.text
        own = coverage(said, {word.stem for word in words(told)})
        share = coverage(said, candidate.stems)
        is_sure = contradicted >= _SURE and share >= _ALIKE and own >= _OWN
        may_deny = neutral <= _UNTOLD and supported < _SURE and own >= _ALIKE
        is_told = may_deny and share >= _NEARLY
        figure = (is_sure or is_told) and other_figure(claim, told)
        is_denied = neutral <= _UNTOLD and share >= _ALIKE and denies(claim.hypothesis, told)
        if (
            (figure or is_denied or (may_deny and _is_opposite(claim, candidate, said)))
            and candidate.tells
            and apart(claim, candidate, raw_text) is None
        ):
            return candidate
    return None


def told_by(citations: Sequence[Citation]) -> str:
    """Who disagrees with the first citation: another document, or the same one elsewhere."""
    own = citations[0].relation
    files = {c.file for c in citations if c.relation == own}
    others = [c for c in citations if c.relation != own]
    if all(c.file in files for c in others):
        return "another passage of the same document"
    return "another document"


def _is_opposite(claim: Claim, candidate: Candidate, said: Sequence[Word]) -> bool:
    """Whether a sentence says nearly all of a claim, with the opposite of one of its words."""
    sides = Sides(claim, candidate)
    rest = [word for word in said if word.stem not in sides.opposite_to]
    if not sides.opposite_to or not rest or coverage(rest, candidate.stems) < _NEARLY:
        return False
    turned = is_turned_round(sides.said, candidate.sentence.text)
    return not (turned or sides.negation_differs)


def _forbidding(reading: Reading, chosen: Sequence[Candidate]) -> list[tuple[Candidate, float]]:
    """The sentences that forbid what one of the chosen ones allows, or the other way round."""
    return [
        (candidate, _PLAIN)
        for candidate in reading.premises.judged
        if any(allows_and_forbids(one.sentence.text, candidate.sentence.text) for one in chosen)
    ]


def dates_otherwise(claim: Claim, told: str) -> bool:
    """Whether a sentence dates otherwise what happens to a claim's subject only once."""
    statement = claim.hypothesis
    topic = topic_of(statement)
    return (
        happens_once(statement)
        and bool(topic.names)
        and all(stands_in(name, told) for name in topic.names)
        and _tells_of(topic.verbs, {word.stem for word in words(told)})
        and len(measures(told)) == 1
        and other_figure(claim, told)
    )


def _tells_of(verbs: Set[str], told: Set[str]) -> bool:
    """Whether these verbs are told, or what "dates from" stands for, or the other way round."""
    if verbs <= told:
        return True
    begun = verbs & _BEGUN
    return bool(begun) and (_DATES in verbs | told) and bool(told & _BEGUN)


def _probability(
    reading: Reading, candidate: Candidate, row: NDArray[np.float32], relation: Relation
) -> float:
    """Of a sentence; of its passage where it says "it", which only the passage explains."""
    column = _COLUMNS[relation]
    passage = reading.of_passages[candidate.rank, column]
    is_open = topic_of(candidate.sentence.text).refers
    return float(max(row[column], passage) if is_open else row[column])


def _plainly(
    reading: Reading, relation: Relation, raw_text: RawText
) -> list[tuple[Candidate, float]]:
    found = [
        (candidate, _probability(reading, candidate, row, relation))
        for candidate, row in zip(reading.premises.judged, reading.of_sentences, strict=True)
        if (
            coverage(reading.said, candidate.stems) >= _RELATED
            and coverage(reading.said, {w.stem for w in words(candidate.sentence.text)}) >= _OWN
        )
        or dates_otherwise(reading.premises.claim, candidate.sentence.text)
    ]
    if relation == "supports":
        claim = reading.premises.claim
        stand = [
            (c, p)
            for c, p in found
            if p >= _PLAIN and can_support(reading, c) and says_otherwise(claim, c) is None
        ]
    else:
        claim = reading.premises.claim
        stand = [
            (c, p)
            for c, p in found
            if (
                p >= _PLAIN
                or (p >= _WITH_FIGURE and other_figure(claim, c.sentence.text))
                or dates_otherwise(claim, c.sentence.text)
            )
            and c.tells
            and not restates(claim, c)
            and apart(claim, c, raw_text) is None
        ]
    return sorted(stand, key=lambda pair: -pair[1])
