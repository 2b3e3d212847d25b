"""A mended text as one page of HTML that needs nothing else and runs nothing."""

from veracite.engine.report import fixes, phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.page import page
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Report

_LINES = {"+": "added", "-": "removed"}
"""The class of a line of the diff by how it begins."""


def render(report: Report, title: str, name: NameFile = phrases.base_name) -> str:
    """The changes as a self-contained page.

    Args:
        title: What the text is called.
        name: Turns the path of a document into the name a reader is shown.
    """
    lines = fixes.diff_lines(report, title)
    return page(
        "fix.html",
        report=report,
        notes=report.notes,
        title=title,
        head=lines[:2],
        lines=[(line, _LINES.get(line[0])) for line in lines[2:]],
        fixes=fixes,
        phrases=phrases,
        prose=prose,
        name=name,
    )
