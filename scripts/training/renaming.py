"""Other surnames for the people of a pair: the same claim, the same label, nothing to remember.

A network that sees a few thousand premises several times learns them by their names; of a pair
whose people are called otherwise each time it can only learn what makes the claim true or false.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

from scripts.training.pairs import Pair

_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Professor|Councillor|Captain|Judge|Sister|Pastor)"
_BEHIND_TITLE = re.compile(rf"\b{_TITLE}\.? ([A-Z][a-z]{{2,}})\b")
_FULL_NAME = re.compile(r"\b([A-Z][a-z]{2,}) (?:[A-Z]\. )?([A-Z][a-z]{3,})\b")
_OF_PLACES = {
    "New", "South", "North", "East", "West", "Port", "Saint", "Santa", "San", "Lake", "Mount",
    "Upper", "Lower", "Great", "Little", "Old", "Fort", "Cape", "River", "Mill", "Nova", "Los",
    "The", "Isle", "Castle", "Harbour", "Puerto", "Costa", "Sierra", "Glen",
}  # fmt: skip
"""What stands before the names of places."""
_NO_NAMES = frozenset(
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February April June July "
    "August September October November December Easter Christmas Lent Advent Ramadan Olympic "
    "Olympics Paralympic Paralympics African American Americans Arab Arabic Asian Australian "
    "Austrian Belgian Brazilian British Canadian Chinese Czech Danish Dutch Egyptian English "
    "European Finnish French German Germans Greek Hungarian Indian Indonesian Iranian Irish "
    "Italian Japanese Jewish Kenyan Korean Latin Mexican Muslim Nigerian Norwegian Persian Polish "
    "Portuguese Roman Romans Russian Scottish Soviet Spanish Swedish Swiss Turkish Ukrainian Welsh "
    "Africa America Asia Australia Austria Belgium Brazil Britain Canada China Denmark Egypt "
    "England Europe Finland France Germany Greece Hungary India Iran Ireland Israel Italy Japan "
    "Kenya London Mexico Nigeria Norway Paris Poland Portugal Rome Russia Scotland Spain Sweden "
    "Turkey Ukraine Wales York Zealand".split()
)
"""What else stands behind capitals: other words of these kinds would not be names."""
_WORD = re.compile(r"\b[a-z]{3,}\b")


class Surnames:
    """The surnames of a collection of texts: what stands behind titles and first names."""

    def __init__(self, texts: Iterable[str]) -> None:
        every = list(texts)
        common = {word for text in every for word in _WORD.findall(text)}
        found = {name for text in every for name in _BEHIND_TITLE.findall(text)}
        for text in every:
            for first, last in _FULL_NAME.findall(text):
                if first not in _OF_PLACES and first.lower() not in common:
                    found.add(last)
        self._all = sorted(
            name for name in found if name.lower() not in common and name not in _NO_NAMES
        )
        self._known = frozenset(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def renamed(self, pair: Pair, rng: random.Random) -> Pair:
        """Return the pair with another surname in the place of each, the same one everywhere."""
        text = f"{pair.premise} {pair.claim}"
        words = set(re.findall(r"\w+", text))
        own = sorted(words & self._known)
        some = rng.sample(self._all, min(2 * len(own) + 8, len(self)))
        others = [name for name in some if name not in words]
        new = dict(zip(own, others, strict=False))
        if not new:
            return pair

        def exchanged(said: str) -> str:
            return re.sub(r"\b[A-Z][a-z]+\b", lambda found: new.get(found[0], found[0]), said)

        return Pair(pair.set, exchanged(pair.premise), exchanged(pair.claim), pair.label)
