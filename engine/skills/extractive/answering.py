"""Answers made of quotes: a few sentences that say most on a question, or the words that answer."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from veracite.engine.skills.base import Draft, Style, Writing
from veracite.engine.skills.extractive.questions import Question, Stretch
from veracite.engine.skills.extractive.quotes import Quote
from veracite.engine.skills.extractive.ranking import Ranker, Ranking, is_said
from veracite.engine.wording.overlap import words
from veracite.index.documents import Passage

BAR = 0.15
"""An answer that is less likely than this to be right is not given; below 0.5 it is shown in doubt.
Chosen on 100 questions each of NQ and of QED's development part (``scripts/measure_answers.py``).
"""
_SENTENCES, _WORDS = 3, 90
"""That are quoted, at most; of a question of several parts one quote for each at least."""
_ENOUGH = 0.9
"""Nothing more is quoted where the right quote is this likely to be among those before."""
_PADDING = 0.1
"""An answer ends before a quote that is less likely than this share of the first one."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a ranking answers with."""

    ranking: Ranking
    quotes: tuple[Quote, ...]
    """The likeliest first."""
    probability: float
    """That the right one is among them."""


def rank_parts(ranker: Ranker, question: str, passages: Sequence[Passage]) -> tuple[Ranking, ...]:
    """A ranking for each part of a question, or for each of two things that it compares where the
    answer to it does not tell of both."""
    asked = Question(question)
    rankings = tuple(ranker.rank(part.text, passages) for part in asked.parts)
    if asked.sides:
        answer = _first(rankings[0])
        told = frozenset(chain(*(q.headed_stems for q in answer.quotes))) if answer else frozenset()
        if not asked.is_told_of(told):
            return tuple(ranker.rank(side.text, passages) for side in asked.sides)
    return rankings


def drafts(rankings: Sequence[Ranking], writing: Writing, *, bar: float = BAR) -> tuple[Draft, ...]:
    """Answers, each led by other quotes, the likeliest first; none if nothing answers.

    Args:
        rankings: One for each part of the question; parts that nothing answers are left out.
        writing: In which style, and how many.
        bar: How likely an answer has to be.
    """
    likely = [ranking for ranking in rankings if _first(ranking, writing.style, bar)]
    found: dict[str, Draft] = {}
    for answers in zip(*(_answers(ranking, writing.style) for ranking in likely), strict=False):
        draft = _draft(answers, writing.style)
        found.setdefault(draft.text, draft)
        if len(found) == writing.samples:
            break
    return tuple(sorted(found.values(), key=lambda draft: -(draft.probability or 0)))


def next_quote(rankings: Sequence[Ranking], so_far: Sequence[str]) -> Draft | None:
    """The likeliest quote that has not been said, as likely as the whole answer; None where that
    would end.

    Args:
        rankings: As ``drafts``.
    """
    firsts = (_first(ranking) for ranking in rankings)
    likely = [answer for answer in firsts if answer is not None]
    quotes = [quote for answer in likely for quote in answer.quotes]
    if len(so_far) >= len(quotes):
        return None
    chance = min(answer.probability for answer in likely)
    left = (quote for quote in quotes if not is_said(quote.text, so_far))
    return next((Draft(quote.text, chance, probability=chance) for quote in left), None)


def probability(rankings: Sequence[Ranking]) -> float:
    """That the answer, written in sentences, answers every part of the question."""
    answers = [next(_answers(ranking), None) for ranking in rankings]
    return min((answer.probability if answer else 0.0 for answer in answers), default=0.0)


def _first(ranking: Ranking, style: Style = "plain", bar: float = BAR) -> _Answer | None:
    """The likeliest answer; None if it is not likely enough."""
    answer = next(_answers(ranking, style), None)
    return answer if answer and answer.probability >= bar else None


def _answers(ranking: Ranking, style: Style = "plain") -> Iterator[_Answer]:
    """One answer led by each quote that can be read alone."""
    rest = [place for place in ranking.order if _readable(ranking, place)]
    while rest:
        yield _short(ranking, rest[0]) if style == "short" else _long(ranking, rest)
        del rest[0]


def _readable(ranking: Ranking, place: int) -> tuple[int, ...]:
    """A quote, after the sentences that it needs before it; none where these are no quotes."""
    unit = [place]
    while not ranking.quotes[unit[0]].stands_alone:
        before = unit[0] - 1
        is_there = before >= 0 and _follows(ranking.quotes[before], ranking.quotes[unit[0]])
        unit.insert(0, before)
        if not is_there or not _have_room([ranking.quotes[n] for n in unit]):
            return ()
    return tuple(unit)


def _follows(quote: Quote, other: Quote) -> bool:
    return (quote.place, quote.number + 1) == (other.place, other.number)


def _long(ranking: Ranking, order: Sequence[int]) -> _Answer:
    """Quotes that repeat none before them, until it is likely that they answer."""
    chosen: list[int] = []
    shares = ranking.shares
    mass = 0.0
    for place in order:
        is_padding = shares[place] < _PADDING * shares[order[0]]
        if len(chosen) >= _SENTENCES or mass >= _ENOUGH or is_padding:
            break
        said = [ranking.quotes[other].text for other in chosen]
        if place not in chosen and not is_said(ranking.quotes[place].text, said):
            new = [one for one in _readable(ranking, place) if one not in chosen]
            if ranking.question.asks_why and not chosen:  # it may only say that there is a reason
                lead = ranking.quotes[place]
                behind = [n for n, quote in enumerate(ranking.quotes) if _follows(lead, quote)]
                new += behind if _have_room([ranking.quotes[n] for n in (*new, *behind)]) else []
            if chosen and not _have_room([ranking.quotes[n] for n in (*chosen, *new)]):
                continue
            chosen += new
        mass += shares[place]
    quotes = tuple(ranking.quotes[place] for place in chosen)
    return _Answer(ranking, quotes, ranking.answered * min(mass, 1.0))


def _have_room(quotes: Sequence[Quote]) -> bool:
    told = sum(len(quote.text.split()) for quote in quotes)
    return len(quotes) <= _SENTENCES and told <= _WORDS


def _short(ranking: Ranking, place: int) -> _Answer:
    """A quote, as likely as all that say the words it answers with."""
    quote = ranking.quotes[place]
    stretch = _stretch(ranking.question, quote).casefold()
    mass = sum(
        share
        for other, share in zip(ranking.quotes, ranking.shares, strict=True)
        if stretch in other.text.casefold()
    )
    return _Answer(ranking, (quote,), ranking.answered * min(mass, 1.0))


def _draft(answers: Sequence[_Answer], style: Style) -> Draft:
    """One text of the answers to the parts, as likely as the least likely of them."""
    likely = min(answer.probability for answer in answers)
    if style == "short":
        told = [_stretch(answer.ranking.question, answer.quotes[0]) for answer in answers]
        text = "; ".join(dict.fromkeys(told))
    else:
        led, rest = zip(*(_ordered(answer.quotes) for answer in answers), strict=True)
        kept = list(chain(*led))
        for quote in chain(*rest):
            if len(answers) == 1 or _have_room([*kept, quote]):
                kept.append(quote)
        ordered = [q for own in map(chain, led, rest) for q in own if q in kept]
        text = _written({(quote.place, quote.number): quote for quote in ordered}.values(), style)
    return Draft(text, likely, math.log(likely), probability=likely)


def _ordered(quotes: Sequence[Quote]) -> tuple[list[Quote], list[Quote]]:
    """The likeliest with what needs it, then its passage's, each passage's in its order."""
    lead = [quotes[0]]
    for quote in sorted(quotes, key=lambda quote: quote.number):
        if not quote.stands_alone and _follows(lead[-1], quote):
            lead.append(quote)
    places = list(dict.fromkeys(quote.place for quote in quotes))
    rest = [quote for quote in quotes if quote not in lead]
    return lead, sorted(rest, key=lambda quote: (places.index(quote.place), quote.number))


def _written(quotes: Iterable[Quote], style: Style) -> str:
    return " ".join(
        _ended(quote.text, f" [{quote.place + 1}]" if style == "cited" else "") for quote in quotes
    )


def _ended(text: str, mark: str) -> str:
    """A quote that ends as a sentence does, with the mark before the full stop as ALCE has it."""
    if not mark and text.rstrip("\"'”’)").endswith((".", "!", "?")):
        return text
    end = text[-1] if text[-1] in ".!?" else "."
    return f"{text.removesuffix(end).rstrip(' :;,')}{mark}{end}"


def _stretch(question: Question, quote: Quote) -> str:
    """The stretch that is of the kind asked, new, and nearest to the question's words; else all.

    In QED's training questions it is the answer, word for word, to 16 % (dates 29, numbers 40 %).
    """
    asked = [word.start for word in words(quote.text) if word.stem in question.stems]
    known = question.stems | {word.stem for word in words(quote.passage.heading or "")}

    def farness(stretch: Stretch) -> tuple[bool, bool, int]:
        is_known = any(word.stem in known for word in words(stretch.text))
        is_word = question.kind == "name" and " " not in stretch.text
        return is_known, is_word, sum(abs(stretch.start - start) for start in asked)

    nearest = min(question.answers(quote.text), key=farness, default=None)
    return nearest.text if nearest else quote.text
