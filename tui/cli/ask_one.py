"""One method answers: run, and shown while it grows or when it is there."""

import contextlib
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.report.answers import Sentence, hedge, numbered
from veracite.engine.report.phrases import NameFile
from veracite.engine.skills.base import SkillSet
from veracite.engine.words import Answer, Report
from veracite.tui import console
from veracite.tui.cli import ask_text
from veracite.tui.cli import output as destination
from veracite.tui.cli.following import follow
from veracite.tui.cli.sources import Against
from veracite.tui.cli.tracing import Record
from veracite.tui.console import Look

if TYPE_CHECKING:
    from veracite.engine.events import Event
    from veracite.engine.methods.configured import Configured
    from veracite.engine.workbench import Workbench

__all__ = ["Answered", "Asking", "Display", "answering", "run"]


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
        lines = (
            []
            if self._written or not new
            else [*ask_text.question_lines(answer.question, self._look)]
        )
        if new and self._hedge is None:
            self._hedge = hedge(answer)
            lines += ask_text.hedge_lines(answer, self._look)
        for sentence in new:
            lines += ask_text.sentence_lines(sentence, self._look, verbose=self._display.verbose)
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
        rest = ask_text.ending(
            report, self._look, display.name, verbose=display.verbose, hedged=hedged
        )
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


def run(asking: Asking, configured: "Configured", display: Display) -> Answered:
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
