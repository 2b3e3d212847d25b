"""Wrong claims put right by quotes: the figure or name that a quote has, or the quote itself."""

import re
from collections.abc import Collection, Iterator, Sequence

from veracite.engine.claims.markup import to_prose
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.topics import all_names
from veracite.engine.skills.extractive.corrections import (
    Correction,
    corrections,
    is_garbled,
    substituted,
)
from veracite.engine.skills.extractive.judging import verdicts
from veracite.engine.skills.extractive.quotes import Quote, quotes_of
from veracite.engine.skills.extractive.ranking import is_said
from veracite.engine.texts import removal
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.wording.overlap import content_words, coverage, words
from veracite.engine.wording.subject_words import HUMANS
from veracite.index.documents import Passage, Span
from veracite.index.sentences import sentence_spans

_NEAR = 0.6
_NEARER = 0.75
"""The share of a claim that a sentence must cover to stand in its place; one that is far longer
must cover more."""
_WORDS = 3
"""Words of the claim that it must have at least."""
_LONGER = 2
_LONGEST = 3
"""How many times as long as the claim: from when on it is far longer, and at most."""
_ON_THE_MATTER = 5
"""Sentences, nearest first, whose figures and names a claim is corrected by."""
_ENDS = (".", "!", "?", "…", '."', ".”", ".)")
_MARK = re.compile(r"\s*\[\^?[\w ,;–-]{1,60}\]|\s*\[@[^\[\]]+\]")
_NEEDS_CONTEXT = re.compile(
    r"\A(?:it|he|she|they|this|these|that|those|then|there|here|his|her|its|their)\b"
    r"|\b(?:we|us|our|ours|my|me|mine|you|your)\b|\bI\b(?!\.)",
    re.IGNORECASE,
)
"""Words of a sentence that makes no sense in another text: somebody speaks, or what stands before
it is meant."""
_HE_OR_SHE = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
_EXPLAINED_BY = (
    (
        re.compile(r"\b(?:they|them|their|theirs|themselves)\b", re.IGNORECASE),
        re.compile(
            r"\b(?!(?:as|is|his|its|this|was|has|does|years|months|weeks|days|hours)\b)[a-z]+s\b"
            r"|^[A-Z][a-z]+s [a-z]|\bThe [A-Z][a-z]+s\b|[A-Z]\w+ and (?:the )?[A-Z]"
            r"|\b(?:[Mm]en|[Ww]omen|[Pp]eople|[Cc]hildren|[Ee]veryone|who)\b"
        ),
    ),
    (
        re.compile(r"\b(?:it|its|itself)\b", re.IGNORECASE),
        re.compile(rf"\b(?:[Tt]he|[Aa]n?|[Nn]o) (?!{HUMANS.pattern})[a-z-]+\b(?! [A-Z])"),
    ),
)
"""Pronouns, and what has to stand before them so that they may mean it."""


def revise(judge: Judge, text: str, wrong: Sequence[Claim], passages: Sequence[Passage]) -> str:
    """The text with each wrong claim edited, replaced by a quote, or left out.

    Args:
        wrong: Claims of the text; one that does not stand where it says is left as it is.
        passages: Best first.
    """
    standing = sorted(
        (c for c in wrong if text[c.start : c.end] == c.text), key=lambda claim: claim.start
    )
    quotes = quotes_of(passages, judge.sentences)
    instead = _edited(judge, standing, passages, quotes)
    before = [*_others(text, standing), *(one for one in instead if one)]
    for place, claim in enumerate(standing):
        if instead[place] is None:
            instead[place] = _nearest(claim, quotes, before)
            before += [one for one in instead[place : place + 1] if one]
    for claim, said in reversed(list(zip(standing, instead, strict=True))):
        span = Span(claim.start, claim.end) if said else removal(text, claim.start, claim.end)
        text = text[: span.start] + (said or "") + text[span.end :]
    return text if text.strip() else ""


def _edited(
    judge: Judge, wrong: Sequence[Claim], passages: Sequence[Passage], quotes: Sequence[Quote]
) -> list[str | None]:
    """Each claim with the quotes' figures and names for its own, if it is supported then.

    Where a sentence of nearly the same words has others in their place, only these are tried.
    """
    if not passages:
        return [None] * len(wrong)
    near = [[quote.text for quote in _by_nearness(claim, quotes)] for claim in wrong]
    alike = [substituted(claim, texts, texts) for claim, texts in zip(wrong, near, strict=True)]
    again = iter(verdicts(judge, [(one, passages) for tried in alike for one in tried]))
    edited = [_supported([next(again) for _ in tried]) for tried in alike]
    rest = [place for place, tried in enumerate(alike) if not tried]
    corrected = [
        corrections(verdict, near[place])
        for place, verdict in zip(
            rest, verdicts(judge, [(wrong[place], passages) for place in rest]), strict=True
        )
    ]
    again = iter(verdicts(judge, [(one.claim, passages) for tried in corrected for one in tried]))
    for place, tried in zip(rest, corrected, strict=True):
        edited[place] = _best([(one, next(again)) for one in tried])
    return edited


def _supported(tried: Sequence[Verdict]) -> str | None:
    """The first that is."""
    found = (verdict.claim.text for verdict in tried if verdict.label is Label.SUPPORTED)
    return next(found, None)


def _best(tried: Sequence[tuple[Correction, Verdict]]) -> str | None:
    """Of what stands among the same words as in the quotes, the likeliest that is supported.

    What is supported and stands among other words there may be said of something else.
    """
    most = max((correction.alike for correction, _ in tried), default=0)
    verdict = max(
        (verdict for correction, verdict in tried if correction.alike == most),
        key=lambda verdict: (verdict.label is Label.SUPPORTED, verdict.probability),
        default=None,
    )
    return _supported([verdict]) if verdict else None


def _by_nearness(claim: Claim, quotes: Sequence[Quote]) -> list[Quote]:
    said = content_words(claim.hypothesis)
    return sorted(quotes, key=lambda q: -coverage(said, q.headed_stems))[:_ON_THE_MATTER]


def _nearest(claim: Claim, quotes: Sequence[Quote], before: Sequence[str]) -> str | None:
    """The quote that covers most of a claim and is not said elsewhere; None if none is near."""
    said = content_words(claim.hypothesis)
    around = [quote.text for quote in quotes]
    for quote in sorted(quotes, key=lambda one: -coverage(said, one.stems)):
        if _fits(quote, claim, around) and not is_said(quote.text, before):
            return _with_marks(quote.text, claim)
    return None


def _fits(quote: Quote, claim: Claim, around: Sequence[str]) -> bool:
    """Whether a quote can stand in the place of a claim: as a sentence of this text, and short.

    What the claim has wrong beside a sentence of nearly the same words need not be covered.
    """
    (meant, *_) = (*substituted(claim, [quote.text], around), claim)
    said = content_words(meant.hypothesis)
    shared = sum(word.stem in quote.stems for word in said)
    longer = len(quote.text.split()) / len(claim.statement.split())
    near = coverage(said, quote.stems) >= (_NEAR if longer <= _LONGER else _NEARER)
    own = {word.text.lower() for word in words(claim.statement)}
    return (
        near
        and shared >= _WORDS
        and longer <= _LONGEST
        and not is_garbled(quote.text, claim.text)
        and (quote.text.endswith(_ENDS) or not claim.statement.endswith(_ENDS))
        and all(found.group().lower() in own for found in _NEEDS_CONTEXT.finditer(quote.text))
        and _explains_itself(quote.text, own)
    )


def _explains_itself(text: str, own: Collection[str]) -> bool:
    """Whether something stands before each pronoun of a sentence that it may mean.

    Args:
        own: Words of the claim, which needs nothing for the same pronouns either.
    """
    people = [name.start for name in all_names(text)]
    people += [match.start() for match in HUMANS.finditer(text)]
    return all(
        pronoun.group().lower() in own or any(start < pronoun.start() for start in people)
        for pronoun in _HE_OR_SHE.finditer(text)
    ) and all(
        pronoun.group().lower() in own or meant.search(text, 0, pronoun.start()) is not None
        for pronouns, meant in _EXPLAINED_BY
        for pronoun in pronouns.finditer(text)
    )


def _with_marks(text: str, claim: Claim) -> str:
    """A sentence with the markup around the claim, and its citation marks at the end."""
    prose = to_prose(claim.text, [Span(0, len(claim.text))])
    if prose.text != claim.statement:
        return text
    stands = prose.span(0, len(prose.text))
    inside = [
        claim.text[mark.start : mark.end]
        for mark in prose.removed
        if stands.start <= mark.start and mark.end < stands.end
    ]
    marks = [mark for mark in inside if _MARK.fullmatch(mark)]
    if marks:
        text = f"{text[:-1]} {''.join(marks).strip()}{text[-1]}"
    if any(inside.count(mark) % 2 for mark in inside if mark not in marks):
        return text  # what opens before the claim's words closes among them
    return claim.text[: stands.start] + text + claim.text[stands.end :]


def _others(text: str, wrong: Sequence[Claim]) -> Iterator[str]:
    """The sentences of a text that stay."""
    for span in sentence_spans(text):
        if not any(claim.start < span.end and span.start < claim.end for claim in wrong):
            yield text[span.start : span.end]
