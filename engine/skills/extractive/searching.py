"""Finding the passages: which to keep, whether they suffice, what to look for next."""

from collections.abc import Iterable, Sequence

from veracite.engine.facts.names import names
from veracite.engine.judge.premises import passage_premise
from veracite.engine.skills.base import MissingStyle
from veracite.engine.skills.extractive.answering import BAR, probability
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.ranking import Ranker
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Passage
from veracite.index.embeddings import encoder_text


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
