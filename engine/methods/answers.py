"""From a drafted answer to its claims, to what each of them cites, and to their verdicts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from veracite.engine.claims.checkability import FRAGMENT, GREETING
from veracite.engine.claims.citation_marks import parse
from veracite.engine.claims.segmentation import segment
from veracite.engine.events import Chosen, Drafted, DraftKind, QueryKind, Segmented, Settled
from veracite.engine.methods.base import Steps, Tools, unique
from veracite.engine.retrieve import KEPT
from veracite.engine.skills.base import DEFAULT_WRITING, Draft, Writing
from veracite.engine.types import Answer, Claim, Label
from veracite.engine.wording.overlap import content_words, coverage, stems
from veracite.index.documents import Evidence, Passage

_ANSWERS_ALONE = (FRAGMENT, GREETING)
""" "1904" and "Yes." are no statements, and yet they answer a question."""


@dataclass(frozen=True, slots=True)
class Written:
    """An answer as it was written."""

    text: str
    """Without citation marks."""
    claims: tuple[Claim, ...]
    """Of its sentences, in order."""
    cited: tuple[tuple[int, ...], ...]
    """What the sentences of each claim cite: places of passages, from 0, as the answer has them;
    marks of passages that there are not are left out."""


def claims_of(question: str, text: str) -> tuple[Claim, ...]:
    """The claims of an answer; an answer of a few words is judged as the question with it."""
    return tuple(_whole(question, claim) for claim in segment(text, markdown=False))


def read(question: str, draft: str, passages: Sequence[object] = ()) -> Written:
    """Read a draft with marks such as [1][2].

    Args:
        question: What it answers.
        draft: As it was written.
        passages: What the marks number, from 1.
    """
    sentences = [one for one in parse(draft) if one.statement]
    text = " ".join(one.statement for one in sentences)
    ends = list(accumulate(len(one.statement) + 1 for one in sentences))
    claims = claims_of(question, text)
    numbers = [
        dict.fromkeys(
            number
            for one, end in zip(sentences, ends, strict=True)
            if claim.start < end and end - len(one.statement) <= claim.end
            for number in one.citations
        )
        for claim in claims
    ]
    cited = tuple(tuple(n - 1 for n in own if 1 <= n <= len(passages)) for own in numbers)
    return Written(text, claims, cited)


def _whole(question: str, claim: Claim) -> Claim:
    if claim.not_checkable not in _ANSWERS_ALONE:
        return claim
    asked = f"{question} {claim.statement}"
    return replace(claim, not_checkable=None, query=asked, resolved=asked, answers=question)


def imagined(question: str, tools: Tools) -> Steps[tuple[str, QueryKind]]:
    """An answer from memory to search with (HyDE, Gao et al. 2022); the question without one."""
    drafts = yield from tools.skills.answer(question, writing=Writing("plain"))
    for draft in drafts:
        if draft.text.strip():
            yield Drafted(draft.text, "hypothetical", 1, draft.mean_probability)
            return draft.text.strip(), "answer"
    return question, "question"


def read_from(
    question: str,
    held: Sequence[Evidence],
    tools: Tools,
    *,
    passages: Sequence[Passage] | None = None,
    writing: Writing = DEFAULT_WRITING,
) -> Steps[Answer]:
    """An answer from passages, verified; none without any.

    Of several samples the one whose citations support most of its sentences, of equals the first.

    Args:
        question: What it answers.
        held: What it may cite, best first.
        tools: Who writes and judges.
        passages: What is read in the place of each; None reads them as they are.
        writing: How.
    """
    drafts: Iterable[Draft] = ()
    if held:
        given = [item.passage for item in held] if passages is None else passages
        drafts = yield from tools.skills.answer(question, given, writing)
    kind: DraftKind = "first" if writing.samples == 1 else "sample"
    candidates: list[tuple[float, Draft]] = []
    for draft in drafts:
        if draft.text.strip():
            yield Drafted(draft.text, kind, 1, draft.mean_probability)
            several = writing.samples > 1
            recall = (yield from _citation_recall(question, draft, held, tools)) if several else 0.0
            candidates.append((recall, draft))
    if not candidates:
        return (yield from unanswered(question))
    recall, best = max(candidates, key=lambda candidate: candidate[0])
    for less, draft in candidates:
        if draft is not best:
            reason = f"Citations support {recall:.0%} of its sentences, {less:.0%} of the other's."
            yield Chosen(best.text, draft.text, reason, 1)
    return (yield from conclude(question, best, held, tools))


def _citation_recall(
    question: str, draft: Draft, held: Sequence[Evidence], tools: Tools
) -> Steps[float]:
    """The share of sentences that the passages which they cite together support (ALCE)."""
    written = read(question, draft.text, held)
    evidence = [[held[place] for place in cited] for cited in written.cited]
    verdicts = yield from tools.judge(written.claims, evidence)
    supported = sum(verdict.label is Label.SUPPORTED for verdict in verdicts)
    return supported / max(1, len(verdicts))


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
    if held:
        k = tools.checking.search.k or KEPT
        evidence = [
            tuple(held[place] for place in cited) or _nearest(claim, unique(held), k)
            for claim, cited in zip(written.claims, written.cited, strict=True)
        ]
        verdicts = yield from tools.judge(written.claims, evidence)
    else:
        found = yield from tools.look_up(written.claims)
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
    told = [stems(f"{item.passage.heading or ''} {item.passage.text}") for item in held]
    ranked = sorted(range(len(held)), key=lambda place: -coverage(said, told[place]))
    return tuple(held[place] for place in sorted(ranked[:k]))
