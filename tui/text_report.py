"""Reports and answers for people, in a terminal."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import zip_longest

from veracite.engine.display import neutralise, shorten, width_of, wrap
from veracite.engine.judge.unread import unread_question
from veracite.engine.report import beside, phrases
from veracite.engine.report.answers import (
    Numbered,
    doubts_below,
    hedge,
    marks,
    numbered,
    prose,
)
from veracite.engine.report.fixes import Told, diff_lines, grouped, headline, remaining
from veracite.engine.report.phrases import NameFile, counted
from veracite.engine.story import Part
from veracite.engine.types import Answer, Citation, Label, Report, Verdict
from veracite.tui.console import Look
from veracite.tui.quotes import window

LOOKS = {
    Label.SUPPORTED: ("green",),
    Label.CONTRADICTED: ("bold", "red"),
    Label.NOT_FOUND: ("bold", "yellow"),
    Label.UNCERTAIN: ("bold", "magenta"),
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
_LONGEST_NEAREST = 240
"""A quote that settles nothing need only tell what is there."""
_OPEN = (Label.NOT_FOUND, Label.UNCERTAIN)
"""Labels whose quotes are only the nearest ones."""
_MOST_FAILED = 5
_INDENT = "    "
_GAP = "   "
_NARROWEST = 24
"""Columns that a text beside another needs."""


def render(
    report: Report,
    look: Look,
    name: NameFile = phrases.base_name,
    *,
    only: Collection[Label] | None = None,
    verbose: bool = False,
) -> str:
    """The report, readable at the width and with the means that ``look`` names.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims that are shown; None shows all. The counts are always of all.
        verbose: Show every quote of claims that are not found or uncertain, not just the nearest.
    """
    return "\n".join(_lines(report, look, name, only, verbose)) + "\n"


def _lines(
    report: Report, look: Look, name: NameFile, only: Collection[Label] | None, verbose: bool
) -> Iterator[str]:
    shown = [verdict for _, verdict in phrases.chosen(report, only)]
    yield from _summary(report, look, only)
    yield ""
    for verdict in shown:
        yield from _verdict(verdict, look, name, verbose)
        yield ""
    for note in (*report.notes, *(() if verbose else _unshown(shown))):
        yield from look.lines(f"Note: {neutralise(note)}")
    yield from look.lines(f"{phrases.claims_by_label(report)}.", "bold")
    yield from documents(report, look, name)


def _summary(report: Report, look: Look, only: Collection[Label] | None) -> Iterator[str]:
    """What the end says, for readers who begin at the beginning."""
    first = f"{phrases.claims_by_label(report)}; {phrases.documents(report)}."
    yield from look.lines(first, "bold")
    if split := beside.disagreements(report.verdicts):
        yield from look.lines(f"{split}.", "bold", "magenta")
    if shown := phrases.left_out(report, only):
        yield from look.lines(f"{shown}.")


def _unshown(shown: list[Verdict]) -> Iterator[str]:
    further = sum(max(0, len(v.citations) - 1) for v in shown if v.label in _OPEN)
    if further:
        are, them = ("is", "it") if further == 1 else ("are", "them")
        left = counted(further, "more near quote")
        yield f"{left} {are} left out; --verbose shows {them}."


def _verdict(verdict: Verdict, look: Look, name: NameFile, verbose: bool) -> Iterator[str]:
    label = verdict.label
    yield look.paint(head(verdict, look), *LOOKS[label])
    loud = {Label.SUPPORTED: (), Label.NOT_CHECKABLE: ("dim",)}.get(label, ("bold",))
    yield from look.lines(neutralise(verdict.claim.statement), *loud, indent="  ")
    if said := phrases.override(verdict):
        yield from look.lines(f"Overridden by hand: {said}", indent="  ")
    if label is not Label.NOT_CHECKABLE:
        yield from look.lines(neutralise(verdict.explanation), indent="  ")
    yield from _beside(verdict, look)
    if sides := beside.sides(verdict):
        yield look.paint(f"{_INDENT}{beside.SPLIT}:", "bold", "magenta")
        said = verdict.claim.statement
        left, right = (
            [quoted(prose(c), look, _LONGEST_NEAREST, said) for c in side] for side in sides
        )
        yield from columns(left, right, look)
        for citation in (*sides[0], *sides[1]):
            yield from _source(citation, look, name)
        return
    short = label in _OPEN and not verbose
    longest = _LONGEST_NEAREST if short else _LONGEST_QUOTE
    found = verdict.citations[: 1 if short else None]
    yield from _quotes(found, verdict.claim.statement, look, name, longest)


def head(verdict: Verdict, look: Look) -> str:
    """The label with its symbol and how likely it is right: ``✓ supported (97 %)``."""
    symbols = phrases.SYMBOLS if look.unicode else _ASCII_SYMBOLS
    label = verdict.label
    return f"{symbols[label]} {phrases.LABEL_WORDS[label]} ({phrases.aside(verdict)})"


def _beside(verdict: Verdict, look: Look) -> Iterator[str]:
    """The claim's words beside the quotes: in a line, and what conflicts in two columns."""
    arrow = "→" if look.unicode else "->"
    pairs = beside.pairs(verdict)
    told = [
        f"{beside.STATE_WORDS[state]}: {neutralise(items)}"
        for state, items in beside.summary(verdict, arrow)
        if state != "conflict" or not pairs
    ]
    yield from look.lines("; ".join(told), "dim", indent="  ")
    if pairs:
        claim_says, document_says = beside.COLUMNS
        yield from columns([claim_says], [document_says], look, "dim")
    for pair in pairs:
        yield from columns(
            [quoted(pair.claim.text, look)], [quoted(pair.document.text, look)], look
        )


def columns(left: list[str], right: list[str], look: Look, *styles: str) -> Iterator[str]:
    """Two texts side by side; one below the other where that leaves no room to read."""
    room = (look.width - len(_INDENT) - len(_GAP)) // 2
    if room < _NARROWEST:
        for line in (*left, *right):
            yield from look.lines(line, *styles, indent=_INDENT)
        return
    one, other = ([part for line in side for part in wrap(line, room)] for side in (left, right))
    for mine, theirs in zip_longest(one, other, fillvalue=""):
        gap = " " * (room - width_of(mine)) + _GAP if theirs else ""
        yield look.paint(f"{_INDENT}{mine}{gap}{theirs}", *styles)


def quoted(text: str, look: Look, longest: int = _LONGEST_QUOTE, claim: str = "") -> str:
    """A quote on one line, harmless; of one that is longer than so many columns, what it has in
    common with the claim, or its beginning."""
    opening, closing, ellipsis = ("“", "”", " […]") if look.unicode else ('"', '"', " [...]")
    plain = " ".join(neutralise(text).split())
    if not look.unicode:
        plain = plain.replace("…", "...")
    start, _ = window(plain, claim, longest, longest)
    before = f"{ellipsis.lstrip()} " if start else ""
    return f"{opening}{before}{shorten(plain[start:], longest - len(before), ellipsis)}{closing}"


def _quotes(
    citations: Iterable[Citation],
    said: str,
    look: Look,
    name: NameFile,
    longest: int = _LONGEST_QUOTE,
) -> Iterator[str]:
    """Each quote, and below it where it stands."""
    for citation in citations:
        yield from look.lines(quoted(prose(citation), look, longest, said), indent=_INDENT)
        yield from _source(citation, look, name)


def _source(citation: Citation, look: Look, name: NameFile) -> Iterator[str]:
    source = f"{phrases.RELATION_WORDS[citation.relation]}: {phrases.place(citation, name)}"
    yield from look.lines(source, "dim", indent="      ")


def documents(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    """How many documents were read, and the first that could not be."""
    if not report.failed:
        yield from look.lines(f"{phrases.documents(report)}.")
        return
    read = f"{phrases.documents(report)}:"
    yield from look.lines(read, "yellow")
    for item in report.failed[:_MOST_FAILED]:
        said = f"{neutralise(name(item.file))}: {neutralise(item.reason)}"
        yield from look.lines(said, indent="  ")
    if (more := len(report.failed) - _MOST_FAILED) > 0:
        dots = "…" if look.unicode else "..."
        yield f"  {dots} and {more} more (--json lists them all)"
    yield from look.lines(phrases.unread(report))


def render_answer(report: Report, look: Look, name: NameFile, *, verbose: bool = False) -> str:
    """The answer with its citations, and what is to be known about it.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        verbose: Show every near quote of what nothing settles, and why each sentence is judged so.
    """
    assert report.answer is not None
    laid_out = numbered(report.answer, near=None if verbose else 1)
    lines = [
        *question_lines(report.answer.question, look),
        *hedge_lines(report.answer, look),
        *answer_lines(laid_out, look, verbose=verbose),
        *doubt_lines(report, look),
        *source_lines(laid_out.sources, look, name, report.answer.text),
        *nearest_lines(report.answer.nearest, look, name, report.answer.question),
        *_about_answer(report, look, name),
    ]
    return "".join(f"{line}\n" for line in lines)


def question_lines(question: str, look: Look) -> Iterator[str]:
    """What was asked, an empty line, and whether the models do not read its language."""
    yield from look.lines(neutralise(question), "bold")
    yield ""
    if note := unread_question(question):
        yield from look.lines(f"Note: {note}")
        yield ""


def answer_lines(laid_out: Numbered, look: Look, *, verbose: bool = False) -> Iterator[str]:
    """The sentences with their citations; what is not supported says so before anything else."""
    for sentence in laid_out.sentences:
        verdict = sentence.verdict
        said = f"{neutralise(verdict.claim.statement)} {marks(sentence)}".rstrip()
        if sentence.is_fact:
            yield from look.lines(said)
        else:
            yield from look.lines(
                f"{head(verdict, look)}: {said}", *LOOKS[verdict.label], hanging="  "
            )
        why = sentence.explanation or (verdict.explanation if verbose else "")
        yield from look.lines(neutralise(why), "dim", indent="  ")


def hedge_lines(answer: Answer, look: Look) -> Iterator[str]:
    """That the answer may be none, to stand above it, and an empty line."""
    if above := hedge(answer):
        yield from look.lines(above, "bold")
        yield ""


def doubt_lines(report: Report, look: Look) -> Iterator[str]:
    """What makes the answer doubtful, without what stands above it."""
    assert report.answer is not None
    told = doubts_below(report, hedge(report.answer))
    if told and report.answer.verdicts:
        yield ""
    for doubt in told:
        yield from look.lines(doubt, "bold")


def source_lines(
    sources: Sequence[Citation], look: Look, name: NameFile, answer: str
) -> Iterator[str]:
    """The quotes by their numbers; of long ones what they have in common with the answer."""
    for number, citation in enumerate(sources, start=1):
        yield ""
        yield from _quote(f"[{number}] ", citation, look, name, _LONGEST_QUOTE, answer)


def nearest_lines(
    citations: Sequence[Citation], look: Look, name: NameFile, question: str
) -> Iterator[str]:
    """What is nearest to the question."""
    if not citations:
        return
    yield ""
    title = "Nearest to the question in the documents:"
    yield from look.lines(title, "bold")
    for number, citation in enumerate(citations):
        if number:
            yield ""
        yield from _quote("", citation, look, name, _LONGEST_NEAREST, question)


def note_lines(notes: Iterable[str], question: str, look: Look) -> Iterator[str]:
    """Notes below an answer; what stands below its question already is left out."""
    told = unread_question(question)
    for note in notes:
        if note != told:
            yield from look.lines(f"Note: {neutralise(note)}")


def _quote(
    number: str, citation: Citation, look: Look, name: NameFile, longest: int, said: str
) -> Iterator[str]:
    """Where a quote stands, and below it the quote."""
    place = f"{number}{phrases.place(citation, name)}"
    yield from look.lines(place, "dim", hanging=_INDENT)
    yield from look.lines(quoted(prose(citation), look, longest, said), indent=_INDENT)


def _about_answer(report: Report, look: Look, name: NameFile) -> Iterator[str]:
    """How the answer came about, in a few lines."""
    assert report.answer is not None
    yield ""
    yield from note_lines(report.notes, report.answer.question, look)
    if report.verdicts:
        counts = f"{phrases.claims_by_label(report)}."
        yield from look.lines(counts, "bold")
    yield f"Method: {report.method}."
    yield from documents(report, look, name)


_DIFF_LOOKS = {"+": ("green",), "-": ("red",), "@": ("magenta",)}
"""How a line of the difference is painted, by how it begins."""
_INTERRUPTED = "Interrupted before everything was done."


def render_fix(report: Report, look: Look, name: NameFile, *, verbose: bool = False) -> str:
    """The changes, readable at the width and with the means that ``look`` names.

    Args:
        name: Turns the path of a document into the name a reader is shown.
        verbose: Show every near quote of what is left unsupported, not just the nearest.
    """
    return "\n".join(_fix_lines(report, look, name, verbose)) + "\n"


def _fix_lines(report: Report, look: Look, name: NameFile, verbose: bool) -> Iterator[str]:
    yield from _difference(report, report.path or "standard input", look)
    for heading, told in grouped(report):
        yield from _titled(f"{heading}:", [_told(one, look, name, verbose) for one in told], look)
    left = [_left(verdict, look, name, verbose) for verdict in remaining(report)]
    yield from _titled("Also unsupported:", left, look)
    if not report.complete:
        yield look.paint(_INTERRUPTED, "bold", "yellow")
    for note in report.notes:
        yield from look.lines(f"Note: {neutralise(note)}")
    for line in (f"{headline(report)}.", f"{phrases.claims_by_label(report)}."):
        yield from look.lines(line, "bold")
    yield from documents(report, look, name)


def _difference(report: Report, title: str, look: Look) -> Iterator[str]:
    lines = [neutralise(line.removesuffix("\r")) for line in diff_lines(report, title)]
    for number, line in enumerate(lines):
        yield look.paint(line, *(("bold",) if number < 2 else _DIFF_LOOKS.get(line[:1], ())))
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
    yield from _quotes(verdict.citations[: None if verbose else 1], said, look, name)


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
    found = told.citations[: None if verbose or change.kept else 1]
    yield from _quotes(found, change.text or told.before, look, name)


def _said(mark: str, text: str, look: Look, *styles: str) -> Iterator[str]:
    plain = " ".join(neutralise(text).split())
    yield from look.lines(f"{mark}{plain}", *styles, indent="  ", hanging=" " * min(len(mark), 2))


_TIME = "{:6.1f} s  "
_LEAST = 20
"""Columns for the words of a story, however narrow the screen."""


def story_lines(
    part: Part, width: int, more: str = " …”", indent: int = 2
) -> Iterator[tuple[str, str]]:
    """A part of a trace's story in lines: the time, which only the first has, and the words.

    Args:
        more: Stands at the end of what is cut.
        indent: Columns by which a part stands behind the one that it belongs to.
    """
    time = "" if part.at is None else _TIME.format(part.at)
    room = " " * (len(_TIME.format(0)) + indent * (part.depth - 1)) if part.depth else ""
    text = part.text
    if part.style == "beginning":
        text = shorten(text, max(width - len(room), _LEAST), more)
    for line in wrap(text, max(width, len(room) + _LEAST), room):
        yield time, line[len(time) :]
        time = ""
