"""Which sentences a verdict quotes.

A verdict cites the sentences, or the passages' nearest sentences, that support (contradict) the
claim on their own; where none does, the smallest set of sentences that covers it together. A
document that plainly says the opposite is quoted after them.
*Not found* and *uncertain* show the nearest sentences instead.
"""

from collections.abc import Callable, Iterable, Sequence

from veracite.engine.features import Reading
from veracite.engine.numbers import compare
from veracite.engine.overlap import coverage
from veracite.engine.premises import Candidate
from veracite.engine.quantities import extract
from veracite.engine.words import Citation, Label, Relation
from veracite.index.documents import Document

__all__ = ["cite", "has_ground"]

RawText = Callable[[Document], str]

_AT_MOST = 3
_ALONE = 0.5
"""A premise at least this probable supports (contradicts) on its own."""
_PLAIN = 0.8
"""A further sentence is quoted, for a verdict or against it, only if it is this probable."""
_DENIED = 0.3
"""A sentence that is this probable to contradict a claim is no support for it."""
_RELATED = 0.3
"""A sentence that covers less of the claim is no evidence for it, whatever the network says."""
_COLUMNS: dict[Relation, int] = {"supports": 0, "contradicts": 2}


def cite(reading: Reading, label: Label, raw_text: RawText) -> tuple[Citation, ...]:
    """The citations of a verdict that ``has_ground``; at least one, best first.

    Those of the verdict's own relation come before one that opposes it.

    Args:
        reading: What the verifier said of the claim.
        label: The verdict.
        raw_text: Gives a document's extracted text, from which quotes are cut verbatim.
    """
    if label is Label.SUPPORTED:
        chosen = _supporting(reading)
    elif label is Label.CONTRADICTED:
        chosen = _contradicting(reading)
    else:
        return tuple(_quote(c, "nearest", p, raw_text) for c, p in _nearest(reading))
    relation: Relation = "supports" if label is Label.SUPPORTED else "contradicts"
    quotes = [_quote(c, relation, p, raw_text) for c, p in chosen]
    opposite: Relation = "contradicts" if label is Label.SUPPORTED else "supports"
    settled = {candidate.passage.document for candidate, _ in chosen}
    opposed = _opposed(reading, opposite, settled)
    return tuple(quotes + [_quote(c, opposite, p, raw_text) for c, p in opposed])


def has_ground(reading: Reading, label: Label) -> bool:
    """Whether there is a premise that such a verdict can rest on.

    The decision weighs everything together; a verdict also needs a sentence, or a few together,
    that the verifier reads its way.
    """
    if label is Label.SUPPORTED:
        return bool(_supporting(reading))
    if label is Label.CONTRADICTED:
        return float(reading.probabilities[:, 2].max()) >= _ALONE
    return True


def _supporting(reading: Reading) -> list[tuple[Candidate, float]]:
    alone = [
        (c, p) for c, p in _alone(reading, "supports") if p >= _ALONE and _can_support(reading, c)
    ]
    if alone:
        return _one_a_passage([alone[0], *(pair for pair in alone[1:] if pair[1] >= _PLAIN)])
    together = _needed(reading)
    if reading.jointly[0] < _ALONE or any(_speaks_against(reading, c) for c in together):
        return []
    return [(candidate, float(reading.jointly[0])) for candidate in together]


def _can_support(reading: Reading, candidate: Candidate) -> bool:
    """Whether a sentence speaks of the claim at all, and does not speak against it."""
    related = coverage(reading.said, candidate.stems) >= _RELATED
    return related and not _speaks_against(reading, candidate)


def _speaks_against(reading: Reading, candidate: Candidate) -> bool:
    """Whether a sentence may deny the claim or gives another figure in place of one of its own."""
    for judged, row in zip(reading.premises.judged, reading.of_sentences, strict=True):
        if judged is candidate and row[2] >= _DENIED:
            return True
    figures = compare(extract(reading.premises.claim.statement), extract(candidate.premise))
    return any(figure.outcome == "conflict" for figure in figures)


def _contradicting(reading: Reading) -> list[tuple[Candidate, float]]:
    """Sentences that contradict, those about the claim's own subject before all others."""

    def close(pair: tuple[Candidate, float]) -> float:
        return pair[1] * coverage(reading.said, pair[0].stems)

    ranked = sorted(_alone(reading, "contradicts"), key=close, reverse=True)
    return _one_a_passage([ranked[0], *(r for r in ranked[1:] if close(r) >= _ALONE)])


def _opposed(
    reading: Reading, relation: Relation, settled: set[Document]
) -> list[tuple[Candidate, float]]:
    """The sentence of another document that plainly says the opposite, if there is one."""
    found = [
        (candidate, float(row[_COLUMNS[relation]]))
        for candidate, row in zip(reading.premises.judged, reading.of_sentences, strict=True)
        if candidate.passage.document not in settled
        and coverage(reading.said, candidate.stems) >= _ALONE
        and row[_COLUMNS[relation]] >= _PLAIN
    ]
    return sorted(found, key=lambda pair: -pair[1])[:1]


def _alone(reading: Reading, relation: Relation) -> list[tuple[Candidate, float]]:
    """Each judged sentence with its probability, then each passage's nearest with the passage's."""
    column = _COLUMNS[relation]
    sentences = [
        (c, float(row[column]))
        for c, row in zip(reading.premises.judged, reading.of_sentences, strict=True)
    ]
    judged = {id(c) for c, p in sentences if p >= _ALONE}
    passages = [
        (candidate, float(reading.of_passages[candidate.rank, column]))
        for candidate in _first_of_each_passage(reading.premises.candidates)
        if id(candidate) not in judged
    ]
    sentences.sort(key=lambda pair: -pair[1])
    passages.sort(key=lambda pair: -pair[1])
    return sentences + passages


def _first_of_each_passage(candidates: Iterable[Candidate]) -> list[Candidate]:
    seen: dict[int, Candidate] = {}
    for candidate in candidates:
        seen.setdefault(candidate.rank, candidate)
    return list(seen.values())


def _one_a_passage(ranked: Sequence[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """The best of each passage, the same words once."""
    seen: dict[int, tuple[Candidate, float]] = {}
    said: set[str] = set()
    for candidate, probability in ranked:
        if candidate.rank not in seen and candidate.sentence.text not in said:
            seen[candidate.rank] = (candidate, probability)
            said.add(candidate.sentence.text)
    return list(seen.values())[:_AT_MOST]


def _needed(reading: Reading) -> list[Candidate]:
    """The joint premise's sentences less those without which as much is covered, weakest first."""
    kept = list(reading.premises.joined)
    for candidate in sorted(kept, key=lambda c: coverage(reading.said, c.stems)):
        rest = [c for c in kept if c is not candidate]
        if rest and _covered(reading, rest) >= _covered(reading, kept):
            kept = rest
    return kept[:_AT_MOST]


def _covered(reading: Reading, candidates: Sequence[Candidate]) -> float:
    return coverage(reading.said, frozenset().union(*(c.stems for c in candidates)))


def _nearest(reading: Reading) -> list[tuple[Candidate, float]]:
    """The nearest sentence, and those of other passages that cover at least half as much."""
    enough = coverage(reading.said, reading.nearest.stems) / 2
    found: list[tuple[Candidate, float]] = []
    for candidate in _first_of_each_passage(reading.premises.candidates):
        if found and coverage(reading.said, candidate.stems) < enough:
            break
        cosine = reading.premises.evidence[candidate.rank].cosine
        found.append((candidate, min(1.0, max(0.0, cosine or 0.0))))
    return _one_a_passage(found)


def _quote(
    candidate: Candidate, relation: Relation, probability: float, raw_text: RawText
) -> Citation:
    passage, sentence = candidate.passage, candidate.sentence
    return Citation(
        file=passage.document.path,
        page=sentence.page,
        start=sentence.start,
        end=sentence.end,
        quote=raw_text(passage.document)[sentence.start : sentence.end],
        relation=relation,
        probability=probability,
        document_sha256=passage.document.sha256,
        context=passage.text,
        heading=passage.heading,
    )
