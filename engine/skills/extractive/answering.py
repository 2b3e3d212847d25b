"""Answers made of quotes: a few sentences that say most on a question, or the words that answer."""

import math
from collections.abc import Sequence

from veracite.engine.overlap import words
from veracite.engine.skills.base import Draft, Style
from veracite.engine.skills.extractive.questions import Question, Stretch
from veracite.engine.skills.extractive.quotes import Quote
from veracite.engine.skills.extractive.ranking import Ranking, is_said

__all__ = ["BAR", "drafts", "next_quote"]

BAR = 0.5
"""Passages that are less likely than this to hold an answer give none. In cross-validation that
keeps the answers to 96 and 89 % of QED's questions (with titles, without) and to 91 and 92 % of
XQuAD's, and gives one to 26, 22, 1 and 1 % of those whose article was taken away."""
_SENTENCES = 3
"""Of an answer, at most."""
_ENOUGH = 0.9
"""An answer ends where the right quote is this likely to be in it. Chosen for brevity: in
cross-validation (QED with titles) such answers have 71 words and hold the right one to 89 %; with
three sentences each time it is 86 words and 91 %."""


def drafts(ranking: Ranking, style: Style, samples: int) -> tuple[Draft, ...]:
    """Answers, each led by another quote, the likeliest first; none if nothing answers."""
    if ranking.odds.answered < BAR:
        return ()
    found: dict[str, Draft] = {}
    rest = list(ranking.order)
    while rest and len(found) < samples:
        draft = _draft(ranking, rest, style)
        found.setdefault(draft.text, draft)
        del rest[0]
    return tuple(found.values())


def next_quote(ranking: Ranking, so_far: Sequence[str]) -> Quote | None:
    """The likeliest quote that has not been said; None where an answer would end."""
    if ranking.odds.answered < BAR or len(so_far) >= _SENTENCES:
        return None
    said = 0.0
    for place in ranking.order:
        quote = ranking.quotes[place]
        if not is_said(quote.text, so_far):
            return quote if said < _ENOUGH else None
        said += ranking.odds.shares[place]
    return None


def _draft(ranking: Ranking, order: Sequence[int], style: Style) -> Draft:
    chosen = [order[0]] if style == "short" else _chosen(ranking, order)
    probability = ranking.odds.answered * sum(ranking.odds.shares[place] for place in chosen)
    quotes = [ranking.quotes[place] for place in chosen]
    text = _short(ranking.question, quotes[0]) if style == "short" else _written(quotes, style)
    return Draft(text, probability, math.log(probability), probability=probability)


def _chosen(ranking: Ranking, order: Sequence[int]) -> list[int]:
    """Places of quotes that repeat none before them, until it is likely that they answer."""
    chosen: list[int] = []
    mass = 0.0
    for place in order:
        if len(chosen) == _SENTENCES or mass >= _ENOUGH:
            break
        before = [ranking.quotes[other].text for other in chosen]
        if not is_said(ranking.quotes[place].text, before):
            chosen.append(place)
        mass += ranking.odds.shares[place]
    return chosen


def _written(quotes: Sequence[Quote], style: Style) -> str:
    """The quotes as a text: the likeliest one first, then its passage's, each in its own order."""
    places = list(dict.fromkeys(quote.place for quote in quotes))
    rest = sorted(quotes[1:], key=lambda quote: (places.index(quote.place), quote.number))
    ordered = [quotes[0], *rest]
    return " ".join(
        _ended(quote.text, f" [{quote.place + 1}]" if style == "cited" else "") for quote in ordered
    )


def _ended(text: str, mark: str) -> str:
    """A quote that ends as a sentence does, with the mark before the full stop as ALCE has it."""
    if not mark and text.rstrip("\"'”’)").endswith((".", "!", "?")):
        return text
    end = text[-1] if text[-1] in ".!?" else "."
    return f"{text.removesuffix(end).rstrip(' :;,')}{mark}{end}"


def _short(question: Question, quote: Quote) -> str:
    """The stretch that is of the kind asked, new, and nearest to the question's words; else all.

    In QED's training questions it is the answer, word for word, to 16 % (dates 29, numbers 40 %).
    """
    asked = [word.start for word in words(quote.text) if word.stem in question.stems]
    known = question.stems | {word.stem for word in words(quote.passage.heading or "")}

    def farness(stretch: Stretch) -> tuple[bool, bool, int]:
        is_known = any(word.stem in known for word in words(stretch.text))
        is_word = question.kind == "name" and " " not in stretch.text
        return is_known, is_word, sum(abs(stretch.start - start) for start in asked)

    found = question.answers(quote.text)
    return min(found, key=farness).text if found else quote.text
