"""What the commands of ``veracite eval`` share: options, what they ask for, progress."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.errors import CheckError
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import UsageError

if TYPE_CHECKING:
    from veracite.engine.evaluation.asking import Answered, Asked
    from veracite.engine.evaluation.items import Task
    from veracite.engine.evaluation.predicting import Models

__all__ = ["asked", "data_options", "follow", "judging_options", "require_data", "require_folder"]

_Command = Callable[..., Any]


def data_options(command: _Command) -> _Command:
    """The options of every task."""
    for option in reversed(
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
                "--list-formats", is_flag=True, help="List the formats that are known, and stop."
            ),
            click.option(
                "--method",
                "-m",
                "methods",
                multiple=True,
                metavar="NAME",
                help="Show only this one (repeatable).",
            ),
            click.option("--limit", type=click.IntRange(1), metavar="N", help="Items, at random."),
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
                help="Passages a claim is judged on.",
            ),
            click.option("--threads", type=click.IntRange(1, 256), help="For the models."),
            click.option(
                "--report",
                type=click.Path(path_type=Path),
                metavar="FILE.html",
                help="Write a report with plots.",
            ),
            click.option(
                "--run",
                type=click.Path(path_type=Path),
                metavar="FOLDER",
                help="Where the predictions are kept [default: below the data folder].",
            ),
        ]
    ):
        command = option(command)
    return as_json(quiet(click.pass_obj(command)))


def judging_options(command: _Command) -> _Command:
    """The options of the tasks that judge statements."""
    for option in reversed(
        [
            click.option(
                "--score",
                type=click.Choice(["supported", "not-contradicted"]),
                help="What makes a statement true [default: supported; FELM: not-contradicted].",
            ),
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
        ]
    ):
        command = option(command)
    return command


def require_data(paths: tuple[Path, ...]) -> None:
    """Raises UsageError unless files are named that exist."""
    if not paths:
        raise UsageError("No data is named.", "Name the set's files with --data FILE.")
    for path in paths:
        if not path.exists():
            raise UsageError(f"There is no file or folder {str(path)!r}.", "Check the spelling.")


def require_folder(path: Path | None) -> None:
    """Raises UsageError unless a file can be written there, before hours of work."""
    if path is not None and not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r}.", "Make it first.")
    if path is not None and path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder.", "Name a file in it.")


def asked(task: "Task", given: dict[str, Any]) -> "Asked":
    """What the options ask for."""
    from veracite.engine.evaluation.asking import Asked
    from veracite.engine.evaluation.predicting import Predicting

    return Asked(
        task=task,
        files=tuple(given["data"]),
        format=given["form"],
        methods=tuple(given["methods"]),
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


def follow(
    session: Session, wanted: "Asked", models: "Models", run: Path | None, quiet: bool
) -> "Answered":
    """Make every prediction, telling on standard error how far it is."""
    from veracite.engine.evaluation.asking import Answered, ask
    from veracite.tui.progress import Progress

    events = ask(wanted, models, session.paths.evaluations, run=run)
    with Progress(quiet=quiet) as progress:
        for event in events:
            if isinstance(event, Answered):
                return event
            progress.update(event)
    raise CheckError("The evaluation ended without a result.", "Please report this.")
