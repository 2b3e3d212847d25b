"""What was mended, on standard output, in one of five formats."""

import io
import sys

from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Report
from veracite.tui import console
from veracite.tui.cli.fix_file import Source
from veracite.tui.cli.output import FORMATS as _OF_REPORTS
from veracite.tui.console import Look

__all__ = ["FORMATS", "show"]

FORMATS = (*_OF_REPORTS, "diff")


def show(report: Report, source: Source, kind: str, name: NameFile, *, verbose: bool) -> None:
    """Write the changes.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        verbose: In text, show every near quote of what is left unsupported.

    Raises:
        OutputError: They cannot be written.
    """
    title = source.title
    if kind == "text":
        from veracite.tui.cli import fix_text

        look = Look.of(sys.stdout)
        console.write(fix_text.render(report, title, look, name, verbose=verbose))
    elif kind == "json":
        from veracite.engine.report import json

        console.write(json.render(report), data=True)
    elif kind == "md":
        from veracite.engine.report import fix_markdown

        console.write(fix_markdown.render(report, title, name), data=True)
    elif kind == "html":
        from veracite.engine.report import fix_html

        console.write(fix_html.render(report, title, name), data=True)
    else:
        _show_diff(report, source)


def _show_diff(report: Report, source: Source) -> None:
    """In the bytes of the file, whatever its encoding is, or no program could apply it."""
    from veracite.engine.report.fixes import diff

    assert report.fix is not None
    made = diff(source.content, source.encoded(report.fix.text), source.title)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="latin-1")  # of which each character is one byte
    console.write(made.decode("latin-1"))
