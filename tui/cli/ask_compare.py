"""``veracite ask --compare``: several methods on one question, side by side."""

import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from veracite.engine.methods.cost import Meter
from veracite.engine.report import comparisons, phrases
from veracite.engine.report.answers import Numbered, numbered_together
from veracite.engine.report.comparisons import Compared
from veracite.engine.words import Report
from veracite.engine.wrap import width_of, wrap
from veracite.tui import console, text_report
from veracite.tui.cli import ask_text
from veracite.tui.cli import output as destination
from veracite.tui.cli.ask_one import Asking, Display, answering
from veracite.tui.cli.following import Stopped, follow
from veracite.tui.console import Look

if TYPE_CHECKING:
    from veracite.engine.events import Event
    from veracite.engine.methods.configured import Configured

__all__ = ["Comparison", "run"]

_GAP = "   "
_NARROWEST = 44
"""Columns that an answer beside another needs."""
_REMEMBERED = (
    "What an earlier method or check had judged is remembered, so that the methods asked later "
    "need less time."
)
_INTERRUPTED = "Interrupted: not every method has come to its end."
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_NAME = 20
_FIGURE = 14
_MEASURES: tuple[tuple[str, Callable[[Compared], str]], ...] = (
    ("sentences", lambda one: str(len(one.report.verdicts))),
    ("supported", lambda one: "-" if one.supported is None else phrases.percent(one.supported)),
    ("searches to write", lambda one: str(one.cost.searches)),
    ("claims judged", lambda one: str(one.cost.judged)),
    ("  remembered", lambda one: str(one.cost.remembered)),
    ("model calls", lambda one: str(one.cost.calls)),
    ("tokens prefilled", lambda one: str(one.cost.prefilled)),
    ("tokens reused", lambda one: str(one.cost.reused)),
    ("tokens generated", lambda one: str(one.cost.generated)),
    ("seconds", lambda one: f"{one.cost.seconds:.1f}"),
)
_OF_A_MODEL = ("model calls", "tokens prefilled", "tokens reused", "tokens generated")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What methods said to one question, in the order in which they were asked."""

    question: str
    compared: tuple[Compared, ...]
    complete: bool
    """False if it was interrupted."""

    @property
    def reports(self) -> tuple[Report, ...]:
        """Of each method."""
        return tuple(one.report for one in self.compared)

    def show(self, display: Display) -> None:
        """Write it.

        Raises:
            OutputError: It cannot be written.
        """
        if display.kind == "json":
            text = comparisons.render(self.question, self.compared, complete=self.complete)
        else:
            look = _look() if display.output is None else Look(False, True, 80)
            text = "".join(f"{line}\n" for line in _lines(self, look, display))
        destination.deliver(text, display.output, data=display.kind == "json")


def run(asking: Asking, methods: "Sequence[Configured]", display: Display) -> Comparison:
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


def _look() -> Look:
    """Of standard output, as wide as the terminal really is."""
    look = Look.of(sys.stdout)
    if console.is_terminal(sys.stdout):
        look = replace(look, width=max(look.width, shutil.get_terminal_size().columns))
    return look


def _lines(comparison: Comparison, look: Look, display: Display) -> Iterator[str]:
    compared = comparison.compared
    yield from ask_text.question_lines(comparison.question, look)
    answers = [report.answer for report in comparison.reports if report.answer is not None]
    laid_out = numbered_together(answers, near=None if display.verbose else 1)
    told = list(zip(comparison.reports, laid_out, strict=True))
    room = (look.width - len(_GAP) * (len(compared) - 1)) // len(compared)
    if room >= _NARROWEST:
        narrow = replace(look, width=room)
        yield from _side_by_side([_answer(*one, narrow, display) for one in told], room)
    else:
        for number, one in enumerate(told):
            if number:
                yield ""
            yield from _answer(*one, look, display)
    yield from ask_text.source_lines(laid_out[-1].sources, look, display.name)
    nearest = dict.fromkeys(citation for answer in answers for citation in answer.nearest)
    yield from ask_text.nearest_lines(tuple(nearest), look, display.name)
    yield ""
    yield from _costs(compared, look)
    yield ""
    yield from _about(comparison, look, display)


def _answer(report: Report, laid_out: Numbered, look: Look, display: Display) -> list[str]:
    """What a method said; its quotes stand below all answers, once."""
    assert report.method is not None
    return [
        look.paint(report.method, "bold"),
        *ask_text.hedge_lines(report, look),
        *ask_text.answer_lines(laid_out, look, verbose=display.verbose),
        *ask_text.doubt_lines(report, look, hedged=True),
    ]


def _side_by_side(columns: Sequence[Sequence[str]], room: int) -> Iterator[str]:
    for row in zip_longest(*columns, fillvalue=""):
        padded = [line + " " * (room - _shown_width(line)) for line in row]
        yield _GAP.join(padded).rstrip()


def _shown_width(line: str) -> int:
    """Without the colours in it, which are no columns."""
    return width_of(_COLOURS.sub("", line))


def _costs(compared: Sequence[Compared], look: Look) -> Iterator[str]:
    """A table, cut where it is wider than the screen, without what no method has used."""
    used = [
        (measure, told)
        for measure, told in _MEASURES
        if measure not in _OF_A_MODEL or any(told(one) != "0" for one in compared)
    ]
    fitting = max(1, (look.width - _NAME) // _FIGURE)
    for start in range(0, len(compared), fitting):
        part = compared[start : start + fitting]
        names = "".join(f"{one.report.method or '':>{_FIGURE}}" for one in part)
        yield look.paint(f"{'':{_NAME}}{names}", "bold")
        for measure, told in used:
            yield f"{measure:{_NAME}}" + "".join(f"{told(one):>{_FIGURE}}" for one in part)


def _about(comparison: Comparison, look: Look, display: Display) -> Iterator[str]:
    notes = dict.fromkeys(note for report in comparison.reports for note in report.notes)
    if any(one.cost.remembered for one in comparison.compared[1:]):
        notes[_REMEMBERED] = None
    yield from ask_text.note_lines(notes, comparison.question, look)
    if not comparison.complete:
        yield from (look.paint(line, "bold") for line in wrap(_INTERRUPTED, look.width))
    yield from text_report.documents(comparison.reports[-1], look, display.name)
