"""``veracite ask``: answer a question from documents, by one method or by several."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.settings import Config, declared
from veracite.engine.texts import decode_text
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.running import STDIN, Run, Stopped, read_stdin
from veracite.tui.console import ExitCode, Look, UsageError

if TYPE_CHECKING:
    from veracite.engine.methods.base import Method
    from veracite.engine.methods.catalogue import Configured

_SCHEMA = "veracite.methods/1"


def _show_methods(chosen: str | None, as_json: bool) -> int:
    """Print every method in short, or one with its settings and presets.

    Raises:
        SettingsError: There is no such method.
    """
    from veracite.engine.methods.catalogue import METHODS, named

    methods = METHODS if chosen is None else (named(chosen),)
    if as_json:
        output.write_json({"schema": _SCHEMA, "methods": [_facts(method) for method in methods]})
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
            {name: getattr(one, name) for name in ("name", "default", "about", "valid")}
            for one in declared(method.settings).values()
        ],
        "presets": {name: dict(values) for name, values in method.presets.items()},
    }


def _short(methods: "tuple[Method, ...]", look: Look) -> Iterator[str]:
    room = max(len(method.name) for method in methods) + 2
    for method in methods:
        yield from look.lines(f"{method.name:{room}}{method.about}", hanging=" " * room)
    yield ""
    advice = "`veracite ask --list-methods --method NAME` lists the settings and presets of one."
    yield from look.lines(advice)


def _long(method: "Method", look: Look) -> Iterator[str]:
    yield from look.lines(f"{method.name}: {method.about}.")
    yield ""
    yield "Settings (--set NAME=VALUE):"
    for option in declared(method.settings).values():
        yield look.paint(f"  {option.name} = {_written(option.default)}", "bold")
        yield from look.lines(f"{option.about} Takes {option.valid}.", indent="      ")
    if method.presets:
        yield ""
        yield "Presets (--preset NAME):"
    for name, values in method.presets.items():
        yield look.paint(f"  {name}", "bold")
        told = ", ".join(f"{key} = {_written(value)}" for key, value in values.items())
        yield from look.lines(told, indent="      ")


def _written(value: object) -> str:
    """As ``--set`` takes it."""
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


@click.command
@click.argument("question", nargs=-1)
@options.against
@options.patterns
@options.settings("prefer", "method")
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
@options.report()
@options.output("Write the report to FILE and not to standard output.")
@options.settings("fail_on")
@options.run("why each sentence is judged so, with every near quote")
def ask(
    run: Run,
    /,
    question: tuple[str, ...],
    compare: str | None,
    presets: tuple[str, ...],
    sets: tuple[str, ...],
    listing: bool,
) -> int:
    """Answer QUESTION from documents, each sentence with its quotes.

    QUESTION is - for standard input. Exit code 0 means that every sentence is supported, 1 that
    one is not or that a part of the question has no answer.

    Ctrl-C ends with what was verified until then. If that is nothing, nothing is written in any
    format; the exit code is 130 in both cases.
    """
    method = run.flags["method"]
    if listing:
        return _show_methods(method, run.as_json)
    run.prepare(STDIN)
    if compare is not None and method is not None:
        raise UsageError(
            "--method and --compare exclude each other.", "Name all methods with --compare."
        )
    methods = _methods(run.config, compare, presets, sets)
    asked = _read(question)

    from veracite.engine.methods.cost import Meter
    from veracite.engine.report.answers import Compared, Comparison

    answers: list[Compared] = []
    try:
        with run.working(to_the_end=True) as bench:
            for one in methods:
                if run.stopped():
                    break
                meter = Meter()
                events = bench.ask(
                    asked, one.method, one.settings, against=run.documents, written=run.config.ask
                )
                answers.append(Compared(run.follow(events, meter.take), meter.cost))
    except Stopped:
        if not answers:
            console.say("Interrupted before anything was verified.")
            return ExitCode.INTERRUPTED
    except KeyboardInterrupt:
        console.say("Interrupted before the answer was complete.")
        return ExitCode.INTERRUPTED
    reports = [answer.report for answer in answers]
    complete = len(reports) == len(methods) and reports[-1].complete
    run.send(Comparison(asked, tuple(answers), complete) if compare else reports[0])
    if not complete:
        return ExitCode.INTERRUPTED
    answered = all(r.verdicts and not (r.answer and r.answer.unanswered) for r in reports)
    if run.config.fail_on and not answered:
        return ExitCode.FINDINGS
    return max(run.outcome(report) for report in reports)


def _methods(
    config: Config, compare: str | None, presets: Sequence[str], sets: Sequence[str]
) -> "tuple[Configured, ...]":
    from veracite.engine.methods.catalogue import configured, default_method

    if compare is None:
        return configured([default_method(config, presets)], config, presets, sets)
    names = dict.fromkeys(name.strip() for name in compare.split(",") if name.strip())
    if not names:
        raise UsageError("No method is named to compare.", "Write it as --compare ceg,vtg.")
    return configured(list(names), config, presets, sets)


def _read(words: Sequence[str]) -> str:
    """The question; its words need no quotation marks."""
    if not words:
        raise UsageError("No question is asked.", "Write it after ask, or - for standard input.")
    asked = " ".join(words)
    if asked == STDIN:
        asked = " ".join(decode_text(read_stdin("question"), "Standard input").text.split())
    if not asked.strip():
        raise UsageError("The question is empty.", "Ask something.")
    return asked
