"""What was mended, for people in a terminal: the difference, the reasons, and what is left."""

from collections.abc import Iterator, Sequence

from veracite.engine.display import neutralise
from veracite.engine.report import phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.fixes import Told, diff_lines, grouped, headline, remaining
from veracite.engine.report.phrases import NameFile
from veracite.engine.words import Citation, Report, Verdict
from veracite.engine.wrap import wrap
from veracite.tui.console import Look
from veracite.tui.text_report import LOOKS, documents, head, quoted

__all__ = ["render"]

_LINES = {"+": ("green",), "-": ("red",), "@": ("magenta",)}
"""How a line of the difference is painted, by how it begins."""
_INTERRUPTED = "Interrupted: there would have been more."


def render(report: Report, title: str, look: Look, name: NameFile, *, verbose: bool = False) -> str:
    """The changes, readable at the width and with the means that ``look`` names.

    Args:
        title: What the text is called.
        name: Turns the path of a document into the name a reader is shown.
        verbose: Show every near quote of what is left unsupported, not just the nearest.
    """
    return "\n".join(_lines(report, title, look, name, verbose)) + "\n"


def _lines(report: Report, title: str, look: Look, name: NameFile, verbose: bool) -> Iterator[str]:
    yield from _difference(report, title, look)
    for heading, told in grouped(report):
        yield from _titled(f"{heading}:", [_told(one, look, name, verbose) for one in told], look)
    left = [_left(verdict, look, name, verbose) for verdict in remaining(report)]
    yield from _titled("Unsupported besides:", left, look)
    if not report.complete:
        yield look.paint(_INTERRUPTED, "bold", "yellow")
    for note in report.notes:
        yield from wrap(f"Note: {neutralise(note)}", look.width)
    for line in (f"{headline(report)}.", f"{phrases.claims_by_label(report)}."):
        yield from (look.paint(part, "bold") for part in wrap(line, look.width))
    yield from documents(report, look, name)


def _difference(report: Report, title: str, look: Look) -> Iterator[str]:
    lines = [neutralise(line.removesuffix("\r")) for line in diff_lines(report, title)]
    for number, line in enumerate(lines):
        yield look.paint(line, *(("bold",) if number < 2 else _LINES.get(line[:1], ())))
    if lines:
        yield ""


def _titled(heading: str, items: Sequence[Iterator[str]], look: Look) -> Iterator[str]:
    """A heading with what stands under it; nothing if nothing does."""
    if items:
        yield look.paint(heading, "bold")
        yield ""
    for item in items:
        yield from item
        yield ""


def _left(verdict: Verdict, look: Look, name: NameFile, verbose: bool) -> Iterator[str]:
    yield look.paint(head(verdict, look), *LOOKS[verdict.label])
    yield from _said("", verdict.claim.statement, look, "bold")
    yield from _said("", verdict.explanation, look)
    said = verdict.claim.statement
    yield from _quotes(verdict.citations, said, look, name, None if verbose else 1)


def _told(told: Told, look: Look, name: NameFile, verbose: bool) -> Iterator[str]:
    change = told.change
    yield look.paint(f"{head(change.before, look)}: {told.outcome}", *LOOKS[told.label])
    mark, style = ("- ", "red") if change.kept else ("", "bold")
    yield from _said(mark, told.before, look, style)
    if change.text and change.kept:
        yield from _said("+ ", change.text, look, "green")
    if told.tried:
        yield from _said("tried: ", told.tried, look, "dim")
    yield from _said("", change.reason, look)
    if told.split:
        yield from _said("", f"{told.split}:", look, "bold")
    most = None if verbose or change.kept else 1
    yield from _quotes(told.citations, change.text or told.before, look, name, most)


def _said(mark: str, text: str, look: Look, *styles: str) -> Iterator[str]:
    plain = " ".join(neutralise(text).split())
    for line in wrap(f"{mark}{plain}", look.width, "  ", " " * min(len(mark), 2)):
        yield look.paint(line, *styles)


def _quotes(
    citations: tuple[Citation, ...], said: str, look: Look, name: NameFile, most: int | None
) -> Iterator[str]:
    for citation in citations[:most]:
        quote = quoted(prose(citation), look, claim=said)
        yield from wrap(quote, look.width, "    ")
        source = f"{phrases.RELATION_WORDS[citation.relation]}: {phrases.place(citation, name)}"
        yield from (look.paint(line, "dim") for line in wrap(source, look.width, "      "))
