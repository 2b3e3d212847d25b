"""Whether a claim puts together what a sentence says together.

"The library opens at 8:30 and closes at 17:00" has every word of "The library closes at 8:30". Each
figure and name of a claim must stand in the conjunct that has the claim's other words. The rules
are sure of little: what they cannot tell apart, they leave to the verifier.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veracite.engine.comparing.topics import topic_of
from veracite.engine.facts.measures import measures
from veracite.engine.facts.names import Name, in_family, names, stands_in
from veracite.engine.wording.overlap import content_words, words

__all__ = ["names_nowhere", "put_together"]

_BETWEEN = re.compile(r"[;:]\s|,?\s(?:and|but|while|whereas)\s")
_REGION = re.compile(r",\s[A-Z]\w*(?:\s[A-Z]\w*)*")
"""What a place is in, as in "Barmouth, Wales": of one fact with it."""
_PLACE_BEFORE = re.compile(r"\b[A-Z]\w*,\s$")


@dataclass(frozen=True, slots=True)
class _Fact:
    """A figure or a name of a claim."""

    kind: str
    stems: frozenset[str]
    others: frozenset[str]
    """Stems of the words that the claim tells it with."""


@dataclass(frozen=True, slots=True)
class _Conjunct:
    """A part of a sentence, between "and", "but", colons and semicolons."""

    stems: frozenset[str]
    plain: frozenset[str]
    """Those of its words that belong to no name or figure."""
    verbs: frozenset[str]
    figures: frozenset[str]
    """Kinds of its figures."""
    names: frozenset[str]


def put_together(statement: str, quotes: Sequence[str]) -> bool:
    """Whether each figure and name stands in a quote's conjunct with the claim's other words.

    True where a claim has conjuncts of its own, or nobody can tell.
    """
    if _BETWEEN.search(statement):
        return True
    split = [(quote, [_conjunct(part) for part in _BETWEEN.split(quote)]) for quote in quotes]
    for fact in _facts(statement):
        stated = [
            not _is_swapped(fact, quote, parts)
            for quote, parts in split
            if any(fact.stems <= part.stems for part in parts)
        ]
        if stated and not any(stated):
            return False
    return True


def names_nowhere(statement: str, texts: Sequence[str]) -> tuple[Name, ...]:
    """The names behind a claim's main verb that stand in none of some texts."""
    return tuple(
        name
        for name in topic_of(statement).others
        if not any(name.text in text or stands_in(name, text) for text in texts)
    )


def _facts(statement: str) -> list[_Fact]:
    said = content_words(statement)
    subject = topic_of(statement)
    named = frozenset[str]().union(*(name.stems for name in subject.names))
    places: list[tuple[str, int, int]] = [
        (m.quantity.kind, m.quantity.start, m.quantity.end) for m in measures(statement)
    ]
    places += [
        ("name", name.start, name.end)
        for name in subject.others
        if not _PLACE_BEFORE.search(statement[: name.start])
    ]
    found = []
    for kind, start, end in places:
        own = frozenset(w.stem for w in said if start <= w.start < end)
        region = _REGION.match(statement, end) if kind == "name" else None
        behind = region.end() if region else end
        others = frozenset(w.stem for w in said if not start <= w.start < behind)
        if own:
            found.append(_Fact(kind, own, others - own - named))
    return found


def _conjunct(text: str) -> _Conjunct:
    """A conjunct's words, by what they are; its verb may open it."""
    figures = [m.quantity for m in measures(text)]
    return _Conjunct(
        frozenset(word.stem for word in words(text)),
        frozenset(
            word.stem
            for word in content_words(text)
            if word.text.islower() and not any(q.start <= word.start < q.end for q in figures)
        ),
        topic_of(f"It {text}").verbs,
        frozenset(quantity.kind for quantity in figures),
        frozenset[str]().union(*(name.stems for name in names(text))),
    )


def _is_swapped(fact: _Fact, quote: str, parts: Sequence[_Conjunct]) -> bool:
    """Whether another conjunct, with such a fact of its own, has the words this one is told with.

    A verb that one of the two goes without is said of both, as is what stands before the first.
    """
    here = [part for part in parts if fact.stems <= part.stems]
    if len(here) != 1:
        return False
    own = here[0]
    subject = frozenset(word.stem for word in words(quote[: topic_of(quote).end]))
    for other in parts:
        rival = other.names - subject if fact.kind == "name" else fact.kind in other.figures
        if other is own or not rival:
            continue
        shared = subject if own.verbs and other.verbs else subject | own.verbs | other.verbs
        told = fact.others - shared
        mine = {w for w in told if in_family(w, own.stems)}
        theirs = {w for w in told if in_family(w, other.stems)}
        if theirs and not mine and own.plain - fact.others - shared:
            return True
    return False
