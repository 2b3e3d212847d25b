"""Answers made of quotes: a few sentences that say most on a question, or the words that answer.

Also what a ranking tells besides: which passages to keep, what is missing, a passage made shorter.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from veracite.engine.facts.names import names
from veracite.engine.judge.premises import passage_premise
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, MissingStyle, Style, Writing
from veracite.engine.skills.extractive.questions import Question, Stretch
from veracite.engine.skills.extractive.quotes import Quote
from veracite.engine.skills.extractive.ranking import Ranker, Ranking, is_said
from veracite.engine.wording.overlap import content_words, coverage, words
from veracite.index.documents import Passage
from veracite.index.embeddings import encoder_text

BAR = DEFAULT_WRITING.bar
"""An answer that is less likely than this to be right is not given, unless another bar is set. Of
150 questions each of NQ and QED's development part that leaves 81 % answered (the gold answer
stands in 95 and 91 % of these), and 7 and 3 % where their own article was taken away
(``scripts/measure_ask.py --limit 150``)."""
_NEEDED = 3
"""Sentences, at most, of a quote and those that it needs before it."""
_SUMMARY = 50
"""Words of a summary, at most (ALCE)."""
_PADDING = 0.25
"""An answer ends before a quote that is less likely than this share of the first one."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a ranking answers with."""

    ranking: Ranking
    quotes: tuple[Quote, ...]
    """The likeliest first."""
    probability: float
    """That the right one is among them."""


def drafts(
    rankings: Sequence[Ranking], style: Style, samples: int, writing: Writing = DEFAULT_WRITING
) -> tuple[Draft, ...]:
    """Answers, each led by other quotes, the likeliest first; none if nothing answers.

    Args:
        rankings: One for each part of the question; parts that nothing answers are left out.
        writing: How many sentences, and when an answer is likely enough to end or to be given.
    """
    own = _of_a_part(writing, rankings)
    likely = [ranking for ranking in rankings if _first(ranking, style, own)]
    found: dict[str, Draft] = {}
    for answers in zip(*(_answers(ranking, style, own) for ranking in likely), strict=False):
        draft = _draft(answers, style)
        found.setdefault(draft.text, draft)
        if len(found) == samples:
            break
    return tuple(sorted(found.values(), key=lambda draft: -(draft.probability or 0)))


def next_quote(
    rankings: Sequence[Ranking], so_far: Sequence[str], writing: Writing = DEFAULT_WRITING
) -> Draft | None:
    """The likeliest quote that has not been said, as likely as the whole answer; None where that
    would end.

    Args:
        rankings: As ``drafts``.
        writing: As ``drafts``.
    """
    own = _of_a_part(writing, rankings)
    firsts = (_first(ranking, "plain", own) for ranking in rankings)
    likely = [answer for answer in firsts if answer is not None]
    quotes = [quote for answer in likely for quote in answer.quotes]
    if len(so_far) >= len(quotes):
        return None
    chance = min(answer.probability for answer in likely)
    left = (quote for quote in quotes if not is_said(quote.text, so_far))
    return next((Draft(quote.text, chance, probability=chance) for quote in left), None)


def probability(rankings: Sequence[Ranking]) -> float:
    """That the answer, written in sentences, answers every part of the question."""
    own = _of_a_part(DEFAULT_WRITING, rankings)
    answers = [next(_answers(ranking, "plain", own), None) for ranking in rankings]
    return min((answer.probability if answer else 0.0 for answer in answers), default=0.0)


def _first(ranking: Ranking, style: Style, writing: Writing) -> _Answer | None:
    """The likeliest answer; None if it is not likely enough."""
    answer = next(_answers(ranking, style, writing), None)
    return answer if answer and answer.probability >= writing.bar else None


def _of_a_part(writing: Writing, rankings: Sequence[Ranking]) -> Writing:
    """A part of several has one sentence less."""
    less = 0 if len(rankings) == 1 else 1
    return replace(writing, sentences=max(1, writing.sentences - less))


def _answers(ranking: Ranking, style: Style, writing: Writing) -> Iterator[_Answer]:
    """One answer led by each quote that can be read alone."""
    rest = [place for place in ranking.order if _readable(ranking, place)]
    while rest:
        yield _short(ranking, rest[0]) if style == "short" else _long(ranking, rest, writing)
        del rest[0]


def _readable(ranking: Ranking, place: int) -> tuple[int, ...]:
    """A quote, after the sentences that it needs before it; none where these are no quotes."""
    unit = [place]
    while not ranking.quotes[unit[0]].stands_alone:
        before = unit[0] - 1
        is_there = before >= 0 and _follows(ranking.quotes[before], ranking.quotes[unit[0]])
        if not is_there or len(unit) == _NEEDED:
            return ()
        unit.insert(0, before)
    return tuple(unit)


def _follows(quote: Quote, other: Quote) -> bool:
    return (quote.place, quote.number + 1) == (other.place, other.number)


def _long(ranking: Ranking, order: Sequence[int], writing: Writing) -> _Answer:
    """Quotes that repeat none before them, until it is likely that they answer."""
    chosen: list[int] = []
    shares = ranking.odds.shares
    mass = 0.0
    for place in order:
        is_padding = shares[place] < _PADDING * shares[order[0]]
        if len(chosen) >= writing.sentences or mass >= writing.enough or is_padding:
            break
        said = [ranking.quotes[other].text for other in chosen]
        if place not in chosen and not is_said(ranking.quotes[place].text, said):
            new = [one for one in _readable(ranking, place) if one not in chosen]
            if chosen and len(chosen) + len(new) > writing.sentences:
                continue
            chosen += new
        mass += shares[place]
    quotes = tuple(ranking.quotes[place] for place in chosen)
    return _Answer(ranking, quotes, ranking.odds.answered * min(mass, 1.0))


def _short(ranking: Ranking, place: int) -> _Answer:
    """A quote, as likely as all that say the words it answers with."""
    quote = ranking.quotes[place]
    stretch = _stretch(ranking.question, quote).casefold()
    mass = sum(
        share
        for other, share in zip(ranking.quotes, ranking.odds.shares, strict=True)
        if stretch in other.text.casefold()
    )
    return _Answer(ranking, (quote,), ranking.odds.answered * min(mass, 1.0))


def _draft(answers: Sequence[_Answer], style: Style) -> Draft:
    """One text of the answers to the parts, as likely as the least likely of them."""
    likely = min(answer.probability for answer in answers)
    if style == "short":
        told = [_stretch(answer.ranking.question, answer.quotes[0]) for answer in answers]
        text = "; ".join(dict.fromkeys(told))
    else:
        ordered = [quote for answer in answers for quote in _ordered(answer.quotes)]
        text = _written({(quote.place, quote.number): quote for quote in ordered}.values(), style)
    return Draft(text, likely, math.log(likely), probability=likely)


def _ordered(quotes: Sequence[Quote]) -> list[Quote]:
    """The likeliest first with what needs it, then its passage's, each passage's in its order."""
    lead = [quotes[0]]
    for quote in sorted(quotes, key=lambda quote: quote.number):
        if not quote.stands_alone and _follows(lead[-1], quote):
            lead.append(quote)
    places = list(dict.fromkeys(quote.place for quote in quotes))
    rest = [quote for quote in quotes if quote not in lead]
    return lead + sorted(rest, key=lambda quote: (places.index(quote.place), quote.number))


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


def select(ranker: Ranker, question: str, passages: Sequence[Passage], k: int) -> tuple[int, ...]:
    """The passages that are near the question and together cover most of it, best first.

    Greedy: each next one by its similarity and by the share of the question that it alone adds;
    those without a sentence that could be quoted (bibliographies, menus) are the last.
    """
    telling = {quote.place for quote in ranker.quotes(passages)}
    asked = Question(question).words
    near = ranker.similarities(question, [encoder_text(p.heading, p.text) for p in passages])
    stems = [_stems([passage_premise(passage)]) for passage in passages]
    chosen: list[int] = []
    covered: frozenset[str] = frozenset()
    rest = list(range(len(passages)))
    while rest and len(chosen) < k:
        before = coverage(asked, covered)
        gains = {place: coverage(asked, covered | stems[place]) - before for place in rest}
        best = max(rest, key=lambda place: (place in telling, near[place] + gains[place]))
        rest.remove(best)
        chosen.append(best)
        covered |= stems[best]
    return tuple(chosen)


def missing(ranker: Ranker, question: str, passages: Sequence[Passage], style: MissingStyle) -> str:
    """A query for what of a question no passage says; its words alone if all are said.

    Of several questions in one, those that nothing answers yet are the query. As a question it is
    the question with the words that are lacking once more, so that they weigh more; as a passage it
    is led by the heading of the best one, as the sentence looked for may be.
    """
    if not passages:
        return question
    rankings = ranker.rank_parts(question, passages)
    if len(rankings) > 1:
        open_parts = [one.question.text for one in rankings if probability([one]) < BAR]
        return " ".join(open_parts or [question])
    asked = rankings[0].question.words
    there = _stems(passage_premise(passage) for passage in passages)
    lacking = [word.text for word in asked if word.stem not in there]
    if not lacking:
        return " ".join(word.text for word in asked)
    lead = question if style == "question" else (passages[0].heading or "").split(" > ")[0]
    return " ".join([lead, *lacking]).strip()


def queries(question: str, claim: str, count: int) -> tuple[str, ...]:
    """Different queries for evidence on a claim, the claim as it stands first.

    Then with the question's words, with its names alone, with its words alone, the question.
    """
    said = content_words(claim)
    known = {word.stem for word in said}
    lacking = [word.text for word in content_words(question) if word.stem not in known]
    named = [name.text for name in names(claim, opening=True)]
    figures = [word.text for word in said if word.text[0].isdigit()]
    found = (
        claim,
        " ".join([claim, *lacking]),
        " ".join([*named, *figures]),
        " ".join(word.text for word in said),
        question,
    )
    return tuple(dict.fromkeys(filter(None, found)))[:count]


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.stem for text in texts for word in content_words(text))


def summarise(ranking: Ranking) -> str | None:
    """The likeliest quotes that fit, in the passage's order; None if none is likely to answer."""
    if ranking.odds.answered < BAR:
        return None
    chosen: list[int] = []
    room = _SUMMARY
    for place in ranking.order:
        length = len(ranking.quotes[place].text.split())
        if length <= room:
            chosen.append(place)
            room -= length
    if not chosen:  # every sentence is too long
        return " ".join(ranking.quotes[ranking.order[0]].text.split()[:_SUMMARY])
    return " ".join(ranking.quotes[place].text for place in sorted(chosen))


def extract(ranking: Ranking) -> str | None:
    """The likeliest quote; None if it is not likely to answer."""
    if ranking.odds.answered < BAR:
        return None
    return ranking.quotes[ranking.order[0]].text
