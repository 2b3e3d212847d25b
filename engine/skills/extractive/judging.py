"""Judging and citing by the bundled verifier and the decision fitted to it."""

from collections.abc import Sequence

from veracite.engine.judge.judge import Judge
from veracite.engine.skills.base import Judgement, Task
from veracite.engine.types import Claim, Scores, Verdict
from veracite.index.documents import Evidence, Passage

_SUPPORTS = 0.5
"""Passages that support a claim at least this probably are cited for it."""


def claim_of(statement: str) -> Claim:
    """A statement as a claim of its own."""
    return Claim(statement, 0, len(statement), statement, statement)


def verdicts(judge: Judge, asked: Sequence[tuple[Claim, Sequence[Passage]]]) -> tuple[Verdict, ...]:
    """The bundled judge's verdict on each claim by its passages, best first."""
    evidence = [
        tuple(Evidence(p, rank, 1 / (60 + rank), None, None) for rank, p in enumerate(found, 1))
        for _, found in asked
    ]
    judged = judge.judge([claim for claim, _ in asked], evidence)
    by_index = {index: verdict for index, verdict, _ in judged}
    return tuple(by_index[index] for index in range(len(asked)))


def judge(judge: Judge, tasks: Sequence[Task], joint: bool) -> tuple[Judgement, ...]:
    """Each task's passages one by one and, if asked for, together."""
    asked: list[tuple[Claim, Sequence[Passage]]] = []
    for task in tasks:
        asked += [(task.claim, (passage,)) for passage in task.passages]
        if joint and len(task.passages) > 1:
            asked.append((task.claim, task.passages))
    scores = iter([verdict.scores for verdict in verdicts(judge, asked)])
    found = []
    for task in tasks:
        alone = tuple(next(scores) for _ in task.passages)
        together: Scores | None = None
        if joint and alone:
            together = alone[0] if len(alone) == 1 else next(scores)
        found.append(Judgement(alone, together))
    return tuple(found)


def cite(judge: Judge, claim: str, passages: Sequence[Passage], most: int) -> tuple[int, ...]:
    """The fewest passages that support a claim: one that does alone, or some that do together.

    Returns:
        Their places, the one that supports most first; none if they do not support it.
    """
    said = claim_of(claim)
    quoted = [place for place, passage in enumerate(passages) if claim in passage.text]
    if quoted:
        return (quoted[0],)
    alone = [_supported(v) for v in verdicts(judge, [(said, (p,)) for p in passages])]
    order = sorted(range(len(passages)), key=lambda place: -alone[place])
    if order and alone[order[0]] >= _SUPPORTS:
        return (order[0],)
    for count in range(2, min(most, len(order)) + 1):
        if _support(judge, said, [passages[place] for place in order[:count]]):
            return _needed(judge, said, passages, order[:count])
    return ()


def _needed(
    judge: Judge, claim: Claim, passages: Sequence[Passage], places: Sequence[int]
) -> tuple[int, ...]:
    """The places without those that the others can do without, the weakest tried first."""
    kept = list(places)
    for place in reversed(places):
        rest = [other for other in kept if other != place]
        if rest and _support(judge, claim, [passages[other] for other in rest]):
            kept = rest
    return tuple(kept)


def _support(judge: Judge, claim: Claim, passages: Sequence[Passage]) -> bool:
    (verdict,) = verdicts(judge, [(claim, passages)])
    return _supported(verdict) >= _SUPPORTS


def _supported(verdict: Verdict) -> float:
    return verdict.scores.supported if verdict.scores else 0.0
