"""``veracite ask --compare``: several methods on one question, side by side."""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from veracite.engine.methods.cost import Meter
from veracite.engine.report.answers import Numbered
from veracite.engine.report.comparisons import INTERRUPTED, Compared, Comparison
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

__all__ = ["run", "show"]

_GAP = "   "
_NARROWEST = 44
"""Columns that an answer beside another needs."""
_COLOURS = re.compile(r"\x1b\[[\d;]*m")
_NAME = 20


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


def show(comparison: Comparison, display: Display) -> None:
    """Write what the methods said.

    Raises:
        OutputError: It cannot be written.
    """
    text = _rendered(comparison, display)
    destination.deliver(text, display.output, data=display.kind != "text")


def _rendered(comparison: Comparison, display: Display) -> str:
    if display.kind == "json":
        from veracite.engine.report import comparison_json

        return comparison_json.render(comparison)
    if display.kind == "md":
        from veracite.engine.report import comparison_markdown

        return comparison_markdown.render(comparison, display.name)
    if display.kind == "html":
        from veracite.engine.report import comparison_html

        return comparison_html.render(comparison, display.name)
    look = _look() if display.output is None else Look(False, True, 80)
    return "".join(f"{line}\n" for line in _lines(comparison, look, display))


def _look() -> Look:
    """Of standard output, as wide as the terminal really is."""
    look = Look.of(sys.stdout)
    if console.is_terminal(sys.stdout):
        look = replace(look, width=max(look.width, shutil.get_terminal_size().columns))
    return look


def _lines(comparison: Comparison, look: Look, display: Display) -> Iterator[str]:
    yield from ask_text.question_lines(comparison.question, look)
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
    yield from ask_text.source_lines(laid_out[-1].sources, look, display.name, answers)
    question = comparison.question
    yield from ask_text.nearest_lines(comparison.nearest, look, display.name, question)
    yield ""
    yield from _costs(comparison, look)
    yield ""
    yield from _about(comparison, look, display)


def _answer(report: Report, laid_out: Numbered, look: Look, display: Display) -> list[str]:
    """What a method said; its quotes stand below all answers, once."""
    assert report.method is not None
    assert report.answer is not None
    return [
        look.paint(report.method, "bold"),
        *ask_text.hedge_lines(report.answer, look),
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


def _about(comparison: Comparison, look: Look, display: Display) -> Iterator[str]:
    yield from ask_text.note_lines(comparison.notes, comparison.question, look)
    if not comparison.complete:
        yield from (look.paint(line, "bold") for line in wrap(INTERRUPTED, look.width))
    yield from text_report.documents(comparison.reports[-1], look, display.name)
