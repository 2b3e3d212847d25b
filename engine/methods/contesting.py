"""Whether what a method found contradicts what its answer quotes.

A sentence that its citations support may still be denied by a passage that it does not cite. Both
are shown then, as a check shows them, and the sentence does not count as supported.
"""

from collections.abc import Iterable
from dataclasses import replace

from veracite.engine.events import Judged, Retrieved
from veracite.engine.judging.citations import quotation
from veracite.engine.judging.conflicts import told_by
from veracite.engine.judging.leaning import balanced
from veracite.engine.methods.base import Steps, Tools, is_quoted, unique
from veracite.engine.methods.denials import statements
from veracite.engine.methods.events import Settled
from veracite.engine.words import Answer, Citation, Label, Scores, Verdict
from veracite.index.documents import Evidence

__all__ = ["contest"]


def contest(answer: Answer, found: Iterable[Evidence], tools: Tools) -> Steps[Answer]:
    """The answer, its supported sentences uncertain where another passage contradicts them.

    The bundled verifier reads, all at once, what may contradict anything by its words.

    Args:
        answer: Verified.
        found: All that was found for it.
    """
    passages = unique(found)
    others = {
        place: tuple(item for item in passages if not is_quoted(item.passage, verdict.citations))
        for place, verdict in enumerate(answer.verdicts)
        if verdict.label is Label.SUPPORTED and verdict.citations and not verdict.disagreement
    }
    against = _against(answer, others, tools)
    if not against:
        return answer
    verdicts = list(answer.verdicts)
    for done, (place, quote) in enumerate(sorted(against.items()), start=1):
        verdicts[place] = _contested(verdicts[place], quote)
        yield Retrieved(place, others[place])
        yield Judged(place, verdicts[place], cached=False, done=done, total=len(against))
    answer = replace(answer, verdicts=tuple(verdicts))
    yield Settled(answer)
    return answer


def _against(
    answer: Answer, others: dict[int, tuple[Evidence, ...]], tools: Tools
) -> dict[int, Citation]:
    """What most plainly denies each sentence that anything denies."""
    judge = tools.checking.first
    quoted = frozenset(_place(quote) for one in answer.verdicts for quote in one.citations)
    asked = [
        (place, statement, near)
        for place, items in others.items()
        for statement in statements(
            answer.verdicts[place].claim, answer.verdicts[place].citations[0], quoted
        )
        if (near := [i for i in items if statement.may_be_denied_in(i.passage, judge.sentences)])
    ]
    against: dict[int, Citation] = {}
    read = judge.judge([statement.claim for _, statement, _ in asked], [near for *_, near in asked])
    for index, _, reading in read:
        place, statement, _ = asked[index]
        for one, p in statement.denials(reading, judge.raw_text) if reading is not None else ():
            if place not in against or against[place].probability < p:
                against[place] = quotation(
                    one.passage, one.sentence, "contradicts", round(p, 4), judge.raw_text
                )
    return against | _returned(answer, others, against)


def _returned(
    answer: Answer, others: Iterable[int], against: dict[int, Citation]
) -> dict[int, Citation]:
    """What is quoted for one sentence that another one's quote denies denies that one in turn."""
    denying = {_place(quote): place for place, quote in against.items()}
    found: dict[int, Citation] = {}
    for other in others:
        own = (_place(quote) for quote in answer.verdicts[other].citations)
        place = next((denying[one] for one in own if one in denying), None)
        if other not in against and place is not None:
            quote = answer.verdicts[place].citations[0]
            probability = against[place].probability
            found[other] = replace(quote, relation="contradicts", probability=probability)
    return found


def _place(quote: Citation) -> tuple[str, int]:
    return quote.document_sha256, quote.start


def _contested(verdict: Verdict, against: Citation) -> Verdict:
    """The verdict where either side is as likely to be right: half of what both claim is each's.

    As ``cascade.combined`` has it of two passages.
    """
    held = verdict.scores.supported if verdict.scores else verdict.probability
    even = balanced(held, against.probability)
    supported, contradicted = round(even.supported, 4), round(even.contradicted, 4)
    citations = (*(c for c in verdict.citations if c.relation == "supports"), against)
    other = told_by(citations)
    one_side = "One document" if other == "another document" else "One passage"
    return replace(
        verdict,
        label=Label.UNCERTAIN,
        probability=max(supported, contradicted),
        scores=Scores(supported, round(1 - supported - contradicted, 4), contradicted),
        explanation=f"{one_side} supports this, {other} contradicts it.",
        citations=citations,
    )
