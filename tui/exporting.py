"""Writing a report from the app, in the format that the file's name ends in."""

from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.words import Report
from veracite.tui.engine import Against

__all__ = ["export", "suggestion"]


def export(report: Report, path: Path, against: Against) -> Path:
    """Write a report as HTML, Markdown, JSON or text, readable by its owner alone.

    Args:
        against: What the verdicts rest on; documents are named beginning there.

    Raises:
        InputError: It cannot be written there, or the name's end means no format.
    """
    from veracite.tui.cli import output
    from veracite.tui.cli.sources import namer
    from veracite.tui.console import OutputError, UsageError

    try:
        kind = output.choose_format(None, False, path)
    except UsageError as error:
        message = f"A report is not written as {path.suffix}."
        raise InputError(message, "The name may end in .html, .md, .json or .txt.") from error
    try:
        output.require_place(path, report.path or "-")
        output.send(report, kind, path, namer(against), output.Shown())
    except (OutputError, UsageError) as error:
        raise InputError(error.message, error.advice) from error
    return path


def suggestion(report: Report) -> Path:
    """A name for a report, beside its text where that has a file."""
    if report.path is None:
        return Path("report.html")
    text = Path(report.path)
    return text.with_name(f"{text.stem}.report.html")
