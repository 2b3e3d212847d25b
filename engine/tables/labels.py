"""Which words of a claim name a row or a column of a table, and which it says beside them."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from veracite.engine.facts.measures import Measure, measures
from veracite.engine.facts.names import in_family
from veracite.engine.facts.units import is_unit
from veracite.engine.tables.cell_figures import without_unit
from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import Word, stem, words

__all__ = ["Said", "longest"]

_ATTRIBUTES = tuple(
    frozenset(stem(word) for word in line.split())
    for line in (
        "weight weigh mass heavy",
        "height high tall elevation altitude",
        "length long",
        "width wide breadth broad",
        "depth deep",
        "age old aged",
        "price cost fee fare charge rate pay",
        "population inhabitants people residents live lived living",
        "speed fast",
        "area size cover",
        "distance far",
        "born birth birthday",
        "died death",
        "founded foundation established",
        "built completed construction",
        "employees staff employ workers people",
        "revenue turnover",
        "capacity hold seat seats",
        "author write",
        "director direct",
        "winner win",
        "duration last take lasts",
        "close shut",
        "departure depart leave",
        "arrival arrive",
        "town city from",
    )
)
"""Of one line each: a column of one of these names is meant by the others, too."""
_PLAIN = frozenset(
    stem(word)
    for word in """have get come hold number amount reach stand measure value count cost charge pay
    price sell list show record report give year day people person table row column figure euro
    dollar pound percent per cent am pm o'clock lie got game match there""".split()
)
"""Words that say little of a cell's figure or name."""
_FOR_WHOM = frozenset("visitor guest customer passenger traveller user buyer adult child".split())
_ARTICLES = frozenset("a an the".split())
_COUNTS = frozenset(
    """all every each both none only any most least more less fewer other another except half than
    together combined total altogether average mean sum alone first last second third""".split()
)
"""Words by which a claim speaks of several rows, unless the table has them itself."""
_LIMITS = frozenset("more less fewer than at least most up to over under".split())
_BESIDE = re.compile(r"\b(?:before|after|until|till|since|by|between|from)\s+(?:the\s)?$", re.I)
"""What may stand before a date and make it another one."""
_SUPERLATIVE = re.compile(
    r"(?!(?:for|inter|gu|requ|harv|prot|inv|conqu|tempt|mod|hon)est)[a-z]{3,}est"
)
_GRADED = re.compile(r"[a-z]{3,}(?:er|est)")
_RANKS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINALS = {
    f"{rank}{'th' if rank > 3 else ('st', 'nd', 'rd')[rank - 1]}": stem(word)
    for rank, word in enumerate(_RANKS, 1)
}
"""What is written "2nd", by the stem of the word for it."""

_Named = TypeVar("_Named")


@dataclass(frozen=True)
class Said:
    """A claim's words and figures, as names of rows and columns are looked for in them."""

    text: str
    words: tuple[Word, ...] = field(init=False)
    figures: tuple[Measure, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", words(self.text))
        object.__setattr__(self, "figures", measures(self.text))

    @property
    def is_denied(self) -> bool:
        """Whether the claim has a negation."""
        return any(map(is_negation, self.words))

    @property
    def ranks(self) -> bool:
        """Whether the claim counts, ranks or compares what a table lists."""
        spoken = [word.text for word in self.words]
        return any(w.lower() in _COUNTS or _SUPERLATIVE.fullmatch(w) for w in spoken)

    def places(self, name: str, *, exactly: bool = False) -> frozenset[int] | None:
        """The places of the words that name a row or a column; None if one of its words lacks.

        Args:
            exactly: Whether "weighs" is not to do for "weight".
        """
        found = [self._place(word, exactly) for word in _telling(name)]
        if not found or None in found:
            return None
        return frozenset(place for place in found if place is not None)

    def partly(self, name: str) -> frozenset[int]:
        """The places of the words of a name that the claim has."""
        places = map(self._place, _telling(name))
        return frozenset(place for place in places if place is not None)

    def _place(self, word: Word, exactly: bool = False) -> int | None:
        alike = {word.stem, _ORDINALS.get(word.text.lower(), word.stem)}
        same = next((i for i, own in enumerate(self.words) if own.stem in alike), None)
        if same is not None or exactly or not word.text.isalpha():
            return same
        return next((i for i, own in enumerate(self.words) if _is_like(own, word)), None)

    def of_figure(self, figure: Measure) -> frozenset[int]:
        """The places of a figure's words, with its unit."""
        start, end = figure.quantity.start, figure.quantity.end
        inside = {i for i, word in enumerate(self.words) if start <= word.start < end}
        behind = max(inside, default=-1) + 1
        if inside and behind < len(self.words) and is_unit(figure.quantity.unit):
            inside.add(behind)
        return frozenset(inside)

    def limit_of(self, figure: Measure) -> frozenset[int]:
        """The places of "more than" before a figure."""
        first = min(self.of_figure(figure), default=0)
        found = set()
        while figure.limit and first and self.words[first - 1].text.lower() in _LIMITS:
            found.add(first := first - 1)
        return frozenset(found)

    def is_proper(self, places: Collection[int]) -> bool:
        """Whether words stand in a claim as those of a name."""
        return all(not self.words[place].text.islower() for place in places)

    def measure(self, figure: Measure) -> str:
        """A figure as the claim has it, with its unit."""
        last = max(self.of_figure(figure), default=None)
        end = figure.quantity.end if last is None else self.words[last].end
        return self.text[figure.quantity.start : max(end, figure.quantity.end)]

    def is_led_astray(self, figure: Measure, named: Collection[int]) -> bool:
        """Whether a date or time is one before or after which something was so.

        Not if "since" is the name of a column.
        """
        if min(self.of_figure(figure), default=0) - 1 in named:
            return False
        return (
            figure.quantity.kind in ("date", "time")
            and _BESIDE.search(self.text[: figure.quantity.start]) is not None
        )

    def beside(self, label: Collection[int], end: int) -> list[Word]:
        """The nouns that go with a row's name: "adult membership", "membership for adults".

        Args:
            label: The places of the name.
            end: Where the claim's main verb starts.
        """
        if not label:
            return []
        found, last = [], max(label)
        while (last := last + 1) < len(self.words) and self.words[last].weight:
            found.append(last)
        first = min(label)
        while first and self.words[first - 1].text.lower() in _ARTICLES:
            first -= 1
        if first > 1 and self.words[first - 1].text in ("of", "for"):
            found.append(first - 2)
        return [self.words[i] for i in found if self.words[i].end < end]

    def says_of_its_own(self, word: Word, around: Collection[str]) -> bool:
        """Whether a word is a noun that says something which nothing around a table tells."""
        common = word.text.islower() or word.start == 0
        if not word.weight or not common or word.text.endswith(("ed", "ing", "ly")):
            return False
        if word.stem in _PLAIN | _FOR_WHOM or in_family(word.stem, around):
            return False
        return not _is_told(word, around)

    def says_more(self, used: Collection[int], around: Collection[str]) -> bool:
        """Whether the claim has words that neither the table's names nor its surroundings tell."""
        return any(
            word.text.lower() in _COUNTS
            or (word.weight and word.stem not in _PLAIN and not _is_told(word, around))
            for place, word in enumerate(self.words)
            if place not in used and not is_negation(word)
        )


def longest(
    found: Sequence[tuple[_Named, frozenset[int]]],
) -> list[tuple[_Named, frozenset[int]]]:
    """What is named at which places, without names in others: "stork" in "white stork"."""
    return [one for one in found if not any(one[1] < other[1] for other in found)]


def _telling(name: str) -> list[Word]:
    """The words of a name that carry weight; all of "Since"."""
    found = words(without_unit(name)[0])
    return [word for word in found if word.weight] or list(found)


def _is_told(word: Word, around: Collection[str]) -> bool:
    """Whether what stands around a table has a word, or one of its attribute's."""
    if word.stem in around:
        return True
    return any(word.stem in group and not group.isdisjoint(around) for group in _ATTRIBUTES)


def _is_like(own: Word, name: Word) -> bool:
    """Whether a word of a claim means an attribute's name: "weighs", "employed", "tall"."""
    if not own.text.islower() or _GRADED.fullmatch(own.text):
        return False
    if any(own.stem in group and name.stem in group for group in _ATTRIBUTES):
        return True
    return in_family(name.stem, {own.stem})
