"""From claims to verdicts: look up, remember or judge, in groups so that the first come soon."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from veracite.engine.events import Judged, Retrieved, Shortened, SkillEvent, Warned
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.decision import Reading
from veracite.engine.judge.judge import not_checkable
from veracite.engine.retrieve import Search
from veracite.engine.skills.base import Steps
from veracite.engine.types import Claim, Verdict
from veracite.index.documents import Document, Evidence, Passage, Sentence

_TOGETHER = 16
"""Claims that are looked up and judged before the next ones."""
_ASKED_TOGETHER = 20
"""Claims that go to the second judge at once: enough to share passages, few to wait for."""

CheckingEvent = Retrieved | Judged | Warned | SkillEvent
_Find = Callable[[Sequence[int]], Sequence[tuple[Evidence, ...]]]
"""Places of claims to the evidence of each."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """The first judge's verdict on a claim, with what it rests on."""

    verdict: Verdict
    reading: Reading


@dataclass(frozen=True, slots=True)
class Ruling:
    """The second judge's verdict on a claim."""

    verdict: Verdict
    answered: bool
    """Whether anything he was told could be used; without that it is not remembered."""


class FirstJudge(Protocol):
    """What checking needs of the judge who reads every claim: ``judge.judge.Judge``."""

    @property
    def sentences(self) -> Callable[[Passage], Sequence[Sentence]]:
        """A passage's sentences."""
        ...

    @property
    def raw_text(self) -> Callable[[Document], str]:
        """A document's extracted text."""
        ...

    def key(self, claim: Claim, evidence: Sequence[Evidence], /) -> str:
        """What a verdict is remembered under."""
        ...

    def judge(
        self, claims: Sequence[Claim], evidence: Sequence[Sequence[Evidence]], /
    ) -> Iterator[tuple[int, Verdict, Reading | None]]:
        """Verdicts with their places in ``claims``, in no fixed order, and what they rest on."""
        ...


class SecondJudge(Protocol):
    """What checking needs of a judge who is asked after the first."""

    def key(self, first: str, /) -> str:
        """What a verdict is remembered under, from the first judge's key."""
        ...

    def wants(self, verdict: Verdict, /) -> bool:
        """Whether the first judge's verdict is not the last word."""
        ...

    def judge(self, opinions: Sequence[Opinion], /) -> Steps[tuple[Ruling, ...]]:
        """The rulings, in order; none depends on what it is asked together with."""
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
    first: FirstJudge
    memory: Memory
    second: SecondJudge | None = None
    """Asked when the first is through, so that his slower verdicts hold up none of the others."""

    def judge_all(self, claims: Sequence[Claim], *, place: int = 0) -> Iterator[CheckingEvent]:
        """Each claim's evidence and verdict; verdicts arrive in any order, each exactly once.

        Args:
            claims: In the order of the text.
            place: A character of the text; the claims from there on come before the others.
        """
        return self._counted(
            claims, lambda group: self.search.gather([claims[i] for i in group]), place
        )

    def judge_by(
        self, claims: Sequence[Claim], evidence: Sequence[tuple[Evidence, ...]]
    ) -> Iterator[CheckingEvent]:
        """The same by the evidence that is given for each claim, which nothing is added to."""
        return self._counted(claims, lambda group: [evidence[index] for index in group])

    def _counted(
        self, claims: Sequence[Claim], find: _Find, place: int = 0
    ) -> Iterator[CheckingEvent]:
        total = len(claims)
        done, short = 0, set[str]()
        for event in self._events(claims, find, place):
            if isinstance(event, Judged):
                done += 1
                event = replace(event, done=done, total=total)
            elif isinstance(event, Shortened):
                short.update(event.passages)
            yield event
        if short:
            yield Warned(_too_long(len(short)))

    def _events(self, claims: Sequence[Claim], find: _Find, place: int) -> Iterator[CheckingEvent]:
        checkable = []
        for index, claim in enumerate(claims):
            if claim.not_checkable is None:
                checkable.append(index)
            else:
                yield _judged(index, not_checkable(claim))
        checkable.sort(key=lambda index: claims[index].end <= place)  # else as they stand
        waiting: list[_Open] = []
        for start in range(0, len(checkable), _TOGETHER):
            waiting += yield from self._group(checkable[start : start + _TOGETHER], claims, find)
        for start in range(0, len(waiting), _ASKED_TOGETHER):
            yield from self._ask(waiting[start : start + _ASKED_TOGETHER])

    def _group(
        self, group: Sequence[int], claims: Sequence[Claim], find: _Find
    ) -> Generator[CheckingEvent, None, list[_Open]]:
        evidence = dict(zip(group, find(group), strict=True))
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
    ) -> Generator[CheckingEvent, None, list[_Open]]:
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

    def _ask(self, waiting: Sequence[_Open]) -> Iterator[CheckingEvent]:
        assert self.second is not None
        rulings = yield from self.second.judge([item.opinion for item in waiting])
        for item, ruling in zip(waiting, rulings, strict=True):
            if ruling.answered:
                self.memory.put(item.key, ruling.verdict)
            yield _judged(item.index, ruling.verdict)

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
