"""Runs a stream of events to its report, telling on standard error how it goes."""

import contextlib
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING

from veracite.engine.errors import CheckError
from veracite.tui import console
from veracite.tui.cli.tracing import Record

if TYPE_CHECKING:
    from veracite.engine.events import Event
    from veracite.engine.words import Answer, Report

__all__ = ["Stopped", "follow"]


class Stopped(KeyboardInterrupt):
    """Somebody asked to stop before there was anything to report."""


def follow(
    events: "Generator[Event]",
    record: Record,
    *,
    quiet: bool,
    notes_follow: bool,
    drafts: bool = False,
    settled: "Callable[[Answer], None] | None" = None,
    stopped: Callable[[], bool] = lambda: False,
) -> "Report":
    """The report that the events end with.

    Args:
        events: Of the workbench; closed at the end, whatever happens.
        record: Takes note of each.
        quiet: Tell nothing.
        notes_follow: The report's notes will be read next: no need to say them twice.
        drafts: Show what is written while it is written.
        settled: Gets each answer as it stands, when every sentence of it is verified.
        stopped: Whether somebody has asked to stop. A method ends with what it has verified; what
            comes before it ends at once.

    Raises:
        Stopped: ``stopped`` said so, and there is nothing to report.
    """
    from veracite.engine.events import Finished
    from veracite.engine.methods.events import Began, Settled
    from veracite.tui.progress import Progress, warnings

    held: list[str] = []
    begun = False
    try:
        with contextlib.closing(events), Progress(quiet=quiet, drafts=drafts) as progress:
            for event in events:
                record(event)
                progress.update(event)
                held += () if quiet else warnings(event)
                if held and not notes_follow:
                    progress.clear()
                    _say_all(held)
                if isinstance(event, Settled) and settled is not None:
                    progress.clear()
                    settled(event.answer)
                if isinstance(event, Finished):
                    held = [warning for warning in held if warning not in event.report.notes]
                    if not (event.report.complete or event.report.verdicts):
                        break
                    return event.report
                begun = begun or isinstance(event, Began)
                if stopped() and not begun:
                    break
    finally:
        _say_all(held)
    if stopped():
        raise Stopped
    raise CheckError("The work ended without a report.", "Please report this.")


def _say_all(warnings: list[str]) -> None:
    for warning in warnings:
        console.say(warning)
    warnings.clear()
