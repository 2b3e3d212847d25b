"""A mended text as one page of HTML that needs nothing else and runs nothing.

As ``veracite.engine.report.html``: no script, one style sheet that is allowed by its hash,
everything neutralised and escaped.
"""

import base64
import hashlib
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.report import fixes, phrases
from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Report

__all__ = ["render"]

_HERE = Path(__file__).parent
_LINES = {"+": "supported", "-": "contradicted"}
"""The class of a line of the diff by how it begins."""


def render(report: Report, title: str, name: NameFile = phrases.base_name) -> str:
    """The changes as a self-contained page.

    Args:
        title: What the text is called.
        name: Turns the path of a document into the name a reader is shown.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["plain"] = neutralise
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    lines = fixes.diff_lines(report, title)
    return environment.get_template("fix.html").render(
        report=report,
        title=title,
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        head=lines[:2],
        lines=[(line, _LINES.get(line[0])) for line in lines[2:]],
        fixes=fixes,
        phrases=phrases,
        name=name,
    )
