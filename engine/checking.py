"""From claims to verdicts: look up, remember or judge, in groups so that the first come soon."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veracite.engine.cache import Memory
from veracite.engine.events import Judged, Retrieved
from veracite.engine.evidence import Search
from veracite.engine.verify import Judge, not_checkable
from veracite.engine.words import Claim

__all__ = ["judge_all"]

_TOGETHER = 16
"""Claims that are looked up and judged before the next ones."""


def judge_all(
    claims: Sequence[Claim], search: Search, judge: Judge, memory: Memory
) -> Iterator[Retrieved | Judged]:
    """Each claim's evidence and verdict; verdicts arrive in any order, each exactly once."""
    total = len(claims)
    done = 0
    for event in _events(claims, search, judge, memory):
        if isinstance(event, Judged):
            done += 1
            event = replace(event, done=done, total=total)
        yield event


def _events(
    claims: Sequence[Claim], search: Search, judge: Judge, memory: Memory
) -> Iterator[Retrieved | Judged]:
    checkable = []
    for index, claim in enumerate(claims):
        if claim.not_checkable is None:
            checkable.append(index)
        else:
            yield Judged(index, not_checkable(claim), cached=False, done=0, total=0)
    for start in range(0, len(checkable), _TOGETHER):
        yield from _group(checkable[start : start + _TOGETHER], claims, search, judge, memory)


def _group(
    group: Sequence[int], claims: Sequence[Claim], search: Search, judge: Judge, memory: Memory
) -> Iterator[Retrieved | Judged]:
    found = search.gather([claims[index] for index in group])
    evidence = dict(zip(group, found, strict=True))
    for index in group:
        yield Retrieved(index, evidence[index])
    keys = {index: judge.key(claims[index], evidence[index]) for index in group}
    new = []
    for index in group:
        remembered = memory.get(keys[index], claims[index])
        if remembered is None:
            new.append(index)
        else:
            yield Judged(index, remembered, cached=True, done=0, total=0)
    for place, verdict in judge.judge([claims[i] for i in new], [evidence[i] for i in new]):
        index = new[place]
        memory.put(keys[index], verdict)
        yield Judged(index, verdict, cached=False, done=0, total=0)
