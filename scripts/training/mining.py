"""Hard negatives by search: a claim beside the texts of others that share most words with it."""

import random
import re
from collections.abc import Iterator, Sequence

from scripts.training.changes import names
from scripts.training.pairs import JOINT, NEUTRAL, Pair
from veracite.index.lexical import Lexical

NEAREST = 9
"""Texts that are looked at for a claim."""
Ground = tuple[Sequence[str], Sequence[str]]
"""Texts, and claims that were made of them."""


def _words(text: str) -> set[str]:
    return {w[:6] for w in re.findall(r"\w+", text.lower()) if len(w) > 3 or w.isdigit()}


def lacks(claim: str, premise: str, most: float = 0.65) -> bool:
    """Tell whether a premise surely does not state a claim: it lacks its words and a name of it."""
    claimed, shown = _words(claim), _words(premise)
    if len(claimed & shown) > most * len(claimed):
        return False
    marks = [*names(claim), *re.findall(r"\b\d[\d,.]*\d\b", claim)]
    return any(m not in premise for m in marks) or len(claimed & shown) < 0.35 * len(claimed)


def strange(grounds: Sequence[Ground], count: int, rng: random.Random) -> Iterator[Pair]:
    """Yield claims beside one to three texts of others: neutral.

    Args:
        grounds: Texts, and the claims that were made of them alone.
        count: How many claims are drawn.
    """
    shown = [(text, at) for at, (texts, _) in enumerate(grounds) for text in texts]
    claims = [(claim, at) for at, (_, claims) in enumerate(grounds) for claim in claims]
    index = Lexical(None)
    index.add((place, None, text) for place, (text, _) in enumerate(shown))
    for claim, about in rng.choices(claims, k=count):
        found = [shown[place] for place, _ in index.search(claim, NEAREST)]
        some = [text for text, of in found if of != about and lacks(claim, text)]
        if some := some[: rng.choice((1, 1, 2, 3))]:
            yield Pair("strange", JOINT.join(some), claim, NEUTRAL)
