"""What a verdict quotes: the sentences of the premises that it rests on.

Chosen behind the label, which they never change. A premise of one sentence is quoted as it is; of
several the fewest that have as much of the claim, or the one that denies it. *Not found* and
*uncertain* show the nearest sentences, or, if the library disagrees with itself, one of each side.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from veracite.engine.judge.decision import PLAIN, Decided, Reading
from veracite.engine.judge.premises import Candidate, Premise, Premises, alone
from veracite.engine.types import Citation, Label, Relation
from veracite.engine.wording.overlap import Terms
from veracite.engine.wording.quantities import extract, grouped_as
from veracite.index.documents import Cell, Document, Passage, Sentence

RawText = Callable[[Document], str]
"""A document to its extracted text."""
Score = Callable[[Sequence[tuple[str, str]]], NDArray[np.float32]]
"""A verifier's ``score``."""
_Quoted = tuple[Candidate, Relation, float]

_AT_MOST = 3
_ENOUGH = 0.5
"""The share of the nearest sentence's words of the claim that another one shown beside it has."""


def cite(
    reading: Reading, decided: Decided, raw_text: RawText, score: Score
) -> tuple[Citation, ...]:
    """The citations of a verdict, at least one, best first.

    Args:
        reading: What was read.
        decided: The label and what it rests on.
        raw_text: Gives a document's extracted text, from which quotes are cut verbatim.
        score: Says which sentence of several denies the claim.
    """
    return tuple(
        quotation(c.passage, c.sentence, relation, p, raw_text, reading.premises.claim.hypothesis)
        for c, relation, p in _chosen(reading, decided, score)
    )


def _chosen(reading: Reading, decided: Decided, score: Score) -> list[_Quoted]:
    denied = decided.label is Label.CONTRADICTED
    if not (denied or decided.disputed or decided.label is Label.SUPPORTED):
        return _nearest(reading)
    premises, told = reading.premises, decided.verbatim
    supports = partial(_quoted, reading, "supports", told, partial(_needed, premises.terms))
    denies = partial(_quoted, reading, "contradicts", None, partial(_denying, premises, score))
    sides = ((supports, decided.supporting), (denies, decided.contradicting))
    (own, led), (others, rest) = sides[::-1] if denied else sides
    quoted = own(led)[: 1 if decided.disputed else _AT_MOST]
    said = {c.sentence.text for c, *_ in quoted}
    texts = [{c.sentence.text for c in premise.candidates} for premise in premises.premises]
    apart = [one for one in rest if one[1] >= PLAIN and not said & texts[one[0]]]
    other = {one[0].passage.document.path: one for one in reversed(others(apart))}
    return [*quoted, *reversed(other.values())]


def _quoted(
    reading: Reading,
    relation: Relation,
    verbatim: Candidate | None,
    needed: Callable[[Premise, bool], Sequence[Candidate]],
    found: Sequence[tuple[int, float]],
) -> list[_Quoted]:
    """The sentences of the best premise of a side, then plain ones of other passages.

    Args:
        needed: Which of a premise's, and whether only one is wanted.
    """
    chosen: list[_Quoted] = [(verbatim, relation, found[0][1])] if verbatim and found else []
    for place, probability in found:
        premise = reading.premises.premises[place]
        if chosen and (probability < PLAIN or premise.kind not in ("sentence", "window")):
            continue
        known = {c.passage.id for c, *_ in chosen}
        texts = {c.sentence.text for c, *_ in chosen}
        chosen += [
            (c, relation, probability)
            for c in needed(premise, bool(chosen))
            if not chosen or (c.passage.id not in known and c.sentence.text not in texts)
        ]
    return chosen[:_AT_MOST]


def _needed(terms: Terms, premise: Premise, one: bool) -> Sequence[Candidate]:
    """The premise's sentences less those without which as much of the claim is said.

    Args:
        one: Whether only the one that has most of it is wanted.
    """

    def said(candidates: Iterable[Candidate]) -> float:
        told = (terms.found(f"{c.passage.heading or ''} {c.text}") for c in candidates)
        return terms.share(frozenset().union(*told))

    def most(candidate: Candidate) -> float:
        return -terms.share(terms.found(candidate.text))

    kept = sorted(premise.candidates, key=most)
    if one:
        return kept[:1]
    for candidate in reversed(kept):
        rest = [c for c in kept if c is not candidate]
        if rest and said(rest) >= said(kept):
            kept = rest
    return kept


def _denying(premises: Premises, score: Score, premise: Premise, _: bool) -> Sequence[Candidate]:
    """The sentence that denies the claim when it is read alone, of the document that has most of
    the claim in a premise; where none does, the one that has most of it."""
    nearest, said = premises.nearest(premise), premises.claim.hypothesis
    own = [c for c in premise.candidates if c.passage.document == nearest.passage.document]
    if len(own) == 1:
        return own
    texts = [alone(candidate, premises.terms) for candidate in own]
    against = score([(grouped_as(said, text), said) for text in texts])[:, 2]
    best = int(against.argmax())
    return [own[best] if against[best] >= PLAIN else nearest]


def _nearest(reading: Reading) -> list[_Quoted]:
    """The nearest sentence, and those of other passages that have half as much of the claim.

    One that only seemed to contradict the claim, and of which the explanation speaks, comes first.
    """
    premises = reading.premises
    terms, near = premises.terms, premises.near
    first = premises.candidates[0]
    enough = _ENOUGH * terms.share(terms.found(first.text))
    chosen: list[Candidate] = []
    known = set[str]()
    told = () if reading.elsewhere is None else (reading.nearest(reading.elsewhere),)
    for candidate in (*told, *premises.candidates):
        own = {candidate.passage.id, candidate.sentence.text}
        is_near = candidate in told or terms.share(terms.found(candidate.text)) >= enough
        if is_near and known.isdisjoint(own):
            chosen.append(candidate)
            known |= own
    return [(c, "nearest", min(1.0, max(0.0, near[c.passage.id]))) for c in chosen[:_AT_MOST]]


def quotation(
    passage: Passage,
    sentence: Sentence,
    relation: Relation,
    probability: float,
    raw_text: RawText,
    claim: str,
) -> Citation:
    """A sentence of a passage, quoted verbatim; of a spreadsheet with the cells that hold figures
    of the claim, or with all."""
    document, start, end = passage.document, sentence.start, sentence.end
    # What denies a claim has another figure in the place of the claim's.
    cells = _cells(sentence.cells, "" if relation == "contradicts" else claim)
    quote, around = raw_text(document)[start:end], (passage.text, passage.heading)
    said = (document.path, sentence.page, start, end, quote, relation, round(probability, 4))
    return Citation(*said, document.sha256, *around, sheet=sentence.sheet, cells=cells)


def _cells(cells: Sequence[Cell], claim: str) -> str | None:
    figures = _figures(claim)
    if named := [cell.name for cell in cells if figures & _figures(cell.text)]:
        return ", ".join(named)
    ends = [end for cell in (*cells[:1], *cells[-1:]) for end in cell.name.split(":")]
    return ":".join(dict.fromkeys((ends[0], ends[-1]))) if ends else None


def _figures(text: str) -> set[object]:
    return {quantity.figure for quantity in extract(text)}
