"""The options of the commands of ``veracite eval``, and what they ask for."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.settings import METHOD_NAMES
from veracite.tui.cli.options import as_json, quiet, together
from veracite.tui.console import UsageError

if TYPE_CHECKING:
    from veracite.engine.evaluation.items import Predicting, Task
    from veracite.engine.evaluation.predict import Asked

_Command = Callable[..., Any]


class DataCommand(click.Command):
    """A command whose ``--data`` takes several paths: what stands alone is one of them."""

    allow_extra_args = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does; words that are left over are data."""
        left = super().parse_args(ctx, args)
        ctx.params["data"] = (*ctx.params["data"], *map(Path, left))
        ctx.args = []
        return []


_JUDGING = ("veracite", "verifier", "overlap", "similarity", "length")
METHODS: dict["Task", tuple[str, ...]] = {
    "detect": (*_JUDGING, "selfcheck-nli"),
    "attribute": _JUDGING,
    "choose": ("veracite", "verifier", "overlap", "similarity", "shorter", "first"),
    "retrieve": ("hybrid", "dense", "lexical", "random"),
}
"""Named here too, because what knows them takes long to import."""


def data_options(command: _Command) -> _Command:
    """What every command of ``eval`` reads and asks."""
    return together(
        command,
        [
            click.option(
                "--data",
                "-d",
                multiple=True,
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Files or folders of the set; several after one flag, or one after each.",
            ),
            click.option(
                "--format",
                "form",
                metavar="NAME",
                help="Format of the files [default: recognised].",
            ),
            click.option(
                "--limit",
                type=click.IntRange(1),
                metavar="N",
                help="Take only N items, drawn at random.",
            ),
            click.option(
                "--seed",
                type=click.IntRange(0),
                default=0,
                show_default=True,
                help="Seed of everything that is drawn at random.",
            ),
            click.option(
                "--collection",
                type=click.Choice(["each", "all"]),
                help="Judge an item by its own documents, or by all items' as one library "
                "[default: each].",
            ),
            click.option(
                "-k",
                type=click.IntRange(1, 50),
                help="Passages that an item is judged or answered by [default: as check and ask].",
            ),
            click.option("--threads", type=click.IntRange(1, 256), help="Threads for the models."),
            click.option(
                "--run",
                type=click.Path(path_type=Path),
                metavar="FOLDER",
                help="Where the predictions are kept [default: below the data folder].",
            ),
        ],
    )


def method_option(command: _Command, task: "Task") -> _Command:
    """``--method`` of the tasks in which every method is asked."""
    names = ", ".join(METHODS[task])
    return _methods(command, f"Show only these and the trivial ones (repeatable): {names}.")


def answering_options(command: _Command) -> _Command:
    """The options of ``answer``."""
    command = _methods(
        command,
        f"Answer by these beside the plain ways (repeatable): {', '.join(METHOD_NAMES)}. A preset "
        "or a setting follows after a colon: vtg:asqa-table6:T=1 [default: the best one].",
    )
    return click.option(
        "--model",
        type=click.Path(path_type=Path),
        metavar="FILE.gguf",
        help="A language model that writes the answers.",
    )(command)


def _methods(command: _Command, about: str) -> _Command:
    return click.option("--method", "-m", "methods", multiple=True, metavar="NAME,...", help=about)(
        command
    )


def showing_options(command: _Command) -> _Command:
    """How the result is shown, and where."""
    return together(
        command,
        [
            click.option(
                "--report",
                type=click.Path(path_type=Path),
                metavar="FILE.html",
                help="Write a report with plots.",
            ),
            formats_option,
            as_json,
            quiet,
        ],
    )


formats_option = click.option(
    "--list-formats", is_flag=True, help="List the formats that are known, and stop."
)
"""Lists instead of measuring."""


def judging_options(command: _Command) -> _Command:
    """The options of the tasks that judge statements."""
    return together(
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


def verdict_options(command: _Command) -> _Command:
    """What verdicts are measured: those of a check with the same options."""
    return together(
        command,
        [
            click.option(
                "--score",
                type=click.Choice(["supported", "not-contradicted"]),
                help="What makes a statement true [default: supported; FELM: not-contradicted].",
            ),
            click.option(
                "--uncertain-below",
                type=click.FloatRange(0, 1),
                metavar="P",
                help="Probability of a verdict [default: 0.6], as for a check.",
            ),
            click.option(
                "--without-check",
                multiple=True,
                metavar="ID",
                help="Pass over a check of the decision, to see what it is worth.",
            ),
            click.option(
                "--calibration",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Calibration that `veracite eval calibrate` made of other texts than these.",
            ),
        ],
    )


def asked(task: "Task", given: dict[str, Any]) -> "Asked":
    """What the options ask for."""
    from veracite.engine.evaluation.predict import Asked

    return Asked(
        task=task,
        files=tuple(given["data"]),
        format=given["form"],
        methods=_names(given.get("methods", ())),
        limit=given["limit"],
        split=given.get("split", "halves"),
        predicting=_predicting(given),
        score=given.get("score"),
        label_map=_label_map(given.get("labels", ())),
        command=tuple(sys.argv),
    )


def _predicting(given: dict[str, Any]) -> "Predicting":
    from veracite.engine.evaluation.items import Predicting

    plain = Predicting(scope=given["collection"] or "each", k=given["k"], seed=given["seed"])
    bar = given.get("uncertain_below")
    return plain if bar is None else replace(plain, uncertain_below=bar)


def _names(given: tuple[str, ...]) -> tuple[str, ...]:
    every = (name.strip() for names in given for name in names.split(","))
    return tuple(name for name in every if name)


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
