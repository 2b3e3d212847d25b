"""Reports as one page of HTML that needs nothing else and runs nothing.

It has no script and forbids any; its one style sheet is allowed by its hash. Everything from the
text and the documents is neutralised and escaped by the template's autoescape.
"""

import base64
import hashlib
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.engine.display import neutralise
from veracite.engine.report import answers, beside, phrases, rendered
from veracite.engine.report.answers import Comparison
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Label, Report

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent
STYLE = _HERE / "style.css"
"""The style sheet of every page."""


def render(
    report: Report | Comparison,
    name: NameFile = phrases.base_name,
    only: Collection[Label] | None = None,
) -> str:
    """The report on a text or an answer, as a self-contained page.

    Args:
        report: Of several answers it has a column for each, and tells what each costs.
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims that are listed; None lists all. The counts are always of all,
            and the text is always whole.
    """
    if isinstance(report, Comparison):
        return _compared(report, name)
    shown = phrases.chosen(report, only)
    answer = report.answer
    listed = {number for number, _ in shown}
    template = _templates().get_template("answer.html" if answer else "report.html")
    return template.render(
        name=name,
        report=report,
        notes=report.notes,
        answer=answers.numbered(answer) if answer else None,
        title=phrases.title(report),
        text=None if answer else rendered.render(report, listed),
        shown=shown,
        left_out=phrases.left_out(report, only),
    )


def _compared(comparison: Comparison, name: NameFile) -> str:
    laid_out = comparison.laid_out()
    template = _templates().get_template("comparison.html")
    return template.render(
        name=name,
        comparison=comparison,
        report=comparison.reports[-1],
        notes=comparison.notes,
        columns=list(zip(comparison.reports, laid_out, strict=True)),
        sources=laid_out[-1].sources,
    )


@cache
def _templates() -> "Environment":
    """The templates, which can use what every report tells."""
    templates = environment(_HERE, STYLE)
    templates.globals |= {"answers": answers, "beside": beside, "phrases": phrases}
    return templates


def environment(folder: Path, *styles: Path) -> "Environment":
    """The templates of a folder, which have these style sheets; what they show is escaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    templates = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["plain"] = neutralise
    style = "".join(path.read_text(encoding="utf-8") for path in styles)
    templates.globals |= {
        # The browser hashes what stands between the tags, to the letter.
        "style": Markup(style),
        "style_hash": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
    }
    return templates
