"""The root of all commands: loads each one only when it is called."""

import importlib
import os
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import click
from click.shell_completion import shell_complete

from veracite.engine import offline
from veracite.engine.paths import Paths
from veracite.engine.version import __version__
from veracite.tui import console
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode

PROGRAM = "veracite"
COMPLETE_VARIABLE = "_VERACITE_COMPLETE"

_COMMANDS = {
    "check": "Check what a text says against documents.",
    "ask": "Answer a question from documents, each sentence with its quotes.",
    "fix": "Rewrite what no document supports, and show the difference.",
    "hook": "Check several files, and print what is wrong in them: for pre-commit.",
    "search": "Find the passages of documents that are nearest to some words.",
    "conflicts": "List the sentences of documents that contradict each other.",
    "library": "Manage named collections of documents.",
    "models": "List, download, import and choose models.",
    "report": "Look again at a report: do its quotes still stand, what differs from another.",
    "trace": "Tell what a --trace file holds as a story.",
    "eval": "Measure verdicts, search and answers on labelled data.",
    "locate": "Print every path that Veracite uses.",
    "doctor": "Say what works here, and what to do about the rest.",
    "mcp": "Serve checks, answers and searches to an MCP client.",
    "completion": "Print a shell's completion script.",
}
"""Each lives in a module of its name; the sentences spare ``--help`` from importing them."""
_MODULES = {"eval": "evaluate"}
"""Commands whose name Python has taken."""


class _LazyGroup(click.Group):
    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module = _MODULES.get(name, name)
        command = getattr(importlib.import_module(f"veracite.tui.cli.{module}"), module)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; on a terminal the app opens with a file that stands alone, or with nothing
        but --against. Of other files and of folders it is said which command takes them, of other
        names which is nearest."""
        name = args[0]
        if name in _COMMANDS or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        alone = len(args) % 2 and {*args[1::2]} <= {"--against", "-a"}
        if os.path.isfile(name) and alone and _on_terminal():
            opened = partial(_open, ctx.obj, Path(name), args[2::2])
            return name, click.Command(name, callback=opened), []
        if os.path.exists(name):
            folder = os.path.isdir(name)
            words = ["check", "TEXT", "--against", *args] if folder else ["check", *args]
            raise console.UsageError(
                f"{name!r} is a {'folder' if folder else 'file'}, not a command.",
                f"To check {'a text against it' if folder else 'it'}, write "
                f"`{shlex.join([PROGRAM, *words])}`.",
            )
        if alone and (os.sep in name or Path(name).suffix):
            raise console.UsageError(f"There is no file {name!r}.", "Check the name and the place.")
        from veracite.engine.settings import meant

        nearest = meant(name, list(_COMMANDS))
        raise console.UsageError(f"No such command {name!r}.", f"{nearest}See `{PROGRAM} --help`.")

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(
    __version__,
    "--version",
    "-V",
    message="%(prog)s %(version)s",
    help="Print the version and exit.",
)
@click.option("--debug", is_flag=True, envvar="VERACITE_DEBUG", help="Show tracebacks.")
@click.pass_context
def root(ctx: click.Context, debug: bool) -> int:
    """Check what a text says against the documents on this machine, and ask them; offline.

    Without a command, the app opens.

    \b
    Exit codes: 0 no findings, 1 findings, 2 the command line is wrong,
    3 failed to run, 130 interrupted.
    """
    session: Session = ctx.obj
    session.debug = debug
    if ctx.invoked_subcommand is not None:
        return ExitCode.OK
    if not _on_terminal():
        console.say(ctx.get_help())
        return ExitCode.USAGE
    _open(session)


def _on_terminal() -> bool:
    return console.is_terminal(sys.stdin) and console.is_terminal(sys.stdout)


def _open(session: Session, path: Path | None = None, against: Sequence[str] = ()) -> NoReturn:
    """Open the app, with a text and documents if they are named."""
    from veracite.engine.libraries import Libraries, documents
    from veracite.tui import app

    app.run(session.paths, path, documents(against, Libraries(session.paths)))


def run(arguments: Sequence[str]) -> int:
    """Run a command line to its exit code; whatever goes wrong is told on standard error."""
    offline.install()
    session = Session(Paths.resolve())
    if instruction := os.environ.get(COMPLETE_VARIABLE):
        return shell_complete(root, {"obj": session}, PROGRAM, COMPLETE_VARIABLE, instruction)
    return console.guarded(
        lambda: _invoke(arguments, session),
        debug=lambda: session.debug,
        crashes=session.paths.crashes,
    )


def _invoke(arguments: Sequence[str], session: Session) -> int:
    try:
        with root.make_context(PROGRAM, list(arguments), obj=session) as ctx:
            result = root.invoke(ctx)
            return int(result or ExitCode.OK)
    except click.exceptions.Exit as request:
        return request.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        console.say(error.format_message())
        return ExitCode.USAGE
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else PROGRAM
        taken = [param.name for param in error.ctx.command.params] if error.ctx else []
        several = "extra arg" in error.message and "against" in taken
        advice = "Give --against before each of several files. " * several
        raise console.UsageError(
            error.format_message(), f"{advice}See `{where} --help`."
        ) from error
