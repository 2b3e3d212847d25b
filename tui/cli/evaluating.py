"""What the commands of ``veracite eval`` share: files, and predictions with their progress."""

import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.errors import CheckError
from veracite.tui import console
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, OutputError, UsageError

if TYPE_CHECKING:
    from veracite.engine.evaluation.items import Task
    from veracite.engine.evaluation.models import Models
    from veracite.engine.evaluation.predict import Answered, Asked

_PAGES = (".html", ".htm")
_EXTRA = ("matplotlib", "openpyxl", "scipy", "sklearn")
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
    from veracite.engine.evaluation.predict import Answered, ask
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
