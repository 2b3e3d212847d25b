"""Answering and mending as the config file has it, read anew for each piece of work."""

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from veracite.engine.events import Event
from veracite.engine.methods.catalogue import named
from veracite.engine.methods.configured import fix_settings
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings, load
from veracite.engine.workbench import Workbench
from veracite.tui.engine import Against

__all__ = ["ask", "fix"]


def ask(
    bench: Workbench, paths: Paths, question: str, method: str, settings: Any, against: Against
) -> Generator[Event, None, None]:
    """What happens while a method answers.

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
    return bench.ask(
        question,
        named(method),
        settings,
        against=against,
        skills=asked.skills,
        wording=asked.wording,
    )


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
        paths: Where the config file is, whose tables ``[fix]`` and ``[ask]`` count.
        check: What is set for checks of the text; mending goes by the same.
        text: What is mended.
        path: The file it was opened from.
        against: The documents that decide.

    Raises:
        SettingsError, EngineError, LibraryError, ModelError: As ``ask``.
    """
    config = replace(load(paths), check=check)
    asked = config.ask
    return bench.fix(
        text,
        fix_settings(config),
        path=path,
        against=against,
        skills=asked.skills,
        wording=asked.wording,
    )
