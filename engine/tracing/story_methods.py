"""What the events of a method are in a story."""

from collections.abc import Iterator

from veracite.engine.events import Event
from veracite.engine.methods.events import (
    Assessed,
    Attempted,
    Began,
    Chosen,
    Drafted,
    DraftKind,
    Proposed,
    QueryKind,
    Remembered,
    Searched,
    Selected,
    Settled,
    Simplified,
)
from veracite.engine.report import phrases
from veracite.engine.tracing.story_parts import Part, Passages, counted, quoted, verdict
from veracite.engine.types import Answer, Change, Label

_DRAFTS: dict[DraftKind, str] = {
    "first": "First draft",
    "sample": "One of several drafts",
    "refined": "Refined answer",
    "revised": "Revised text",
    "sentence": "Next sentence",
    "hypothetical": "Imagined passage",
    "note": "Note on a passage",
}
_QUERIES: dict[QueryKind, str] = {
    "question": "the question",
    "answer": "the question and an answer",
    "missing": "what was missing",
    "claim": "a claim",
}


def told_of_methods(event: Event, passages: Passages) -> Iterator[Part]:
    """The paragraphs about an event of a method; none for other events."""
    match event:
        case Began():
            yield from _began(event)
        case Drafted():
            yield from _drafted(event)
        case Searched():
            found = counted(len(event.evidence), "passage")
            yield Part(f"Search for {_QUERIES[event.kind]}{_round(event.round)}: {found}")
            yield Part(quoted(event.query), 2, "quote")
            yield from passages.found(event.evidence)
        case Selected():
            yield from _selected(event, passages)
        case Assessed(sufficient=sufficient, score=score):
            answer = "suffice" if sufficient else "do not suffice"
            yield Part(f"The passages {answer} for an answer{_round(event.round)}: {score:.2f}")
        case Remembered(long=long, short=short):
            yield Part("Memory:")
            yield from passages.numbers("long-term", long)
            yield from passages.numbers("short-term", short)
        case Attempted():
            yield Part(f"Attempt {event.attempt}, verified against the {event.by}:")
            yield Part(quoted(event.text), 2, "quote")
            yield from passages.numbers("passages", event.evidence)
            yield from verdict(event.verdict, told=True)
        case Simplified(kept=kept, dropped=dropped):
            yield Part("Citations that are not needed were dropped:")
            yield Part(quoted(event.text), 2, "quote")
            yield from passages.numbers("kept", kept)
            yield from passages.numbers("dropped", dropped)
        case Chosen():
            yield Part(f"Of two texts one was kept{_round(event.round)}: {event.reason}")
            yield Part(f"kept: {quoted(event.text)}", 2)
            yield Part(f"rejected: {quoted(event.rejected)}", 2, "dim")
        case Proposed(change=change):
            yield from _proposed(change)
        case Settled(answer=answer):
            yield Part(_settled(answer))
        case _:
            pass


def _began(event: Began) -> Iterator[Part]:
    what = f"Question: {event.question}" if event.question else "A text is mended"
    yield Part(what, 0, "heading")
    yield Part(f"Method {event.method}, by {event.skills}")
    if event.settings:
        settings = (f"{key} = {_setting(value)}" for key, value in event.settings.items())
        yield Part(", ".join(settings), 2, "dim")


def _setting(value: str | int | float | bool | None) -> str:
    return "none" if value is None else str(value).lower() if value in (True, False) else str(value)


def _drafted(event: Drafted) -> Iterator[Part]:
    sure = event.mean_probability
    aside = f" (mean probability {phrases.percent(sure)})" if sure else ""
    yield Part(f"{_DRAFTS[event.kind]}{_round(event.round)}{aside}:")
    yield Part(quoted(event.text) if event.text.strip() else "nothing was written", 2, "quote")


def _selected(event: Selected, passages: Passages) -> Iterator[Part]:
    kept = {item.passage.id for item in event.kept}
    rejected = [item for item in event.window if item.passage.id not in kept]
    among = counted(len(event.window), "passage")
    yield Part(f"{len(event.kept)} of {among} kept{_round(event.round)}:")
    yield from passages.numbers("kept, best first", event.kept)
    yield from passages.numbers("rejected", rejected)


def _proposed(change: Change) -> Iterator[Part]:
    yield Part("A claim was mended:" if change.kept else "A claim stays as it was:")
    yield Part(quoted(change.before.claim.text), 2, "quote")
    if change.text and change.text != change.before.claim.text:
        yield Part(f"{'now' if change.kept else 'tried'}: {quoted(change.text)}", 2)
    yield Part(change.reason, 2)


def _settled(answer: Answer) -> str:
    if not answer.verdicts:
        return "So far there is no answer."
    supported = sum(found.label is Label.SUPPORTED for found in answer.verdicts)
    number = len(answer.verdicts)
    return f"So the answer stands: {counted(number, 'sentence')}, {supported} of them supported."


def _round(number: int) -> str:
    return f" in round {number}" if number > 1 else ""
