"""What ``veracite ask`` shows: an answer while it grows, answers side by side, and reports."""

import contextlib
import re
import shutil
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.display import neutralise, width_of, wrap
from veracite.engine.judge.unread import unread_question
from veracite.engine.methods.cost import Meter
from veracite.engine.report import phrases
from veracite.engine.report.answers import (
    INTERRUPTED,
    Compared,
    Comparison,
    Numbered,
    Sentence,
    doubts_below,
    hedge,
    marks,
    numbered,
    prose,
)
from veracite.engine.report.phrases import NameFile
from veracite.engine.skills.base import SkillSet
from veracite.engine.types import Answer, Citation, Report
from veracite.tui import console, text_report
from veracite.tui.cli import output as destination
from veracite.tui.cli.following import Record, Stopped, follow
from veracite.tui.cli.sources import Against
from veracite.tui.console import Look
from veracite.tui.text_report import LOOKS, documents, head, quoted

if TYPE_CHECKING:
    from veracite.engine.events import Event
    from veracite.engine.methods.catalogue import Configured
    from veracite.engine.workbench import Workbench

_INDENT = "    "
_LONGEST_QUOTE = 600
_LONGEST_NEAREST = 240


def render_answer(report: Report, look: Look, name: NameFile, *, verbose: bool = False) -> str:
    """The answer with its citations, and what is to be known about it.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        verbose: Show every near quote of what nothing settles, and why each sentence is judged so.
    """
    assert report.answer is not None
    laid_out = numbered(report.answer, near=None if verbose else 1)
    beginning = [
        *question_lines(report.answer.question, look),
        *hedge_lines(report.answer, look),
        *answer_lines(laid_out, look, verbose=verbose),
    ]
    rest = ending(report, look, name, verbose=verbose, hedged=True)
    return "".join(f"{line}\n" for line in beginning) + rest


def ending(
    report: Report, look: Look, name: NameFile, *, verbose: bool = False, hedged: bool = False
) -> str:
    """What stands below the sentences.

    Args:
        hedged: Whether ``hedge_lines`` stand above them; else they stand here.
    """
    assert report.answer is not None
    sources = numbered(report.answer, near=None if verbose else 1).sources
    lines = [
        *doubt_lines(report, look, hedged=hedged),
        *source_lines(sources, look, name, report.answer.text),
        *nearest_lines(report.answer.nearest, look, name, report.answer.question),
        *_about(report, look, name),
    ]
    return "".join(f"{line}\n" for line in lines)


def question_lines(question: str, look: Look) -> Iterator[str]:
    """What was asked, an empty line, and whether the models do not read its language."""
    for line in wrap(neutralise(question), look.width):
        yield look.paint(line, "bold")
    yield ""
    if note := unread_question(question):
        yield from wrap(f"Note: {note}", look.width)
        yield ""


def answer_lines(laid_out: Numbered, look: Look, *, verbose: bool = False) -> Iterator[str]:
    """The sentences."""
    for sentence in laid_out.sentences:
        yield from sentence_lines(sentence, look, verbose=verbose)


def sentence_lines(sentence: Sentence, look: Look, *, verbose: bool = False) -> Iterator[str]:
    """A sentence with its citations; one that is not supported says so before anything else."""
    verdict = sentence.verdict
    said = f"{neutralise(verdict.claim.statement)} {marks(sentence)}".rstrip()
    if sentence.is_fact:
        yield from wrap(said, look.width)
    else:
        for line in wrap(f"{head(verdict, look)}: {said}", look.width, hanging="  "):
            yield look.paint(line, *LOOKS[verdict.label])
    why = sentence.explanation or (verdict.explanation if verbose else "")
    for line in wrap(neutralise(why), look.width, "  "):
        yield look.paint(line, "dim")


def hedge_lines(answer: Answer, look: Look) -> Iterator[str]:
    """That the answer may be none, to stand above it, and an empty line."""
    if above := hedge(answer):
        yield from (look.paint(line, "bold") for line in wrap(above, look.width))
        yield ""


def doubt_lines(report: Report, look: Look, *, hedged: bool) -> Iterator[str]:
    """What makes the answer doubtful, without what stands above it, if that does."""
    assert report.answer is not None
    told = doubts_below(report, hedge(report.answer) if hedged else None)
    if told and report.answer.verdicts:
        yield ""
    for doubt in told:
        yield from (look.paint(line, "bold") for line in wrap(doubt, look.width))


def source_lines(
    sources: Sequence[Citation], look: Look, name: NameFile, answer: str
) -> Iterator[str]:
    """The quotes by their numbers; of long ones what they have in common with the answer."""
    for number, citation in enumerate(sources, start=1):
        yield ""
        yield from _quote(f"[{number}] ", citation, look, name, _LONGEST_QUOTE, answer)


def nearest_lines(
    citations: Sequence[Citation], look: Look, name: NameFile, question: str
) -> Iterator[str]:
    """What is nearest to the question."""
    if not citations:
        return
    yield ""
    title = "Nearest to the question in the documents:"
    yield from (look.paint(line, "bold") for line in wrap(title, look.width))
    for number, citation in enumerate(citations):
        if number:
            yield ""
        yield from _quote("", citation, look, name, _LONGEST_NEAREST, question)


def note_lines(notes: Iterable[str], question: str, look: Look) -> Iterator[str]:
    """Notes below an answer; what stands below its question already is left out."""
    told = unread_question(question)
    for note in notes:
        if note != told:
            yield from wrap(f"Note: {neutralise(note)}", look.width)


def _quote(
    number: str, citation: Citation, look: Look, name: NameFile, longest: int, said: str
) -> Iterator[str]:
    """Where a quote stands, and below it the quote."""
    place = f"{number}{phrases.place(citation, name)}"
    yield from (look.paint(line, "dim") for line in wrap(place, look.width, hanging=_INDENT))
    yield from wrap(quoted(prose(citation), look, longest, said), look.width, _INDENT)


def _about(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    """How the answer came about, in a few lines."""
    assert report.answer is not None
    yield ""
    yield from note_lines(report.notes, report.answer.question, look)
    if report.verdicts:
        counts = f"{phrases.claims_by_label(report)}."
        yield from (look.paint(line, "bold") for line in wrap(counts, look.width))
    yield f"Method: {report.method}."
    yield from documents(report, look, name)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question, and who it is put to."""

    bench: "Workbench"
    question: str
    against: Against
    skills: SkillSet | None
    wording: str | None
    record: Record
    stopped: Callable[[], bool]
    """Whether somebody has asked to stop."""


@dataclass(frozen=True, slots=True)
class Display:
    """Where the result goes, and how."""

    kind: str
    """One of the formats."""
    output: Path | None
    quiet: bool
    verbose: bool
    name: NameFile

    @property
    def on_screen(self) -> bool:
        """Whether it is written for people to standard output."""
        return self.kind == "text" and self.output is None


class Growing:
    """Writes sentences to standard output as they are settled.

    Args:
        display: How.
    """

    def __init__(self, display: Display) -> None:
        self._look = Look.of(sys.stdout)
        self._display = display
        self._written: tuple[Sentence, ...] = ()
        self._hedge: str | None = None
        """What was written above sentences of an answer that may be none."""

    def take(self, answer: Answer) -> None:
        """Write the sentences that are new."""
        sentences = self._sentences(answer)
        new = sentences[len(self._written) :]
        lines = [] if self._written or not new else [*question_lines(answer.question, self._look)]
        if new and self._hedge is None:
            self._hedge = hedge(answer)
            lines += hedge_lines(answer, self._look)
        for sentence in new:
            lines += sentence_lines(sentence, self._look, verbose=self._display.verbose)
        self._written = sentences
        console.write("".join(f"{line}\n" for line in lines))

    def finish(self, report: Report) -> None:
        """Write what is still to come; all of it if what is written does not hold."""
        assert report.answer is not None
        display = self._display
        if (
            not self._written
            or self._sentences(report.answer)[: len(self._written)] != self._written
        ):
            destination.send(
                report, display.kind, None, display.name, destination.Shown(verbose=display.verbose)
            )
            return
        self.take(report.answer)
        hedged = self._hedge == hedge(report.answer)
        rest = ending(report, self._look, display.name, verbose=display.verbose, hedged=hedged)
        console.write(rest)

    def _sentences(self, answer: Answer) -> tuple[Sentence, ...]:
        return numbered(answer, near=None if self._display.verbose else 1).sentences


@dataclass(frozen=True, slots=True)
class Answered:
    """What a method said."""

    report: Report
    growing: Growing | None
    """What has written a part of it."""

    @property
    def reports(self) -> tuple[Report, ...]:
        """The one."""
        return (self.report,)

    @property
    def complete(self) -> bool:
        """False if it was interrupted."""
        return self.report.complete

    def show(self, display: Display) -> None:
        """Write it.

        Raises:
            OutputError: It cannot be written.
        """
        if self.growing is not None:
            self.growing.finish(self.report)
            return
        shown = destination.Shown(verbose=display.verbose)
        destination.send(self.report, display.kind, display.output, display.name, shown)


def answer_one(asking: Asking, configured: "Configured", display: Display) -> Answered:
    """Ask the method.

    Raises:
        Stopped: Before anything was verified.
    """
    live = display.on_screen and configured.method.appends and console.is_terminal(sys.stdout)
    growing = Growing(display) if live else None
    report = follow(
        answering(asking, configured),
        asking.record,
        quiet=display.quiet,
        notes_follow=display.on_screen,
        drafts=True,
        settled=growing.take if growing else None,
        stopped=asking.stopped,
    )
    return Answered(report, growing)


def answering(asking: Asking, configured: "Configured") -> "Generator[Event]":
    """What happens while the method answers."""
    events = asking.bench.ask(
        asking.question,
        configured.method,
        configured.settings,
        against=asking.against,
        skills=asking.skills,
        wording=asking.wording,
    )
    with contextlib.closing(events):
        for event in events:
            yield event
            # The thread that waits for the signal may still be on its way.
            if asking.stopped():
                asking.bench.cancel()


_GAP = "   "
_NARROWEST = 44
"""Columns that an answer beside another needs."""
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_NAME = 20


def answer_side_by_side(
    asking: Asking, methods: "Sequence[Configured]", display: Display
) -> Comparison:
    """Ask the methods one after the other, until somebody has had enough.

    Raises:
        Stopped: Before anything was verified.
    """
    compared: list[Compared] = []
    for one in methods:
        try:
            compared.append(_asked(asking, one, display))
        except Stopped:
            if not compared:
                raise
        if asking.stopped():
            break
    complete = len(compared) == len(methods) and compared[-1].report.complete
    return Comparison(asking.question, tuple(compared), complete)


def _asked(asking: Asking, one: "Configured", display: Display) -> Compared:
    meter = Meter()

    def record(event: "Event") -> None:
        meter.take(event)
        asking.record(event)

    events = answering(replace(asking, record=record), one)
    report = follow(
        events,
        record,
        quiet=display.quiet,
        notes_follow=display.on_screen,
        drafts=True,
        stopped=asking.stopped,
    )
    return Compared(report, meter.cost)


def show_comparison(comparison: Comparison, display: Display) -> None:
    """Write what the methods said.

    Raises:
        OutputError: It cannot be written.
    """
    text = _rendered(comparison, display)
    destination.deliver(text, display.output, data=display.kind != "text")


def _rendered(comparison: Comparison, display: Display) -> str:
    if display.kind == "json":
        from veracite.engine.report import json

        return json.render_comparison(comparison)
    if display.kind == "md":
        from veracite.engine.report import markdown

        return markdown.render_comparison(comparison, display.name)
    if display.kind == "html":
        from veracite.engine.report import html

        return html.render_comparison(comparison, display.name)
    look = _look() if display.output is None else Look(False, True, 80)
    return "".join(f"{line}\n" for line in _compared_lines(comparison, look, display))


def _look() -> Look:
    """Of standard output, as wide as the terminal really is."""
    look = Look.of(sys.stdout)
    if console.is_terminal(sys.stdout):
        look = replace(look, width=max(look.width, shutil.get_terminal_size().columns))
    return look


def _compared_lines(comparison: Comparison, look: Look, display: Display) -> Iterator[str]:
    yield from question_lines(comparison.question, look)
    laid_out = comparison.laid_out(near=None if display.verbose else 1)
    told = list(zip(comparison.reports, laid_out, strict=True))
    room = (look.width - len(_GAP) * (len(told) - 1)) // len(told)
    if room >= _NARROWEST:
        narrow = replace(look, width=room)
        yield from _side_by_side([_answer(*one, narrow, display) for one in told], room)
    else:
        for number, one in enumerate(told):
            if number:
                yield ""
            yield from _answer(*one, look, display)
    answers = " ".join(one.answer.text for one in comparison.reports if one.answer)
    yield from source_lines(laid_out[-1].sources, look, display.name, answers)
    question = comparison.question
    yield from nearest_lines(comparison.nearest, look, display.name, question)
    yield ""
    yield from _costs(comparison, look)
    yield ""
    yield from _about_compared(comparison, look, display)


def _answer(report: Report, laid_out: Numbered, look: Look, display: Display) -> list[str]:
    """What a method said; its quotes stand below all answers, once."""
    assert report.method is not None
    assert report.answer is not None
    return [
        look.paint(report.method, "bold"),
        *hedge_lines(report.answer, look),
        *answer_lines(laid_out, look, verbose=display.verbose),
        *doubt_lines(report, look, hedged=True),
    ]


def _side_by_side(columns: Sequence[Sequence[str]], room: int) -> Iterator[str]:
    for row in zip_longest(*columns, fillvalue=""):
        padded = [line + " " * (room - _shown_width(line)) for line in row]
        yield _GAP.join(padded).rstrip()


def _shown_width(line: str) -> int:
    """Without the colours in it, which are no columns."""
    return width_of(_COLOURS.sub("", line))


def _costs(comparison: Comparison, look: Look) -> Iterator[str]:
    """A table, cut where it is wider than the screen."""
    names = [one.method or "" for one in comparison.reports]
    room = max(map(width_of, names)) + len(_GAP)
    fitting = max(1, (look.width - _NAME) // room)
    for start in range(0, len(names), fitting):
        part = slice(start, start + fitting)
        head = "".join(f"{name:>{room}}" for name in names[part])
        yield look.paint(f"{'':{_NAME}}{head}", "bold")
        for measure, figures in comparison.measures:
            yield f"{measure:{_NAME}}" + "".join(f"{figure:>{room}}" for figure in figures[part])


def _about_compared(comparison: Comparison, look: Look, display: Display) -> Iterator[str]:
    yield from note_lines(comparison.notes, comparison.question, look)
    if not comparison.complete:
        yield from (look.paint(line, "bold") for line in wrap(INTERRUPTED, look.width))
    yield from text_report.documents(comparison.reports[-1], look, display.name)
