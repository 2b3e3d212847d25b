"""The report as one page of HTML that needs nothing else and runs nothing.

The page has no script and forbids any; its one style sheet is allowed by its hash. Everything from
the text and the documents is neutralised and escaped by the template's autoescape.
"""

import base64
import hashlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from veracite.engine.display import neutralise
from veracite.engine.report import beside, phrases
from veracite.engine.report.answers import doubts, numbered
from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Label, Report

__all__ = ["render"]

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of the checked text: a claim, or what stands between claims."""

    text: str
    number: int | None = None
    """Of the claim, from 1."""
    label: Label | None = None


def render(
    report: Report, name: NameFile = phrases.base_name, only: Collection[Label] | None = None
) -> str:
    """The report, or the answer that it is about, as a self-contained page.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims that are listed; None lists all. The counts are always of all,
            and the text is always whole.
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
    shown = phrases.chosen(report, only)
    style = (_HERE / "style.css").read_text(encoding="utf-8")
    answer = report.answer
    return environment.get_template("answer.html" if answer else "report.html").render(
        report=report,
        answer=numbered(answer) if answer else None,
        doubts=doubts(report) if answer else (),
        title="standard input" if report.path is None else phrases.base_name(report.path),
        # The browser hashes what stands between the tags, to the letter.
        style=Markup(style),
        style_hash=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        pieces=list(_pieces(report)),
        shown=shown,
        listed={number for number, _ in shown},
        left_out=phrases.left_out(report, only),
        phrases=phrases,
        beside=beside,
        disagreements=beside.disagreements(report.verdicts),
        name=name,
    )


def _pieces(report: Report) -> Iterator[_Piece]:
    """The text cut at the borders of its claims, in order and without a gap."""
    numbered = sorted(enumerate(report.verdicts, start=1), key=lambda item: item[1].claim.start)
    position = 0
    for number, verdict in numbered:
        start, end = max(verdict.claim.start, position), verdict.claim.end
        if start >= end:
            continue
        if position < start:
            yield _Piece(neutralise(report.source[position:start], lines=True))
        yield _Piece(neutralise(report.source[start:end], lines=True), number, verdict.label)
        position = end
    if position < len(report.source):
        yield _Piece(neutralise(report.source[position:], lines=True))
