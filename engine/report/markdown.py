"""Reports as Markdown, for notes and pull requests; markup from documents stays text."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from veracite.engine.display import neutralise
from veracite.engine.report import answers, beside, phrases
from veracite.engine.report.answers import Comparison, Numbered, Sentence
from veracite.engine.report.beside import Snippet
from veracite.engine.report.phrases import NameFile
from veracite.engine.types import Citation, Label, Report, Verdict

_MARKUP = re.compile(r"[\\`*_\[\]<>&|~#$]|:(?=//)|(?<=www)\.|@")
_AT_START = re.compile(r"^(?:[+=-]|(\d+)([.)]))")

Blocks = Iterator[str]
"""What an empty line stands between: paragraphs, headings, lists, tables, quotations."""


def render(
    report: Report | Comparison,
    name: NameFile = phrases.base_name,
    only: Collection[Label] | None = None,
) -> str:
    """The report on a text, or the answers to a question, as CommonMark.

    Args:
        report: Of several answers it tells what each costs, too.
        name: Turns the path of a document into the name a reader is shown.
        only: Labels of the claims of a text that are shown; None shows all. The counts are always
            of all.
    """
    if isinstance(report, Report) and report.answer is None:
        return _page(_check(report, name, only))
    return _page(_answers(Comparison.of(report), name))


def excerpt(verdict: Verdict, name: NameFile = phrases.base_name) -> str:
    """What the report says about one claim, to paste elsewhere."""
    return _page([f"**{_label(verdict)}**", *_verdict(verdict, name)])


def escape(text: str) -> str:
    """One line of text in which Markdown and HTML find no markup."""
    return _at_start(_inline(text).strip())


def _at_start(line: str) -> str:
    """A line that begins no list and underlines no heading."""
    return _AT_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[0]}", line)


def _inline(text: str) -> str:
    """The same of what does not begin a line, spaces at its ends kept."""
    return _MARKUP.sub(lambda match: f"\\{match[0]}", neutralise(text))


def _page(blocks: Iterable[str]) -> str:
    return "\n\n".join(blocks) + "\n"


def _check(report: Report, name: NameFile, only: Collection[Label] | None) -> Blocks:
    yield f"# Checked: {escape(phrases.title(report))}"
    yield f"**{phrases.claims_by_label(report)}.** {phrases.documents(report)}."
    if split := beside.disagreements(report.verdicts):
        yield f"**{split}.**"
    if shown := phrases.left_out(report, only):
        yield f"{shown}."
    yield phrases.covered(report)
    yield from (f"Note: {escape(note)}" for note in report.notes)
    for number, verdict in phrases.chosen(report, only):
        yield f"## {number}. {_label(verdict)}"
        yield from _verdict(verdict, name)
    yield from _end(report, name, "checked")
    yield _pairs(phrases.facts(report))
    if quoted := phrases.quoted_documents(report):
        yield "Documents that are quoted, with their SHA-256:"
        yield _pairs((name(file), digest) for file, digest in quoted.items())


def _answers(comparison: Comparison, name: NameFile) -> Blocks:
    last, laid_out = comparison.reports[-1], comparison.laid_out()
    yield f"# {escape(comparison.question)}"
    if not comparison.complete:
        yield f"**{answers.INTERRUPTED}**"
    yield from (f"Note: {escape(note)}" for note in comparison.notes)
    methods = [escape(one.method or "") for one in comparison.reports]
    for method, one, said in zip(methods, comparison.reports, laid_out, strict=True):
        if comparison.has_costs:
            yield f"## {method}"
        yield from _sentences(one, said)
    if comparison.has_costs:
        yield "## What each costs"
        head = [["", *methods], ["---", *["---:"] * len(methods)]]
        rows = [[measure.strip(), *figures] for measure, figures in comparison.measures]
        yield "\n".join(_row(row) for row in head + rows)
    yield from _quotes("Sources", laid_out[-1].sources, name, numbered=True)
    yield from _quotes("Nearest to the question", comparison.nearest, name)
    yield from _end(last, name, "answered")
    counted = last.verdicts and not comparison.has_costs
    counts = f"{phrases.claims_by_label(last)}. " if counted else ""
    yield f"{counts}{phrases.documents(last)}."
    for method, one in zip(methods, comparison.reports, strict=True):
        if comparison.has_costs:
            yield f"### Settings of {method}"
        yield _pairs(phrases.facts(one))


def _end(report: Report, name: NameFile, done: str) -> Blocks:
    """The files that were not read, by reason, and the last heading."""
    if groups := phrases.unread(report):
        yield "## Files that were not read"
        yield phrases.NOT_LOOKED_UP
    for group in groups:
        yield escape(group.said(name))
        if group.listed:
            yield "\n".join(f"- {escape(name(file))}" for file in group.listed)
    yield f"## How this was {done}"


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and values, as a list."""
    return "\n".join(f"- {escape(name)}: {escape(value)}" for name, value in pairs)


def _label(verdict: Verdict) -> str:
    return f"{escape(phrases.labelled(verdict.label))} ({escape(phrases.aside(verdict))})"


def _verdict(verdict: Verdict, name: NameFile) -> Blocks:
    """The claim, why it was so judged, and the quotes."""
    yield _marked(verdict)
    if said := phrases.override(verdict):
        yield f"**Overridden by hand:** {escape(said)}"
    if verdict.claim.not_checkable is None:
        yield f"*{escape(verdict.explanation)}*"
    if told := beside.summary(verdict):
        yield "; ".join(f"{beside.STATE_WORDS[state]}: {escape(items)}" for state, items in told)
    if pairs := beside.pairs(verdict):
        rows: list[Sequence[str]] = [beside.COLUMNS, ("---", "---")]
        for pair in pairs:
            where = escape(phrases.file_and_page(pair.citation, name))
            rows.append((_snippet(pair.claim), f"{_snippet(pair.document)} ({where})"))
        yield "\n".join(map(_row, rows))
    if verdict.disagreement is not None:
        yield f"**{beside.SPLIT}:**"
    yield from (_citation(citation, name) for citation in verdict.citations)


def _sentences(report: Report, numbered: Numbered) -> Blocks:
    """The sentences of an answer, and what makes them doubtful."""
    assert report.answer is not None
    if above := answers.hedge(report.answer):
        yield f"**{escape(above)}**"
    yield from map(_sentence, numbered.sentences)
    yield from (f"**{escape(doubt)}**" for doubt in answers.doubts_below(report))


def _sentence(sentence: Sentence) -> str:
    verdict = sentence.verdict
    line = escape(f"{verdict.claim.statement} {answers.marks(sentence)}".rstrip())
    if not sentence.is_fact:
        line = f"**{_label(verdict)}:** {line}"
    return f"{line}\n*{escape(sentence.explanation)}*" if sentence.explanation else line


def _quotes(
    heading: str, citations: Sequence[Citation], name: NameFile, *, numbered: bool = False
) -> Blocks:
    """What an answer quotes, by its numbers, or what is nearest to the question."""
    if citations:
        yield f"## {heading}"
    for number, citation in enumerate(citations, start=1):
        mark = f"\\[{number}\\] " if numbered else ""
        yield mark + escape(phrases.place(citation, name))
        yield f"> {escape(answers.prose(citation))}"


def _marked(verdict: Verdict) -> str:
    """The statement: what differs stands **strong**, what no quote says *emphasised*."""
    marks = {"conflict": "**", "missing": "*"}
    line = ""
    for piece in beside.pieces(verdict):
        mark = marks.get(piece.state or "", "")
        line += f"{mark}{_inline(piece.text)}{mark}"
    return _at_start(line.strip())


def _snippet(snippet: Snippet) -> str:
    return f"{_inline(snippet.before)}**{_inline(snippet.part)}**{_inline(snippet.after)}"


def _citation(citation: Citation, name: NameFile) -> str:
    quote = answers.prose(citation)
    relation = phrases.RELATION_WORDS[citation.relation]
    return f"> {escape(quote)}\n>\n> ({relation}: {escape(phrases.place(citation, name))})"


def _row(cells: Sequence[str]) -> str:
    """A row of a table; an empty cell takes one space."""
    return f"|{'|'.join(f' {cell} ' if cell else ' ' for cell in cells)}|"
