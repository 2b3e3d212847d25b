"""Whether a method found what contradicts its own answer.

A sentence that its citations support may still be denied by a passage that it does not cite. Both
are shown then, as a check shows them, and the sentence does not count as supported.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from veracite.engine.events import Judged, Retrieved
from veracite.engine.facts.measures import measures
from veracite.engine.judge.explain import told_by
from veracite.engine.judge.terms import Terms
from veracite.engine.judge.topics import all_names, topic_of
from veracite.engine.methods.base import Steps, Tools, is_quoted, unique
from veracite.engine.methods.events import Settled
from veracite.engine.types import Answer, Citation, Claim, Label, Scores, Verdict
from veracite.index.documents import Evidence

_PLAIN = 0.8
"""What denies a sentence of an answer must be this probable."""
_REST = 2
"""Words behind a date without which a claim is read once more."""


def contest(answer: Answer, found: Iterable[Evidence], tools: Tools) -> Steps[Answer]:
    """The answer, its supported sentences uncertain where another passage contradicts them.

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
    asked = [
        (place, claim, near)
        for place, items in others.items()
        if (near := _of_its_subject(answer.verdicts[place], items))
        for claim in _readings(answer.verdicts[place].claim)
    ]
    judged = tools.checking.first.judge([claim for _, claim, _ in asked], [n for *_, n in asked])
    against: dict[int, Citation] = {}
    for index, verdict, _ in judged:
        place, claim, _ = asked[index]
        quote = verdict.citations[0] if verdict.citations else None
        if verdict.label is not Label.CONTRADICTED or not quote or quote.probability < _PLAIN:
            continue
        whole = answer.verdicts[place].claim
        if claim is not whole and _tells_of_something_else(claim, quote):
            continue
        if place not in against or against[place].probability < quote.probability:
            against[place] = quote
    return against


def _tells_of_something_else(claim: Claim, quote: Citation) -> bool:
    """Whether a quote lacks a word of a claim, its date aside, or is about another of its name."""
    terms = Terms(claim.statement)
    dates = [measure.quantity for measure in measures(claim.statement)]
    said = {w.stem for w in terms.words if not any(d.start <= w.start < d.end for d in dates)}
    about = topic_of(quote.quote).names
    return bool(said - terms.found(quote.quote)) or any(not n.stems <= said for n in about)


def _of_its_subject(verdict: Verdict, items: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The passages that may speak of a sentence's subject: its document's, if it names none."""
    if all_names(verdict.claim.hypothesis):
        return tuple(items)
    return tuple(i for i in items if i.passage.document.path == verdict.citations[0].file)


def _readings(claim: Claim) -> tuple[Claim, ...]:
    """A claim, and the claim as far as its first date: "Meridian was founded in 1957"."""
    said = claim.hypothesis
    figure = next((m for m in measures(said) if m.quantity.kind == "date"), None)
    if figure is None or len(said[figure.quantity.end :].split()) < _REST:
        return (claim,)
    cut = said[: figure.quantity.end] + "."
    return claim, replace(claim, statement=cut, query=cut, resolved=None)


def _contested(verdict: Verdict, against: Citation) -> Verdict:
    """The verdict where either side is as likely to be right: half of what both claim is each's."""
    held = verdict.scores.supported if verdict.scores else verdict.probability
    supported = round(held * (1 - against.probability / 2), 4)
    contradicted = round(against.probability * (1 - held / 2), 4)
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
