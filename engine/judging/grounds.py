"""What makes a sentence ground for a verdict, beside what the verifier says of it."""

import re
from collections.abc import Sequence

from veracite.engine.comparing.clauses import (
    of_another_case,
    of_another_clause,
    of_another_part,
    opposes_in_a_clause,
)
from veracite.engine.comparing.comparatives import is_turned_round
from veracite.engine.comparing.exchanges import changes_hands, exchanges, is_advised_against
from veracite.engine.comparing.negatives import (
    denies_by_subject,
    is_second_hand,
    says_it_of_a_relative,
)
from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.provisos import (
    denies_reason,
    excepts,
    is_of_earlier,
    is_over,
    is_said_not_of,
)
from veracite.engine.comparing.reading import Reading
from veracite.engine.comparing.roles import (
    changes_roles,
    has_other_office,
    only_takes_part,
    other_agent,
    relative_clauses,
)
from veracite.engine.comparing.sides import Sides
from veracite.engine.comparing.topics import topic_of
from veracite.engine.facts.firms import names_a_firm_instead
from veracite.engine.facts.identifiers import identifiers, stated_instead
from veracite.engine.facts.measures import leaves_out, measures, weigh
from veracite.engine.facts.names import stands_in
from veracite.engine.facts.quantities import Quantity
from veracite.engine.facts.spans import swaps_ends, turns_back
from veracite.engine.wording.contrasts import cases_apart, opposites
from veracite.engine.wording.overlap import Word, coverage, words
from veracite.engine.words import Claim

__all__ = [
    "can_support",
    "denies",
    "nearness",
    "other_figure",
    "says_otherwise",
    "speaks_against",
    "states_figures",
    "unstated_figures",
]

_DENIED = 0.3
"""A sentence that is this probable to contradict a claim is no support for it."""
_COUNTED = 12
_RELATED = 0.3
"""A sentence that covers less of the claim is no evidence for it, whatever the network says."""
_ARTICLES = frozenset(("a", "an", "the"))
_REPORTED = re.compile(
    r"[^,;]{0,60}\b(?:reports?|reported|sa(?:id|ys?)|announced?|announces|wr(?:ites?|ote)|states?"
    r"|stated|claim(?:s|ed)|argue[sd]|note[sd]|told \w+) that\b"
)
"""What opens a sentence that tells what somebody says, not what that somebody does."""
_PLACE = re.compile(r"\b(?:in|at|near)\s(?:the\s)?$", re.IGNORECASE)


def nearness(reading: Reading, candidate: Candidate) -> float:
    """How much of a claim a sentence covers, its subject told from the passage around it."""
    statement = reading.premises.claim.statement
    subject = topic_of(statement).end
    around = {word.stem for word in words(candidate.passage.text)}
    known = {w.stem for w in reading.said if w.end <= subject and w.stem in around}
    return coverage(reading.said, candidate.stems | known)


def can_support(reading: Reading, candidate: Candidate) -> bool:
    """Whether a sentence speaks of the claim at all, and does not speak against it."""
    related = coverage(reading.said, candidate.stems) >= _RELATED
    return related and candidate.tells and not speaks_against(reading, candidate)


def speaks_against(reading: Reading, candidate: Candidate) -> bool:
    """Whether a sentence may deny the claim or gives another figure in place of one of its own."""
    for judged, row in zip(reading.premises.judged, reading.of_sentences, strict=True):
        if judged is candidate and row[2] >= _DENIED:
            return True
    return other_figure(reading.premises.claim, candidate.premise)


def states_figures(statement: str, premises: Sequence[str]) -> bool:
    """Whether a claim has no ``unstated_figures``."""
    return not unstated_figures(statement, premises)


def unstated_figures(statement: str, premises: Sequence[str]) -> list[str]:
    """The numbers and dates of a claim that what it is said to be supported by does not have.

    Small numbers and ordinals need not stand there: what is counted is often named one by one.
    """
    claimed = [m for m in measures(statement) if not _is_countable(m.quantity)]
    found = weigh(claimed, measures(" ".join(premises)))
    return [figure.claimed.text for figure in found if figure.outcome != "match"]


def _is_countable(quantity: Quantity) -> bool:
    return quantity.kind == "ordinal" or (quantity.kind == "number" and quantity.value <= _COUNTED)


def other_figure(claim: Claim, premise: str) -> bool:
    """Whether a premise has another number, date or identifier in place of one of the claim's."""
    statement = claim.statement
    if any(stated_instead(one, premise) for one in identifiers(statement)):
        return True
    if leaves_out(premise):
        return False
    figures = weigh(measures(statement), measures(premise))
    return any(figure.outcome == "conflict" for figure in figures)


def denies(said: str, told: str) -> bool:
    """Whether a sentence denies a claim in so many words, or gives its office to somebody else."""
    return (
        denies_reason(told, said)
        or is_said_not_of(told, said)
        or denies_by_subject(said, told)
        or says_it_of_a_relative(said, told)
        or is_second_hand(said, told)
        or has_other_office(said, told)
        or turns_back(said, told)
        or exchanges(said, told)
        or opposes_in_a_clause(said, told)
        or is_advised_against(said, told)
        or changes_hands(said, told) is True
    )


def says_otherwise(claim: Claim, candidate: Candidate) -> str | None:
    """How a sentence, whatever the verifier says, tells of another case than the claim, or None.

    Of another season or side, of the opposite, of the same with its parts or roles exchanged, of
    another few of the same thing, of another part of it, of somebody else, or of another place
    than the one that only its heading names. The words go on from "The sentence".
    """
    sides, told = Sides(claim, candidate), candidate.sentence.text
    said = sides.said
    if cases_apart(said, sides.told) is not None:
        return "tells of another case"
    if opposites(said, sides.told) and not (sides.negation_differs or is_turned_round(said, told)):
        return "says the opposite"
    if denies(said, told):
        return "denies just that"
    if _is_exchanged(said, told) or _is_exchanged(said, sides.told):
        return "has its parts the other way round"
    if excepts(told, said):
        return "excepts just that"
    if is_of_earlier(told, said):
        return "gives that figure for an earlier time"
    if is_over(sides.told, said):
        return "tells of an earlier time"
    if (other := sides.other_number) is not None:
        return f"speaks of {other[1]}"
    if any(changes_roles(said, one) for one in (sides.told, *relative_clauses(told))):
        return "has who does it and to whom the other way round"
    if of_another_clause(said, told):
        return "says that of something else"
    if swaps_ends(said, sides.told):
        return "has that time at the other end"
    if of_another_case(said, sides.told):
        return "gives that figure for another case"
    if of_another_part(said, told):
        return "gives that figure for something else"
    if names_a_firm_instead(said, sides.told):
        return "names a firm"
    if (
        other_agent(said, sides.told, candidate.passage.text)
        or _other_subject(sides, told)
        or only_takes_part(said, told)
    ):
        return "says it of somebody or something else"
    if _other_count(said, told):
        return "counts another number of them"
    return "tells of another place" if _other_place(sides, told) else None


def _is_exchanged(said: str, told: str) -> bool:
    """Whether the same words change places between the same small ones: from A to B, B to A."""
    mine, theirs = _outside_figures(said), _outside_figures(told)
    heavy, other = ([w.stem for w in side if w.weight] for side in (mine, theirs))
    light, small = ([w.stem for w in side if not w.weight] for side in (mine, theirs))
    return (
        heavy != other
        and sorted(heavy) == sorted(other)
        and ([w for w in light if w not in _ARTICLES] == [w for w in small if w not in _ARTICLES])
    )


def _outside_figures(text: str) -> list[Word]:
    """Its words but those of numbers and dates, which stand in any order: "7 May", "May 7"."""
    figures = [measure.quantity for measure in measures(text)]
    return [w for w in words(text) if not any(f.start <= w.start < f.end for f in figures)]


def _other_count(said: str, told: str) -> bool:
    """Whether a small number stands before the same word as another number in the claim."""
    counts = [m for m in measures(told) if m.quantity.kind == "number"]
    for measure in measures(said):
        counted = _behind(said, measure.quantity) if measure.quantity.kind == "number" else None
        rivals = [m for m in counts if counted and _behind(told, m.quantity) == counted]
        if rivals and weigh([measure], rivals)[0].outcome != "match":
            return True
    return False


def _behind(text: str, quantity: Quantity) -> str | None:
    """Stem of the word behind a number, if it tells what is counted."""
    word = next((w for w in words(text) if w.start >= quantity.end), None)
    return word.stem if word is not None and word.weight else None


def _other_subject(sides: Sides, told: str) -> bool:
    """Whether a sentence names another subject, and nowhere the claim's."""
    mine, theirs = sides.own.names, topic_of(told)
    if not mine or not theirs.names or theirs.refers or _REPORTED.match(told):
        return False
    headed = {word.stem for word in words(sides.heading)}
    if any(name.stems <= headed or stands_in(name, told) for name in mine):
        return False
    return not any(stands_in(name, sides.context) for name in theirs.names)


def _other_place(sides: Sides, told: str) -> bool:
    """Whether a place of the claim stands in the heading alone, and in the sentence another."""
    headed = [
        name
        for name in sides.own.others
        if _PLACE.search(sides.said[: name.start])
        and stands_in(name, sides.heading)
        and not stands_in(name, told)
    ]
    return bool(headed) and any(
        _PLACE.search(told[: name.start]) and not stands_in(name, sides.said)
        for name in (*topic_of(told).names, *topic_of(told).others)
    )
