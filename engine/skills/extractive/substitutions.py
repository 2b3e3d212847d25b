"""What a sentence of nearly the same words says in the place of a claim's figures and names.

The words of both are laid side by side. Where a figure, a date, a name or a denial of the claim
stands against another of its kind, the sentence's takes its place; all other words stay the user's.
"""

import calendar
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from veracite.engine.facts.quantities import extract
from veracite.engine.judge.topics import topic_of
from veracite.engine.wording.contrasts import cases_apart, is_negation, opposites
from veracite.engine.wording.overlap import Word, words

_ALIKE = 0.6
"""The share, by weight, of a claim's other words that must stand in the sentence in their order."""
_LEAST = 3
"""How many of them there must be."""
_SHORT = 3
"""Words that a denial takes at most, "does not" or "no longer" among them."""
_BEHIND = 2
"""Words behind a denial that must be the same."""
_MONTHS = frozenset(name.lower() for name in calendar.month_name if name)
_Kind = Literal["figure", "name"]
_Words = tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Substitution:
    """What is to be changed in a statement so that it says what a sentence says."""

    edits: tuple[tuple[int, int, str], ...]
    """Start and end in the statement, and what is to stand there; none overlap."""
    share: float
    """Of the statement's other words, by weight, that stand in the sentence in their order."""
    renamed: frozenset[str]
    """Stems of names that the statement would not be about any more."""


@dataclass(frozen=True, slots=True)
class _Fact:
    """Neighbouring figures or names that the other text does not have in their place."""

    kind: _Kind
    found: _Words

    @property
    def shape(self) -> tuple[bool, ...]:
        """Which of its words are figures: "3 May 1904" has another than "1904"."""
        return tuple(word.text[0].isdigit() for word in self.found)

    @property
    def stems(self) -> tuple[str, ...]:
        """Of its words."""
        return tuple(word.stem for word in self.found)


@dataclass(frozen=True, slots=True)
class _Step:
    """Where the words of two texts part."""

    own: _Words
    """The statement's words."""
    other: _Words
    """Those of the sentence that stand against them."""
    behind: tuple[_Words, _Words]
    """What follows in either."""
    facts: tuple[_Fact, ...]
    """Of the statement."""
    stated: tuple[_Fact, ...]
    """Of the sentence."""

    @property
    def denies(self) -> bool:
        """Whether one side is a denial of the other, or says the opposite, and no more."""
        if max(len(self.own), len(self.other)) > _SHORT:
            return False
        denied = [any(map(is_negation, found)) for found in (self.own, self.other)]
        light = (
            is_negation(w) or not w.weight or w.text == "does" for w in (*self.own, *self.other)
        )
        if denied[0] != denied[1] and all(light):
            return True
        texts = [" ".join(word.text for word in found) for found in (self.own, self.other)]
        return bool(opposites(*texts)) or cases_apart(*texts) is not None

    @property
    def is_another_case(self) -> bool:
        """Whether one denies what it does, or says the opposite, of something else."""
        return self.denies and not self._go_on_alike()

    def _go_on_alike(self) -> bool:
        pairs = list(zip(*self.behind, strict=False))[:_BEHIND]
        if not pairs:
            return bool(self.own and self.other)
        return all(one.stem == other.stem for one, other in pairs)

    @property
    def with_next_word(self) -> tuple[_Words, _Words]:
        """Both with a word that they share, in the form that it has there: "does not work"."""
        mine, theirs = self.behind
        shared = bool(mine and theirs)
        return (*self.own, *mine[:shared]), (*self.other, *theirs[:shared])

    @property
    def is_bare(self) -> bool:
        """Whether both are a figure and function words: "in 1904", "on 3 May 1904"."""
        facts = {word for fact in (*self.facts, *self.stated) for word in fact.found}
        return not any(word.weight for word in (*self.own, *self.other) if word not in facts)

    def at_end(self, fact: _Fact, stated: _Fact, end: int) -> bool:
        """Whether facts of one kind begin the step (0), or end it (-1)."""
        first = fact.found[end] is self.own[end] and stated.found[end] is self.other[end]
        return first and fact.kind == stated.kind


def substitution(statement: str, sentence: str) -> Substitution | None:
    """What a sentence says instead of a statement; None if they are not alike, or agree in that.

    Of several facts, as many must be the same: else it speaks of something else.
    """
    mine, theirs = words(statement), words(sentence)
    matcher = SequenceMatcher(None, [w.stem for w in mine], [w.stem for w in theirs], False)
    parted = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    facts = [_facts(statement, mine, a, b) for _, a, b, _, _ in parted]
    stated = [_facts(sentence, theirs, c, d) for _, _, _, c, d in parted]
    both = _said(facts) & _said(stated)
    steps = [
        _Step(mine[a:b], theirs[c:d], (mine[b:], theirs[d:]), _without(f, both), _without(s, both))
        for (_, a, b, c, d), f, s in zip(parted, facts, stated, strict=True)
    ]
    pairs = list(_pairs(steps))
    same = [w for i, _, n in matcher.get_matching_blocks() for w in mine[i : i + n] if w.weight]
    replaced = {word for old, _ in pairs for word in old}.difference(same)
    rest = [w for w in mine if w.weight and w not in replaced and not is_negation(w)]
    share = sum(w.weight for w in same) / (sum(w.weight for w in rest) or 1.0)
    if share < _ALIKE or len(same) < _LEAST or any(step.is_another_case for step in steps):
        return None
    edits = tuple(
        (old[0].start, old[-1].end, _cased(sentence[new[0].start : new[-1].end], old[0].start))
        for old, new in pairs
    )
    if not edits or len(edits) > max(1, sum(_kind(word) is not None for word in same)):
        return None
    subject = topic_of(statement).end
    renamed = {w.stem for old, _ in pairs for w in old if w.end <= subject and _kind(w) == "name"}
    return Substitution(edits, share, frozenset(renamed))


def _pairs(steps: Sequence[_Step]) -> Iterator[tuple[_Words, _Words]]:
    """Words of the statement with those of the sentence that take their place.

    Facts that stand in the same place come first, then one that each text has elsewhere.
    """
    left: list[_Fact] = []
    others: list[_Fact] = []
    for step in steps:
        if step.denies:
            yield step.with_next_word
            continue
        facts, stated = list(step.facts), list(step.stated)
        if [f.kind for f in facts] == [f.kind for f in stated] == ["figure"] and step.is_bare:
            yield step.own, step.other
            continue
        if [f.kind for f in facts] != [f.kind for f in stated]:
            for end in (0, -1):
                if facts and stated and step.at_end(facts[end], stated[end], end):
                    yield facts.pop(end).found, stated.pop(end).found
            left += facts
            others += stated
        else:
            yield from ((one.found, other.found) for one, other in zip(facts, stated, strict=True))
    for fact in left:
        rivals = [one for one in left if one.kind == fact.kind]
        there = [one for one in others if one.kind == fact.kind]
        if len(rivals) == len(there) == 1 and fact.shape == there[0].shape:
            yield fact.found, there[0].found


def _facts(text: str, found: _Words, start: int, end: int) -> tuple[_Fact, ...]:
    """The runs of one kind among some words, without a mark between them; a word that opens a
    sentence is capitalised anyway."""
    facts: list[_Fact] = []
    for place in range(start, end):
        word = found[place]
        kind = _kind(word)
        if kind is None or (place == 0 and kind == "name"):
            continue
        last = facts[-1] if facts else None
        if last and last.kind == kind and not text[last.found[-1].end : word.start].strip(". -"):
            facts[-1] = _Fact(kind, (*last.found, word))
        else:
            facts.append(_Fact(kind, (word,)))
    return tuple(facts)


def _said(facts: Sequence[tuple[_Fact, ...]]) -> set[tuple[str, ...]]:
    return {fact.stems for some in facts for fact in some}


def _without(facts: tuple[_Fact, ...], both: Set[tuple[str, ...]]) -> tuple[_Fact, ...]:
    """What only one of the texts says, wherever."""
    return tuple(fact for fact in facts if fact.stems not in both)


def _kind(word: Word) -> _Kind | None:
    """What a word is; "Seventh" within a sentence is part of a name."""
    if is_negation(word):
        return None
    if word.text.lower() in _MONTHS or word.text[0].isdigit():
        return "figure"
    if extract(word.text) and (word.start == 0 or word.text[0].islower()):
        return "figure"
    return "name" if word.text[0].isupper() and word.weight else None


def _cased(text: str, start: int) -> str:
    """In one line, capitalised where it opens a statement; elsewhere a number is small."""
    text = " ".join(text.split())
    if start == 0:
        return text[0].upper() + text[1:]
    return text.lower() if text.isalpha() and extract(text) else text
