"""Who does what to whom, and of which part a figure is said: what a sentence keeps apart.

A network finds "The council hired Renner" in "The council was hired by Renner", and "Children pay
£4.50" in "free for children; adults pay £4.50". The rules see only plain clauses and stay silent
on all others.
"""

import re
from dataclasses import dataclass

from veracite.engine.measures import measures, weigh
from veracite.engine.names import in_family
from veracite.engine.overlap import Word, words
from veracite.engine.topics import topic_of

__all__ = ["changes_roles", "of_another_part"]

_BE = frozenset("is are was were be been being".split())
_DETERMINERS = frozenset("a an the its his her their our my your this that these those".split())
_MUTUAL = frozenset(
    """marry marri meet join resemble equal match play fight face border accompany follow know
    include mean remain become divorce befriend""".split()
)
"""Stems of what two do to each other, or of what says that one is the other."""
_REACH = 4
"""Words among which a passive's participle and its "by" stand."""
_CLAUSE = re.compile(
    r"[;:]\s|,?\s(?:and|but|while|whereas)\s"
    r"|,\s(?=(?:including|among them)\b|(?:\S+\s){0,2}of (?:them|these|which|whom)\b)"
)
_PART = re.compile(r"including\b|among them\b|(?:\S+\s){0,2}of (?:them|these|which|whom)\b")


@dataclass(frozen=True, slots=True)
class _Deed:
    """A clause with an object or, in the passive, with a "by"."""

    verb: str
    agent: frozenset[str]
    patient: frozenset[str]


def changes_roles(said: str, told: str) -> bool:
    """Whether two texts tell of one deed, and who does it in one bears it in the other."""
    one, other = _deed(said), _deed(told)
    if one is None or other is None or one.verb in _MUTUAL:
        return False
    if not in_family(one.verb, {other.verb}) and one.verb != other.verb:
        return False
    crossed = one.agent & other.patient and one.patient & other.agent
    return bool(crossed) and not (one.agent & other.agent or one.patient & other.patient)


def of_another_part(said: str, told: str) -> bool:
    """Whether a figure of a claim stands in a clause of a sentence that has a subject of its own.

    Or in one that tells of a part ("of which 14 are for children") of which the claim has no word.
    """
    topic = topic_of(said)
    own = {word.stem for word in words(said)}
    subject = {word.stem for word in words(said) if word.weight and word.end <= topic.end}
    clauses = _clauses(told)
    if not subject or len(clauses) < 2:
        return False
    for figure in weigh(measures(said), measures(told)):
        if figure.outcome != "match" or figure.stated is None:
            continue
        at = figure.stated.start
        start, clause = next(one for one in reversed(clauses) if one[0] <= at)
        rest = [w for w in words(clause) if w.weight and not w.start <= at - start < w.end]
        stems = {word.stem for word in rest}
        if any(in_family(one, stems) for one in subject):
            continue
        if _PART.match(clause):
            if stems and not any(in_family(one, own) for one in stems):
                return True
        elif _has_other_subject(clause, own) and any(
            in_family(one, {word.stem for word in words(other)})
            for one in subject
            for begin, other in clauses
            if begin != start and _has_verb(other)
        ):
            return True
    return False


def _clauses(text: str) -> list[tuple[int, str]]:
    """Each clause with its place."""
    starts = [0, *(match.end() for match in _CLAUSE.finditer(text))]
    return [(a, text[a:b]) for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def _has_verb(clause: str) -> bool:
    end = topic_of(clause).end
    return end > 0 and any(word.start == end for word in words(clause))


def _has_other_subject(clause: str, own: set[str]) -> bool:
    topic = topic_of(clause)
    before = [w.stem for w in words(clause) if w.weight and w.end <= topic.end]
    return bool(before) and not topic.refers and not any(in_family(one, own) for one in before)


def _deed(text: str) -> _Deed | None:
    """The deed that a plain clause tells of; nothing where its parts are not sure."""
    found = words(text)
    start = next((i for i, word in enumerate(found) if word.start >= topic_of(text).end), 0)
    subject = _phrase_before(text, found[:start])
    if not start or not subject:
        return None
    group = found[start : start + _REACH]
    if group[0].text in _BE:
        by = next((i for i, word in enumerate(group[1:], 1) if word.text == "by"), None)
        if by is None or by < 2:
            return None
        agent = _phrase(text, found[start + by + 1 :])
        return _Deed(group[by - 1].stem, agent, subject) if agent else None
    if group[0].text in ("has", "have", "had") and len(group) > 1:
        group, start = group[1:], start + 1
    if group[0].text in _BE or not group[0].text.islower():
        return None
    patient = _phrase(text, found[start + 1 :])
    return _Deed(group[0].stem, subject, patient) if patient else None


def _phrase(text: str, following: tuple[Word, ...]) -> frozenset[str]:
    """The stems of the words up to the next small one or sign."""
    kept: list[Word] = []
    for word in following:
        if kept and re.search(r"[,.;:()]", text[kept[-1].end : word.start]):
            break
        if word.text.lower() in _DETERMINERS and not kept:
            continue
        if not word.weight:
            break
        kept.append(word)
    return frozenset(word.stem for word in kept)


def _phrase_before(text: str, before: tuple[Word, ...]) -> frozenset[str]:
    """The stems of a subject's words, an opening phrase with its comma left out."""
    kept: list[Word] = []
    for word in reversed(before):
        if kept and re.search(r"[,;:()]", text[word.end : kept[-1].start]):
            break
        kept.append(word)
    prepositions = ("of", "in", "on", "at", "from", "with", "for", "by", "to")
    head = next((i for i, w in enumerate(reversed(kept)) if w.text in prepositions), len(kept))
    return frozenset(word.stem for word in list(reversed(kept))[:head] if word.weight)
