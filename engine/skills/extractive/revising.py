"""Wrong claims put right by quotes: the figure or name that a quote has, or the quote itself."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veracite.engine.overlap import content_words, coverage
from veracite.engine.skills.extractive.judging import verdicts
from veracite.engine.skills.extractive.quotes import Quote, quotes_of
from veracite.engine.skills.extractive.ranking import is_said
from veracite.engine.verify import Judge
from veracite.engine.words import Claim, Label, Verdict
from veracite.index.documents import Passage, Span
from veracite.index.sentences import sentence_spans

__all__ = ["revise"]

_NEAR = 0.5
"""The share of a claim that a sentence must cover to stand in its place."""
_EDITED = ("name", "number", "date")


def revise(judge: Judge, text: str, wrong: Sequence[Claim], passages: Sequence[Passage]) -> str:
    """The text with each wrong claim edited, replaced by a quote, or left out.

    Args:
        wrong: Claims of the text; one that does not stand where it says is left as it is.
        passages: Best first.
    """
    standing = sorted(
        (c for c in wrong if text[c.start : c.end] == c.text), key=lambda claim: claim.start
    )
    instead = _edited(judge, standing, passages)
    quotes = quotes_of(passages, judge.sentences)
    before = [*_others(text, standing), *(one for one in instead if one)]
    for place, claim in enumerate(standing):
        if instead[place] is None:
            instead[place] = _nearest(claim, quotes, before)
            before += [one for one in instead[place : place + 1] if one]
    for claim, said in reversed(list(zip(standing, instead, strict=True))):
        span = Span(claim.start, claim.end) if said else _around(text, claim)
        text = text[: span.start] + (said or "") + text[span.end :]
    return text if text.strip() else ""


def _edited(judge: Judge, wrong: Sequence[Claim], passages: Sequence[Passage]) -> list[str | None]:
    """Each claim with the quotes' figures and names for its own, if it is supported then."""
    if not passages:
        return [None] * len(wrong)
    corrected = [_corrected(v) for v in verdicts(judge, [(claim, passages) for claim in wrong])]
    again = iter(verdicts(judge, [(claim, passages) for claim in corrected if claim]))
    return [
        claim.text if claim and next(again).label is Label.SUPPORTED else None
        for claim in corrected
    ]


def _corrected(verdict: Verdict) -> Claim | None:
    """The claim with every conflict settled as the quotes have it; None if there is none."""
    claim = verdict.claim
    for part in verdict.words:
        if part.outcome == "conflict" and part.stated and part.kind in _EDITED:
            own = verdict.claim.statement[part.start : part.end]
            stated = " ".join(part.stated.text.split())
            if claim.text.count(own) != 1:
                return None
            claim = replace(
                claim,
                text=claim.text.replace(own, stated),
                statement=claim.statement.replace(own, stated),
                query=claim.query.replace(own, stated),
                resolved=claim.resolved and claim.resolved.replace(own, stated),
            )
    return None if claim is verdict.claim else claim


def _nearest(claim: Claim, quotes: Sequence[Quote], before: Sequence[str]) -> str | None:
    """The quote that covers most of a claim and is not said elsewhere; None if none is near."""
    said = content_words(claim.hypothesis)
    ranked = sorted(quotes, key=lambda quote: -coverage(said, quote.headed_stems))
    for quote in ranked:
        if coverage(said, quote.headed_stems) < _NEAR:
            return None
        if not is_said(quote.text, before):
            return quote.text
    return None


def _others(text: str, wrong: Sequence[Claim]) -> Iterator[str]:
    """The sentences of a text that stay."""
    for span in sentence_spans(text):
        if not any(claim.start < span.end and span.start < claim.end for claim in wrong):
            yield text[span.start : span.end]


def _around(text: str, claim: Claim) -> Span:
    """A claim that goes, with the space after it; its line, if nothing else stands there."""
    first = text.rfind("\n", 0, claim.start) + 1
    last = text.find("\n", claim.end) + 1 or len(text)
    if not any(map(str.isalnum, text[first : claim.start] + text[claim.end : last])):
        return Span(first, last)
    line = text[claim.end : last].rstrip("\n")
    if after := len(line) - len(line.lstrip()):
        return Span(claim.start, claim.end + after)
    return Span(first + len(text[first : claim.start].rstrip()), claim.end)
