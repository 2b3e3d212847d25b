"""A trace as a story: what happened, one thing after the other, for people."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal

from veracite.engine import events
from veracite.engine.display import neutralise
from veracite.engine.events import Asked, Event, MethodEvent, SkillEvent
from veracite.engine.methods.cost import Meter
from veracite.engine.report import phrases
from veracite.engine.report.answers import doubts
from veracite.engine.report.fixes import headline
from veracite.engine.report.phrases import NameFile, counted
from veracite.engine.trace import Entry, Gap
from veracite.engine.types import Citation, Label, Report, Verdict
from veracite.index.documents import Evidence, Passage
from veracite.index.progress import FileFailed, Synced

Ending = Literal["unknown", "going on", "stopped", "failed"]
"""What became of work whose trace has no result."""
Style = Literal["plain", "heading", "quote", "beginning", "dim", "warning"]
"""A beginning is a quote of which one line is enough."""

_MOST = 5
"""Passages of one search that are listed."""
_ENDINGS: dict[Ending, str] = {
    "unknown": "The trace ends here without a result: the work was interrupted, it failed, or it "
    "is still going on.",
    "going on": "Still going on …",
    "stopped": "The work was stopped here.",
    "failed": "The work failed here.",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A paragraph of a story, not yet cut into lines."""

    text: str
    depth: int = 1
    """How far it is indented: 0 for a heading, 1 for what happened, more for what belongs to it."""
    style: Style = "plain"
    at: float | None = None
    """Seconds since the beginning; None for what belongs to the paragraph before."""
    label: Label | None = None
    """The label that the paragraph is about."""


def tell(
    trace: Iterable[Entry | Gap], name: NameFile, *, ending: Ending = "unknown"
) -> Iterator[Part]:
    """The story of a trace, paragraph by paragraph, neutralised.

    Verdicts stand with the passages that were looked up for them, and what a language model was
    asked without anything else happening in between is one line.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        ending: Said where there is no result; work that goes on has no totals yet.
    """
    story = _Story(name)
    for item in trace:
        yield from map(_harmless, story.take(item))
    yield from map(_harmless, story.end(ending))


def _harmless(part: Part) -> Part:
    return replace(part, text=neutralise(part.text))


class _Story:
    """What was told so far, as far as the rest depends on it.

    Each passage has a number, and its words are shown once.
    """

    def __init__(self, name: NameFile) -> None:
        self.name = name
        self.last = 0.0
        self.finished = False
        self.meter = Meter(lambda: self.last, began=0.0)
        self.asked: list[tuple[float, Asked]] = []
        self.looked_up: dict[int, events.Retrieved] = {}
        """What waits for its verdict, by the number of its claim."""
        self.numbers: dict[Passage, int] = {}
        self.told: set[Passage] = set()

    def take(self, item: Entry | Gap) -> Iterator[Part]:
        """Tell one more thing, or keep it until what belongs to it is there."""
        if isinstance(item, Gap):
            yield Part(f"Line {item.line} cannot be read: {item.reason}.", style="warning")
            return
        event, self.last = item.event, item.at
        self.meter.take(event)
        self.finished = isinstance(event, events.Finished)
        if isinstance(event, Asked):
            if self.asked and self.asked[-1][1].prompt != event.prompt:
                yield from self._held()
            self.asked.append((item.at, event))
        elif isinstance(event, events.Retrieved):
            self.looked_up[event.index] = event
        elif not isinstance(event, events.Streamed):
            yield from self._held()
            at: float | None = item.at
            for part in self._told(event):
                yield replace(part, at=at if part.depth else None)
                at = None if part.depth else at
        if self.finished:
            yield from self._totals()

    def end(self, ending: Ending) -> Iterator[Part]:
        """What is left to tell when there is no more."""
        yield from self._held()
        if self.finished:
            return
        goes_on = ending == "going on"
        verdict = "has no verdict yet" if goes_on else "got no verdict"
        for event in self.looked_up.values():
            yield Part(f"Claim {event.index + 1} was looked up and {verdict}:", at=self.last)
            yield from self._found(event.evidence)
        yield Part(_ENDINGS[ending], style="dim" if goes_on else "warning", at=self.last)
        if not goes_on:
            yield from self._totals()

    def _told(self, event: Event) -> Iterator[Part]:
        """The paragraphs about an event; none where it says nothing that a story needs."""
        match event:
            case FileFailed(path=path, reason=reason):
                yield Part(f"{self.name(path)} could not be read: {reason}")
            case Synced(documents=documents, failed=failed, passages=passages, notes=notes):
                unread = f", {failed} could not be read" if failed else ""
                held = f"{counted(documents, 'document')}{unread}, {counted(passages, 'passage')}"
                yield Part(f"The library holds {held}.")
                yield from map(Part, notes)
            case events.Segmented(claims=claims) if claims:
                idle = sum(claim.not_checkable is not None for claim in claims)
                aside = f", {idle} of them not checkable" if idle else ""
                yield Part(f"The text was cut into {counted(len(claims), 'claim')}{aside}.")
            case events.Judged():
                yield from self._judged(event)
            case events.Finished(report=report):
                yield from _result(report)
                if report.answer:
                    yield from self._sources(report.answer.nearest)
            case events.Began(question=question, settings=settings):
                doing = f"Question: {question}" if question else "A text is mended"
                yield Part(doing, 0, "heading")
                yield Part(f"Method {event.method}, by {event.skills}")
                if settings:
                    said = ", ".join(
                        f"{key} = {str(value).lower()}" for key, value in settings.items()
                    )
                    yield Part(said, 2, "dim")
            case events.Proposed(change=change):
                yield Part("A claim was mended:" if change.kept else "A claim stays as it was:")
                yield Part(quoted(change.before.claim.text), 2, "quote")
                if change.text and change.text != change.before.claim.text:
                    yield Part(f"{'now' if change.kept else 'tried'}: {quoted(change.text)}", 2)
                yield Part(change.reason, 2)
            case _ if isinstance(event, MethodEvent | SkillEvent | events.Opening | events.Warned):
                yield from self._plainly(event)

    def _plainly(self, event: Event) -> Iterator[Part]:
        """An event by its name and its fields as the trace has them, passages by their numbers;
        before these the words of passages that were not shown as yet."""
        held = {each.name.replace("_", " "): getattr(event, each.name) for each in fields(event)}
        counts = {name: value for name, value in held.items() if isinstance(value, int | float)}
        said = ", ".join(
            f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}".lower()
            for name, value in counts.items()
        )
        yield Part(f"{type(event).__name__}{f' ({said})' if said else ''}")
        for name, value in held.items():
            match value:
                case str():
                    yield Part(f"{name}: {quoted(value)}", 2, "quote")
                case Verdict():
                    yield _labelled(value)
                case [Evidence(), *_] | []:
                    yield from self._found([e for e in value if e.passage not in self.told])
                    numbers = " ".join(f"[{self._number(e.passage)}]" for e in value)
                    yield Part(f"{name}: {numbers or 'none'}", 2)

    def _judged(self, event: events.Judged) -> Iterator[Part]:
        found, claim = event.verdict, event.verdict.claim
        retrieved = self.looked_up.pop(event.index, None)
        number = f"Claim {event.index + 1}"
        if claim.not_checkable is not None:
            why = phrases.aside(found)
            yield Part(f"{number} is not checkable ({why}): {quoted(claim.statement)}")
            return
        remembered = " (remembered from before)" if event.cached else ""
        yield Part(f"{number}{remembered}: {quoted(claim.statement)}")
        if claim.resolved and claim.resolved != claim.statement:
            yield Part(f"read as: {quoted(claim.resolved)}", 2, "dim")
        if retrieved is not None:
            yield from self._found(retrieved.evidence)
        yield _labelled(found)
        yield Part(found.explanation, 2)
        scores = asdict(found.scores) if found.scores else {}
        said = ", ".join(f"{side} {share:.2f}" for side, share in scores.items())
        yield Part(": ".join(filter(None, (f"judged by {found.judge}", said))), 2, "dim")
        yield from self._sources(found.citations)

    def _sources(self, citations: Iterable[Citation]) -> Iterator[Part]:
        """Each quote and where it stands."""
        for citation in citations:
            yield Part(quoted(citation.quote), 3, "quote")
            relation = phrases.RELATION_WORDS[citation.relation]
            yield Part(f"{relation}: {phrases.place(citation, self.name)}", 3, "dim")

    def _totals(self) -> Iterator[Part]:
        yield Part("In total", 0, "heading")
        yield Part(f"{phrases.spent(self.meter.cost)}.")
        self.looked_up.clear()

    def _held(self) -> Iterator[Part]:
        """What a language model was asked in a row."""
        if self.asked:
            at, first = self.asked[0]
            who = f"The language model was asked for “{first.skill}” ({first.prompt})"
            yield Part(f"{who}: {_cost([event for _, event in self.asked])}", at=at)
        self.asked.clear()

    def _found(self, evidence: Sequence[Evidence]) -> Iterator[Part]:
        """A paragraph for each of the first, with its scores; its words where it occurs for the
        first time."""
        for item in evidence[:_MOST]:
            passage = item.passage
            page = f", page {passage.page}" if passage.page is not None else ""
            cosine = f", cosine {item.cosine:.2f}" if item.cosine is not None else ""
            bm25 = f", BM25 {item.bm25:.1f}" if item.bm25 is not None else ""
            file = f"[{self._number(passage)}] {self.name(passage.document.path)}{page}"
            yield Part(f"{file} (score {item.score:.4f}{cosine}{bm25})", 2)
            if passage not in self.told:
                yield Part(quoted(passage.text), 3, "beginning")
            self.told.add(passage)
        if (more := len(evidence) - _MOST) > 0:
            yield Part(f"and {counted(more, 'more passage')}", 2, "dim")

    def _number(self, passage: Passage) -> int:
        return self.numbers.setdefault(passage, len(self.numbers) + 1)


def _result(report: Report) -> Iterator[Part]:
    yield Part("The result", 0, "heading")
    if report.answer:
        if report.verdicts:
            yield Part(f"Answer after {counted(report.answer.rounds, 'round')}:")
        for found in report.verdicts:
            said = f"{phrases.labelled(found.label)}: {quoted(found.claim.statement)}"
            yield Part(said, 2, label=found.label)
        yield from (Part(doubt) for doubt in doubts(report))
    elif report.fix:
        interrupted = "" if report.complete else " Interrupted before everything was done."
        yield Part(f"{headline(report)}.{interrupted}")
    yield Part(f"{phrases.claims_by_label(report)}. {phrases.documents(report)}.")
    yield from (Part(f"Note: {note}") for note in report.notes)


def _labelled(found: Verdict) -> Part:
    said = f"{phrases.labelled(found.label)} ({phrases.aside(found)})"
    return Part(said, 2, label=found.label)


def quoted(text: str) -> str:
    """In quotation marks and on one line."""
    return f"“{' '.join(text.split())}”"


def _cost(asked: list[Asked]) -> str:
    """Calls, tokens and time."""
    return (
        f"{counted(len(asked), 'call')}, {sum(e.prefilled for e in asked):,} tokens read, "
        f"{sum(e.reused for e in asked):,} reused, {sum(e.generated for e in asked):,} written, "
        f"{sum(e.seconds for e in asked):.1f} s."
    )
