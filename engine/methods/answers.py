"""From a drafted answer to its claims, to what each of them cites, and to their verdicts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from veracite.engine.claims.checkability import FRAGMENT, GREETING
from veracite.engine.claims.citation_marks import CitedSentence, parse
from veracite.engine.claims.segmentation import segment
from veracite.engine.events import Segmented
from veracite.engine.methods.base import Steps, Tools, unique
from veracite.engine.methods.events import Drafted, Settled
from veracite.engine.retrieve import KEPT
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, Writing
from veracite.engine.types import Answer, Claim
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Evidence, Passage
from veracite.index.markup import NUMBERS

_ANSWERS_ALONE = (FRAGMENT, GREETING)
""" "1904" and "Yes." are no statements, and yet they answer a question."""

_MARKED_END = re.compile(
    rf"[^\s\[\].](?:[^\S\n]*\[\s?{NUMBERS}\s?\])+[.!?][\"'”’)]*(?P<blank>\s+)(?=[^\s\[])"
)
"""A full stop behind a mark ends a sentence, whatever follows it."""
_BLANK, _PARAGRAPH = " ", "\n\n"


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it was written."""

    text: str
    """Without citation marks."""
    claims: tuple[Claim, ...]
    """Of its sentences, in order."""
    cited: tuple[tuple[int, ...], ...]
    """What each claim cites: places of passages, from 0, as the answer has them; marks of passages
    that there are not are left out."""


def claims_of(question: str, text: str) -> tuple[Claim, ...]:
    """The claims of an answer; an answer of a few words is judged as the question with it."""
    return tuple(_whole(question, claim) for claim in segment(text, markdown=False))


def read(question: str, draft: str, passages: Sequence[object] = ()) -> Written:
    """Read a draft with marks such as [1][2].

    No claim has words of two of its sentences: those that would be read as one stand in paragraphs
    of their own.

    Args:
        question: What it answers.
        draft: As it was written.
        passages: What the marks number, from 1.
    """
    sentences = _sentences(draft)
    after = [_BLANK] * len(sentences)
    while True:
        parts = [one.statement + gap for one, gap in zip(sentences, after, strict=True)]
        text = "".join(parts).rstrip()
        borders = list(accumulate(map(len, parts)))
        claims = claims_of(question, text)
        wanted = [
            _PARAGRAPH if any(one.start < border < one.end for one in claims) else gap
            for border, gap in zip(borders, after, strict=True)
        ]
        if wanted == after:
            break
        after = wanted
    numbers = [
        next(s.citations for s, end in zip(sentences, borders, strict=True) if claim.start < end)
        for claim in claims
    ]
    cited = tuple(tuple(n - 1 for n in own if 1 <= n <= len(passages)) for own in numbers)
    return Written(text, claims, cited)


def _sentences(draft: str) -> list[CitedSentence]:
    """Those that say something."""
    borders = [0, *(end.start("blank") for end in _MARKED_END.finditer(draft)), len(draft)]
    parts = [draft[start:end] for start, end in pairwise(borders)]
    return [one for part in parts for one in parse(part.strip()) if one.statement]


def _whole(question: str, claim: Claim) -> Claim:
    if claim.not_checkable not in _ANSWERS_ALONE:
        return claim
    asked = f"{question} {claim.statement}"
    return replace(claim, not_checkable=None, query=asked, resolved=asked, answers=question)


def read_from(
    question: str,
    held: Sequence[Evidence],
    tools: Tools,
    *,
    passages: Sequence[Passage] | None = None,
    writing: Writing = DEFAULT_WRITING,
) -> Steps[Answer]:
    """An answer from passages, verified; none without any.

    Args:
        question: What it answers.
        held: What it may cite, best first.
        tools: Who writes and judges.
        passages: What is read in the place of each; None reads them as they are.
        writing: How.
    """
    drafts: tuple[Draft, ...] = ()
    if held:
        given = [item.passage for item in held] if passages is None else passages
        drafts = yield from tools.skills.answer(question, given, writing)
    if not drafts or not drafts[0].text.strip():
        return (yield from unanswered(question))
    yield Drafted(drafts[0].text, "first", 1, drafts[0].mean_probability)
    return (yield from conclude(question, drafts[0], held, tools))


def conclude(question: str, draft: Draft, held: Sequence[Evidence], tools: Tools) -> Steps[Answer]:
    """The draft with a verdict for each sentence.

    A sentence is judged by the passages that it cites; one that cites none by those that have most
    of its words, or, where no passages are held, by those that are found for it.

    Args:
        question: What it answers.
        draft: Its marks number ``held``, from 1.
        held: The passages that the draft was written from, best first.
        tools: Who judges, and how many passages a claim is judged by.
    """
    written = read(question, draft.text, held)
    if not written.claims:
        return (yield from unanswered(question))
    yield Segmented(written.claims)
    search = tools.checking.search
    if held:
        evidence = [
            tuple(held[place] for place in cited) or _nearest(claim, held, search.k or KEPT)
            for claim, cited in zip(written.claims, written.cited, strict=True)
        ]
        verdicts = yield from tools.judge(written.claims, evidence)
    else:
        found = yield from tools.look_up(written.claims, k=search.k, mode=search.mode)
        verdicts = tuple(one.verdict for one in found)
    answer = Answer(question, written.text, verdicts, probability=draft.probability)
    yield Settled(answer)
    return answer


def unanswered(question: str, rounds: int = 1) -> Steps[Answer]:
    """No answer."""
    answer = Answer(question, "", (), rounds)
    yield Settled(answer)
    return answer


def _nearest(claim: Claim, held: Sequence[Evidence], k: int) -> tuple[Evidence, ...]:
    """The passages that have most of a claim's words, at most k, in the order in which they are
    held."""
    said = content_words(claim.hypothesis)
    stems = [
        {word.stem for word in content_words(f"{item.passage.heading or ''} {item.passage.text}")}
        for item in unique(held)
    ]
    ranked = sorted(range(len(stems)), key=lambda place: -coverage(said, stems[place]))
    return tuple(unique(held)[place] for place in sorted(ranked[:k]))
