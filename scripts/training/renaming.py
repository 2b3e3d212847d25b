"""Other surnames for the people of a pair: the same claim, the same label, nothing to remember.

A network that sees a few thousand premises several times learns them by their names; of a pair
whose people are called otherwise each time it can only learn what makes the claim true or false.
"""

import random
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from scripts.training.pairs import Pair

_TITLE = r"(?:Mr|Mrs|Ms|Miss|Dr|Professor|Councillor|Captain|Judge|Sister|Pastor)"
_BEHIND_TITLE = re.compile(rf"\b{_TITLE}\.? ([A-Z][a-z]{{2,}})\b")
_FULL_NAME = re.compile(r"\b([A-Z][a-z]{2,}) (?:[A-Z]\. )?([A-Z][a-z]{3,})\b")
_GIVEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_OF_PLACES, _NO_NAMES = (frozenset(_GIVEN[name].split()) for name in ("of_places", "no_names"))
"""What stands before the names of places, and what else stands behind capitals."""
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

    def renamed(self, pair: Pair, rng: random.Random) -> Pair:
        """Return the pair with another surname in the place of each, the same one everywhere."""
        text = f"{pair.premise} {pair.claim}"
        words = set(re.findall(r"\w+", text))
        own = sorted(words & self._known)
        some = rng.sample(self._all, min(2 * len(own) + 8, len(self._all)))
        new = dict(zip(own, [name for name in some if name not in words], strict=False))
        if not new:
            return pair

        def exchanged(said: str) -> str:
            return re.sub(r"\b[A-Z][a-z]+\b", lambda found: new.get(found[0], found[0]), said)

        return Pair(pair.set, exchanged(pair.premise), exchanged(pair.claim), pair.label)
