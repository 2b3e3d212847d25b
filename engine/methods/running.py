"""Runs a method on a question, and looks at its answer beside all that was found for it."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, replace
from typing import Any

from veracite.engine.events import Began, Drafted, Judged, Retrieved, Settled, Unusable
from veracite.engine.judge.citations import quotation
from veracite.engine.judge.decision import PLAIN
from veracite.engine.judge.weighing import weigh
from veracite.engine.methods.base import Method, Steps, StepsEvent, Tools, is_quoted, unique, until
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.types import Answer, Citation, Claim, Label
from veracite.engine.wording.overlap import content_words, coverage, stems
from veracite.engine.wording.quantities import measures
from veracite.index.documents import Evidence

_ANSWERS = 0.8
"""Another answer to the question must be this probable."""
_SHARED = 0.3
"""The share of a question's words that a sentence has at least which answers it."""
_UNUSABLE = """The language model wrote no answer that can be used ({}). Ask again in other words, \
or have the documents quoted: --skills extractive."""
_WRITERS = ("answer_", "draft", "refine", "next_claim")
"""How the skills are called that write answers."""
_NEAREST = 3
"""Sentences that are shown where nothing answers,"""
_LOOKED_AT = 12
"""of so many passages."""


def ask(
    method: Method, question: str, tools: Tools, settings: Any, stopped: Callable[[], bool]
) -> Generator[StepsEvent, None, tuple[Answer | None, bool]]:
    """Answers until ``stopped`` says so, which is asked between any two events.

    Returns:
        The answer as far as it was verified, None if nothing was; and whether it is all of it.
    """
    latest: Answer | None = None
    reason: str | None = None
    """Why what a language model wrote last was no answer."""

    def note(event: StepsEvent) -> None:
        nonlocal latest, reason
        if isinstance(event, Settled):
            latest = event.answer
        elif isinstance(event, Drafted) and event.text:
            reason = None
        elif isinstance(event, Unusable) and event.skill.startswith(_WRITERS):
            reason = event.reason

    answer = yield from until(stopped, run(method, question, tools, settings), note)
    if answer is None:
        return latest, False
    if reason and not answer.verdicts:
        answer = replace(answer, problem=_UNUSABLE.format(reason))
    return answer, True


def run(method: Method, question: str, tools: Tools, settings: Any) -> Steps[Answer]:
    """The method's answer, contested by all that was found, with what it leaves unanswered.

    Where no document says any sentence of it, with what stands nearest.
    """
    yield Began(question, method.name, tools.skills.id, asdict(settings))
    tools = replace(tools, found=[])
    answer = yield from method.run(question, tools, settings)
    answer = yield from contest(answer, tools)
    answer = yield from with_open_parts(answer, tools)
    if not any(v.label is Label.SUPPORTED or v.disagreement for v in answer.verdicts):
        answer = yield from nearest(answer, tools)
        yield Settled(answer)
    return answer


def contest(answer: Answer, tools: Tools) -> Steps[Answer]:
    """The answer, its supported sentences uncertain where another passage contradicts them.

    A sentence that its citations support may still be denied by a passage that it does not cite,
    or the question be answered there with another figure.
    Both are shown then, as a check shows them, and the sentence does not count as supported.

    Args:
        answer: Verified.
        tools: Who judges, and all that was found.
    """
    passages = unique(tools.found)
    others = {
        place: tuple(item for item in passages if not is_quoted(item.passage, verdict.citations))
        for place, verdict in enumerate(answer.verdicts)
        if verdict.label is Label.SUPPORTED and verdict.citations and not verdict.disagreement
    }
    asked = [place for place, items in others.items() if items]
    judged = tools.checking.first.judge(
        [answer.verdicts[place].claim for place in asked], [others[place] for place in asked]
    )
    against = {
        asked[index]: verdict.citations[0]
        for index, verdict, _ in judged
        if verdict.label is Label.CONTRADICTED and verdict.citations[0].probability >= PLAIN
    }
    for place in asked:
        statement = answer.verdicts[place].claim.statement
        if place not in against:
            quote = yield from _otherwise(answer.question, statement, others[place], tools)
            against |= {place: quote} if quote else {}
    if not against:
        return answer
    verdicts = list(answer.verdicts)
    for done, (place, quote) in enumerate(sorted(against.items()), start=1):
        verdicts[place] = tools.checking.first.contested(verdicts[place], quote)
        yield Retrieved(place, others[place])
        yield Judged(place, verdicts[place], cached=False, done=done, total=len(against))
    answer = replace(answer, verdicts=tuple(verdicts))
    yield Settled(answer)
    return answer


def _otherwise(
    question: str, statement: str, found: Sequence[Evidence], tools: Tools
) -> Steps[Citation | None]:
    """The sentence that answers a question with another figure than a sentence of its answer."""
    asked, judge = Question(question), tools.checking.first
    if asked.kind not in ("date", "number") or not asked.answers(statement):
        return None
    near = []
    for item in found:
        for sentence in judge.sentences(item.passage):
            outcomes = {c.outcome for c in weigh(measures(statement), measures(sentence.text))}
            shared = coverage(asked.words, stems(sentence.text))
            differs = "conflict" in outcomes and "match" not in outcomes
            if differs and shared >= _SHARED and asked.answers(sentence.text):
                near.append((shared, item.passage, sentence))
    for _, passage, sentence in sorted(near, key=lambda one: -one[0])[:_NEAREST]:
        where = {name: getattr(sentence, name) for name in ("start", "end", "page", "text")}
        told = yield from tools.skills.sufficient(
            question, [replace(passage, **where)], 10 * _ANSWERS
        )
        if told.sufficient:
            sure = min(1.0, told.score / 10)
            return quotation(passage, sentence, "contradicts", sure, judge.raw_text, statement)
    return None


def with_open_parts(answer: Answer, tools: Tools) -> Steps[Answer]:
    """The answer with the parts of its question that the passages it quotes do not answer, or that
    no quote speaks of.

    Args:
        answer: Verified. One whose quotes support nothing is left as it is.
        tools: Whose skills say whether passages suffice, and all that was found.
    """
    question = Question(answer.question)
    parts = question.sides or question.parts
    quotes = [c for one in answer.verdicts for c in one.citations if c.relation == "supports"]
    quoted = [item.passage for item in unique(tools.found) if is_quoted(item.passage, quotes)]
    if len(parts) < 2 or not quoted or not all(part.words for part in parts):
        return answer
    said = " ".join(f"{quote.heading or ''} {quote.quote}" for quote in quotes)
    if question.sides and question.is_told_of(stems(said)):
        return answer
    scores: dict[str, float] = {}
    for part in parts:
        told = yield from tools.skills.sufficient(part.text, quoted)
        if told.sufficient and _is_spoken_of(part, parts, quotes):
            scores[part.text] = told.score
    if len(scores) == len(parts):
        return answer
    probability = min(scores.values(), default=None)
    unanswered = tuple(
        f"{(part.asked or part.text).rstrip(' ?')}?" for part in parts if part.text not in scores
    )
    answer = replace(answer, unanswered=unanswered, probability=probability)
    yield Settled(answer)
    return answer


def _is_spoken_of(part: Question, parts: Sequence[Question], quotes: Sequence[Citation]) -> bool:
    """Whether a quote has what may answer a part of a question, or a word that it alone asks."""
    if any(part.answers(quote.quote) for quote in quotes):
        return True
    others = {stem for other in parts if other is not part for stem in other.stems}
    own = [word for word in part.words if word.stem not in others] or part.words
    said = content_words(" ".join(f"{quote.heading or ''} {quote.quote}" for quote in quotes))
    return coverage(own, {word.stem for word in said}) > 0


def nearest(answer: Answer, tools: Tools) -> Steps[Answer]:
    """The answer with what stands nearest to its question, quoted as beside a claim not found."""
    asked = answer.question
    found = yield from tools.search(asked, "claim", k=_LOOKED_AT, mode=tools.checking.search.mode)
    if not found:
        return answer
    claim = Claim(asked, 0, len(asked), asked, asked)
    ((_, verdict, _),) = tools.checking.first.judge([claim], [found])
    quotes = {c.quote: replace(c, relation="nearest") for c in verdict.citations}
    return replace(answer, nearest=tuple(quotes.values())[:_NEAREST])
