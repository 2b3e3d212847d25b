"""Who does what to whom: a deed and its parties, and whether two texts tell it of the same.

A network finds "The council hired Renner" in "The council was hired by Renner". The rules see only
plain clauses and stay silent on all others.
"""

import re
from dataclasses import dataclass

from veracite.engine.comparing.topics import topic_of
from veracite.engine.facts.names import in_family
from veracite.engine.wording.overlap import Word, words

__all__ = [
    "changes_roles",
    "has_other_office",
    "only_takes_part",
    "other_agent",
    "relative_clauses",
]

_BE = frozenset("is are was were be been being".split())
_DETERMINERS = frozenset("a an the its his her their our my your this that these those".split())
_MUTUAL = frozenset(
    """marry marri meet join resemble equal match play fight face border accompany follow know
    include mean remain become divorce befriend""".split()
)
"""Stems of what two do to each other, or of what says that one is the other."""
_REACH = 4
"""Words among which a passive's participle and its "by" stand;"""
_FARTHER = 14
"""those where the participle comes first, and somebody is named behind "by"."""

_NAMED = r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*"
_RELATIVE = re.compile(rf"(?P<who>{_NAMED}), who (?P<what>[^,;]+)")
_PARTICIPLE = re.compile(
    rf"(?P<who>{_NAMED}),(?: [SJ]r\.,)? (?P<what>\w+(?:ed|en|lt|de|ld|nt)\b[^,;]*? by [^,;]+)"
)
_OFFICE = re.compile(rf"(?P<who>{_NAMED}) \((?P<office>[a-z][\w -]+)\)")
_IS_A = re.compile(r"[\w' -]+ (?:is|are|was|were) (?:an? )?(?P<kind>[a-z][a-z-]+(?: [a-z-]+)?)\.?")
_PARTAKING = frozenset("by with from against near than unlike".split())
_INSERTED = re.compile(r", who [^,;]+,(?= )")


@dataclass(frozen=True, slots=True)
class _Deed:
    """A clause with an object or, in the passive, with a "by"."""

    verb: str
    agent: frozenset[str]
    patient: frozenset[str]
    recipient: frozenset[str] = frozenset()
    """Behind "to"."""


def relative_clauses(told: str) -> list[str]:
    """ "Ann, who rents it to Bo" as "Ann rents it to Bo", "Bo, fired by Ann" as "Bo was fired"."""
    inner = [f"{m['who']} {m['what']}" for m in _RELATIVE.finditer(told)]
    if inner:
        inner.append(_INSERTED.sub("", told))
    return inner + [f"{m['who']} was {m['what']}" for m in _PARTICIPLE.finditer(told)]


def changes_roles(said: str, told: str) -> bool:
    """Whether two texts tell of one deed, and who does it in one bears it in the other."""
    one, other = _deed(said), _deed(told)
    if one is None or other is None or one.verb in _MUTUAL:
        return False
    if not in_family(one.verb, {other.verb}) and one.verb != other.verb:
        return False
    mine, theirs = _apart(one), _apart(other)
    crossed = mine.agent & theirs.patient and mine.patient & theirs.agent
    if crossed and not (mine.agent & theirs.agent or mine.patient & theirs.patient):
        return True
    given = one.agent & other.recipient and one.recipient & other.agent
    return bool(given) and not (one.agent & other.agent or one.recipient & other.recipient)


def other_agent(said: str, told: str, around: str) -> bool:
    """Whether two texts tell of one deed by two, both of whom the text around it tells of."""
    one, other = _deed(said), _deed(told)
    if one is None or other is None or one.verb != other.verb:
        return False
    if one.agent & other.agent or not one.patient & other.patient:
        return False
    topic = topic_of(told)
    before = {word.stem for word in words(told) if word.end <= topic.end}
    if topic.refers or before & (one.agent | {"who", "which", "that"}):
        return False
    return one.agent <= {word.stem for word in words(around)}


def only_takes_part(said: str, told: str) -> bool:
    """Whether what a claim says somebody is ("Ducks are mammals") only has to do with it there.

    As in "Ducks are hunted by mammals".
    """
    match = _IS_A.fullmatch(said.strip())
    if match is None:
        return False
    kind, found = words(match["kind"])[-1].stem, words(told)
    places = [i for i, word in enumerate(found) if word.stem == kind]
    return bool(places) and all(
        any(word.text.lower() in _PARTAKING for word in found[max(0, i - _REACH + 1) : i])
        for i in places
    )


def has_other_office(said: str, told: str) -> bool:
    """Whether a list gives the claim's office to another name: "Bo (chair), Ann (clerk)"."""
    own = {word.stem for word in words(said)}
    listed = [
        tuple({word.stem for word in words(part) if word.weight} for part in match.groups())
        for match in _OFFICE.finditer(told)
    ]
    held = [office <= own for who, office in listed if who & own]
    others = [office <= own for who, office in listed if not who & own]
    return bool(held) and not any(held) and any(others)


def _apart(deed: _Deed) -> _Deed:
    """Without the words that both sides have: "diving ducks" and "dabbling ducks"."""
    both = deed.agent & deed.patient
    return _Deed(deed.verb, deed.agent - both, deed.patient - both, deed.recipient)


def _deed(text: str) -> _Deed | None:
    """The deed that a plain clause tells of; nothing where its parts are not sure."""
    found = words(text)
    start = next((i for i, word in enumerate(found) if word.start >= topic_of(text).end), 0)
    subject = _phrase_before(text, found[:start])
    if not start or not subject:
        return None
    group = found[start : start + _REACH]
    if group[0].text in _BE:
        if than := _than(found, start):
            other = _phrase(text, found[than + 1 :])
            return _Deed(found[than - 1].stem, subject, other) if other else None
        return _passive(text, found, start, subject)
    if group[0].text in ("has", "have", "had") and len(group) > 1:
        group, start = group[1:], start + 1
    if group[0].text in _BE or not group[0].text.islower():
        return None
    patient = _phrase(text, found[start + 1 :])
    to = next((i for i in range(start + 1, len(found)) if found[i].text == "to"), None)
    recipient = _phrase(text, found[to + 1 :]) if to else frozenset()
    if not patient and not recipient:
        return None
    return _Deed(group[0].stem, subject, patient, recipient)


def _passive(
    text: str, found: tuple[Word, ...], start: int, subject: frozenset[str]
) -> _Deed | None:
    """What somebody bears whose "was" is the word at ``start``."""
    ahead = [i for i in range(start + 2, len(found)) if found[i].text == "by"]
    by = next(iter(ahead), None)
    if (
        by is None
        or by + 1 == len(found)
        or re.search(r"[,;:()]", text[found[start].end : found[by].start])
    ):
        return None
    near = by < start + _REACH
    if not near and (by > start + _FARTHER or not _names_somebody(found[by + 1 :])):
        return None
    agent = _phrase(text, found[by + 1 :])
    return _Deed(found[by - 1 if near else start + 1].stem, agent, subject) if agent else None


def _names_somebody(following: tuple[Word, ...]) -> bool:
    first = next((w for w in following if w.text.lower() not in _DETERMINERS), None)
    return first is not None and first.text[0].isupper()


def _than(found: tuple[Word, ...], start: int) -> int | None:
    """The place of "than" behind a comparative."""
    place = next((i for i in range(start + 2, len(found)) if found[i].text == "than"), None)
    if place is None or found[place - 1].text in ("rather", "other"):
        return None
    graded = found[place - 1].text.endswith("er") or found[place - 2].text in ("more", "less")
    graded = graded or any(w.text.endswith("er") for w in found[start + 1 : place])
    return place if graded else None


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
    return frozenset(word.stem for word in kept if not word.stem.isdigit())


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
