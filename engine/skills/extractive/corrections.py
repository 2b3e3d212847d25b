"""A claim with the figures, dates and names of quotes in the place of its own."""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from veracite.engine.claims.markup import to_prose
from veracite.engine.facts.measures import measures
from veracite.engine.facts.names import Name, word_before
from veracite.engine.facts.quantities import Quantity, extract
from veracite.engine.facts.units import of_one_dimension
from veracite.engine.judge.topics import all_names
from veracite.engine.skills.extractive.substitutions import substitution
from veracite.engine.types import Aligned, Claim, Verdict
from veracite.engine.wording.overlap import content_words, words
from veracite.engine.wording.phrases import VERB_ENDING, VERBS
from veracite.index.documents import Span

_MOST = 6
"""Corrections of one claim that are tried."""
_OPTIONS = 3
"""For one part of it."""
_BESIDE = 3
"""Words on either side of a part that are looked at."""
_WORDINGS = 3
"""Sentences of nearly the same words that a claim is corrected by."""
_GARBLED = re.compile(r"[ÂÃ][\x80-\xbf]|â(?:€|\x80)")
"""What is left of UTF-8 that was read as something else: "Â£" for "£"."""
_BEFORE_DATE = re.compile(r"\b(?P<word>[Ii]n|[Oo]n) $")


@dataclass(frozen=True, slots=True)
class Correction:
    """A claim with something else in the place of its wrong parts."""

    claim: Claim
    alike: int
    """Words near the new parts that stand near them in the quotes, too, and units that agree."""


@dataclass(frozen=True, slots=True)
class _Edit:
    """Of a statement."""

    start: int
    end: int
    text: str
    alike: int = 0
    """As ``Correction.alike``."""


def substituted(claim: Claim, quotes: Sequence[str], around: Sequence[str]) -> tuple[Claim, ...]:
    """The claim with the facts of sentences of nearly the same words, the most alike first.

    Args:
        claim: What is corrected.
        quotes: The sentences.
        around: What else is said on the matter: what is spoken of there keeps its name.
    """
    known = {word.stem for text in around for word in words(text)}
    found = [one for quote in quotes if (one := substitution(claim.statement, quote))]
    found = sorted((one for one in found if not one.renamed & known), key=lambda one: -one.share)
    corrected = [_edited(claim, [_Edit(*edit) for edit in one.edits]) for one in found[:_WORDINGS]]
    return tuple(dict.fromkeys(one for one in corrected if one is not None))


def is_garbled(text: str, own: str) -> bool:
    """Whether a text has characters of a broken encoding that the claim's ``own`` does not."""
    return any(found.group() not in own for found in _GARBLED.finditer(text))


def corrections(verdict: Verdict, quotes: Sequence[str]) -> tuple[Correction, ...]:
    """The claim, corrected in the ways that quotes offer; the likeliest first.

    Args:
        verdict: On the claim; its own quotes come before the others.
        quotes: Sentences on the same matter, best first.
    """
    told = [c.quote for c in verdict.citations]
    told = list(dict.fromkeys(" ".join(one.split()) for one in (*told, *quotes)))
    open_parts = [
        (part, options)
        for part in verdict.words
        if part.outcome != "found" and (options := _options(verdict, part, told))
    ]
    found = []
    for edits in islice(product(*(options for _, options in open_parts)), _MOST):
        claim = _edited(verdict.claim, edits)
        if claim is not None:
            found.append(Correction(claim, sum(edit.alike for edit in edits)))
    return tuple(found) if open_parts else ()


def _options(verdict: Verdict, part: Aligned, quotes: Sequence[str]) -> list[_Edit]:
    """What may stand in the place of a part, what stands among the same words first."""
    statement = verdict.claim.statement
    own = statement[part.start : part.end]
    if part.kind in ("number", "date"):
        edits = [e for quote in quotes for e in _figures(statement, part, quote)]
    elif part.kind == "name":
        edits = [_Edit(part.start, part.end, part.stated.text)] if part.stated else []
        edits += [e for quote in quotes for e in _names(statement, part, quote)]
    elif part.kind == "word" and part.stated and own[0].isupper() == part.stated.text[0].isupper():
        edits = [_Edit(part.start, part.end, part.stated.text)]
    else:
        edits = []
    best: dict[str, _Edit] = {}
    for edit in sorted(edits, key=lambda edit: -edit.alike):
        best.setdefault(edit.text, edit)
    return [edit for text, edit in best.items() if text != own][:_OPTIONS]


def _figures(statement: str, part: Aligned, quote: str) -> Iterator[_Edit]:
    """A quote's figures of the same kind and measure, dates as exact as the claim's."""
    own = next((q for q in extract(statement) if q.start == part.start), None)
    for other in (m.quantity for m in measures(quote)):
        if own is None or other.kind != own.kind:
            continue
        if own.kind == "date":
            alike = _alike(statement, _span(own), quote, _span(other))
            yield _dated(statement, own, other, alike)
        elif other.unit == own.unit or (
            own.kind == "number"
            and not _measured(own, other)
            and _counts_the_same(statement, own, quote, other)
        ):
            text = _cased(other.text, part.start == 0 or statement[part.start].isupper())
            alike = _alike(statement, _span(own), quote, _span(other))
            yield _Edit(part.start, part.end, text, alike + (other.unit == own.unit))
    if own is not None and own.kind == "number" and own.unit:
        yield from _ones(statement, own, quote)


def _counts_the_same(statement: str, own: Quantity, quote: str, other: Quantity) -> bool:
    """Whether two numbers may count the same: no "six pieces" for "eighty visitors"."""
    mine, theirs = _counted(statement, own), _counted(quote, other)
    return mine is None or theirs is None or mine == theirs


def _counted(text: str, figure: Quantity) -> str | None:
    """Stem of the word behind a number, if it tells what is counted."""
    behind = next((word for word in words(text) if word.start >= figure.end), None)
    if (
        behind is None
        or not behind.weight
        or behind.text in VERBS
        or VERB_ENDING.match(behind.text)
    ):
        return None
    return behind.stem


def _ones(statement: str, own: Quantity, quote: str) -> Iterator[_Edit]:
    """For "ten shillings" a quote's "one shilling", whose "one" is no figure by itself."""
    counted = re.compile(rf"\s+{own.unit}\w*").match(statement, own.end)
    if counted is None:
        return
    for one in re.finditer(rf"\bone {own.unit}\b", quote, re.IGNORECASE):
        text = one.group().capitalize() if own.start == 0 else one.group().lower()
        alike = _alike(statement, _span(own), quote, Span(*one.span()))
        yield _Edit(own.start, counted.end(), text, alike + 1)


def _dated(statement: str, own: Quantity, other: Quantity, alike: int) -> _Edit:
    """Another date with the preposition that it takes."""
    (year, month, day), text = other.date, " ".join(other.text.split())
    if year and not other.decade and own.date[1] is None:
        month, day, text = None, None, str(year)
    elif year and month and day and own.date[2] is None:
        day, text = None, f"{calendar.month_name[month]} {year}"
    before = _BEFORE_DATE.search(statement[: own.start])
    if before is None or (day is None) == (own.date[2] is None):
        return _Edit(own.start, own.end, text, alike)
    word = "on" if day else "in"
    if before["word"][0].isupper():
        word = word.capitalize()
    return _Edit(before.start("word"), own.end, f"{word} {text}", alike)


def _alike(statement: str, own: Span, quote: str, other: Span) -> int:
    """How many words stand near both of two stretches."""
    return len(_near(statement, own) & _near(quote, other))


def _span(part: Aligned | Name | Quantity) -> Span:
    return Span(part.start, part.end)


def _near(text: str, span: Span) -> set[str]:
    """Stems of the words next to a stretch."""
    found = content_words(text)
    before = [word.stem for word in found if word.end <= span.start][-_BESIDE:]
    after = [word.stem for word in found if word.start >= span.end][:_BESIDE]
    return {*before, *after}


def _measured(*quantities: Quantity) -> bool:
    """Whether one of them has a unit of measure: the word after a number may be anything."""
    return any(of_one_dimension(one, one) for one in quantities)


def _names(statement: str, part: Aligned, quote: str) -> Iterator[_Edit]:
    """A quote's names that share a word with the claim's, or the word before it."""
    own = {word.stem for word in words(statement[part.start : part.end])}
    before = word_before(statement, part.start)
    for name in all_names(quote):
        if name.stems & own or (before and before == word_before(quote, name.start)):
            alike = _alike(statement, _span(part), quote, _span(name))
            yield _Edit(part.start, part.end, name.text, alike)


def _cased(text: str, capital: bool) -> str:
    """A number in words as its place in the sentence, or in a name, has it."""
    return text.capitalize() if capital else text.lower() if text.isalpha() else text


def _edited(claim: Claim, edits: Sequence[_Edit]) -> Claim | None:
    """The claim with edits of its statement; None if their place in its text is not sure,
    or one is garbled."""
    spans = [_in_text(claim, edit) for edit in edits]
    if any(span is None for span in spans):
        return None
    text, statement = claim.text, claim.statement
    query, resolved = claim.query, claim.resolved
    for edit, span in sorted(zip(edits, spans, strict=True), key=lambda pair: -pair[0].start):
        assert span is not None
        own = claim.statement[edit.start : edit.end]
        text = text[: span.start] + edit.text + text[span.end :]
        statement = statement[: edit.start] + edit.text + statement[edit.end :]
        query = query.replace(own, edit.text)
        resolved = resolved and resolved.replace(own, edit.text)
    if is_garbled(text, claim.text):
        return None
    return replace(claim, text=text, statement=statement, query=query, resolved=resolved)


def _in_text(claim: Claim, edit: _Edit) -> Span | None:
    """Where a stretch of the statement stands in the text; None if it is broken by markup."""
    own = claim.statement[edit.start : edit.end]
    prose = to_prose(claim.text, [Span(0, len(claim.text))])
    if prose.text == claim.statement:
        span = prose.span(edit.start, edit.end)
        return span if claim.text[span.start : span.end].split() == own.split() else None
    found = list(re.finditer(r"\s+".join(map(re.escape, own.split())), claim.text))
    return Span(*found[0].span()) if len(found) == 1 else None
