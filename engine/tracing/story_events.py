"""What the events of a check are in a story, and its result."""

from collections.abc import Iterator

from veracite.engine.events import (
    Event,
    Finished,
    Judged,
    Opening,
    Retrieved,
    Segmented,
    Shortened,
    Unusable,
    Warned,
)
from veracite.engine.report import phrases
from veracite.engine.report.fixes import headline
from veracite.engine.report.phrases import NameFile
from veracite.engine.tracing.story_methods import told_of_methods
from veracite.engine.tracing.story_parts import Part, Passages, counted, quoted, sources, verdict
from veracite.engine.types import Report
from veracite.index.progress import FileFailed, FileRemoved, Scanned, Synced, Waiting


def told(event: Event, retrieved: Retrieved | None, passages: Passages) -> Iterator[Part]:
    """The paragraphs about an event; none where it says nothing that a story needs.

    Args:
        retrieved: For a verdict, what was looked up for it.
    """
    match event:
        case Judged():
            yield from _judged(event, retrieved, passages)
        case Segmented(claims=claims):
            if claims:
                idle = sum(claim.not_checkable is not None for claim in claims)
                aside = f", {idle} of them not checkable" if idle else ""
                yield Part(f"The text was cut into {counted(len(claims), 'claim')}{aside}.")
        case Unusable():
            yield Part(
                f"The reply to “{event.skill}” could not be used (attempt {event.attempt}): "
                + event.reason
            )
            yield Part(quoted(event.reply), 2, "quote")
        case Finished(report=report):
            yield from _result(report, passages.name)
        case _:
            yield from told_of_methods(event, passages)
            yield from (Part(sentence) for sentence in _sentences(event, passages.name))


def _sentences(event: Event, name: NameFile) -> Iterator[str]:
    match event:
        case Waiting():
            yield "Another process was changing the library, so it was waited for."
        case Scanned(files=files, to_read=new):
            yield f"The library was looked through: {counted(files, 'file')}, {new} to read."
        case FileFailed(path=path, reason=reason):
            yield f"{name(path)} could not be read: {reason}"
        case FileRemoved(path=path):
            yield f"{name(path)} is gone from the library."
        case Synced():
            failed = f", {event.failed} could not be read" if event.failed else ""
            documents, found = counted(event.documents, "document"), event.passages
            yield f"The library holds {documents}{failed}, {counted(found, 'passage')}."
            yield from event.notes
        case Opening(file=file, first_time=first):
            tried = " for the first time, so it was looked at before" if first else ""
            yield f"The language model {file} was opened{tried}."
        case Warned(message=message):
            yield f"Warning: {message}"
        case Shortened(skill=skill, dropped=dropped, trimmed=trimmed):
            yield (
                f"Not all passages fitted into the language model's context for “{skill}”: "
                f"{dropped} left out, {trimmed} cut."
            )
        case _:
            pass


def _judged(event: Judged, retrieved: Retrieved | None, passages: Passages) -> Iterator[Part]:
    found = event.verdict
    claim = found.claim
    if claim.not_checkable is not None:
        why = phrases.aside(found)
        yield Part(f"Claim {event.index + 1} is not checkable ({why}): {quoted(claim.statement)}")
        return
    remembered = " (remembered from before)" if event.cached else ""
    yield Part(f"Claim {event.index + 1}{remembered}: {quoted(claim.statement)}")
    if claim.resolved and claim.resolved != claim.statement:
        yield Part(f"read as: {quoted(claim.resolved)}", 2, "dim")
    if retrieved is not None:
        yield from passages.found(retrieved.evidence)
    yield from verdict(found)
    yield from sources(found.citations, passages.name)


def _result(report: Report, name: NameFile) -> Iterator[Part]:
    yield Part("The result", 0, "heading")
    if not report.complete:
        yield Part("Interrupted: there would have been more.", style="warning")
    if answer := report.answer:
        yield Part(
            f"Answer after {counted(answer.rounds, 'round')}:"
            if answer.text
            else "The library does not answer the question."
        )
        yield from _sentence_by_sentence(report, name)
        yield from sources(answer.nearest, name)
        for part in answer.unanswered:
            yield Part(f"No sentence found for: {part}", style="warning")
        if answer.sufficient is False:
            yield Part("The passages found do not suffice for an answer.", style="warning")
    if fix := report.fix:
        yield Part(f"{headline(report)}.")
        for change in fix.changes:
            if change.kept:
                now = quoted(change.text) if change.text else "taken out"
                yield Part(f"{quoted(change.before.claim.text)} is now: {now}", 2)
    yield Part(f"{phrases.claims_by_label(report)}. {phrases.documents(report)}.")
    yield from (Part(f"Note: {note}") for note in report.notes)


def _sentence_by_sentence(report: Report, name: NameFile) -> Iterator[Part]:
    for found in report.verdicts:
        symbol, word = phrases.SYMBOLS[found.label], phrases.LABEL_WORDS[found.label]
        yield Part(f"{symbol} {word}: {quoted(found.claim.statement)}", 2, label=found.label)
        yield from sources(found.citations, name)
