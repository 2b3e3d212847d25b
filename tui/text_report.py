"""Reports and answers for people, in a terminal."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from veracite.engine.display import neutralise, shorten, table, wrap
from veracite.engine.language import unread_question
from veracite.engine.report import answers, beside, phrases
from veracite.engine.report.answers import Comparison, Numbered
from veracite.engine.report.fixes import Told, diff_lines, grouped, headline, remaining
from veracite.engine.report.phrases import NameFile, counted
from veracite.engine.story import Part
from veracite.engine.types import Citation, Label, Report, Verdict
from veracite.tui.console import Look
from veracite.tui.quotes import window

LOOKS = {
    Label.SUPPORTED: ("green",),
    Label.CONTRADICTED: ("bold", "red"),
    Label.NOT_FOUND: ("bold", "yellow"),
    Label.UNCERTAIN: ("bold", "magenta"),
    Label.NOT_CHECKABLE: ("dim",),
}
ASCII = str.maketrans({"✓": "+", "✗": "x", "·": "-", "“": '"', "”": '"', "…": "...", "→": "->"})
_LONGEST_QUOTE = 600
_LONGEST_NEAREST = 240
"""A quote that settles nothing need only tell what is there."""
_OPEN = (Label.NOT_FOUND, Label.UNCERTAIN)
"""Labels whose quotes are only the nearest ones."""
_MOST_REASONS = 4
_INDENT = "    "
_DIFF_LOOKS = {"+": ("green",), "-": ("red",), "@": ("magenta",)}
"""How a line of the difference is painted, by how it begins."""


def render(
    report: Report | Comparison,
    look: Look,
    name: NameFile = phrases.base_name,
    *,
    only: Collection[Label] | None = None,
    verbose: bool = False,
) -> str:
    """The report on a text, an answer, several or a mended text, readable at the width and with the
    means that ``look`` names.

    Args:
        report: Of several answers it tells what each costs, too.
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims of a text that are shown; None shows all. The counts are always
            of all.
        verbose: Show every quote of what nothing settles, not just the nearest, and why each
            sentence of an answer is judged so.
    """
    writer = _Writer(look, name, verbose)
    if isinstance(report, Comparison) or report.answer is not None:
        lines = writer.answers(Comparison.of(report))
    else:
        lines = writer.check(report, only) if report.fix is None else writer.fix(report)
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes lines of a report: harmless, and in ASCII where that is all there is."""

    look: Look
    name: NameFile
    verbose: bool

    def check(self, report: Report, only: Collection[Label] | None) -> Iterator[str]:
        """The claims of a text; the counts come first and last."""
        counts = phrases.claims_by_label(report)
        yield from self._say(f"{counts}; {phrases.documents(report)}.", "bold")
        if split := beside.disagreements(report.verdicts):
            yield from self._say(f"{split}.", "bold", "magenta")
        if left_out := phrases.left_out(report, only):
            yield from self._say(f"{left_out}.")
        yield ""
        shown = [verdict for _, verdict in phrases.chosen(report, only)]
        for verdict in shown:
            yield from self._verdict(verdict)
            yield ""
        yield from self._notes(report.notes)
        further = sum(len(v.citations[1:]) for v in shown if v.label in _OPEN)
        if further and not self.verbose:
            are, them = ("is", "it") if further == 1 else ("are", "them")
            left = counted(further, "more near quote")
            yield from self._notes([f"{left} {are} left out; --verbose shows {them}."])
        yield from self._say(f"{counts}.", "bold")
        yield from self._documents(report)

    def answers(self, comparison: Comparison) -> Iterator[str]:
        """Answers one below the other, and the quotes of all."""
        question, last = comparison.question, comparison.reports[-1]
        laid_out = comparison.laid_out(near=None if self.verbose else 1)
        yield from self._say(question, "bold")
        yield ""
        if unread := unread_question(question):
            yield from self._notes([unread])
            yield ""
        for number, (report, answer) in enumerate(zip(comparison.reports, laid_out, strict=True)):
            if comparison.has_costs:
                if number:
                    yield ""
                yield from self._say(report.method or "", "bold")
            yield from self._answer(report, answer)
        words = " ".join(report.answer.text for report in comparison.reports if report.answer)
        for number, citation in enumerate(laid_out[-1].sources, start=1):
            yield ""
            yield from self._placed(f"[{number}] ", citation, _LONGEST_QUOTE, words)
        for number, citation in enumerate(comparison.nearest):
            yield ""
            if not number:
                yield from self._say("Nearest to the question in the documents:", "bold")
            yield from self._placed("", citation, _LONGEST_NEAREST, question)
        yield ""
        if comparison.has_costs:
            yield from self._costs(comparison)
            yield ""
        yield from self._notes(note for note in comparison.notes if note != unread)
        if not comparison.complete:
            yield from self._say(answers.INTERRUPTED, "bold")
        if not comparison.has_costs:
            if last.verdicts:
                yield from self._say(f"{phrases.claims_by_label(last)}.", "bold")
            yield f"Method: {last.method}."
        yield from self._documents(last)

    def fix(self, report: Report) -> Iterator[str]:
        """The difference, each change with its reason, and what is left unsupported."""
        diff = [neutralise(line) for line in diff_lines(report)]
        for number, line in enumerate(diff):
            looks = ("bold",) if number < 2 else _DIFF_LOOKS.get(line[:1], ())
            yield self.look.paint(line, *looks)
        if diff:
            yield ""
        for heading, group in grouped(report):
            yield from self._titled(f"{heading}:", map(self._change, group))
        if left := remaining(report):
            yield from self._titled("Also unsupported:", map(self._verdict, left))
        if not report.complete:
            yield from self._say("Interrupted before everything was done.", "bold", "yellow")
        yield from self._notes(report.notes)
        for line in (headline(report), phrases.claims_by_label(report)):
            yield from self._say(f"{line}.", "bold")
        yield from self._documents(report)

    def _titled(self, heading: str, items: Iterable[Iterator[str]]) -> Iterator[str]:
        yield self.look.paint(heading, "bold")
        yield ""
        for item in items:
            yield from item
            yield ""

    def _verdict(self, verdict: Verdict) -> Iterator[str]:
        label, statement = verdict.label, verdict.claim.statement
        yield from self._say(head(verdict), *LOOKS[label])
        loud = {Label.SUPPORTED: (), Label.NOT_CHECKABLE: ("dim",)}.get(label, ("bold",))
        yield from self._say(statement, *loud, indent="  ")
        if said := phrases.override(verdict):
            yield from self._say(f"Overridden by hand: {said}", indent="  ")
        if label is not Label.NOT_CHECKABLE:
            yield from self._say(verdict.explanation, indent="  ")
        yield from self._beside(verdict)
        if sides := beside.sides(verdict):
            yield from self._say(f"{beside.SPLIT}:", "bold", "magenta", indent=_INDENT)
            yield from self._quotes((*sides[0], *sides[1]), statement, _LONGEST_NEAREST)
        elif label in _OPEN and not self.verbose:
            yield from self._quotes(verdict.citations[:1], statement, _LONGEST_NEAREST)
        else:
            yield from self._quotes(verdict.citations, statement)

    def _beside(self, verdict: Verdict) -> Iterator[str]:
        """The claim's words beside the quotes: in a line, and each that conflicts in a pair."""
        told = [f"{beside.STATE_WORDS[state]}: {items}" for state, items in beside.summary(verdict)]
        yield from self._say("; ".join(told), "dim", indent="  ")
        room = max(map(len, beside.COLUMNS)) + 2
        for pair in beside.pairs(verdict):
            for says, said in zip(beside.COLUMNS, (pair.claim, pair.document), strict=True):
                line = f"{says:{room}}{_quoted(said.text)}"
                yield from self._say(line, indent=_INDENT, hanging=" " * room)

    def _answer(self, report: Report, answer: Numbered) -> Iterator[str]:
        """The sentences with their citations; what is not supported says so before anything else,
        and what is doubtful above and below them."""
        assert report.answer is not None
        if above := answers.hedge(report.answer):
            yield from self._say(above, "bold")
            yield ""
        for sentence in answer.sentences:
            verdict = sentence.verdict
            said = f"{verdict.claim.statement} {answers.marks(sentence)}".rstrip()
            if sentence.is_fact:
                yield from self._say(said)
            else:
                yield from self._say(
                    f"{head(verdict)}: {said}", *LOOKS[verdict.label], hanging="  "
                )
            why = sentence.explanation or (verdict.explanation if self.verbose else "")
            yield from self._say(why, "dim", indent="  ")
        below = answers.doubts_below(report)
        if below and answer.sentences:
            yield ""
        for doubt in below:
            yield from self._say(doubt, "bold")

    def _change(self, told: Told) -> Iterator[str]:
        change = told.change
        yield from self._say(f"{head(change.before)}: {told.outcome}", *LOOKS[told.label])
        mark, style = ("- ", "red") if change.kept else ("", "bold")
        yield from self._said(mark, told.before, style)
        if change.text and change.kept:
            yield from self._said("+ ", change.text, "green")
        if told.tried:
            yield from self._said("tried: ", told.tried, "dim")
        yield from self._said("", change.reason)
        if told.split:
            yield from self._said("", f"{told.split}:", "bold")
        found = told.citations[: None if self.verbose or change.kept else 1]
        yield from self._quotes(found, change.text or told.before)

    def _said(self, mark: str, text: str, *styles: str) -> Iterator[str]:
        line = mark + " ".join(text.split())
        yield from self._say(line, *styles, indent="  ", hanging=" " * min(len(mark), 2))

    def _quotes(
        self, citations: Iterable[Citation], words: str, longest: int = _LONGEST_QUOTE
    ) -> Iterator[str]:
        """Each quote, and below it where it stands."""
        for citation in citations:
            yield from self._say(_quoted(answers.prose(citation), longest, words), indent=_INDENT)
            relation = phrases.RELATION_WORDS[citation.relation]
            place = f"{relation}: {phrases.place(citation, self.name)}"
            yield from self._say(place, "dim", indent="      ")

    def _placed(self, number: str, citation: Citation, longest: int, words: str) -> Iterator[str]:
        """Where a quote stands, and below it the quote."""
        place = f"{number}{phrases.place(citation, self.name)}"
        yield from self._say(place, "dim", hanging=_INDENT)
        yield from self._say(_quoted(answers.prose(citation), longest, words), indent=_INDENT)

    def _costs(self, comparison: Comparison) -> Iterator[str]:
        """A table, cut where it is wider than the screen."""
        names = [one.method or "" for one in comparison.reports]
        figures = ([measure, *cells] for measure, cells in comparison.measures)
        for head, *lines in table([["", *names], *figures], self.look.width):
            yield self.look.paint(head, "bold")
            yield from lines

    def _notes(self, notes: Iterable[str]) -> Iterator[str]:
        for note in notes:
            yield from self._say(f"Note: {note}")

    def _documents(self, report: Report) -> Iterator[str]:
        """How many documents were read and how many not; of a text, why not."""
        unread, styles = phrases.unread(report), ("yellow",) if report.failed else ()
        yield from self._say(f"{phrases.documents(report)}.", *styles)
        for group in () if report.answer else unread[:_MOST_REASONS]:
            yield from self._say(group.said(self.name), indent="  ", hanging="  ")
        if unread:
            yield from self._say(phrases.LISTED)

    def _say(self, text: str, *styles: str, indent: str = "", hanging: str = "") -> Iterator[str]:
        harmless = neutralise(text)
        plain = harmless if self.look.unicode else harmless.translate(ASCII)
        yield from self.look.lines(plain, *styles, indent=indent, hanging=hanging)


def head(verdict: Verdict) -> str:
    """The label with its symbol and how likely it is right: ``✓ supported (97 %)``."""
    return f"{phrases.labelled(verdict.label)} ({phrases.aside(verdict)})"


def _quoted(text: str, longest: int = _LONGEST_QUOTE, claim: str = "") -> str:
    """A quote on one line, harmless; of one that is longer than so many columns, what it has in
    common with the claim, or its beginning."""
    plain = " ".join(neutralise(text).split())
    start, _ = window(plain, claim, longest, longest)
    before = "[…] " if start else ""
    return f"“{before}{shorten(plain[start:], longest - len(before), ' […]')}”"


_TIME = "{:6.1f} s  "
_LEAST = 20
"""Columns for the words of a story, however narrow the screen."""


def story_lines(part: Part, width: int) -> Iterator[tuple[str, str]]:
    """A part of a trace's story in lines: the time, which only the first has, and the words."""
    time = "" if part.at is None else _TIME.format(part.at)
    room = " " * (len(_TIME.format(0)) + 2 * (part.depth - 1)) if part.depth else ""
    text = part.text
    if part.style == "beginning":
        text = shorten(text, max(width - len(room), _LEAST), " …”")
    for line in wrap(text, max(width, len(room) + _LEAST), room):
        yield time, line[len(time) :]
        time = ""
