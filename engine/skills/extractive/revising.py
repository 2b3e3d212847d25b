"""Wrong claims put right by quotes: one detail gives way to what a quote has in its place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veracite.engine.claims.markup import to_prose
from veracite.engine.judge.judge import Judge
from veracite.engine.skills.extractive.quotes import Quote, quotes_of
from veracite.engine.texts import removal
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.wording.contrasts import is_denied
from veracite.engine.wording.names import designations, names
from veracite.engine.wording.overlap import Word, content_words, coverage, words
from veracite.engine.wording.quantities import Quantity, measures
from veracite.index.documents import Evidence, Passage, Span
from veracite.index.embeddings import encoder_text

_SENTENCES = 5
"""That may put a claim right, the nearest, and one row of a table."""
_DENIES = 0.3
"""From this probability on such a sentence contradicts the claim: it has to, and the edit less."""
_EXCLUDES = 0.5
"""From this probability on the edit by itself contradicts the claim: it has to, or it says another
thing, such as who designed what somebody else opened."""
_TRIED = 4
"""Edits that are judged by all passages, the likeliest."""
_PLACE = 0.1
"""What each word that stands beside both details counts for, beside that probability."""
_WORDS = 2
"""That give way together, where they are no name and no figure."""
_BREAK = re.compile(r"[^\w\s/’'-]")
"""What no detail of common words goes across."""

_FORM = re.compile(r"(?:ing|ed|(?<!s)s)\b")
"""What common words have to share for one to fit where the other stood."""


def revise(judge: Judge, text: str, wrong: Sequence[Claim], passages: Sequence[Passage]) -> str:
    """The text with one detail of a quote in each wrong claim, or without the claim where the
    passages support none.

    Args:
        wrong: Claims of the text; one that does not stand where it says is left as it is.
        passages: Best first.
    """
    standing = sorted(
        (c for c in wrong if text[c.start : c.end] == c.text), key=lambda claim: -claim.start
    )
    quotes = quotes_of(passages, judge.sentences, structures=True)
    for claim in standing:
        said = _edited(judge, claim, quotes, passages)
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


def _edited(
    judge: Judge, claim: Claim, quotes: Sequence[Quote], passages: Sequence[Passage]
) -> str | None:
    """The claim with a detail of a quote that contradicts it, the one that stands most clearly in
    the place of its own; None if the claim is not supported with that."""
    said = content_words(claim.hypothesis)
    near = sorted(quotes, key=lambda quote: -coverage(said, quote.headed_stems))
    sentences, rows = ([quote for quote in near if quote.is_row == row] for row in (False, True))
    read = [
        (quote, encoder_text(quote.passage.heading, quote.told or quote.text))
        for quote in (*sentences[:_SENTENCES], *rows[:1])
    ]
    places: dict[Claim, float] = {}
    likely: dict[Claim, float] = {}
    scores = judge.verifier.score([(text, claim.hypothesis) for _, text in read])
    for (quote, text), denied in zip(read, scores[:, 2], strict=True):
        edits = _edits(claim, quote) if denied >= _DENIES else {}
        after = judge.verifier.score([(text, edit.hypothesis) for edit in edits]).tolist()
        for (edit, beside), (chance, _, still) in zip(edits.items(), after, strict=True):
            if still < denied:
                places[edit] = max(_PLACE * beside, places.get(edit, 0.0))
                likely[edit] = max(chance + places[edit], likely.get(edit, 0.0))
    asked = [(edit.hypothesis, claim.hypothesis) for edit in likely]
    excluded = judge.verifier.score(asked)[:, 2] if asked else ()
    rivals = [edit for edit, p in zip(likely, excluded, strict=True) if p >= _EXCLUDES]
    tried = sorted(rivals, key=lambda edit: -likely[edit])[:_TRIED]
    judged = verdicts(judge, [(edit, passages) for edit in tried])
    best = max(judged, key=lambda v: _supported(v) + places[v.claim], default=None)
    return best.claim.text if best and best.label is Label.SUPPORTED else None


def _supported(verdict: Verdict) -> float:
    return verdict.scores.supported if verdict.scores else 0.0


@dataclass(frozen=True, slots=True)
class _Detail:
    """A stretch of a sentence that another may take the place of."""

    kind: tuple[object, ...]
    """Of a figure what it is and how exact, of common words how many and in which forms."""
    unit: str | None
    """Of a figure, if it is known."""
    span: Span
    stems: frozenset[str]
    beside: tuple[str | None, ...]
    """Stems of the words before it and behind it, and of the nearest ones that carry weight."""

    @property
    def is_figure(self) -> bool:
        """Whether it is a number, a date or a time."""
        return self.kind[0] not in ("name", "words")

    def place(self, other: "_Detail") -> int:
        """How many words stand beside both, 0 to 4."""
        return sum(a == b is not None for a, b in zip(self.beside, other.beside, strict=True))

    def gives_way_to(self, other: "_Detail") -> bool:
        """Whether the other is of its type, and not only more or less exact."""
        units = {self.unit, other.unit} - {None}
        return self.kind == other.kind and len(units) < 2 and not self.stems <= other.stems


def _detail(text: str, start: int, end: int, *kind: object, unit: str | None = None) -> _Detail:
    before: list[Word] = []
    own: set[str] = set()
    behind: list[Word] = []
    for word in words(text):
        if word.start >= end:
            behind.append(word)
        elif word.start >= start:
            own.add(word.stem)
        else:
            before.insert(0, word)
    beside = [
        next((word.stem for word in side if word.weight >= least), None)
        for side in (before, behind)
        for least in (0, 1)
    ]
    return _Detail(kind, unit, Span(start, end), frozenset(own), tuple(beside))


def _details(text: str) -> list[_Detail]:
    """The figures of a text, its names, and runs of other words."""
    found = [
        _detail(text, start, end, quantity.kind, *exact, unit=quantity.unit)
        for measure in measures(text)
        for quantity in [measure.quantity]
        for start, end, exact in _figures(text, quantity, measure.until)
    ]
    taken = [detail.span for detail in found]
    named = [Span(one.start, one.end) for one in designations(text)]
    for name in [*named, *(Span(one.start, one.end) for one in names(text, opening=True))]:
        if not _meets(name.start, name.end, taken):
            found.append(_detail(text, name.start, name.end, "name"))
            if name.start or " " in text[: name.end]:  # a word that opens a sentence may be any
                taken.append(name)
    own = words(text)
    for place, first in enumerate(own):
        for last in own[place : place + _WORDS]:
            start, end = first.start, last.end
            stretch = text[start:end]
            common = (stretch.islower() or not start) and not is_denied(stretch)
            joined = not _BREAK.search(stretch) and not _meets(start, end, taken)
            if common and joined and first.weight and last.weight:
                forms = _FORM.findall(stretch)
                found.append(_detail(text, start, end, "words", own.index(last) - place, *forms))
    return found


def _figures(
    text: str, quantity: Quantity, until: Quantity | None
) -> Iterator[tuple[int, int, tuple[bool, ...]]]:
    """Where a figure stands, with the end of the range that it opens, and which parts of a date it
    has; of such a date also the year alone."""
    known = tuple(part is not None for part in quantity.date)
    yield quantity.start, until.end if until else quantity.end, (*known, until is not None)
    if any(known[1:]) and (year := re.search(r"\d{4}", quantity.text)):
        at = quantity.start + year.start()
        yield at, at + 4, (True, False, False, False)


def _meets(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(start < span.end and span.start < end for span in spans)


def _edits(claim: Claim, quote: Quote) -> dict[Claim, int]:
    """The claim with each detail of a quote that may stand in the place of its own, and how many
    words stand beside both.

    One at least does beside what is no figure, and one more where the quote has the claim's own
    detail besides. A table's row has figures alone to give.
    """
    mine = {word.stem for word in words(claim.statement)}
    theirs = {word.stem for word in words(quote.text)}
    there = [one for one in _details(quote.text) if not one.stems <= mine]
    found: dict[Claim, int] = {}
    for own in _details(claim.statement):
        least = (own.stems <= theirs) + (not own.is_figure)
        for other in there if own.is_figure or not quote.is_row else ():
            place = own.place(other)
            if place < least or not own.gives_way_to(other):
                continue
            edit = _with_edit(claim, *_instead(claim.statement, own, quote.text, other))
            if edit is not None:
                found[edit] = max(place, found.get(edit, 0))
    return found


def _instead(text: str, own: _Detail, other_text: str, other: _Detail) -> tuple[Span, str]:
    """The stretch of a text that gives way, and to what: in one line, a word that opened the other
    sentence small, with the article that goes with it."""
    new = " ".join(other_text[other.span.start : other.span.end].split())
    if other.span.start == 0 and other.kind[0] not in ("name", "date"):
        new = new[0].lower() + new[1:]
    if {own.beside[0], other.beside[0]} == {"a", "an"}:
        article = [word for word in words(text) if word.end <= own.span.start][-1]
        return Span(article.start, own.span.end), f"{other.beside[0]} {new}"
    return own.span, new


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
