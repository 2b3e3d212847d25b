"""A trace as a story: what happened, one thing after the other, for people."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, Finished, Judged, Retrieved, Streamed
from veracite.engine.methods.events import Began, Searched
from veracite.engine.report.phrases import NameFile
from veracite.engine.tracing.story_events import told
from veracite.engine.tracing.story_parts import Part, Passages, Style, counted, quoted
from veracite.engine.tracing.trace import Entry, Gap

Ending = Literal["unknown", "going on", "stopped", "failed"]
"""What became of work whose trace has no result."""
_ENDINGS: dict[Ending, str] = {
    "unknown": "The trace ends here without a result: the work was interrupted, it failed, or it "
    "is still going on.",
    "going on": "Still going on …",
    "stopped": "The work was stopped here.",
    "failed": "The work failed here.",
}
_WORTH_TELLING = 0.1
"""Seconds; less is shown as none."""


def tell(
    trace: Iterable[Entry | Gap],
    name: NameFile,
    *,
    verbose: bool = False,
    ending: Ending = "unknown",
) -> Iterator[Part]:
    """The story of a trace, paragraph by paragraph, neutralised.

    Verdicts stand with the passages that were looked up for them, and what a language model was
    asked without anything else happening in between is one line.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        verbose: Show passages whole, and what a language model was asked and said word for word.
        ending: Said where there is no result; work that goes on has no totals yet.
    """
    for part in _told(_Story(Passages(name, verbose), verbose, ending), trace):
        yield replace(part, text=neutralise(part.text))


def _told(story: "_Story", trace: Iterable[Entry | Gap]) -> Iterator[Part]:
    for item in trace:
        if isinstance(item, Gap):
            yield Part(f"Line {item.line} cannot be read: {item.reason}.", style="warning")
        else:
            yield from story.take(item)
    yield from story.end()


@dataclass
class _Totals:
    """Sums of what happened since the last result."""

    searches: int = 0
    judged: int = 0
    remembered: int = 0
    asked: list[Asked] = field(default_factory=list)

    def count(self, event: Event) -> None:
        """Add what an event brings."""
        match event:
            case Searched():
                self.searches += 1
            case Judged(cached=cached):
                self.judged += 1
                self.remembered += int(cached)
            case Asked():
                self.asked.append(event)
            case _:
                pass

    def parts(self, seconds: float) -> Iterator[Part]:
        """Of what took so long."""
        said = [f"{seconds:.1f} s", counted(self.judged, "verdict")]
        if self.remembered:
            said.append(f"{self.remembered} of them remembered from before")
        if self.searches:
            said.append(counted(self.searches, "search", "searches"))
        if not self.asked:
            said.append("no language model was asked")
        yield Part("In total", 0, "heading")
        yield Part(f"{', '.join(said)}.")
        for skill in dict.fromkeys(event.skill for event in self.asked):
            own = [event for event in self.asked if event.skill == skill]
            yield Part(f"{skill}: {_cost(own)}", 2)


@dataclass
class _Story:
    """What was told so far, as far as the rest depends on it."""

    passages: Passages
    verbose: bool
    ending: Ending
    totals: _Totals = field(default_factory=_Totals)
    began: float = 0.0
    """When the work that the totals are of set out."""
    before: float = 0.0
    """Seconds of getting ready, which the totals leave out."""
    last: float = 0.0
    finished: bool = False
    asked: list[Entry] = field(default_factory=list)
    streamed: list[str] = field(default_factory=list)
    read: set[str] = field(default_factory=set)
    """Parts of prompts that were shown."""
    looked_up: dict[int, Retrieved] = field(default_factory=dict)
    """What waits for its verdict, by the number of its claim."""

    def take(self, entry: Entry) -> Iterator[Part]:
        """Tell one more thing, or keep it until what belongs to it is there."""
        self.last, self.finished = entry.at, False
        event = entry.event
        if isinstance(event, Asked):
            yield from self._asked_before(event)
            self.asked.append(entry)
        elif isinstance(event, Streamed):
            self.streamed.append(event.text)
        elif isinstance(event, Retrieved):
            self.looked_up[event.index] = event
        else:
            yield from self._held()
            if isinstance(event, Began):
                self.before = entry.at - self.began
                self._begin(entry.at)
            retrieved = None
            if isinstance(event, Judged):
                retrieved = self.looked_up.pop(event.index, None)
            at: float | None = entry.at
            for part in told(event, retrieved, self.passages):
                yield replace(part, at=at if part.depth else None)
                at = None if part.depth else at
        self.totals.count(event)
        if isinstance(event, Finished):
            yield from self._totals(entry.at)
            self._begin(entry.at)
            self.finished = True

    def end(self) -> Iterator[Part]:
        """What is left to tell when there is no more."""
        yield from self._held()
        if self.finished:
            return
        goes_on = self.ending == "going on"
        verdict = "has no verdict yet" if goes_on else "got no verdict"
        for event in self.looked_up.values():
            yield Part(f"Claim {event.index + 1} was looked up and {verdict}:", at=self.last)
            yield from self.passages.found(event.evidence)
        style: Style = "dim" if goes_on else "warning"
        yield Part(_ENDINGS[self.ending], style=style, at=self.last)
        if not goes_on:
            yield from self._totals(self.last)

    def _totals(self, at: float) -> Iterator[Part]:
        """Of the work until now, and what does not count as such."""
        yield from self.totals.parts(at - self.began)
        if self.before >= _WORTH_TELLING:
            left_out = "reading and encoding documents, loading models"
            yield Part(f"Not counted are the {self.before:.1f} s before that: {left_out}.")
            self.before = 0.0

    def _begin(self, at: float) -> None:
        self.began, self.totals = at, _Totals()
        self.looked_up.clear()

    def _asked_before(self, event: Asked) -> Iterator[Part]:
        """What was asked until now, if it is not of the same kind."""
        first = self.asked[0].event if self.asked else event
        if isinstance(first, Asked) and (first.skill, first.prompt) != (event.skill, event.prompt):
            yield from self._held()

    def _held(self) -> Iterator[Part]:
        events = [entry.event for entry in self.asked if isinstance(entry.event, Asked)]
        if events:
            who = f"The language model was asked for “{events[0].skill}” ({events[0].prompt})"
            yield Part(f"{who}: {_cost(events)}", at=self.asked[0].at)
        if self.verbose:
            yield from (part for event in events for part in self._word_for_word(event))
            if self.streamed and not any(event.reply for event in events):
                yield Part(quoted("".join(self.streamed)), 2, "quote")
        self.asked.clear()
        self.streamed.clear()

    def _word_for_word(self, event: Asked) -> Iterator[Part]:
        """A question, without the parts that were shown before, and the answer."""
        for message in event.messages:
            new = [part for part in message.parts if part not in self.read]
            self.read.update(new)
            if new:
                gap = " … " if len(new) < len(message.parts) else ""
                yield Part(f"{message.role}: {quoted(gap + ''.join(new))}", 2, "quote")
        if event.options:
            said = (f"{option} {share:.3f}" for option, share in event.options.items())
            yield Part(f"chosen: {', '.join(said)}", 2)
        if event.reply:
            yield Part(f"written: {quoted(event.reply)}", 2, "quote")


def _cost(asked: list[Asked]) -> str:
    """Calls, tokens and time."""
    return (
        f"{counted(len(asked), 'call')}, {sum(e.prefilled for e in asked):,} tokens read, "
        f"{sum(e.reused for e in asked):,} reused, {sum(e.generated for e in asked):,} written, "
        f"{sum(e.seconds for e in asked):.1f} s."
    )
