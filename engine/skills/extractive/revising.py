"""Wrong claims put right by quotes: a figure or a name gives way to what a quote has in its place,
or the whole claim to the quote."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.coreference import pronoun_of
from veracite.engine.claims.markup import to_prose
from veracite.engine.claims.name_kinds import TITLE
from veracite.engine.judge.judge import Judge
from veracite.engine.skills.extractive.quotes import Quote, quotes_of
from veracite.engine.texts import removal
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.wording.lists import any_of, data_of, listed
from veracite.engine.wording.names import designations, names
from veracite.engine.wording.overlap import content_words, coverage, stems, words
from veracite.engine.wording.quantities import Quantity, measures
from veracite.index.documents import Evidence, Passage, Span

_SENTENCES = 5
"""That may put a claim right, the nearest, and one row of a table."""
_DENIES = 0.3
"""From this probability on such a sentence contradicts the claim: it has to, and the edit less; or
it supports the edit by as much more than the claim."""
_EXCLUDES = 0.6
"""From this probability on the edit by itself contradicts the claim: it has to, or it says another
thing, such as who designed what somebody else opened."""
_SAYS_OTHERWISE = 0.5
"""From this probability on a sentence contradicts the claim as it stands in the document."""
_ALONE = 0.7
"""From this probability on such a sentence supports the edit where no word stands beside both
details."""
_SURE = 0.8
"""From this probability on a claim with another detail stands; below it a sentence is better."""
_SHARED = 0.5
"""Of two sentences on one matter, what each has of the other's words, added up,"""
_LEAST = 0.2
"""and what each has of them at least."""
_RETOLD = 0.6
"""From this share of its words on a sentence is told by the claim, which then may deny it, too."""
_TRIED = 4
"""Edits that are judged by all passages, the likeliest."""
_PLACE = 0.1
"""What each word that stands beside both details counts for, beside that probability."""
_WRAPPED = 45
"""Signs of a line that goes on in the next one, at least."""
_OPEN = frozenset(listed("left open"))
"""What a sentence alone leaves open, wherever it stands; "it" and "its" do where they open it,"""
_NAMED = frozenset(("he", "she", "him", "his", "her", "they", "them", "their"))
"""and these do not in a sentence that opens with a name: "Ana Reave's book has her drawings"."""
_CURRENCY = re.compile(rf"(?: {any_of(data_of('currency words'))}s?| pence|p)\b", re.IGNORECASE)
_TITLED = re.compile(rf"\b(?:{TITLE.pattern}) \Z")


def revise(judge: Judge, text: str, wrong: Sequence[Claim], passages: Sequence[Passage]) -> str:
    """The text with one detail of a quote in each wrong claim, or the quote in its place, or
    without the claim where the passages have neither.

    Args:
        wrong: Claims of the text; one that does not stand where it says is left as it is.
        passages: Best first.
    """
    standing = sorted(
        (c for c in wrong if text[c.start : c.end] == c.text), key=lambda claim: -claim.start
    )
    quotes = quotes_of(passages, judge.sentences, structures=True)
    for claim in standing:
        said = _revised(judge, claim, quotes, passages)
        span = Span(claim.start, claim.end) if said else removal(text, claim.start, claim.end)
        text = text[: span.start] + (said or "") + text[span.end :]
    return text if text.strip() else ""


def verdicts(judge: Judge, asked: Sequence[tuple[Claim, Sequence[Passage]]]) -> tuple[Verdict, ...]:
    """The bundled judge's verdict on each claim by its passages, best first."""
    evidence = [
        tuple(Evidence(p, rank, 1 / (60 + rank), None, None) for rank, p in enumerate(found, 1))
        for _, found in asked
    ]
    judged = judge.judge([claim for claim, _ in asked], evidence)
    by_index = {index: verdict for index, verdict, _ in judged}
    return tuple(by_index[index] for index in range(len(asked)))


def _revised(
    judge: Judge, claim: Claim, quotes: Sequence[Quote], passages: Sequence[Passage]
) -> str | None:
    """The claim with a detail of a quote that contradicts it, the one that stands most clearly in
    the place of its own; if it is not surely supported with that, a quote on its matter, if there
    is one."""
    said = content_words(claim.hypothesis)
    near = sorted(quotes, key=lambda quote: -coverage(said, quote.headed_stems))
    read = [
        quote
        for is_row, most in ((False, _SENTENCES), (True, 1))
        for quote in islice(_of_one_line(judge, near, is_row), most)
    ]
    likely: dict[Claim, float] = {}
    scores = judge.verifier.score([(quote.premise, claim.hypothesis) for quote in read])
    for quote, (held, _, denied) in zip(read, scores.tolist(), strict=True):
        edits = _edits(claim, quote)
        after = judge.verifier.score([(quote.premise, edit.hypothesis) for edit in edits])
        for (edit, beside), (chance, _, still) in zip(edits.items(), after.tolist(), strict=True):
            gains = beside and chance >= held + _DENIES
            sure = beside or chance >= _ALONE
            if gains or (sure and denied >= _DENIES and still < denied):
                likely[edit] = max(chance + _PLACE * beside, likely.get(edit, 0.0))
    excluded = judge.verifier.score([(edit.hypothesis, claim.hypothesis) for edit in likely])[:, 2]
    rivals = [edit for edit, p in zip(likely, excluded, strict=True) if p >= _EXCLUDES]
    tried = sorted(rivals, key=lambda edit: -likely[edit])[:_TRIED]
    now, *judged = verdicts(judge, [(one, passages) for one in (claim, *tried)])
    held_by_all = [verdict for verdict in judged if verdict.label is Label.SUPPORTED]
    best = max(held_by_all, key=lambda verdict: verdict.probability, default=None)
    quoted = None
    if now.label is not Label.NOT_FOUND and (best is None or best.probability < _SURE):
        quoted = _quoted(judge, now, read, scores)
    return best.claim.text if best and quoted is None else quoted


def _of_one_line(judge: Judge, near: Sequence[Quote], is_row: bool) -> Iterator[Quote]:
    """The rows, or the sentences, that are not run together; only those asked for are looked at."""
    return (q for q in near if q.is_row is is_row and not _is_run_together(judge, q))


def _is_run_together(judge: Judge, quote: Quote) -> bool:
    """Whether it runs over the end of a line that is too short to have been wrapped there."""
    sentence = judge.sentences(quote.passage)[quote.number]
    ahead = judge.raw_text(quote.passage.document)[: sentence.start].rpartition("\n")[2]
    lines = sentence.lines[bool(ahead.strip()) :]  # a line that it does not begin says nothing
    return any(len(line) < _WRAPPED and not after[:1].islower() for line, after in pairwise(lines))


def _quoted(
    judge: Judge, now: Verdict, read: Sequence[Quote], scores: NDArray[np.float32]
) -> str | None:
    """The whole sentence, of those that contradict a claim, that shares most with it; None if none
    is on its matter. A claim that is supported, if not clearly enough, gives way to what
    supports it.

    Args:
        scores: What the verifier says of the claim by each.
    """
    said = stems(now.claim.hypothesis)
    column = 0 if now.label is Label.SUPPORTED else 2
    back = judge.verifier.score([(now.claim.hypothesis, quote.text) for quote in read])
    shares: dict[str, float] = {}
    for quote, told, retold in zip(read, scores[:, column], back[:, column], strict=True):
        is_told = coverage(content_words(quote.text), said) >= _RETOLD
        plain = max(told, retold) if is_told else told
        share = shared(now.claim.hypothesis, quote.text)
        if plain >= _SAYS_OTHERWISE and share and _stands_alone(quote):
            shares[quote.text] = share
    return max(shares, key=shares.__getitem__, default=None)


def shared(one: str, other: str) -> float:
    """What each of two sentences has of the other's words, added up, 0..2; 0 where that is too
    little for them to be on one matter."""
    covered = coverage(content_words(one), stems(other))
    filled = coverage(content_words(other), stems(one))
    return covered + filled if min(covered, filled) >= _LEAST and covered + filled >= _SHARED else 0


def _stands_alone(quote: Quote) -> bool:
    """Whether it is a sentence that says by itself whom and what it speaks of."""
    is_sentence = quote.stands_alone and quote.told is None and quote.text.endswith(".")
    opens = pronoun_of(quote.text) is not None
    is_named = any(quote.text[: name.start] in ("", "The ") for name in names(quote.text))
    left_open = _OPEN - _NAMED if is_named else _OPEN
    said = re.findall(r"\w+", quote.text.lower())
    return is_sentence and not opens and left_open.isdisjoint(said)


@dataclass(frozen=True, slots=True)
class _Detail:
    """A stretch of a sentence that another may take the place of."""

    kind: tuple[object, ...]
    """Of a figure what it is and how exact."""
    unit: str | None
    """Of a figure, if it is known."""
    span: Span
    stems: frozenset[str]
    beside: tuple[str | None, ...]
    """Stems of the words before it and behind it, and of the nearest ones that carry weight."""

    def place(self, other: "_Detail") -> int:
        """How many words stand beside both, 0 to 4."""
        return sum(a == b is not None for a, b in zip(self.beside, other.beside, strict=True))

    def gives_way_to(self, other: "_Detail") -> bool:
        """Whether the other is of its type, and not only more or less exact."""
        units = {self.unit, other.unit} - {None}
        return self.kind == other.kind and len(units) < 2 and not self.stems <= other.stems


def _detail(text: str, start: int, end: int, *kind: object, unit: str | None = None) -> _Detail:
    read = words(text)
    before = [word for word in reversed(read) if word.start < start]
    behind = [word for word in read if word.start >= end]
    own = frozenset(word.stem for word in read if start <= word.start < end)
    beside = tuple(
        next((word.stem for word in side if word.weight >= least), None)
        for side in (before, behind)
        for least in (0, 1)
    )
    return _Detail(kind, unit, Span(start, end), own, beside)


def _details(text: str) -> list[_Detail]:
    """The figures of a text and its names."""
    found = [
        _detail(text, start, end, quantity.kind, *exact, unit=quantity.unit)
        for measure in measures(text)
        for quantity in [measure.quantity]
        for start, end, exact in _figures(text, quantity, measure.until)
    ]
    taken = [detail.span for detail in found]
    named = [Span(one.start, one.end) for one in designations(text)]
    for one in (*named, *(Span(name.start, name.end) for name in names(text, opening=True))):
        if not _meets(one.start, one.end, taken):
            found.append(_detail(text, one.start, one.end, "name"))
            taken.append(one)
    return found


def _figures(
    text: str, quantity: Quantity, until: Quantity | None
) -> Iterator[tuple[int, int, tuple[bool, ...]]]:
    """Where a figure stands, with the end of the range that it opens and the word for its currency,
    and which parts of a date it has; of such a date also the year alone."""
    known = tuple(part is not None for part in quantity.date)
    end = until.end if until else quantity.end
    is_money = quantity.kind == "money"
    currency = _CURRENCY.match(text, end) if is_money else None
    of_a_noun = is_money and text[end : end + 1] == "-"  # "a 5-pound note"
    yield quantity.start, currency.end() if currency else end, (*known, bool(until), of_a_noun)
    if any(known[1:]) and (year := re.search(r"\d{4}", quantity.text)):
        at = quantity.start + year.start()
        yield at, at + 4, (True, False, False, False, False)


def _meets(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(start < span.end and span.start < end for span in spans)


def _edits(claim: Claim, quote: Quote) -> dict[Claim, int]:
    """The claim with each detail of a quote that may stand in the place of its own, and how many
    words stand beside both.

    One at least does where the quote has the claim's own detail besides.
    """
    mine = {word.stem for word in words(claim.statement)}
    theirs = {word.stem for word in words(quote.text)}
    there = [one for one in _details(quote.text) if not one.stems <= mine]
    found: dict[Claim, int] = {}
    for own in _details(claim.statement):
        least = own.stems <= theirs
        for other in there:
            place = own.place(other)
            if place < least or not own.gives_way_to(other):
                continue
            given = _instead(claim.statement, own, quote.text, other)
            if edit := _with_edit(claim, *given):
                found[edit] = max(place, found.get(edit, 0))
    return found


def _instead(text: str, own: _Detail, other_text: str, other: _Detail) -> tuple[Span, str]:
    """The stretch of a text that gives way, and to what: in one line, a word that opened the other
    sentence small, with the article or the title that goes with it."""
    span, theirs = own.span, other.span
    if own.kind[0] == "name":
        span, theirs = _with_title(text, span), _with_title(other_text, theirs)
    new = " ".join(other_text[theirs.start : theirs.end].split())
    if other.span.start == 0 and other.kind[0] not in ("name", "date"):
        new = new[0].lower() + new[1:]
    if {own.beside[0], other.beside[0]} == {"a", "an"}:
        article = [word for word in words(text) if word.end <= own.span.start][-1]
        return Span(article.start, own.span.end), f"{other.beside[0]} {new}"
    return span, new


def _with_title(text: str, name: Span) -> Span:
    """A name behind its title: "Mr Dunn"."""
    title = _TITLED.search(text, 0, name.start)
    return Span(title.start() if title else name.start, name.end)


def _with_edit(claim: Claim, edit: Span, new: str) -> Claim | None:
    """The claim with other words in a stretch of its statement; None if the place of that in its
    text is not sure."""
    span, rest = _in_text(claim, edit), claim.statement[edit.start :]
    if span is None or not (claim.resolved or rest).endswith(rest):
        return None
    new = new if edit.start else new[0].upper() + new[1:]
    behind = claim.statement[edit.end :]
    return replace(
        claim,
        text=claim.text[: span.start] + new + claim.text[span.end :],
        statement=claim.statement[: edit.start] + new + behind,
        query=claim.query.removesuffix(rest) + new + behind,
        resolved=claim.resolved and claim.resolved.removesuffix(rest) + new + behind,
    )


def _in_text(claim: Claim, edit: Span) -> Span | None:
    """Where a stretch of the statement stands in the text; None if it is broken by markup."""
    own = claim.statement[edit.start : edit.end]
    prose = to_prose(claim.text, [Span(0, len(claim.text))])
    if prose.text == claim.statement:
        span = prose.span(edit.start, edit.end)
        return span if claim.text[span.start : span.end].split() == own.split() else None
    found = list(re.finditer(r"\s+".join(map(re.escape, own.split())), claim.text))
    return Span(*found[0].span()) if len(found) == 1 else None
