"""Answering and mending as the config file has it, read anew for each piece of work."""

import contextlib
from collections.abc import Generator
from dataclasses import replace
from typing import Any

from veracite.engine.events import Event, Finished
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.fixing import FixSettings
from veracite.engine.methods.options import with_values
from veracite.engine.paths import Paths
from veracite.engine.report.answers import unread_question
from veracite.engine.settings import CheckSettings, Config, load
from veracite.engine.workbench import Workbench
from veracite.tui.engine import Against

__all__ = ["ask", "fix"]


def ask(
    bench: Workbench, paths: Paths, question: str, method: str, settings: Any, against: Against
) -> Generator[Event, None, None]:
    """What happens while a method answers; its report notes a language that nobody reads.

    Args:
        bench: Does the work.
        paths: Where the config file is, which names skills and wording.
        question: What is asked.
        method: Its name.
        settings: Of the method; None takes its defaults.
        against: What answers it.

    Raises:
        SettingsError: A setting of the environment or the config file is wrong.
        EngineError, LibraryError, ModelError: As the bench's.
    """
    asked = load(paths).ask
    note = unread_question(question)
    events = bench.ask(
        question,
        named(method),
        settings,
        against=against,
        skills=asked.skills,
        wording=asked.wording,
    )
    with contextlib.closing(events):
        for event in events:
            if note is not None and isinstance(event, Finished):
                yield Finished(replace(event.report, notes=(note, *event.report.notes)))
            else:
                yield event


def fix(
    bench: Workbench,
    paths: Paths,
    check: CheckSettings,
    text: str,
    path: str | None,
    against: Against,
) -> Generator[Event, None, None]:
    """What happens while a text is mended.

    Args:
        bench: Does the work.
        paths: Where the config file is, whose table ``[fix]`` counts.
        check: What is set for checks of the text; mending goes by the same.
        text: What is mended.
        path: The file it was opened from.
        against: The documents that decide.

    Raises:
        SettingsError, EngineError, LibraryError, ModelError: As ``ask``.
    """
    config = load(paths)
    settings = _fix_settings(config, check)
    yield from bench.fix(text, settings, path=path, against=against, skills=config.ask.skills)


def _fix_settings(config: Config, check: CheckSettings) -> FixSettings:
    usual = FixSettings(k=check.k, t=check.threshold, retrieval=check.retrieval)
    return with_values(usual, config.methods.get("fix", {}))
