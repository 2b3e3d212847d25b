"""Options that several commands share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

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
            click.option("--format", "kind", type=click.Choice(FORMATS), help="Of the report."),
            click.option(
                "--output",
                "-o",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Instead of stdout.",
            ),
        ],
    )


def fail_on(command: _Command) -> _Command:
    """Adds ``--fail-on``."""
    return click.option(
        "--fail-on",
        multiple=True,
        metavar="LABELS",
        help="Labels that make the exit code 1, separated by commas, or none "
        "[default: contradicted,not_found,uncertain].",
    )(command)


def judging(command: _Command) -> _Command:
    """Adds who judges, and by what: settings of ``veracite.engine.settings``."""
    return together(
        command,
        [
            click.option(
                "-k",
                metavar="N",
                help="Passages a claim is judged on [default: of the best by words and by meaning "
                "the 12 that have most of it].",
            ),
            click.option(
                "--threshold", metavar="T", help="Similarity under which a passage is dropped."
            ),
            click.option(
                "--retrieval",
                metavar="MODE",
                help="hybrid, dense or lexical [default: hybrid].",
            ),
            click.option(
                "--uncertain-below", metavar="P", help="Probability of a verdict [default: 0.6]."
            ),
            click.option(
                "--calibration", metavar="FILE", help="Made by `veracite eval calibrate`."
            ),
            click.option(
                "--model", metavar="FILE.gguf", help="A language model that judges too, and writes."
            ),
            click.option(
                "--judge",
                metavar="WHO",
                help="bundled, gguf (the model judges everything) or cascade (only what is "
                "uncertain) [default: cascade with a model].",
            ),
            click.option(
                "--judge-by",
                metavar="HOW",
                help="choose (the model's probabilities of the answers) or reasoning (it writes "
                "down why first; slow) [default: choose].",
            ),
            click.option(
                "--joint/--no-joint",
                default=None,
                help="Have the model judge by all passages together too.",
            ),
            click.option(
                "--screen/--no-screen",
                default=None,
                help="Spare the model the passages that the verifier finds to have no bearing on "
                "a claim [default: screen].",
            ),
            click.option("--gpu-layers", metavar="N", help="Of the model [default: all that fit]."),
            click.option("--context", metavar="N", help="Of the model, in tokens."),
            click.option(
                "--threads", metavar="N", help="For the models [default: physical cores]."
            ),
        ],
    )


def skills(command: _Command) -> _Command:
    """Adds ``--skills``."""
    return click.option(
        "--skills",
        metavar="WHO",
        help="Who writes: prompted (the model of --model) or extractive (quotes alone) "
        "[default: prompted with a model].",
    )(command)


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
