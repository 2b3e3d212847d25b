"""Which sentences a verdict quotes.

A verdict cites the sentences, or the passages' nearest sentences, that support (contradict) the
claim on their own; where none does, the smallest set of sentences that covers it together. What
plainly says the opposite elsewhere is quoted after them. *Not found* and *uncertain* show the
nearest sentences instead, or, if the library disagrees with itself, one of each side.
"""

from collections.abc import Iterable, Sequence

from veracite.engine.comparing.clauses import said_in_a_clause
from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.reading import Reading
from veracite.engine.comparing.restating import repeats, restates
from veracite.engine.comparing.sameness import RawText, apart
from veracite.engine.comparing.topics import topic_of
from veracite.engine.judging.conflicts import both_ways, opposed, told_otherwise
from veracite.engine.judging.grounds import can_support, nearness, speaks_against
from veracite.engine.wording.overlap import coverage, words
from veracite.engine.words import Citation, Label, Relation
from veracite.index.documents import Passage, Sentence

__all__ = [
    "OTHERWISE",
    "VERBATIM",
    "RawText",
    "about_something_else",
    "cite",
    "has_ground",
    "is_only_joint",
    "quotation",
    "repeated",
]

_AT_MOST = 3
_ALONE = 0.5
"""A premise at least this probable supports (contradicts) on its own."""
VERBATIM = 0.98
"""What a sentence that says the claim word for word is taken to be worth. Chosen, not fitted."""
OTHERWISE = 0.9
"""What a sentence is worth that says the claim with another figure, or its opposite. Chosen."""
_PLAIN = 0.8
"""A further sentence is quoted, for a verdict or against it, only if it is this probable."""
_AS_MUCH = 2 / 3
"""It must say at least this share of what the first one says of the claim."""
_MOST = 0.6
"""Sentences that support a claim only together have at least this share of its words."""
_COLUMNS: dict[Relation, int] = {"supports": 0, "contradicts": 2}
_Chosen = list[tuple[Candidate, Relation, float]]


def cite(reading: Reading, label: Label, raw_text: RawText) -> tuple[Citation, ...]:
    """The citations of a verdict that ``has_ground``; at least one, best first.

    Those of the verdict's own relation come before one that opposes it.

    Args:
        reading: What the verifier said of the claim.
        label: The verdict.
        raw_text: Gives a document's extracted text, from which quotes are cut verbatim.
    """
    return tuple(
        quotation(c.passage, c.sentence, relation, p, raw_text)
        for c, relation, p in _chosen(reading, label, raw_text)
    )


def _chosen(reading: Reading, label: Label, raw_text: RawText) -> _Chosen:
    if label is Label.SUPPORTED:
        own: _Chosen = [(c, "supports", p) for c, p in _supporting(reading)]
        return own + opposed(reading, "contradicts", [c for c, *_ in own], raw_text)
    if label is Label.CONTRADICTED:
        own = [(c, "contradicts", p) for c, p in _contradicting(reading, raw_text)]
        return own + opposed(reading, "supports", [c for c, *_ in own], raw_text)
    if label is Label.UNCERTAIN and (split := both_ways(reading, raw_text)):
        return split
    return [(c, "nearest", p) for c, p in _nearest(reading, raw_text)]


def has_ground(reading: Reading, label: Label, raw_text: RawText | None = None) -> bool:
    """Whether there is a premise that such a verdict can rest on.

    The decision weighs everything together; a verdict also needs a sentence, or a few together,
    that the verifier reads its way.
    """
    if label is Label.SUPPORTED:
        return bool(_supporting(reading))
    if label is Label.CONTRADICTED:
        return bool(_contradicting(reading, raw_text))
    return True


def about_something_else(reading: Reading, raw_text: RawText | None = None) -> str | None:
    """Why none of the sentences that seem to contradict a claim does.

    Returns:
        A sentence for people, of the one that seems to most; None if one does contradict the claim
        or none seems to.
    """
    nearest = next(iter(_denying(reading)), None)
    if nearest is None or _contradicting(reading, raw_text):
        return None
    if not nearest[0].tells:
        return "What is nearest is a table or a reference, not a sentence."
    return apart(reading.premises.claim, nearest[0], raw_text)


def is_only_joint(reading: Reading) -> bool:
    """Whether no sentence supports a claim on its own, so that only several together can."""
    return not _supporting_alone(reading)


def _supporting_alone(reading: Reading) -> list[tuple[Candidate, float]]:
    alone = [
        (c, p) for c, p in _alone(reading, "supports") if p >= _ALONE and can_support(reading, c)
    ]
    if said := repeated(reading):
        return [(said, VERBATIM), *(pair for pair in alone if pair[0] is not said)]
    return alone


def _supporting(reading: Reading) -> list[tuple[Candidate, float]]:
    if alone := _supporting_alone(reading):
        further = [
            (c, p) for c, p in alone[1:] if p >= _PLAIN and _says_as_much(reading, c, alone[0][0])
        ]
        return _one_a_passage([alone[0], *further])
    return _supporting_together(reading)


def _supporting_together(reading: Reading) -> list[tuple[Candidate, float]]:
    """The joint premise's sentences that have most of a claim, or one that says it otherwise."""
    probability = float(reading.jointly[0])
    if probability < _ALONE:
        return []
    together = _needed(reading)
    if _covered(reading, together) >= _MOST:
        told = all(_can_be_quoted(reading, c) for c in together)
        return [(candidate, probability) for candidate in together] if told else []
    joined = {id(c) for c in reading.premises.joined if coverage(reading.said, c.stems)}
    rows = zip(reading.premises.judged, reading.of_sentences, strict=True)
    plain = [(c, float(row[0])) for c, row in rows if id(c) in joined and row[0] >= _PLAIN]
    for candidate, alone in sorted(plain, key=lambda pair: -pair[1]):
        if _can_be_quoted(reading, candidate):
            return [(candidate, min(alone, probability))]
    return []


def _can_be_quoted(reading: Reading, candidate: Candidate) -> bool:
    return candidate.tells and not speaks_against(reading, candidate)


def _says_as_much(reading: Reading, candidate: Candidate, first: Candidate) -> bool:
    """Whether a further sentence says nearly as much of a claim as the first, heading aside."""
    own, best = (_covered_alone(reading, one) for one in (candidate, first))
    return own >= _AS_MUCH * best


def _covered_alone(reading: Reading, candidate: Candidate) -> float:
    """How much of a claim a sentence itself has; who or what "it" is counts as told."""
    stems = {word.stem for word in words(candidate.text)}
    if topic_of(candidate.sentence.text).refers:
        subject = topic_of(reading.premises.claim.statement).end
        stems |= {word.stem for word in reading.said if word.end <= subject}
    return coverage(reading.said, stems)


def repeated(reading: Reading) -> Candidate | None:
    """The sentence that says just what the claim says, word for word or nearly so, if any."""
    claim = reading.premises.claim
    nearly = (c for c in reading.premises.judged if c.tells and repeats(claim, c))
    return reading.verbatim or next(nearly, None)


def _contradicting(reading: Reading, raw_text: RawText | None) -> list[tuple[Candidate, float]]:
    """Sentences that contradict, those about the claim's own subject before all others.

    None does if the nearest of them says all that the claim says.
    """
    ranked = _denying(reading)
    claim = reading.premises.claim
    if raw_text is not None and (other := told_otherwise(reading, raw_text)):
        rest = [pair for pair in ranked if pair[0] is not other]
        ranked = [(other, OTHERWISE), *rest]
    if ranked and (
        restates(claim, ranked[0][0])
        or said_in_a_clause(claim.hypothesis, ranked[0][0].sentence.text)
    ):
        return []
    chosen = [*ranked[:1], *(pair for pair in ranked[1:] if _close(reading, pair) >= _ALONE)]
    told = [pair for pair in chosen if pair[0].tells]
    return _one_a_passage([pair for pair in told if apart(claim, pair[0], raw_text) is None])


def _denying(reading: Reading) -> list[tuple[Candidate, float]]:
    """What the verifier takes for a denial, that nearest to the claim first."""
    ranked = [pair for pair in _alone(reading, "contradicts") if pair[1] >= _ALONE]
    if not ranked and reading.jointly[2] >= _ALONE:
        ranked = [(reading.nearest, float(reading.jointly[2]))]
    return sorted(ranked, key=lambda pair: -pair[1] * nearness(reading, pair[0]))


def _close(reading: Reading, pair: tuple[Candidate, float]) -> float:
    return pair[1] * coverage(reading.said, pair[0].stems)


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


def _nearest(reading: Reading, raw_text: RawText) -> list[tuple[Candidate, float]]:
    """The nearest sentence, and those of other passages that cover at least half as much.

    One that only seemed to contradict the claim, and of which the explanation speaks, comes first.
    """
    enough = coverage(reading.said, reading.nearest.stems) / 2
    found: list[tuple[Candidate, float]] = []
    told = about_something_else(reading, raw_text)
    denying = [c for c, _ in _denying(reading)[:1]] if told else []
    for candidate in _first_of_each_passage([*denying, *reading.premises.candidates]):
        if found and coverage(reading.said, candidate.stems) < enough:
            break
        cosine = reading.premises.evidence[candidate.rank].cosine
        found.append((candidate, min(1.0, max(0.0, cosine or 0.0))))
    return _one_a_passage(found)


def quotation(
    passage: Passage,
    sentence: Sentence,
    relation: Relation,
    probability: float,
    raw_text: RawText,
) -> Citation:
    """A sentence of a passage, quoted verbatim."""
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
