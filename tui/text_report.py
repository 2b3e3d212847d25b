"""The report for people, in a terminal."""

from collections.abc import Iterator

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Citation, Label, Report, Verdict
from veracite.tui.console import Look
from veracite.tui.wrap import shorten, wrap

__all__ = ["LOOKS", "render"]

LOOKS = {
    Label.SUPPORTED: ("green",),
    Label.CONTRADICTED: ("bold", "red"),
    Label.NOT_FOUND: ("bold", "yellow"),
    Label.UNCERTAIN: ("bold", "magenta"),
    Label.NOT_CHECKABLE: ("dim",),
}
_STATEMENTS: dict[Label, tuple[str, ...]] = {
    Label.SUPPORTED: (),
    Label.CONTRADICTED: ("bold",),
    Label.NOT_FOUND: ("bold",),
    Label.UNCERTAIN: ("bold",),
    Label.NOT_CHECKABLE: ("dim",),
}
_ASCII_SYMBOLS = {
    Label.SUPPORTED: "+",
    Label.CONTRADICTED: "x",
    Label.NOT_FOUND: "?",
    Label.UNCERTAIN: "~",
    Label.NOT_CHECKABLE: "-",
}
_LONGEST_QUOTE = 600
_MOST_FAILED = 5


def render(report: Report, look: Look, name: NameFile = phrases.base_name) -> str:
    """The report, readable at the width and with the means that ``look`` names.

    Args:
        name: Turns the path of a document into the name a reader is shown.
    """
    return "\n".join(_lines(report, look, name)) + "\n"


def _lines(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    for verdict in report.verdicts:
        yield from _verdict(verdict, look, name)
        yield ""
    for note in report.notes:
        yield from wrap(f"Note: {neutralise(note)}", look.width)
    yield from (
        look.paint(line, "bold") for line in wrap(f"{phrases.claims_by_label(report)}.", look.width)
    )
    yield from _documents(report, look, name)


def _verdict(verdict: Verdict, look: Look, name: NameFile) -> Iterator[str]:
    symbols = phrases.SYMBOLS if look.unicode else _ASCII_SYMBOLS
    label = verdict.label
    head = f"{symbols[label]} {phrases.LABEL_WORDS[label]} ({phrases.aside(verdict)})"
    yield look.paint(head, *LOOKS[label])
    for line in wrap(neutralise(verdict.claim.statement), look.width, "  "):
        yield look.paint(line, *_STATEMENTS[label])
    if label is not Label.NOT_CHECKABLE:
        yield from wrap(neutralise(verdict.explanation), look.width, "  ")
    for citation in verdict.citations:
        yield from _citation(citation, look, name)


def _citation(citation: Citation, look: Look, name: NameFile) -> Iterator[str]:
    opening, closing, ellipsis = ("“", "”", " […]") if look.unicode else ('"', '"', " [...]")
    quote = shorten(" ".join(neutralise(citation.quote).split()), _LONGEST_QUOTE, ellipsis)
    yield from wrap(f"{opening}{quote}{closing}", look.width, "    ")
    source = f"{phrases.RELATION_WORDS[citation.relation]}: {phrases.place(citation, name)}"
    for line in wrap(source, look.width, "      "):
        yield look.paint(line, "dim")


def _documents(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    if not report.failed:
        yield f"{phrases.documents(report)}."
        return
    yield look.paint(f"{phrases.documents(report)}:", "yellow")
    for item in report.failed[:_MOST_FAILED]:
        yield from wrap(
            f"{neutralise(name(item.file))}: {neutralise(item.reason)}", look.width, "  "
        )
    if (more := len(report.failed) - _MOST_FAILED) > 0:
        dots = "…" if look.unicode else "..."
        yield f"  {dots} and {more} more (--json lists them all)"
