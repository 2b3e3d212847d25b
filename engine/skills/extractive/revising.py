"""Wrong claims put right by quotes: the figure or name that a quote has, or the quote itself."""

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Literal

from veracite.engine.claims.markup import to_prose
from veracite.engine.judge.judge import Judge
from veracite.engine.skills.extractive.quotes import Quote, quotes_of
from veracite.engine.skills.extractive.ranking import is_said
from veracite.engine.texts import removal
from veracite.engine.types import Claim, Label, Verdict
from veracite.engine.wording.contrasts import is_negation
from veracite.engine.wording.overlap import Word, content_words, coverage, subject_end, words
from veracite.engine.wording.quantities import Quantity, extract
from veracite.index.documents import Evidence, Passage, Span
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
_WORDINGS = 3
"""Of these, the ones of nearly the same words that are tried."""
_FIGURES = 6
"""Other figures that are tried for those of a claim."""
_ALIKE = 0.6
"""The share, by weight, of a claim's other words that must stand in such a sentence in their
order."""
_ENDS = (".", "!", "?", "…", '."', ".”", ".)")
_MARK = re.compile(r"\s*\[\^?[\w ,;–-]{1,60}\]|\s*\[@[^\[\]]+\]")
_NEEDS_CONTEXT = re.compile(
    r"\A(?:it|he|she|they|this|these|that|those|then|there|here|his|her|its|their)\b"
    r"|\b(?:we|us|our|ours|my|me|mine|you|your)\b|\bI\b(?!\.)",
    re.IGNORECASE,
)
"""Words of a sentence that makes no sense in another text: somebody speaks, or what stands before
it is meant."""
_MONTHS = frozenset(name.lower() for name in calendar.month_name if name)
_Kind = Literal["figure", "name"]
_Words = tuple[Word, ...]
_Fact = tuple[_Kind, _Words]
"""A run of words that are a figure or a name."""


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
    instead = _edited(judge, standing, passages)
    before = [*_others(text, standing), *filter(None, instead)]
    for place, claim in enumerate(standing):
        if instead[place] is None:
            instead[place] = _nearest(claim, quotes, before)
            before += filter(None, instead[place : place + 1])
    for claim, said in reversed(list(zip(standing, instead, strict=True))):
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


def _edited(judge: Judge, wrong: Sequence[Claim], passages: Sequence[Passage]) -> list[str | None]:
    """Each claim with the figures and names of quotes, and of a table's rows, for its own, if it is
    supported then."""
    quotes = quotes_of(passages, judge.sentences, structures=True)
    tried = []
    for claim in wrong:
        said = content_words(claim.hypothesis)
        near = sorted(quotes, key=lambda q: -coverage(said, q.headed_stems))[:_ON_THE_MATTER]
        texts = [quote.text for quote in near]
        tried.append(substituted(claim, texts, texts) or _with_other_figures(claim, texts))
    judged = iter(verdicts(judge, [(one, passages) for some in tried for one in some]))
    return [
        next((v.claim.text for v in found if v.label is Label.SUPPORTED), None)
        for found in ([next(judged) for _ in some] for some in tried)
    ]


def _with_other_figures(claim: Claim, texts: Sequence[str]) -> tuple[Claim, ...]:
    """The claim with one of its figures that no text has exchanged for one of the same sort that
    a text has, nearest first."""
    theirs = [figure for text in texts for figure in extract(text)]
    known = {figure.text for figure in theirs}
    found = [
        _with_edits(claim, [(Span(own.start, own.end), " ".join(other.text.split()))])
        for own in extract(claim.statement)
        for other in theirs
        if own.text not in known and _is_of_one_sort(own, other)
    ]
    return tuple(dict.fromkeys(one for one in found if one is not None))[:_FIGURES]


def _is_of_one_sort(own: Quantity, other: Quantity) -> bool:
    """Whether two figures are of one kind and unit, and dates as exact as one another."""
    exact = [[part is not None for part in figure.date] for figure in (own, other)]
    return (own.kind, own.unit) == (other.kind, other.unit) and exact[0] == exact[1]


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
        and (quote.text.endswith(_ENDS) or not claim.statement.endswith(_ENDS))
        and all(found.group().lower() in own for found in _NEEDS_CONTEXT.finditer(quote.text))
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
    corrected = [_with_edits(claim, one.edits) for one in found[:_WORDINGS]]
    return tuple(dict.fromkeys(one for one in corrected if one is not None))


@dataclass(frozen=True, slots=True)
class Substitution:
    """What is to be changed in a statement so that it says what a sentence says."""

    edits: tuple[tuple[Span, str], ...]
    """Where in the statement, and what is to stand there; none overlap."""
    share: float
    """Of the statement's other words, by weight, that stand in the sentence in their order."""
    renamed: frozenset[str]
    """Stems of names that the statement would not be about any more."""


def substitution(statement: str, sentence: str) -> Substitution | None:
    """What a sentence of nearly the same words says instead of a statement; None if they are not
    alike, or agree.

    The words of both are laid side by side. Where a figure, a date or a name of the statement
    stands against another of its kind, the sentence's takes its place; all other words stay the
    user's. Of several facts, as many must be the same: else it speaks of something else.
    """
    mine, theirs = words(statement), words(sentence)
    matcher = SequenceMatcher(None, [w.stem for w in mine], [w.stem for w in theirs], False)
    pairs: list[tuple[_Words, _Words]] = []
    same: list[Word] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            same += [word for word in mine[a:b] if word.weight]
        else:
            facts, stated = _facts(statement, mine, a, b), _facts(sentence, theirs, c, d)
            pairs += _pairs(mine[a:b], facts, theirs[c:d], stated)
    replaced = {word for old, _ in pairs for word in old}.difference(same)
    rest = [w for w in mine if w.weight and w not in replaced and not is_negation(w)]
    share = sum(w.weight for w in same) / (sum(w.weight for w in rest) or 1.0)
    alike = share >= _ALIKE and len(same) >= _WORDS
    pairs = [(old, new) for old, new in pairs if old and new]
    if not pairs or not alike or len(pairs) > max(1, sum(_kind(w) is not None for w in same)):
        return None
    edits = tuple(
        (Span(old[0].start, old[-1].end), _cased(sentence[new[0].start : new[-1].end], old[0]))
        for old, new in pairs
    )
    subject = subject_end(statement)
    renamed = {w.stem for old, _ in pairs for w in old if w.end <= subject and _kind(w) == "name"}
    return Substitution(edits, share, frozenset(renamed))


def _pairs(
    own: _Words, facts: list[_Fact], other: _Words, stated: list[_Fact]
) -> Iterator[tuple[_Words, _Words]]:
    """Facts of the statement with those of the sentence that take their place: all where they are
    of the same kinds, else those that begin or end what differs."""
    kinds = [kind for kind, _ in facts]
    if kinds == [kind for kind, _ in stated]:
        known = {word for _, found in (*facts, *stated) for word in found}
        if kinds == ["figure"] and not any(w.weight for w in (*own, *other) if w not in known):
            yield own, other  # with its preposition: "in 1904", "on 3 May 1904"
            return
        yield from ((old, new) for (_, old), (_, new) in zip(facts, stated, strict=True))
        return
    for end in (0, -1):
        if facts and stated and facts[end][0] == stated[end][0]:
            old, new = facts[end][1], stated[end][1]
            if old[end] is own[end] and new[end] is other[end]:
                yield old, new
                del facts[end], stated[end]


def _facts(text: str, found: _Words, start: int, end: int) -> list[_Fact]:
    """The runs of one kind among some words, without a mark between them; a word that opens a
    sentence is capitalised anyway."""
    facts: list[_Fact] = []
    for place in range(start, end):
        word = found[place]
        kind = _kind(word)
        if kind is None or (place == 0 and kind == "name"):
            continue
        last = facts[-1] if facts else None
        if last and last[0] == kind and not text[last[1][-1].end : word.start].strip(". -"):
            facts[-1] = (kind, (*last[1], word))
        else:
            facts.append((kind, (word,)))
    return facts


def _kind(word: Word) -> _Kind | None:
    """What a word is; "Seventh" within a sentence is part of a name."""
    if is_negation(word):
        return None
    if word.text.lower() in _MONTHS or word.text[0].isdigit():
        return "figure"
    if extract(word.text) and (word.start == 0 or word.text[0].islower()):
        return "figure"
    return "name" if word.text[0].isupper() and word.weight else None


def _cased(text: str, instead_of: Word) -> str:
    """In one line, capitalised where it opens a statement; elsewhere a number is small."""
    text = " ".join(text.split())
    if instead_of.start == 0:
        return text[0].upper() + text[1:]
    return text.lower() if text.isalpha() and extract(text) else text


def _with_edits(claim: Claim, edits: Sequence[tuple[Span, str]]) -> Claim | None:
    """The claim with edits of its statement; None if their place in its text is not sure."""
    text, statement = claim.text, claim.statement
    query, resolved = claim.query, claim.resolved
    for edit, new in sorted(edits, key=lambda one: -one[0].start):
        span = _in_text(claim, edit)
        if span is None:
            return None
        own = claim.statement[edit.start : edit.end]
        text = text[: span.start] + new + text[span.end :]
        statement = statement[: edit.start] + new + statement[edit.end :]
        query = query.replace(own, new)
        resolved = resolved and resolved.replace(own, new)
    return replace(claim, text=text, statement=statement, query=query, resolved=resolved)


def _in_text(claim: Claim, edit: Span) -> Span | None:
    """Where a stretch of the statement stands in the text; None if it is broken by markup."""
    own = claim.statement[edit.start : edit.end]
    prose = to_prose(claim.text, [Span(0, len(claim.text))])
    if prose.text == claim.statement:
        span = prose.span(edit.start, edit.end)
        return span if claim.text[span.start : span.end].split() == own.split() else None
    found = list(re.finditer(r"\s+".join(map(re.escape, own.split())), claim.text))
    return Span(*found[0].span()) if len(found) == 1 else None
