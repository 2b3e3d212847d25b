"""``veracite fix``: rewrite what no document supports, and show the difference."""

import io
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from veracite.engine import settings
from veracite.engine.display import neutralise, wrap
from veracite.engine.judge.unread import nothing_read, unread_note
from veracite.engine.libraries import Libraries
from veracite.engine.report import phrases
from veracite.engine.report.answers import prose
from veracite.engine.report.fixes import Told, diff_lines, grouped, headline, remaining
from veracite.engine.report.phrases import NameFile
from veracite.engine.texts import Text, decode_text, read_text
from veracite.engine.types import Citation, Label, Report, Verdict
from veracite.tui import console
from veracite.tui.cli import options, running
from veracite.tui.cli import output as destination
from veracite.tui.cli.output import FORMATS as _OF_REPORTS
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, Look, OutputError, UsageError
from veracite.tui.text_report import LOOKS, documents, head, quoted
from veracite.tui.texts import Form, is_plain


@dataclass(frozen=True, slots=True)
class Source:
    """A text, and where it came from."""

    path: Path | None
    """None for standard input."""
    text: Text
    content: bytes
    """Of the file."""
    form: Form | None
    """None where the file does not hold the text as it is: a PDF, or broken characters."""

    @property
    def title(self) -> str:
        """What to call it."""
        return str(self.path) if self.path else "standard input"

    @property
    def refusal(self) -> str | None:
        """Why the mended text cannot be written over it; None if it can."""
        if self.path is None:
            return "standard input cannot be written over"
        if not self.text.markdown:
            return f"{self.path} is no text file"
        if self.form is None:
            return f"{self.path} is not in one encoding throughout"
        if not self.path.is_file():
            return f"{self.path} is no regular file"
        if not os.access(self.path, os.W_OK):
            return f"{self.path} is read-only"
        return None

    def encoded(self, text: str) -> bytes:
        """A text in the form of this one; in UTF-8 if this one has none.

        Raises:
            OutputError: The form lacks a character.
        """
        form = self.form or Form()
        try:
            return form.encoded(text)
        except UnicodeEncodeError as error:
            raise OutputError(
                f"{self.title} is written in {form.encoding}, which has no "
                f"{error.object[error.start]!r}.",
                "Save it as UTF-8 first, then mend it.",
            ) from error

    def write_over(self, text: str) -> None:
        """Write a text over this one.

        Raises:
            OutputError: It cannot be written, or another program has changed the file.
        """
        assert self.path is not None
        content = self.encoded(text)
        if self.path.read_bytes() != self.content:
            raise OutputError(
                f"{self.path} was changed by another program while it was mended, so it stays "
                "as it is.",
                "Mend it again.",
            )
        destination.write_file(self.path, content)


def read(name: str) -> Source:
    """Read a text, or the text in a document.

    Args:
        name: Of a file, or ``-``.

    Raises:
        UsageError: There is no such file.
        InputError: It cannot be read, or holds no text.
    """
    if name == running.STDIN:
        content = running.read_stdin("text")
        text = decode_text(content, "Standard input")
        return Source(None, text, content, Form.of(text.text, content))
    path = running.text_path(name)
    text, content = read_text(path), path.read_bytes()
    return Source(path, text, content, Form.of(text.text, content) if text.markdown else None)


_LINES = {"+": ("green",), "-": ("red",), "@": ("magenta",)}
"""How a line of the difference is painted, by how it begins."""
_INTERRUPTED = "Interrupted before everything was done."


def render_fix(
    report: Report, title: str, look: Look, name: NameFile, *, verbose: bool = False
) -> str:
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
    yield from _titled("Also unsupported:", left, look)
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
        look = Look.of(sys.stdout)
        console.write(render_fix(report, title, look, name, verbose=verbose))
    elif kind == "json":
        from veracite.engine.report import json

        console.write(json.render(report), data=True)
    elif kind == "md":
        from veracite.engine.report import markdown

        console.write(markdown.render_fix(report, title, name), data=True)
    elif kind == "html":
        from veracite.engine.report import html

        console.write(html.render_fix(report, title, name), data=True)
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


@click.command
@click.argument("text", type=click.Path(allow_dash=True))
@options.against
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    help="Format of what is printed; diff is for `patch` and similar programs [default: text].",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the mended text to FILE.",
)
@click.option("--write", is_flag=True, help="Write the mended text over TEXT.")
@options.with_sets
@options.settings("skills")
@options.settings("fail_on")
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="In text: every near quote of what is left unsupported. With a GGUF model also "
    "llama.cpp's own log, on standard error.",
)
@options.judging
@options.settings("markdown")
@options.trace
@options.quiet
@click.pass_obj
def fix(
    session: Session,
    /,
    text: str,
    against: tuple[str, ...],
    as_json: bool,
    kind: str | None,
    output: Path | None,
    write: bool,
    sets: tuple[str, ...],
    fail_on: tuple[str, ...],
    verbose: bool,
    trace: Path | None,
    quiet: bool,
    **flags: object,
) -> int:
    """Mend what TEXT says where no document supports it, and show what changes and why.

    Only unsupported claims change, and only into what the documents support. TEXT stays as it is
    unless --write is given. It is a file (text, Markdown, PDF, DOCX, HTML), or - for standard
    input. Exit code 0 means that nothing unsupported is left, 1 that something is.

    \b
    Settings (--set NAME=VALUE):
      mend=LABELS        labels that are mended [contradicted,not_found,uncertain]
      remove=true        take out what is not supported and cannot be mended
      T=N                attempts at each claim
      passages=N         passages that a claim is mended by
      k=N, t=T, retrieval=MODE  as -k, --threshold and --retrieval
    """
    from veracite.engine.methods.catalogue import fix_settings

    flags["fail_on"] = ",".join(fail_on) or None
    config = settings.load(session.paths, flags)
    chosen = destination.choose_format(kind, as_json, None)
    fixing = fix_settings(config, sets)
    documents = running.documents(against, Libraries(session.paths))
    source = read(text)
    _require_possible(source, chosen, output, write)
    if not quiet:
        for warning in settings.unknown_variables():
            console.say(warning)

    from veracite.engine.workbench import Workbench

    check = config.check if source.text.markdown else replace(config.check, markdown=False)
    with (
        Workbench(check, session.paths, verbose=verbose) as bench,
        running.tracing(trace) as record,
        running.stopping(bench.cancel) as stopped,
    ):
        path = str(source.path) if source.path else None
        events = bench.fix(
            source.text.text,
            fixing,
            path=path,
            against=documents,
            skills=config.ask.skills,
            wording=config.ask.wording,
        )
        report = running.follow(
            events, record, quiet=quiet, notes_follow=chosen == "text", stopped=stopped
        )
    if source.text.note:
        report = replace(report, notes=(*report.notes, source.text.note))
    show(report, source, chosen, running.namer(documents), verbose=verbose)
    if output or write:
        _save(report, source, output, quiet)
    return _outcome(report, config.fail_on)


def _require_possible(source: Source, kind: str, output: Path | None, write: bool) -> None:
    """Find out before the work that what is to be written cannot be."""
    if output and write:
        raise UsageError("--output and --write exclude each other.", "Give one of them.")
    if write and (reason := source.refusal):
        raise UsageError(f"--write cannot be used: {reason}.", "Use -o FILE.")
    if kind == "diff" and (source.form is None or source.form.is_wide):
        raise UsageError(
            f"A diff could not be applied to {source.title}: it is not in an encoding that diffs "
            "are made of.",
            "Leave out --format diff, and use -o FILE.",
        )
    if output is None:
        return
    if source.path and output.exists() and output.samefile(source.path):
        raise UsageError("The output would overwrite the text.", "Use --write if that is meant.")
    destination.require_place(output, "-")
    if not is_plain(output):
        raise UsageError(
            f"A {output.suffix} file cannot be written, only text.", "End the name in .md or .txt."
        )


def _save(report: "Report", source: Source, output: Path | None, quiet: bool) -> None:
    """Write the mended text to the output, or over the source."""
    assert report.fix is not None
    if not report.complete:
        console.say("Interrupted, so nothing was written.")
        return
    if output is not None:
        destination.write_file(output, source.encoded(report.fix.text))
    elif report.fix.text != source.text.text:
        source.write_over(report.fix.text)
    else:
        return
    if not quiet:
        console.say(f"The mended text is in {output or source.title}.")


def _outcome(report: "Report", fail_on: Sequence[Label]) -> ExitCode:
    if not report.complete:
        return ExitCode.INTERRUPTED
    unread = unread_note(report.verdicts)
    if unread and nothing_read(report.verdicts):
        console.say(f"Warning: {unread}")
        return ExitCode.FAILED
    return ExitCode.FINDINGS if any(report.counts[label] for label in fail_on) else ExitCode.OK
