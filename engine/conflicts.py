"""Where the documents of a library contradict each other.

Every sentence that states something is a claim, and is judged by the sentences that are near to it
as a check would judge it. A network, and the judge too, takes a like report of something else for
the same one, so only those are compared whose passages share a name, and which share a word, that
few others have: better nothing than what is not worth reading. The constants were chosen on six
planted documents, twenty accident reports and three annual reports of agencies.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.segmentation import segment
from veracite.engine.events import Compared
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.sameness import topic_of
from veracite.engine.judge.weighing import weigh
from veracite.engine.types import Citation, Claim, Conflict, Label, Verdict
from veracite.engine.wording.names import names
from veracite.engine.wording.overlap import Terms
from veracite.engine.wording.quantities import measures
from veracite.index import embeddings
from veracite.index.documents import Encode, Evidence, Passage
from veracite.index.library import Library

_PROSE = re.compile(r"""[.!]["'”’)]*$""")
_PAGES = re.compile(r"\bpp?\. ?\d")
"""Of a footnote, which differs from others in them."""
_NEIGHBOURS = 6
"""Sentences near to one that are compared with it."""
_NEAR = 0.4
"""The cosine from which on two sentences may speak of the same."""
_SHARED = 0.3
"""The share of each one's words, by their weight, that the other has at least."""
_FEW = 4
"""Statements in which a word stands that tells what two of them are about, at most: what more have
is what all documents speak of, each of its own accident, contract or patient."""
_NAMED, _SOME = 10, 0.2
"""The documents, at most, or their share, that name what tells that two are about the same."""
_SURE = 0.7
"""The probability from which on a sentence is taken to be contradicted by the other."""
_AT_ONCE = 256
"""Sentences that are compared with all the others at once."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a document that states something."""

    claim: Claim
    place: Passage
    """The sentence, as a passage of its own."""
    around: frozenset[str]
    """What is named in the passage that it stands in, by word, and its document."""


def statements(library: Library) -> list[Statement]:
    """The sentences that state something, each once, by document and place."""
    found: dict[str, Statement] = {}
    for passage in library.passages():
        own = {sentence.text: sentence for sentence in library.sentences(passage)}
        told = f"{passage.document.title or ''}. {passage.heading or ''}. {passage.text}"
        named = (stem for name in names(told) for stem in name.stems)
        around = frozenset((passage.document.path, *named))
        for claim in segment(passage.text, markdown=False):
            is_prose = _PROSE.search(claim.statement) and not _PAGES.search(claim.statement)
            sentence = own.get(claim.text)
            if sentence and is_prose and claim.not_checkable is None and not claim.answers:
                start, end, page = sentence.start, sentence.end, sentence.page
                place = replace(passage, start=start, end=end, page=page, text=sentence.text)
                found.setdefault(claim.statement.casefold(), Statement(claim, place, around))
    return list(found.values())


def conflicts(library: Library, encode: Encode, judge: Judge) -> Iterator[Compared]:
    """Compares the sentences of a library with each other, as far as they speak of the same.

    Args:
        library: Is up to date.
        encode: Its encoder.
        judge: Judges by this library.

    Yields:
        One event a pair, with the conflict if it is one.
    """
    said = statements(library)
    if not said:
        return
    vectors = embeddings.encode(encode, [one.claim.hypothesis for one in said])
    pairs = _of_the_same(said, _near(vectors))
    for done, (one, other) in enumerate(pairs, start=1):
        yield Compared(done, len(pairs), _compared(said[one], said[other], judge))


def _near(vectors: NDArray[np.float32]) -> list[tuple[int, int]]:
    """The pairs of rows of which one is among the nearest of the other, nearest first."""
    pairs: dict[tuple[int, int], float] = {}
    for start in range(0, len(vectors), _AT_ONCE):
        cosines = vectors[start : start + _AT_ONCE] @ vectors.T
        cosines[np.arange(len(cosines)), np.arange(start, start + len(cosines))] = -1.0
        for row, places in enumerate(np.argsort(-cosines, axis=1)[:, :_NEIGHBOURS]):
            for place in places:
                if cosines[row, place] >= _NEAR:
                    one, other = sorted((start + row, int(place)))
                    pairs[one, other] = float(cosines[row, place])
    return sorted(pairs, key=lambda pair: -pairs[pair])


def _of_the_same(
    said: Sequence[Statement], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pairs that share words which few statements have."""
    terms = [Terms(one.claim.hypothesis) for one in said]
    holders: dict[str, set[int]] = defaultdict(set)
    for place, own in enumerate(terms):
        for stem in own.weights:
            holders[stem].add(place)

    documents: dict[str, set[str]] = defaultdict(set)
    for one in said:
        for stem in one.around:
            documents[stem].add(one.place.document.path)
    few = max(_NAMED, _SOME * len({one.place.document.path for one in said}))

    def fits(one: int, other: int) -> bool:
        around = said[one].around & said[other].around
        shared = terms[one].weights.keys() & terms[other].weights.keys()
        about = any(not stem[0].isdigit() and len(holders[stem]) <= _FEW for stem in shared)
        is_near = any(len(documents[word]) <= few for word in around)
        return about and is_near and min(terms[i].share(shared) for i in (one, other)) >= _SHARED

    return [pair for pair in pairs if fits(*pair)]


def _compared(one: Statement, other: Statement, judge: Judge) -> Conflict | None:
    """The conflict of two sentences, if each contradicts the other.

    Where a figure differs it is enough that one does so, since the other may say more; none that
    is supported. What differs in its time alone is so at either time, unless it happens but once.
    """
    texts = [side.claim.hypothesis for side in (one, other)]
    figures = weigh(measures(texts[0]), measures(texts[1]))
    conflicting = [c for c in figures if c.outcome == "conflict"]
    differing = {c.claimed.kind for c in conflicting}
    if differing == {"date"} and not any(topic_of(text).is_once for text in texts):
        return None
    sides = [_judged(one, other, judge), _judged(other, one, judge)]
    sure = [
        verdict
        for verdict, _ in sides
        if verdict.label is Label.CONTRADICTED and verdict.probability >= _SURE
    ]
    is_supported = any(verdict.label is Label.SUPPORTED for verdict, _ in sides)
    if is_supported or len(sure) < (1 if differing else 2):
        return None
    told = [f"{c.claimed.text}” or “{c.stated.text}" for c in conflicting if c.stated]
    explanation = f"“{told[0]}”?" if told else "One says otherwise than the other."
    probability = sum(v.scores.contradicted for v, _ in sides if v.scores) / len(sides)
    return Conflict(sides[1][1], sides[0][1], round(probability, 4), explanation)


def _judged(one: Statement, other: Statement, judge: Judge) -> tuple[Verdict, Citation]:
    """The verdict on a sentence by the other one alone, and what is quoted of that."""
    ((_, verdict, _),) = judge.judge([one.claim], [(Evidence(other.place, 1, 1.0, None, None),)])
    return verdict, verdict.citations[0]
