"""The options of the commands of ``veracite eval``, and what they ask for."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.tui.cli.options import as_json, quiet
from veracite.tui.console import UsageError

if TYPE_CHECKING:
    from veracite.engine.evaluation.asking import Asked
    from veracite.engine.evaluation.items import Task

__all__ = ["asked", "data_options", "judging_options", "score_option", "showing_options"]

_Command = Callable[..., Any]


def data_options(command: _Command) -> _Command:
    """What every command of ``eval`` reads and asks."""
    return _with(
        command,
        [
            click.option(
                "--data",
                "-d",
                multiple=True,
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Files or folders of the set (repeatable).",
            ),
            click.option("--format", "form", metavar="NAME", help="Of the files [default: found]."),
            click.option(
                "--limit", type=click.IntRange(1), metavar="N", help="Only so many, at random."
            ),
            click.option("--seed", type=int, default=0, show_default=True, help="Of all chance."),
            click.option(
                "--collection",
                type=click.Choice(["each", "all"]),
                help="Judge an item by its own documents, or by all items' as one library "
                "[default: each].",
            ),
            click.option(
                "-k",
                type=click.IntRange(1, 50),
                default=6,
                show_default=True,
                help="Passages that an item is judged or answered by.",
            ),
            click.option("--threads", type=click.IntRange(1, 256), help="For the models."),
            click.option(
                "--run",
                type=click.Path(path_type=Path),
                metavar="FOLDER",
                help="Where the predictions are kept [default: below the data folder].",
            ),
        ],
    )


def showing_options(command: _Command) -> _Command:
    """What is shown of the result, and where."""
    return _with(
        command,
        [
            click.option(
                "--method",
                "-m",
                "methods",
                multiple=True,
                metavar="NAME",
                help="Show only this one and the trivial ones (repeatable).",
            ),
            click.option(
                "--report",
                type=click.Path(path_type=Path),
                metavar="FILE.html",
                help="Write a report with plots.",
            ),
            click.option(
                "--list-formats", is_flag=True, help="List the formats that are known, and stop."
            ),
            as_json,
            quiet,
        ],
    )


def judging_options(command: _Command) -> _Command:
    """The options of the tasks that judge statements."""
    return _with(
        command,
        [
            click.option(
                "--split",
                type=click.Choice(["halves", "alternate"]),
                default="halves",
                show_default=True,
                help="How groups are split into those for thresholds and those for results.",
            ),
            click.option(
                "--label",
                "labels",
                multiple=True,
                metavar="LABEL=true|false",
                help="What a label of the set means (repeatable).",
            ),
        ],
    )


def score_option(command: _Command) -> _Command:
    """``--score``."""
    return click.option(
        "--score",
        type=click.Choice(["supported", "not-contradicted"]),
        help="What makes a statement true [default: supported; FELM: not-contradicted].",
    )(command)


def _with(command: _Command, options: Sequence[Callable[[_Command], _Command]]) -> _Command:
    """The command with options in the order in which ``--help`` lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def asked(task: "Task", given: dict[str, Any]) -> "Asked":
    """What the options ask for."""
    from veracite.engine.evaluation.asking import Asked
    from veracite.engine.evaluation.predicting import Predicting

    return Asked(
        task=task,
        files=tuple(given["data"]),
        format=given["form"],
        methods=tuple(given.get("methods", ())),
        limit=given["limit"],
        split=given.get("split", "halves"),
        predicting=Predicting(
            scope=given["collection"] or "each", k=given["k"], seed=given["seed"]
        ),
        score=given.get("score"),
        label_map=_label_map(given.get("labels", ())),
        command=tuple(sys.argv),
    )


def _label_map(labels: tuple[str, ...]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for label in labels:
        name, equals, value = label.rpartition("=")
        if not (equals and name and value.lower() in ("true", "false")):
            raise UsageError(
                f"--label {label!r} does not say what a label means.",
                "Write it as LABEL=true or LABEL=false.",
            )
        found[name] = value.lower() == "true"
    return found
