"""Where a report goes: standard output or a file, in one of its formats."""

import os
import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from veracite.engine.display import neutralise
from veracite.engine.errors import disk_errors
from veracite.engine.libraries import Against
from veracite.engine.report.answers import Comparison
from veracite.engine.report.json import safe_json
from veracite.engine.report.phrases import NameFile
from veracite.engine.settings import DEFAULT_FAIL_ON
from veracite.engine.types import Label, Report
from veracite.models.files import write_whole
from veracite.tui import console
from veracite.tui.cli.session import Session
from veracite.tui.console import Look, OutputError, UsageError

FORMATS = ("text", "json", "md", "html")
CHECK_FORMATS = (*FORMATS, "sarif", "junit")
"""Those of a report on a text."""
ANOTHER_PLACE = "Name a file in a folder that you may write to, on a disk with free space."
"""What to do where a file cannot be written."""
SUFFIXES = {".txt": "text", ".json": "json", ".md": "md", ".html": "html", ".htm": "html"}
SUFFIXES |= {".markdown": "md", ".sarif": "sarif", ".xml": "junit"}
"""The format that each suffix of a file names."""


def choose_format(
    given: str | None, as_json: bool, output: Path | None, kinds: Sequence[str] = FORMATS
) -> str:
    """The format asked for, else the one that the file's suffix names, else text.

    Args:
        kinds: The formats that there are.

    Raises:
        UsageError: ``--json`` and another format were asked for, or the suffix names no format.
    """
    if as_json and given not in (None, "json"):
        raise UsageError(f"--json and --format {given} exclude each other.", "Give one of them.")
    if as_json or given is not None or output is None:
        return "json" if as_json else given or "text"
    suffixes = {suffix: kind for suffix, kind in SUFFIXES.items() if kind in kinds}
    suffix = output.suffix.lower()
    if suffix and suffix not in suffixes:
        raise UsageError(
            f"No format of a report has the suffix {output.suffix!r}.",
            f"Use {', '.join(suffixes)}, or name the format with --format.",
        )
    return suffixes.get(suffix, "text")


def require_place(output: Path | None, text: str, documents: Against = None) -> None:
    """Find out before the work, not after it, that the output file is impossible.

    Args:
        documents: What is checked against: files and folders, or a library.

    Raises:
        UsageError: It is "-", a folder, the text itself, one of the documents, or in a folder that
            does not exist.
    """
    if output is None:
        return
    if str(output) == "-":
        raise UsageError("- is no file.", "Leave --output out, or name a file.")
    if output.is_dir():
        raise UsageError(f"The output {output} is a folder.", "Name a file.")
    folder = output.absolute().parent
    if not folder.is_dir():
        raise UsageError(f"The folder {folder} does not exist.", "Create it first.")
    if output.exists() and os.path.exists(text) and os.path.samefile(output, text):
        raise UsageError("The output would overwrite the text.", "Name another file.")
    sources = documents if isinstance(documents, tuple) else ()
    if output.exists() and any(output.resolve().is_relative_to(s.resolve()) for s in sources):
        raise UsageError(
            f"The output would overwrite {output}, which is among the documents.",
            "Name a file outside their folder.",
        )


def send(
    report: Report | Comparison,
    kind: str,
    output: Path | None,
    name: NameFile,
    *,
    only: tuple[Label, ...] | None = None,
    verbose: bool = False,
    fail_on: Collection[Label] = DEFAULT_FAIL_ON,
    key: bytes | None = None,
) -> None:
    """Write the report in a format to standard output, or to a file.

    Args:
        only: The labels of the claims that people are shown; programs get all.
        verbose: Whether people are shown every near quote, not just the nearest.
        fail_on: Labels of the claims that JUnit calls failures.
        key: What JSON is sealed with.

    Raises:
        OutputError: It cannot be written.
    """
    from veracite.engine.report import html, json, junit, markdown, sarif, seal
    from veracite.tui import text_report

    match kind:
        case "json":
            text = json.render(report)
            text = seal.sealed(text, key) if key else text
        case "md":
            text = markdown.render(report, name, only)
        case "html":
            text = html.render(report, name, only)
        case "sarif" if isinstance(report, Report):
            text = sarif.render(report, name, only)
        case "junit" if isinstance(report, Report):
            text = junit.render(report, name, only, fail_on)
        case _:
            look = Look.of(sys.stdout) if output is None else Look(False, True, 80)
            text = text_report.render(report, look, name, only=only, verbose=verbose)
    if output is None:
        console.write(text, data=kind != "text")
    else:
        write_file(output, text.encode("utf-8", "backslashreplace"))


def write_file(path: Path, content: bytes) -> None:
    """Whole or not at all; a new file is readable by its owner only, an old one keeps its mode.

    Raises:
        OutputError: It cannot be written; what was there before still is.
    """
    with disk_errors(f"{path} cannot be written", ANOTHER_PLACE, OutputError):
        if path.exists() and not path.is_file():
            path.write_bytes(content)  # a device or a pipe
        else:
            write_whole(path, content)


def write_json(facts: dict[str, Any]) -> None:
    """Write facts for programs."""
    console.write(safe_json(facts, indent=2), data=True)


def write_facts(session: Session, facts: dict[str, Any], lines: Iterable[str]) -> None:
    """Write facts for programs, or the lines that tell people of them, made harmless."""
    if session.as_json:
        write_json(facts)
    else:
        console.write("".join(f"{neutralise(line)}\n" for line in lines))


def agreed(question: str, what: str) -> bool:
    """Whether the user says yes.

    Args:
        what: The same as a noun: ``Downloading 2.0 GB``.

    Raises:
        UsageError: Nobody can be asked, as in a pipe.
    """
    if not (console.is_terminal(sys.stdin) and console.is_terminal(sys.stderr)):
        raise UsageError(f"{what} has to be confirmed.", "Add --yes to the command.")
    return click.confirm(question, err=True)
