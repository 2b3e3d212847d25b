"""Options that several commands share."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from veracite.engine.settings import Config, Setting, declared
from veracite.tui.cli import output as outputs
from veracite.tui.cli.running import Run
from veracite.tui.cli.session import Session

_Command = Callable[..., Any]
_Option = Callable[[_Command], _Command]


def _noted(*names: str, about: str) -> _Option:
    """A flag that the session keeps."""

    def note(ctx: click.Context, flag: click.Parameter, value: bool) -> None:
        setattr(ctx.obj, str(flag.name), value)

    return click.option(*names, is_flag=True, expose_value=False, callback=note, help=about)


as_json = _noted("--json", "as_json", about="Print JSON.")
quiet = _noted("--quiet", "-q", about="No progress and no warnings.")


def documents(about: str) -> _Option:
    """The option that names what decides."""
    names, kind = ("--against", "-a"), click.Path()
    return click.option(*names, multiple=True, type=kind, metavar="PATH|NAME", help=about)


against = documents(
    "Files or folders to check against (repeatable), or a named library; without it, the default "
    "library."
)
only = click.option(
    "--only",
    multiple=True,
    metavar="LABELS",
    help="Show only claims with these labels, separated by commas (all formats but JSON). "
    "The counts are always of all claims.",
)
with_sets = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the method (repeatable).",
)
_trace = click.option(
    "--trace",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write everything that happens as JSON lines.",
)
_JUDGING = (
    *("k", "threshold", "retrieval", "uncertain_below", "calibration", "model", "judge"),
    *("judge_by", "joint", "screen", "gpu_layers", "context", "threads"),
)
"""The settings that say who judges, and by what."""


def together(command: _Command, options: Sequence[_Option]) -> _Command:
    """The command with options in the order in which ``--help`` lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def facts(command: _Command) -> _Command:
    """Adds ``--json``; the command is given the session first."""
    return as_json(click.pass_obj(command))


def work(command: _Command) -> _Command:
    """Adds ``--json`` and ``--quiet``; the command is given the session first."""
    return together(click.pass_obj(command), [as_json, quiet])


def report(kinds: Sequence[str] = outputs.FORMATS, about: str = "Format of the report.") -> _Option:
    """Adds ``--json`` and ``--format``."""

    def add(command: _Command) -> _Command:
        same = _noted("--json", "as_json", about="The same as --format json.")
        kind = click.option("--format", "kind", type=click.Choice(kinds), help=about)
        return together(command, [same, kind])

    return add


def output(about: str, name: str = "output", *, required: bool = False) -> _Option:
    """Adds ``--output``."""
    told: dict[str, Any] = {"metavar": "FILE", "help": about, "required": required}
    return click.option("--output", "-o", name, type=click.Path(path_type=Path), **told)


def cluster(about: str) -> _Option:
    """Adds ``--ray``."""
    return click.option("--ray", "cluster", metavar="ADDRESS", help=about)


def yes(about: str) -> _Option:
    """Adds ``--yes``."""
    return click.option("--yes", "-y", is_flag=True, help=about)


def number(about: str) -> _Option:
    """Adds ``--number``."""
    kind = click.IntRange(1, 1000)
    return click.option("--number", "-n", type=kind, default=10, show_default=True, help=about)


def settings(*names: str, **told: str) -> _Option:
    """Adds the flags of settings, in the order in which ``--help`` lists them.

    Args:
        told: What it says of more of them here, by name.
    """

    def add(command: _Command) -> _Command:
        known = declared(Config)
        own = [replace(known[name], about=about) for name, about in told.items()]
        return together(command, [_flag(one) for one in (*map(known.__getitem__, names), *own)])

    return add


def _flag(one: Setting) -> _Option:
    if one.kind is bool:
        both = f"{one.flag}/--no-{one.flag.removeprefix('--')}"
        return click.option(both, default=None, help=one.about)
    names = [one.flag, *([one.short] if one.short else []), one.name]
    several = isinstance(one.default, tuple)
    return click.option(*names, multiple=several, metavar=one.metavar, help=one.about)


patterns = settings("include", "exclude")


def run(verbose: str, *more: str) -> _Option:
    """Adds what check, ask and fix end their options with; the command is given a ``Run`` first.

    Args:
        verbose: What ``--verbose`` shows in text.
        more: Settings besides those of judging.
    """
    log = "With a GGUF model also llama.cpp's own log, on standard error."
    shown = click.option("--verbose", "-v", is_flag=True, help=f"In text: {verbose}. {log}")

    def add(command: _Command) -> _Command:
        @click.pass_obj
        @wraps(command)
        def begun(session: Session, /, **given: Any) -> Any:
            return command(Run(session, given), **given)

        return together(begun, [shown, settings(*_JUDGING, *more), _trace, quiet])

    return add
