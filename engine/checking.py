"""From claims to verdicts: look up, remember or judge, in groups so that the first come soon."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from veracite.engine.cache import Memory
from veracite.engine.events import Judged, Retrieved, Shortened, SkillEvent, Warned
from veracite.engine.evidence import Search
from veracite.engine.features import Reading
from veracite.engine.skills.base import Steps
from veracite.engine.verify import Judge, not_checkable
from veracite.engine.words import Claim, Verdict
from veracite.index.documents import Evidence

__all__ = ["Checking", "Opinion", "SecondJudge"]

_TOGETHER = 16
"""Claims that are looked up and judged before the next ones."""
_ASKED_TOGETHER = 20
"""Claims that go to the second judge at once: enough to share passages, few to wait for."""

_Event = Retrieved | Judged | Warned | SkillEvent


@dataclass(frozen=True, slots=True)
class Opinion:
    """The first judge's verdict on a claim, with what it rests on."""

    verdict: Verdict
    reading: Reading


class SecondJudge(Protocol):
    """What checking needs of a judge who is asked after the first."""

    def key(self, first: str, /) -> str:
        """What a verdict is remembered under, from the first judge's key."""
        ...

    def wants(self, verdict: Verdict, /) -> bool:
        """Whether the first judge's verdict is not the last word."""
        ...

    def judge(self, opinions: Sequence[Opinion], /) -> Steps[tuple[Verdict, ...]]:
        """The verdicts, in order; none depends on what it is asked together with."""
        ...


@dataclass(frozen=True, slots=True)
class _Open:
    """A claim that waits for the second judge."""

    index: int
    key: str
    opinion: Opinion


@dataclass(frozen=True, slots=True)
class Checking:
    """What a check is carried out with.

    Each judge's verdict is remembered under exactly what it depends on: another second judge, or
    one for the first time, is asked only about the claims that he wants, and the first is not
    asked anew about the others.
    """

    search: Search
    first: Judge
    memory: Memory
    second: SecondJudge | None = None
    """Asked when the first is through, so that his slower verdicts hold up none of the others."""

    def judge_all(self, claims: Sequence[Claim]) -> Iterator[_Event]:
        """Each claim's evidence and verdict; verdicts arrive in any order, each exactly once."""
        total = len(claims)
        done = shortened = 0
        for event in self._events(claims):
            if isinstance(event, Judged):
                done += 1
                event = replace(event, done=done, total=total)
            elif isinstance(event, Shortened):
                shortened += event.dropped + event.trimmed
            yield event
        if shortened:
            yield Warned(_too_long(shortened))

    def _events(self, claims: Sequence[Claim]) -> Iterator[_Event]:
        checkable = []
        for index, claim in enumerate(claims):
            if claim.not_checkable is None:
                checkable.append(index)
            else:
                yield _judged(index, not_checkable(claim))
        waiting: list[_Open] = []
        for start in range(0, len(checkable), _TOGETHER):
            waiting += yield from self._group(checkable[start : start + _TOGETHER], claims)
        for start in range(0, len(waiting), _ASKED_TOGETHER):
            yield from self._ask(waiting[start : start + _ASKED_TOGETHER])

    def _group(
        self, group: Sequence[int], claims: Sequence[Claim]
    ) -> Generator[_Event, None, list[_Open]]:
        found = self.search.gather([claims[index] for index in group])
        evidence = dict(zip(group, found, strict=True))
        for index in group:
            yield Retrieved(index, evidence[index])
        keys = {index: self.first.key(claims[index], evidence[index]) for index in group}
        new = []
        for index in group:
            remembered = self._remembered(keys[index], claims[index])
            if remembered is None:
                new.append(index)
            else:
                yield _judged(index, remembered, cached=True)
        return (yield from self._read(new, keys, claims, evidence))

    def _read(
        self,
        new: Sequence[int],
        keys: dict[int, str],
        claims: Sequence[Claim],
        evidence: dict[int, tuple[Evidence, ...]],
    ) -> Generator[_Event, None, list[_Open]]:
        """The first judge's verdicts; returns what waits for the second."""
        waiting = []
        first = self.first.judge([claims[i] for i in new], [evidence[i] for i in new])
        for place, verdict, reading in first:
            index = new[place]
            self.memory.put(keys[index], verdict)
            if self.second is not None and reading is not None and self.second.wants(verdict):
                waiting.append(
                    _Open(index, self.second.key(keys[index]), Opinion(verdict, reading))
                )
            else:
                yield _judged(index, verdict)
        return waiting

    def _ask(self, waiting: Sequence[_Open]) -> Iterator[_Event]:
        assert self.second is not None
        verdicts = yield from self.second.judge([item.opinion for item in waiting])
        for item, verdict in zip(waiting, verdicts, strict=True):
            self.memory.put(item.key, verdict)
            yield _judged(item.index, verdict)

    def _remembered(self, key: str, claim: Claim) -> Verdict | None:
        """The last word on a claim, from an earlier check."""
        first = self.memory.get(key, claim)
        if first is None or self.second is None or not self.second.wants(first):
            return first
        return self.memory.get(self.second.key(key), claim)


def _too_long(passages: int) -> str:
    what = "1 passage was" if passages == 1 else f"{passages} passages were"
    return (
        f"{what} too long for the language model's context and left out or cut at the end of a "
        "sentence. A larger --context lets it read all."
    )


def _judged(index: int, verdict: Verdict, *, cached: bool = False) -> Judged:
    return Judged(index, verdict, cached, done=0, total=0)
