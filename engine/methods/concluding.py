"""The end of every method that does not verify as it goes: the draft's sentences get verdicts."""

from collections.abc import Sequence

from veracite.engine.events import Segmented
from veracite.engine.methods.base import Steps, Tools, unique
from veracite.engine.methods.events import Settled
from veracite.engine.methods.statements import read
from veracite.engine.retrieve import KEPT
from veracite.engine.skills.base import Draft
from veracite.engine.types import Answer, Claim
from veracite.engine.wording.overlap import content_words, coverage
from veracite.index.documents import Evidence


def conclude(
    question: str,
    draft: Draft,
    held: Sequence[Evidence],
    tools: Tools,
    *,
    rounds: int = 1,
    sufficient: bool | None = None,
) -> Steps[Answer]:
    """The draft with a verdict for each sentence.

    A sentence is judged by the passages that it cites; one that cites none by those that have most
    of its words, or, where no passages are held, by those that are found for it.

    Args:
        question: What it answers.
        draft: Its marks number ``held``, from 1.
        held: The passages that the draft was written from, best first.
        tools: Who judges, and how many passages a claim is judged by.
        rounds: See ``Answer``.
        sufficient: See ``Answer``.
    """
    written = read(question, draft.text, held)
    if not written.claims:
        return (yield from unanswered(question, tools, rounds=rounds, sufficient=sufficient))
    yield Segmented(written.claims)
    search = tools.checking.search
    if held:
        evidence = [
            tuple(held[place] for place in cited) or _nearest(claim, held, search.k or KEPT)
            for claim, cited in zip(written.claims, written.cited, strict=True)
        ]
        verdicts = yield from tools.judge(written.claims, evidence)
    else:
        verdicts = yield from tools.look_up(written.claims, k=search.k, mode=search.mode)
    answer = Answer(question, written.text, verdicts, rounds, sufficient, draft.probability)
    yield Settled(answer)
    return answer


def unanswered(
    question: str, tools: Tools, *, rounds: int = 1, sufficient: bool | None = None
) -> Steps[Answer]:
    """No answer."""
    answer = Answer(question, "", (), rounds, sufficient)
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
