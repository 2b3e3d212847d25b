"""What a claim says a deed is done to, where a sentence tells of another such thing.

"The club serves beer" is no denial of "The club serves tea": a verb may have many objects, and what
is of a kind ("courses in", "the price of") much to be of. The rules see only plain clauses.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from veracite.engine.facts.measures import measures
from veracite.engine.facts.names import in_family
from veracite.engine.facts.quantities import Quantity
from veracite.engine.facts.units import is_unit
from veracite.engine.judge.sides import Sides
from veracite.engine.judge.topics import topic_of
from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import Word, words
from veracite.engine.wording.phrases import VERB_ENDING, VERBS, any_of
from veracite.engine.wording.subject_words import THINGS

_LIMITING = re.compile(
    r"\b(?:only|solely|exclusively|just|merely|entirely|all but|instead|rather|other than|sole"
    r"|main|mainly|chief|chiefly|mostly|primarily|all|entire|whole|every|more|less|fewer|few|little"
    r"|lack|declin\w+|refus\w+|fail\w+|unable|yet to|\w+est)\b",
    re.IGNORECASE,
)
"""Words that leave room for nothing else, or for little."""
_BE = frozenset("is are was were be been being".split())
_AUXILIARIES = frozenset("has have had will would can could shall should may might must".split())
_EXCLUSIVE = frozenset(
    """becam become becom remain stay seem look stand stood feel felt turn prove prov appear mean
    meant equal total cost weigh measure measur last consist comprise compris marri marry succeed
    succe replace replac name call head chair lead live bear die reach number rank belong face fac
    win won go""".split()
)
"""Stems of verbs with one object, or a quality or place in its stead."""
_HAVE = frozenset("has have had".split())
_ARTICLES = frozenset("a an the its his her their our my your this that these those".split())
_BEFORE_OBJECTS = ("", "with", "for")
"""What may stand between a verb and its object."""
_PARTICIPLE = re.compile(r"(?:ed|en|ung|ought|aught|old|ade|ept|ent)$")
_SIGN = re.compile(r"[,;:()–—]|\.\s")
_GENERIC = re.compile(rf"{any_of(THINGS)}s?")


@dataclass(frozen=True, slots=True)
class _Phrase:
    """Words that carry weight, up to the next small one."""

    led_by: str
    """The small word before it, articles aside; empty if there is none."""
    article: str
    words: tuple[Word, ...]

    @property
    def head(self) -> Word:
        """What it is all about: the last word."""
        return self.words[-1]

    @property
    def is_name(self) -> bool:
        """Whether it names something single."""
        return not self.head.text.islower()

    @property
    def is_open(self) -> bool:
        """Whether it speaks of any of its kind: "a towel", "courses"."""
        return self.article in ("", "a", "an")

    def text(self, whole: str) -> str:
        """As it stands in its sentence."""
        return whole[self.words[0].start : self.head.end]


def another_object(sides: Sides) -> str | None:
    """The object of a claim's verb that a sentence does not have, though it has room for it.

    Or, behind an object that both have, what it is of or for ("courses in cooking"). A name may be
    the very answer that the two disagree about, unless the sentence lists several things.
    """
    said, told = sides.said, sides.candidate.sentence.text
    verb = None if _leaves_no_room(sides) else _verb(said, told)
    phrases = [] if verb is None else _phrases(said, verb.end)
    if not phrases or phrases[0].led_by not in _BEFORE_OBJECTS:
        return None
    there = {word.stem for word in words(told)}
    first = phrases[0]
    differing = [c.claimed for c in sides.figures if c.outcome == "conflict"]
    if any(not _counts(figure, first) for figure in differing):
        return None
    listed = [p for p in phrases[1:] if p.led_by in ("and", "or")]
    if in_family(first.head.stem, there) and first.is_open and not differing and not first.is_name:
        listed += [p for p in phrases[1:2] if p.led_by and not p.is_name]
    for one in (first, *listed):
        lacks = not in_family(one.head.stem, there) and not _is_measured(sides, one)
        if lacks and (not one.is_name or " and " in told):
            return one.text(said)
    return None


def another_of_its_kind(sides: Sides) -> tuple[str, str] | None:
    """What a claim's subject is of, and what a sentence's is instead: "the number of doctors"."""
    mine, theirs = _kind(sides.said), _kind(sides.told)
    if mine is None or theirs is None:
        return None
    (kind, one), (other_kind, other) = mine, theirs
    if kind.head.stem != other_kind.head.stem or one.led_by != other.led_by:
        return None
    if measures(one.text(sides.said)) or measures(other.text(sides.told)):
        return None
    new, old = ({w.stem for w in p.words} for p in (one, other))
    if not new - old or not old - new or any(in_family(stem, old) for stem in new - old):
        return None
    if (one.is_name, one.article) != (other.is_name, other.article):
        return None
    if one.article and any(_GENERIC.fullmatch(p.head.text) for p in (one, other)):
        return None
    return one.text(sides.said), other.text(sides.told)


def _leaves_no_room(sides: Sides) -> bool:
    texts = sides.said, sides.candidate.sentence.text
    denied = any(is_negation(word) for text in texts for word in words(text))
    return denied or bool(sides.opposite_to) or any(map(_LIMITING.search, texts))


def _verb(said: str, told: str) -> Word | None:
    """A claim's main verb, in the active, if the sentence has it too."""
    found, there = words(said), words(told)
    start = topic_of(said).end
    at = next((i for i, word in enumerate(found) if i and word.start == start), None)
    if at is None or not (found[at].text in VERBS or VERB_ENDING.match(found[at].text)):
        shared = _shared(found, there)
        at = at if shared is None else shared
    if at is None:
        return None
    if found[at].text in _AUXILIARIES and _is_bare_verb(found, at + 1):
        at += 1
    verb = found[at]
    if not verb.text.islower() or verb.text in _BE or verb.stem in _EXCLUSIVE:
        return None
    return verb if any(other.stem in _forms(verb) for other in there) else None


def _forms(verb: Word) -> frozenset[str]:
    """A verb's stem, and those of "has"."""
    return _HAVE if verb.stem in _HAVE else frozenset((verb.stem,))


def _is_bare_verb(found: tuple[Word, ...], at: int) -> bool:
    """Whether a word behind an auxiliary is the verb: "may bring a dog", not "has beds"."""
    if at == len(found) or not found[at].weight or not found[at].text.islower():
        return False
    return found[at - 1].text not in _HAVE or _PARTICIPLE.search(found[at].text) is not None


def _shared(found: tuple[Word, ...], there: tuple[Word, ...]) -> int | None:
    """The place of a word behind a subject that stands behind the same word in both."""
    before = {(one.stem, two.stem) for one, two in pairwise(there)}
    for i, (one, two) in enumerate(pairwise(found[:-1]), 1):
        is_verb = one.text.endswith("s") != two.text.endswith("s") and found[i + 1].text not in _BE
        telling = one.weight and two.weight and two.text.islower()
        if is_verb and telling and (one.stem, two.stem) in before:
            return i
    return None


def _phrases(text: str, start: int, end: int | None = None) -> list[_Phrase]:
    """The phrases of a text between two places, up to the next sign."""
    sign = _SIGN.search(text, start, len(text) if end is None else end)
    last = sign.start() if sign else len(text) if end is None else end
    found: list[_Phrase] = []
    led_by, article, kept = "", "", list[Word]()
    for word in words(text):
        if not start <= word.start < last:
            continue
        if word.weight:
            kept.append(word)
            continue
        if kept:
            found.append(_Phrase(led_by, article, tuple(kept)))
            led_by, article, kept = "", "", []
        if word.text.lower() in _ARTICLES:
            article = word.text.lower()
        else:
            led_by = word.text.lower()
    return [*found, _Phrase(led_by, article, tuple(kept))] if kept else found


def _kind(text: str) -> tuple[_Phrase, _Phrase] | None:
    """A subject's first phrase and what it is of or for, if that is all of the subject."""
    subject = _phrases(text, 0, topic_of(text).end)
    if len(subject) < 2 or not subject[1].led_by or subject[0].led_by:
        return None
    return (subject[0], subject[1]) if subject[1].led_by not in ("and", "or") else None


def _counts(figure: Quantity, phrase: _Phrase) -> bool:
    """Whether a figure only counts what a phrase names: "four operas"."""
    inside = phrase.words[0].start <= figure.start and figure.end < phrase.head.start
    return inside and figure.kind == "number" and not is_unit(figure.unit)


def _is_measured(sides: Sides, phrase: _Phrase) -> bool:
    """Whether a phrase is a figure with its unit."""
    start, end = phrase.words[0].start, phrase.head.end
    inside = [c.claimed for c in sides.figures if start <= c.claimed.start < end]
    return any(not _counts(figure, phrase) for figure in inside)
