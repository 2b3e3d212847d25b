"""What the Ask view knows: questions, what the methods that were asked do and say, and the rest."""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from veracite.engine import events
from veracite.engine.conversations import Asked, Exchange, Reply
from veracite.engine.events import Began, Event, Streamed
from veracite.engine.libraries import Documents
from veracite.engine.methods.cost import Cost, Meter
from veracite.engine.story import Ending
from veracite.engine.trace import Entry, Gap
from veracite.engine.types import Answer, Claim, Report, Verdict
from veracite.index.progress import Encoded, FileRead
from veracite.tui.progress import warnings

_UNTOLD = (Streamed, FileRead, Encoded)
"""Events that come by the thousand and of which a trace tells nothing to people but the time: of
several in a row one is kept."""
_UNKNOWN = "an unknown method"


class Answering:
    """One method's answer while it grows and afterwards; fed with its events.

    Args:
        title: What the method is called.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self.reply: list[Entry | Gap] = []
        """What a trace tells of it."""
        self.draft = ""
        """What is being written, not verified."""
        self.claims: tuple[Claim, ...] = ()
        """Of a draft whose sentences are being verified."""
        self.verdicts: dict[Claim, Verdict] = {}
        """Of those that have one."""
        self.settled: Answer | None = None
        """The answer as far as it is verified."""
        self.report: Report | None = None
        self.failure: tuple[str, str] | None = None
        """Message and advice."""
        self.begun = False
        self.over = False
        self._last: Event | None = None
        self._start = 0.0
        """When the first event came."""

    @classmethod
    def of(cls, reply: Reply | None, title: str) -> "Answering":
        """One from before; None where nothing of it is kept."""
        kept = cls(title)
        for entry in reply or ():
            if isinstance(entry, Entry):
                kept.take(entry.event)
        if reply is None:
            kept.failure = "No answer of this method is kept.", "It was stopped, or it failed."
        kept.reply, kept.over = list(reply or ()), True
        return kept

    def take(self, event: Event) -> tuple[str, ...]:
        """Learn from an event; returns what the user should be warned of."""
        now, last, self._last = time.monotonic(), self._last, event
        self._start = self._start or now
        if isinstance(event, _UNTOLD) and isinstance(last, _UNTOLD):
            self.reply.pop()
        self.reply.append(Entry(now - self._start, event))
        match event:
            case Began():
                self.begun = True
            case Streamed(text=text):
                self._write(self.draft + text if isinstance(last, Streamed) else text)
            case events.Drafted(text=text):
                self._write(text)
            case events.Segmented(claims=claims):
                self._write("")
                self.claims = claims
            case events.Judged(verdict=verdict):
                self.verdicts[verdict.claim] = verdict
            case events.Settled(answer=answer):
                self._write("")
                self.settled = answer
            case events.Finished(report=report):
                self._write("")
                self.report, self.settled = report, report.answer
        return warnings(event)

    @property
    def cost(self) -> Cost:
        """Until now."""
        now = 0.0
        meter = Meter(lambda: now)
        for entry in self.reply:
            if isinstance(entry, Entry):
                now = entry.at
                meter.take(entry.event)
        return meter.cost

    @property
    def ending(self) -> Ending:
        """How it stands, where it has come to no result."""
        if not self.over:
            return "going on"
        return "failed" if self.failure else "stopped"

    def _write(self, draft: str) -> None:
        self.draft, self.claims, self.verdicts = draft, (), {}


@dataclass(frozen=True, slots=True)
class Turn:
    """A question, and the answer of each method that was asked."""

    asked: Asked
    answers: tuple[Answering, ...]

    @property
    def answered(self) -> bool:
        """Whether there is anything to keep."""
        return any(answer.report for answer in self.answers)

    @classmethod
    def of(cls, exchange: Exchange) -> "Turn":
        """One that is kept from before; with a place for each method that was asked."""
        replies = list(exchange.replies)
        answers = []
        for title in exchange.asked.methods or map(_method, exchange.replies):
            there = bool(replies) and _method(replies[0]) in (title.partition(" (")[0], _UNKNOWN)
            answers.append(Answering.of(replies.pop(0) if there else None, title))
        answers += [Answering.of(reply, _method(reply)) for reply in replies]
        return cls(exchange.asked, tuple(answers))

    def exchange(self) -> Exchange:
        """To be kept: what came to a report."""
        return Exchange(self.asked, tuple(tuple(a.reply) for a in self.answers if a.report))


class Conversation:
    """Questions and answers in their order, and the file that keeps them."""

    def __init__(self, exchanges: Iterable[Exchange] = (), path: Path | None = None) -> None:
        self.turns = list(map(Turn.of, exchanges))
        self.path = path
        """None until something is kept."""

    @property
    def questions(self) -> list[str]:
        """Each once, the last one last."""
        asked = [turn.asked.question for turn in self.turns]
        return list(dict.fromkeys(reversed(asked)))[::-1]

    def meant(self, question: str) -> str:
        """A question as it is meant behind the last one."""
        if not self.turns:
            return question
        from veracite.engine.skills.extractive.questions import follow_up

        last = self.turns[-1]
        said = next((one.settled.text for one in last.answers if one.settled), "")
        return follow_up(question, last.asked.meant or last.asked.question, said)

    @property
    def documents(self) -> Documents | None:
        """Those that answered last; None where that is not known."""
        return self.turns[-1].asked.documents if self.turns else None

    @property
    def reports(self) -> list[Report]:
        """Of every answer."""
        return [a.report for turn in self.turns for a in turn.answers if a.report]


def _method(reply: Reply) -> str:
    """Whose reply it is."""
    entries = (entry for entry in reply if isinstance(entry, Entry))
    names = (entry.event.method for entry in entries if isinstance(entry.event, Began))
    return next(names, _UNKNOWN)
