"""Where the documents of a library contradict each other.

Every sentence that states something is a claim, and is judged by the sentences that are near to it
as a check would judge it. A network, and the judge too, takes a like report of something else for
the same one, so only those of two documents are compared that are about one thing, by what headings
and sentences name, share words that few others have, and differ in a figure, a denial or an
opposite: better nothing than what is not worth reading. The constants were chosen on six planted
documents, twenty accident reports and three annual reports of agencies; what is about one thing on
26 planted notes beside 164 articles of an encyclopaedia, and on a folder of many kinds of
documents.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from veracite.engine.claims.segmentation import segment
from veracite.engine.events import Compared
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.sameness import topic_of
from veracite.engine.judge.weighing import weigh
from veracite.engine.skills.extractive.quotes import is_whole
from veracite.engine.types import Claim, Conflict, Label, Verdict
from veracite.engine.wording.contrasts import is_denied, opposites
from veracite.engine.wording.lists import listed
from veracite.engine.wording.names import names
from veracite.engine.wording.overlap import Terms, words
from veracite.engine.wording.quantities import measures
from veracite.index import embeddings
from veracite.index.documents import Encode, Evidence, Passage
from veracite.index.library import Library
from veracite.index.progress import Encoded

_WORD = re.compile(r"\w+(?:-\w+)*")
_PAGES = re.compile(r"\bpp?\. ?\d")
"""Of a footnote, which differs from others in them."""
_ONCE = frozenset(listed("once"))
"""Past forms of verbs of what happens to a thing once."""
_REACH = 3
"""Words from the main verb on among which its participle stands."""
_NEIGHBOURS = 6
"""Sentences near to one that are compared with it."""
_NEAR = 0.4
"""The cosine from which on two sentences may speak of the same."""
_SHARED = 0.15, 0.4
"""The share of words, by their weight, that two have in common at least: of the longer sentence,
and of the other."""
_FEW = 4
"""Statements that have all the words which two of them share, and documents that are about one
subject, at most: what more have is what all documents speak of, each of its own accident."""
_SURE = 0.5
"""The probability from which on a sentence is taken to be contradicted by the other."""
_AT_ONCE = 256
"""Sentences that are compared with all the others at once."""
_BATCH = 16
"""Pairs that the verifier reads at once."""
_DENIES = 0.3
"""The probability of a contradiction from which on a pair is judged."""
_TOGETHER = 64
"""Passages that are encoded between two signs of progress."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a document that states something."""

    claim: Claim
    place: Passage
    """The sentence, as a passage of its own."""
    subject: frozenset[str]
    """What its document is about: the words of the first name in its title and headings."""
    around: frozenset[str]
    """The words of these and of its passage, in lower case."""


def statements(library: Library, passages: Iterable[Passage]) -> Iterator[Statement]:
    """The sentences of passages that state something, by document and place."""
    for passage in passages:
        own = {sentence.text: sentence for sentence in library.sentences(passage)}
        headed = f"{passage.document.title or ''}. {passage.heading or ''}"
        named = (_words(name.text) for name in names(headed, opening=True))
        subject, around = next(named, frozenset[str]()), _words(f"{headed}. {passage.text}")
        for claim in segment(passage.text, markdown=False):
            is_prose = is_whole(claim.statement) and not _PAGES.search(claim.statement)
            sentence = own.get(claim.text)
            if sentence and is_prose and claim.not_checkable is None and not claim.answers:
                start, end, page = sentence.start, sentence.end, sentence.page
                place = replace(passage, start=start, end=end, page=page, text=sentence.text)
                yield Statement(claim, place, subject, around)


def conflicts(library: Library, encode: Encode, judge: Judge) -> Iterator[Encoded | Compared]:
    """Compares the sentences of a library with each other, as far as they speak of the same.

    Args:
        library: Is up to date.
        encode: Its encoder.
        judge: Judges by this library.

    Yields:
        How far the passages are encoded; then one event a pair, with the conflict if it is one.
    """
    passages = library.passages()
    said: dict[str, Statement] = {}
    parts = []
    for start in range(0, len(passages), _TOGETHER):
        stated = statements(library, passages[start : start + _TOGETHER])
        new = {one.claim.hypothesis.casefold(): one for one in stated}
        new = {told: one for told, one in new.items() if told not in said}
        said |= new
        if new:
            parts.append(embeddings.encode(encode, [one.claim.hypothesis for one in new.values()]))
        yield Encoded(min(start + _TOGETHER, len(passages)), len(passages))
    if len(said) < 2:
        return
    every = list(said.values())
    pairs = _of_the_same(every, _near(np.concatenate(parts)))
    for start in range(0, len(pairs), _BATCH):
        batch = [(every[one], every[other]) for one, other in pairs[start : start + _BATCH]]
        said_by = [[side.claim.hypothesis for side in pair] for pair in batch]
        asked = [two for one, other in said_by for two in ((one, other), (other, one))]
        denied = judge.verifier.score(asked)[:, 2].reshape(-1, 2).max(axis=1)
        for done, (pair, sure) in enumerate(zip(batch, denied, strict=True), start=start + 1):
            found = _compared(*pair, judge) if sure >= _DENIES else None
            yield Compared(done, len(pairs), found)


def _near(vectors: NDArray[np.float32]) -> list[tuple[int, int]]:
    """The pairs of rows of which one is among the nearest of the other, nearest first.

    Args:
        vectors: Unit vectors, shape (at least 2, dimension).
    """
    pairs: dict[tuple[int, int], float] = {}
    count = min(_NEIGHBOURS, len(vectors) - 1)
    for start in range(0, len(vectors), _AT_ONCE):
        cosines = vectors[start : start + _AT_ONCE] @ vectors.T
        cosines[np.arange(len(cosines)), np.arange(start, start + len(cosines))] = -1.0
        nearest = np.argpartition(cosines, -count, axis=1)[:, -count:]
        for row, place in np.argwhere(np.take_along_axis(cosines, nearest, 1) >= _NEAR).tolist():
            other = int(nearest[row, place])
            pairs[min(start + row, other), max(start + row, other)] = float(cosines[row, other])
    return sorted(pairs, key=lambda pair: (-pairs[pair], pair))


def _of_the_same(
    said: Sequence[Statement], pairs: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The pairs that are about one thing, and share words which few statements have."""
    terms = [Terms(one.claim.hypothesis) for one in said]
    holders: dict[str, set[int]] = defaultdict(set)
    for place, own in enumerate(terms):
        for stem in own.weights:
            holders[stem].add(place)
    titled: dict[frozenset[str], set[str]] = defaultdict(set)
    for one in said:
        titled[one.subject].add(one.place.document.path)
    subjects = {subject for subject, paths in titled.items() if subject and len(paths) <= _FEW}

    def fits(one: int, other: int) -> bool:
        shared = terms[one].weights.keys() & terms[other].weights.keys()
        telling = [holders[stem] for stem in shared if not stem[0].isdigit()]
        about = bool(telling) and len(set.intersection(*telling)) <= _FEW
        less, more = sorted(terms[i].share(shared) for i in (one, other))
        near = about and less >= _SHARED[0] and more >= _SHARED[1]
        return near and _of_one(said[one], said[other], subjects)

    return [pair for pair in pairs if fits(*pair)]


def _of_one(one: Statement, other: Statement, subjects: Set[frozenset[str]]) -> bool:
    """Whether statements are about one thing: where documents name what they are about, one has to
    name the other's; else the sentences have a name in common.

    Those of one document never are: it tells its cases and editions apart by where they stand.

    Args:
        subjects: What few documents are about: "Final Report" says of none what it is about.
    """
    if one.place.document.path == other.place.document.path:
        return False
    sides = (one, other), (other, one)
    headed = [mine.subject <= yours.around for mine, yours in sides if mine.subject in subjects]
    if any(headed) or len(headed) == len(sides):
        return any(headed)
    both = _words(one.claim.hypothesis) & _words(other.claim.hypothesis)
    return any(_words(name.text) <= both for name in names(one.claim.hypothesis))


def _compared(one: Statement, other: Statement, judge: Judge) -> Conflict | None:
    """The conflict of two sentences that differ in what can be measured, if each contradicts the
    other.

    Where a figure differs it is enough that one does so, since the other may say more; none that is
    supported. What differs in its time alone is so at either time, unless it happens but once or
    both are told of one year.
    """
    texts = [side.claim.hypothesis for side in (one, other)]
    figures = weigh(measures(texts[0]), measures(texts[1]))
    conflicting = [c for c in figures if c.outcome == "conflict"]
    differing = {c.claimed.kind for c in conflicting}
    if differing == {"date"} and not (
        any(map(_happens_once, texts))
        or any(c.stated and c.claimed.date[0] == c.stated.date[0] is not None for c in conflicting)
    ):
        return None
    if not (differing or opposites(*texts) or is_denied(texts[0]) != is_denied(texts[1])):
        return None
    sides = [_judged(one, other, judge), _judged(other, one, judge)]
    sure = sum(v.label is Label.CONTRADICTED and v.probability >= _SURE for v in sides)
    is_supported = any(v.label is Label.SUPPORTED for v in sides)
    if is_supported or sure < (1 if differing else 2):
        return None
    told = [f"{c.claimed.text}” or “{c.stated.text}" for c in conflicting if c.stated]
    explanation = f"“{told[0]}”?" if told else "One says otherwise than the other."
    probability = sum(v.scores.contradicted for v in sides if v.scores) / len(sides)
    quotes = [verdict.citations[0] for verdict in reversed(sides)]
    return Conflict(quotes[0], quotes[1], round(probability, 4), explanation)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))


def _happens_once(text: str) -> bool:
    """Whether a sentence tells of what happens to a thing only once, such as its founding: another
    date for it is another answer."""
    behind = [word.text for word in words(text) if word.start >= topic_of(text).end][:_REACH]
    return any(word in _ONCE for word in takewhile(str.islower, behind))


def _judged(one: Statement, other: Statement, judge: Judge) -> Verdict:
    """The verdict on a sentence by the other one alone, which it quotes."""
    ((_, verdict, _),) = judge.judge([one.claim], [(Evidence(other.place, 1, 1.0, None, None),)])
    return verdict
