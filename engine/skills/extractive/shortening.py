"""Passages made shorter (ALCE's Summ and Snippet): their best sentences."""

from veracite.engine.skills.extractive.answering import BAR
from veracite.engine.skills.extractive.ranking import Ranking

_WORDS = 50
"""Of a summary, at most (ALCE)."""


def summarise(ranking: Ranking) -> str | None:
    """The likeliest quotes that fit, in the passage's order; None if none is likely to answer."""
    if ranking.odds.answered < BAR:
        return None
    chosen: list[int] = []
    room = _WORDS
    for place in ranking.order:
        length = len(ranking.quotes[place].text.split())
        if length <= room:
            chosen.append(place)
            room -= length
    if not chosen:  # every sentence is too long
        return " ".join(ranking.quotes[ranking.order[0]].text.split()[:_WORDS])
    return " ".join(ranking.quotes[place].text for place in sorted(chosen))


def extract(ranking: Ranking) -> str | None:
    """The likeliest quote; None if it is not likely to answer."""
    if ranking.odds.answered < BAR:
        return None
    return ranking.quotes[ranking.order[0]].text
