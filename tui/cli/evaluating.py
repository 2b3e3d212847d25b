"""What the commands of ``veracite eval`` share: options, files, and predictions with progress."""

import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.errors import CheckError
from veracite.engine.settings import METHOD_NAMES
from veracite.tui import console
from veracite.tui.cli.options import as_json, quiet, together
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, OutputError, UsageError

if TYPE_CHECKING:
    from veracite.engine.evaluation.items import Answered, Asked, Task
    from veracite.engine.evaluation.models import Models

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


_FILE = click.Path(path_type=Path)
_DATA = (
    click.option(
        "--data",
        "-d",
        multiple=True,
        type=_FILE,
        metavar="FILE",
        help="Files or folders of the set; several after one flag, or one after each.",
    ),
    click.option(
        "--format", "form", metavar="NAME", help="Format of the files [default: recognised]."
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
        help="Judge an item by its own documents, or by all items' as one library [default: each].",
    ),
    click.option(
        "-k",
        type=click.IntRange(1, 50),
        help="Passages that an item is judged or answered by [default: as check and ask].",
    ),
    click.option("--threads", type=click.IntRange(1, 256), help="Threads for the models."),
    click.option(
        "--run",
        type=_FILE,
        metavar="FOLDER",
        help="Where the predictions are kept [default: below the data folder].",
    ),
)
_VERDICTS = (
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
        type=_FILE,
        metavar="FILE",
        help="Calibration that `veracite eval calibrate` made of other texts than these.",
    ),
)
_LABEL = click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL=true|false",
    help="What a label of the set means (repeatable).",
)
_MODEL = click.option(
    "--model",
    type=_FILE,
    metavar="FILE.gguf",
    help="A language model that writes the answers.",
)
_REPORT = click.option(
    "--report", type=_FILE, metavar="FILE.html", help="Write a report with plots."
)
_FORMATS = click.option(
    "--list-formats", is_flag=True, help="List the formats that are known, and stop."
)


def data_options(command: _Command) -> _Command:
    """What every command that judges statements reads and asks."""
    return together(command, [*_DATA, _LABEL])


def showing_options(command: _Command) -> _Command:
    """What is shown, and how much of it."""
    return together(command, [_FORMATS, as_json, quiet])


def task_options(command: _Command, task: "Task") -> _Command:
    """All options of a task: what it reads and asks, and how the result is shown."""
    judging = [*_VERDICTS, _LABEL] if task in ("detect", "attribute") else []
    if task == "answer":
        about = (
            f"Answer by these beside the plain ways (repeatable): {', '.join(METHOD_NAMES)}. A "
            "preset or a setting follows after a colon: vtg:asqa-table6:T=1 [default: the best "
            "one]."
        )
    else:
        names = ", ".join(METHODS[task])
        about = f"Show only these and the trivial ones (repeatable): {names}."
    method = click.option(
        "--method", "-m", "methods", multiple=True, metavar="NAME,...", help=about
    )
    models = [_MODEL] if task == "answer" else []
    return together(showing_options(command), [*_DATA, *judging, *models, method, _REPORT])


def asked(task: "Task", given: dict[str, Any]) -> "Asked":
    """What the options ask for."""
    from veracite.engine.evaluation.items import Asked, Predicting

    predicting = Predicting(scope=given["collection"] or "each", k=given["k"], seed=given["seed"])
    bar = given.get("uncertain_below")
    return Asked(
        task=task,
        files=tuple(given["data"]),
        format=given["form"],
        methods=_names(given.get("methods", ())),
        limit=given["limit"],
        predicting=predicting if bar is None else replace(predicting, uncertain_below=bar),
        label_map=_label_map(given.get("labels", ())),
        command=tuple(sys.argv),
    )


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


_PAGES = (".html", ".htm")
_EXTRA = ("matplotlib", "scipy", "sklearn")
"""What the extra ``eval`` brings."""


def list_formats(task: "Task") -> int:
    """Print the formats that a task reads, to the exit code."""
    from veracite.engine.evaluation.formats import formats_of

    known = formats_of(task)
    width = max(map(len, known))
    console.write("".join(f"{name:<{width}}  {about}\n" for name, about in known.items()))
    return ExitCode.OK


def require_extra() -> None:
    """Raises UsageError without the libraries of the extra ``eval``."""
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"Evaluation needs libraries that are not installed ({', '.join(missing)}).",
            "Install them with: pip install 'veracite[eval]'",
        )


def require_data(paths: tuple[Path, ...]) -> None:
    """Raises UsageError unless files are named that exist."""
    if not paths:
        raise UsageError("No data is named.", "Name the set's files with --data FILE.")
    for path in paths:
        if not path.exists():
            raise UsageError(f"There is no file or folder {str(path)!r}.", "Check the spelling.")


def require_page(path: Path | None) -> None:
    """Raises UsageError where a file's name says that a report is something else than HTML."""
    if path is None or path.suffix.lower() in _PAGES or (path.exists() and not path.is_file()):
        return
    raise UsageError(
        f"A report is a page of HTML, and {str(path)!r} does not end in .html or .htm.",
        "Name another file.",
    )


def require_place(path: Path | None, data: tuple[Path, ...]) -> None:
    """Find out before hours of work, not after them, that a file cannot be written.

    Raises:
        UsageError: It is a folder, a file of the data, or in a folder that does not exist.
        OutputError: Nothing can be written in its folder.
    """
    if path is None:
        return
    if path.is_dir():
        raise UsageError(f"{str(path)!r} is a folder.", "Name a file in it.")
    if not path.parent.is_dir():
        raise UsageError(f"There is no folder {str(path.parent)!r}.", "Make it first.")
    if path.exists() and any(path.samefile(one) for one in data):
        raise UsageError(f"{str(path)!r} would overwrite the data.", "Name another file.")
    if path.exists() and not path.is_file():
        return
    try:
        with tempfile.TemporaryFile(dir=path.parent):
            return
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written ({error.strerror or error}).",
            "Name a file in a folder that you may write to, on a disk with free space.",
        ) from error


def follow(
    session: Session, wanted: "Asked", models: "Models", run: Path | None, quiet: bool
) -> "Answered":
    """Make every prediction, telling on standard error how far it is, also where it is stopped."""
    from veracite.engine.evaluation.items import Answered
    from veracite.engine.evaluation.predict import ask
    from veracite.engine.events import Predicted
    from veracite.tui.progress import Progress

    events = ask(wanted, models, session.paths.evaluations, run=run)
    last = Predicted(0, 0)
    try:
        with Progress(quiet=quiet) as progress:
            for event in events:
                if isinstance(event, Answered):
                    return event
                if isinstance(event, Predicted):
                    last = event
                progress.update(event)
    except KeyboardInterrupt:
        if last.done:
            console.say(f"The predictions of {last.done:,} of {last.total:,} items are kept.")
        raise
    raise CheckError("The evaluation ended without a result.", "Please report this.")
