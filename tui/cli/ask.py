"""``veracite ask``: answer a question from documents, by one method or by several."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine import settings
from veracite.engine.display import wrap
from veracite.engine.judge.unread import nothing_read
from veracite.engine.libraries import Libraries
from veracite.engine.report.json import safe_json
from veracite.engine.settings import Config, declared
from veracite.engine.texts import decode_text
from veracite.engine.types import Label, Report
from veracite.tui import console
from veracite.tui.cli import options, sources
from veracite.tui.cli import output as destination
from veracite.tui.cli.following import Stopped, stopping, tracing
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, Look, UsageError

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method
    from veracite.engine.methods.catalogue import Configured

_SCHEMA = "veracite.methods/1"


def show_methods(chosen: str | None, as_json: bool) -> int:
    """Print every method in short, or one with its settings and presets.

    Raises:
        SettingsError: There is no such method.
    """
    import sys

    from veracite.engine.methods.catalogue import METHODS, named

    methods = METHODS if chosen is None else (named(chosen),)
    if as_json:
        facts = {"schema": _SCHEMA, "methods": [_facts(method) for method in methods]}
        console.write(safe_json(facts, indent=2) + "\n", data=True)
        return ExitCode.OK
    look = Look.of(sys.stdout)
    lines = _short(methods, look) if chosen is None else _long(methods[0], look)
    console.write("".join(f"{line}\n" for line in lines))
    return ExitCode.OK


def _facts(method: "Method") -> dict[str, Any]:
    return {
        "name": method.name,
        "about": method.about,
        "settings": [
            {name: getattr(one, name) for name in ("name", "default", "about", "valid", "quoted")}
            for one in declared(method.settings).values()
        ],
        "presets": {name: dict(values) for name, values in method.presets.items()},
    }


def _short(methods: "tuple[Method, ...]", look: Look) -> Iterator[str]:
    room = max(len(method.name) for method in methods) + 2
    for method in methods:
        hanging = " " * room
        yield from wrap(f"{method.name:{room}}{method.about}", look.width, hanging=hanging)
    yield ""
    yield from wrap(
        "`veracite ask --list-methods --method NAME` lists the settings and presets of one.",
        look.width,
    )


def _long(method: "Method", look: Look) -> Iterator[str]:
    yield from wrap(f"{method.name}: {method.about}.", look.width)
    yield ""
    yield "Settings (--set NAME=VALUE):"
    for option in declared(method.settings).values():
        yield look.paint(f"  {option.name} = {_written(option.default)}", "bold")
        yield from wrap(f"{option.about} Takes {option.valid}.", look.width, "      ")
    if method.presets:
        yield ""
        yield "Presets (--preset NAME):"
    for name, values in method.presets.items():
        yield look.paint(f"  {name}", "bold")
        told = ", ".join(f"{key} = {_written(value)}" for key, value in values.items())
        yield from wrap(told, look.width, "      ")


def _written(value: object) -> str:
    """As ``--set`` takes it."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


_STDIN = "-"


@click.command
@click.argument("question", nargs=-1)
@options.against
@options.settings("method")
@click.option(
    "--compare",
    metavar="NAMES",
    help="Several methods on the same question, separated by commas, and what each costs.",
)
@click.option(
    "--preset",
    "presets",
    multiple=True,
    metavar="NAME",
    help="Settings as a paper has them, such as vtg.asqa-table6.",
)
@options.with_sets
@options.settings("skills", "wording")
@click.option(
    "--list-methods",
    "listing",
    is_flag=True,
    help="List the methods; with --method, the settings and presets of one; and stop.",
)
@options.report
@options.settings("fail_on")
@click.option(
    "--verbose",
    "-v",
    is_flag=True,
    help="In text: why each sentence is judged so, with every near quote. With a GGUF model also "
    "llama.cpp's own log, on standard error.",
)
@options.judging
@options.trace
@options.quiet
@click.pass_obj
def ask(
    session: Session,
    /,
    question: tuple[str, ...],
    against: tuple[str, ...],
    method: str | None,
    compare: str | None,
    presets: tuple[str, ...],
    sets: tuple[str, ...],
    listing: bool,
    as_json: bool,
    kind: str | None,
    output: Path | None,
    fail_on: tuple[str, ...],
    verbose: bool,
    trace: Path | None,
    quiet: bool,
    **flags: object,
) -> int:
    """Answer QUESTION from documents, each sentence with its quotes.

    QUESTION is - for standard input. Exit code 0 means that every sentence is supported, 1 that
    one is not or that there is no answer.

    Ctrl-C ends with what was verified until then. If that is nothing, nothing is written in any
    format; the exit code is 130 in both cases.
    """
    if listing:
        return show_methods(method, as_json)
    flags |= {"method": method, "fail_on": ",".join(fail_on) or None}
    config = settings.load(session.paths, flags)
    chosen = destination.choose_format(kind, as_json, output)
    destination.require_place(output, _STDIN)
    _require_one_way(method, compare)
    methods = _methods(config, compare, presets, sets, quiet=quiet)
    documents = sources.documents(against, Libraries(session.paths))
    asked = _read(question)
    if not quiet:
        for warning in settings.unknown_variables():
            console.say(warning)

    try:
        from veracite.engine.report.answers import Comparison
        from veracite.engine.workbench import Workbench
        from veracite.tui.cli.ask_output import (
            Answered,
            Asking,
            Display,
            answer_one,
            answer_side_by_side,
            show_comparison,
        )

        display = Display(chosen, output, quiet, verbose, sources.namer(documents))
        result: Answered | Comparison
        with (
            Workbench(config.check, session.paths, verbose=verbose) as bench,
            tracing(trace) as record,
            stopping(bench.cancel) as stopped,
        ):
            asking = Asking(
                bench,
                asked,
                documents,
                config.ask.skills,
                config.ask.wording,
                record,
                stopped,
            )
            if compare is None:
                result = answer_one(asking, methods[0], display)
            else:
                result = answer_side_by_side(asking, methods, display)
    except Stopped:
        console.say("Interrupted before anything was verified.")
        return ExitCode.INTERRUPTED
    except KeyboardInterrupt:
        console.say("Interrupted before the answer was complete.")
        return ExitCode.INTERRUPTED
    if isinstance(result, Comparison):
        show_comparison(result, display)
    else:
        result.show(display)
    if not result.complete:
        return ExitCode.INTERRUPTED
    return max(_outcome(report, config.fail_on) for report in result.reports)


def _methods(
    config: Config, compare: str | None, presets: Sequence[str], sets: Sequence[str], *, quiet: bool
) -> "tuple[Configured, ...]":
    from veracite.engine.methods.catalogue import configured, default_method

    if compare is None:
        return configured([default_method(config, presets)], config, presets, sets)
    names = [name.strip() for name in compare.split(",") if name.strip()]
    if not names:
        raise UsageError("No method is named to compare.", "Write it as --compare ceg,vtg.")
    once = list(dict.fromkeys(names))
    for name in once:
        if names.count(name) > 1 and not quiet:
            console.say(f"The method {name} is named more than once; it is run once.")
    return configured(once, config, presets, sets)


def _require_one_way(method: str | None, compare: str | None) -> None:
    if compare is not None and method is not None:
        raise UsageError(
            "--method and --compare exclude each other.", "Name all methods with --compare."
        )


def _read(words: Sequence[str]) -> str:
    """The question; its words need no quotation marks."""
    if not words:
        raise UsageError("No question is asked.", "Write it after ask, or - for standard input.")
    asked = " ".join(words) if tuple(words) != (_STDIN,) else _read_stdin()
    if not asked.strip():
        raise UsageError("The question is empty.", "Ask something.")
    return asked


def _read_stdin() -> str:
    if console.is_terminal(sys.stdin):
        console.say("Reading the question from standard input; Ctrl-D ends it.")
    text = decode_text(sys.stdin.buffer.read() if sys.stdin else b"", "Standard input")
    return " ".join(text.text.split())


def _outcome(report: Report, fail_on: Sequence[Label]) -> ExitCode:
    if nothing_read(report.verdicts):
        return ExitCode.FAILED
    unanswered = bool(fail_on) and not report.verdicts
    if unanswered or any(report.counts[label] for label in fail_on):
        return ExitCode.FINDINGS
    return ExitCode.OK
