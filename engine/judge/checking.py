"""From claims to verdicts: look up, remember or judge, in groups so that the first come soon."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from veracite.engine.events import Judged, Retrieved, Shortened, SkillEvent, Warned, too_long
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.cascade import ModelJudge, Opinion
from veracite.engine.judge.judge import Judge, unread
from veracite.engine.judge.precedence import dated
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim, Verdict
from veracite.index.documents import Evidence

_TOGETHER = 16
"""Claims that are looked up and judged before the next ones."""
_ASKED_TOGETHER = 20
"""Claims that go to the second judge at once: enough to share passages, few to wait for."""
CheckingEvent = Retrieved | Judged | Warned | SkillEvent
_Find = Callable[[Sequence[int]], Sequence[tuple[Evidence, ...]]]
"""Places of claims to the evidence of each."""
_Waiting = list[tuple[int, str, Opinion]]
"""The places of claims that wait for the second judge, with the keys of their verdicts."""


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
    second: ModelJudge | None = None
    """Asked when the first is through, so that his slower verdicts hold up none of the others."""

    def judge_all(self, claims: Sequence[Claim], *, place: int = 0) -> Iterator[CheckingEvent]:
        """Each claim's evidence and verdict; verdicts arrive in any order, each exactly once.

        Args:
            claims: In the order of the text.
            place: A character of the text; the claims from there on come before the others.
        """
        gather = self.search.gather
        return self._counted(claims, lambda group: gather([claims[i] for i in group]), place)

    def judge_by(
        self, claims: Sequence[Claim], evidence: Sequence[tuple[Evidence, ...]]
    ) -> Iterator[CheckingEvent]:
        """The same by the evidence that is given for each claim, which nothing is added to."""
        return self._counted(claims, lambda group: [evidence[index] for index in group], 0)

    def _counted(self, claims: Sequence[Claim], find: _Find, place: int) -> Iterator[CheckingEvent]:
        total, done, short = len(claims), 0, set[str]()
        for event in self._events(claims, find, place):
            if isinstance(event, Judged):
                done += 1
                verdict = dated(event.verdict)
                event = replace(event, verdict=verdict, done=done, total=total)
            elif isinstance(event, Shortened):
                short.update(event.passages)
            yield event
        yield from too_long(short)

    def _events(self, claims: Sequence[Claim], find: _Find, place: int) -> Iterator[CheckingEvent]:
        read = {index: unread(claim) for index, claim in enumerate(claims) if claim.not_checkable}
        yield from map(_judged, read, read.values())
        checkable = [index for index in range(len(claims)) if index not in read]
        checkable.sort(key=lambda index: claims[index].end <= place)  # else as they stand
        waiting: _Waiting = []
        for start in range(0, len(checkable), _TOGETHER):
            waiting += yield from self._group(checkable[start : start + _TOGETHER], claims, find)
        for start in range(0, len(waiting), _ASKED_TOGETHER):
            yield from self._ask(waiting[start : start + _ASKED_TOGETHER])

    def _group(
        self, group: Sequence[int], claims: Sequence[Claim], find: _Find
    ) -> Generator[CheckingEvent, None, _Waiting]:
        """What is remembered, and else the first judge's verdicts; returns what waits."""
        evidence = find(group)
        yield from map(Retrieved, group, evidence)
        new = []
        for index, found in zip(group, evidence, strict=True):
            key = self.first.key(claims[index], found)
            remembered = self._remembered(key, claims[index])
            if remembered is None:
                new.append((index, key, found))
            else:
                yield _judged(index, remembered, cached=True)
        waiting: _Waiting = []
        first = self.first.judge([claims[i] for i, *_ in new], [found for *_, found in new])
        for place, verdict, reading in first:
            index, key, _ = new[place]
            self.memory.put(key, verdict)
            if self.second is not None and reading is not None and self.second.wants(verdict):
                waiting.append((index, self.second.key(key), Opinion(verdict, reading)))
            else:
                yield _judged(index, verdict)
        return waiting

    def _ask(self, waiting: _Waiting) -> Iterator[CheckingEvent]:
        assert self.second is not None
        rulings = yield from self.second.judge([opinion for *_, opinion in waiting])
        for (index, key, _), ruling in zip(waiting, rulings, strict=True):
            if ruling.answered:
                self.memory.put(key, ruling.verdict)
            yield _judged(index, ruling.verdict)

    def _remembered(self, key: str, claim: Claim) -> Verdict | None:
        """The last word on a claim, from an earlier check."""
        first = self.memory.get(key, claim)
        if first is None or self.second is None or not self.second.wants(first):
            return first
        return self.memory.get(self.second.key(key), claim)


def _judged(index: int, verdict: Verdict, *, cached: bool = False) -> Judged:
    return Judged(index, verdict, cached, done=0, total=0)
