"""Options that several commands share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from veracite.engine.settings import Config, Setting, declared
from veracite.tui.cli.output import FORMATS

_Command = TypeVar("_Command", bound=Callable[..., Any])


def as_json(command: _Command) -> _Command:
    """Adds ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def quiet(command: _Command) -> _Command:
    """Adds ``--quiet``."""
    return click.option("--quiet", "-q", is_flag=True, help="No progress and no warnings.")(command)


def against(command: _Command) -> _Command:
    """Adds ``--against``."""
    return click.option(
        "--against",
        "-a",
        multiple=True,
        type=click.Path(),
        metavar="PATH|NAME",
        help="Files or folders to check against (repeatable), or a named library; "
        "without it, the default library.",
    )(command)


def report(command: _Command) -> _Command:
    """Adds ``--json``, ``--format`` and ``--output``."""
    return together(
        command,
        [
            click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
            click.option(
                "--format", "kind", type=click.Choice(FORMATS), help="Format of the report."
            ),
            output("Write the report to FILE and not to standard output."),
        ],
    )


def settings(*names: str) -> Callable[[_Command], _Command]:
    """Adds the flags of settings, in the order in which ``--help`` lists them."""

    def add(command: _Command) -> _Command:
        known = declared(Config)
        return together(command, [_flag(known[name]) for name in names])

    return add


def _flag(one: Setting) -> Callable[[_Command], _Command]:
    if one.kind is bool:
        both = f"{one.flag}/--no-{one.flag.removeprefix('--')}"
        return click.option(both, default=None, help=one.about)
    names = [one.flag, *([one.short] if one.short else []), one.name]
    several = isinstance(one.default, tuple)
    return click.option(*names, multiple=several, metavar=one.metavar, help=one.about)


judging = settings(
    *("k", "threshold", "retrieval", "uncertain_below", "calibration", "model", "judge"),
    *("judge_by", "joint", "screen", "gpu_layers", "context", "threads"),
)
"""Adds who judges, and by what."""


def with_sets(command: _Command) -> _Command:
    """Adds ``--set``."""
    return click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="NAME=VALUE",
        help="A setting of the method (repeatable).",
    )(command)


def trace(command: _Command) -> _Command:
    """Adds ``--trace``."""
    return click.option(
        "--trace",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write everything that happens as JSON lines.",
    )(command)


def together(command: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    """The command with options in the order in which ``--help`` lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def output(about: str) -> Callable[[_Command], _Command]:
    """Adds ``--output``."""
    kind: click.Path = click.Path(path_type=Path)
    return click.option("--output", "-o", type=kind, metavar="FILE", help=about)


def yes(about: str) -> Callable[[_Command], _Command]:
    """Adds ``--yes``."""
    return click.option("--yes", "-y", is_flag=True, help=about)


def verbose(about: str) -> Callable[[_Command], _Command]:
    """Adds ``--verbose``, which in text shows what ``about`` says."""
    log = "With a GGUF model also llama.cpp's own log, on standard error."
    return click.option("--verbose", "-v", is_flag=True, help=f"In text: {about}. {log}")
