"""Writes into README.md and docs/ what the program itself knows: options, keys, methods, outputs.

Each piece stands between two marks, ``<!-- begin NAME -->`` and ``<!-- end NAME -->``. Run it
after a change to options, keys, methods, checks or verdicts; ``tests/test_docs.py`` and
``tests/test_samples.py`` notice when that is needed.
"""

import argparse
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

import click

from veracite.engine.version import __version__

ROOT = Path(__file__).resolve().parents[1]
MANUAL = ROOT / "docs" / "veracite.1"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
DEMO = ["veracite", "check", "tests/samples/draft.md", "--against", "tests/samples/library"]
ASKING = ["veracite", "ask", "Who found the asteroid?", "--against", "tests/samples/library"]
SHOWN = ("Queen Elizabeth II", "It was installed", "planetarium")
"""Parts of the claims that the README shows; the other verdicts are left out."""
EVERYWHERE = {("--json", "Print JSON."), ("-q, --quiet", "No progress and no warnings.")}
"""Options of most commands, which the tables of subcommands pass over."""


def environment(folder: str) -> dict[str, str]:
    """That of a program whose index is in a folder, and which has no config file."""
    return os.environ | {
        "VERACITE_CACHE_DIR": f"{folder}/cache",
        "VERACITE_DATA_DIR": f"{folder}/data",
        "VERACITE_CONFIG": os.devnull,
        "PYTHONUTF8": "1",
    }


def output_of(command: list[str]) -> str:
    """What a command prints, with an index and settings of its own."""
    with tempfile.TemporaryDirectory() as folder:
        environ = environment(folder)
        program = Path(sys.executable).with_name(command[0])
        run = subprocess.run(
            [program, *command[1:]], cwd=ROOT, env=environ, capture_output=True, check=True
        )
    return run.stdout.decode("utf-8")


def demo() -> str:
    """The verdicts in ``SHOWN`` and what stands below the last verdict."""
    *verdicts, closing = output_of([*DEMO, "--fail-on", "none"]).rstrip("\n").split("\n\n")
    blocks: list[str] = []
    for verdict in verdicts:
        if any(part in " ".join(verdict.split()) for part in SHOWN):
            blocks.append(verdict)
        elif blocks[-1:] != ["[...]"]:
            blocks.append("[...]")
    return _fenced("\n\n".join([f"$ {' '.join(DEMO)}", *blocks, closing]))


def asking() -> str:
    """A question and its answer."""
    command = " ".join(f'"{word}"' if " " in word else word for word in ASKING)
    return _fenced(f"$ {command}\n{output_of(ASKING).rstrip()}")


def commands() -> dict[str, click.Command]:
    """Every command and subcommand of the command line, by its words: ``library add``."""
    from veracite.tui.cli.root import root

    return dict(_below(root, ""))


def _below(group: click.Group, prefix: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        if command := group.get_command(context, name):
            yield f"{prefix}{name}", command
            if isinstance(command, click.Group):
                yield from _below(command, f"{prefix}{name} ")


def records(command: click.Command) -> dict[str, str]:
    """Each option of a command as ``--help`` names it, and what it does."""
    context = click.Context(command)
    found = {}
    for param in command.get_params(context):
        record = param.get_help_record(context) if isinstance(param, click.Option) else None
        if record and "--help" not in param.opts:
            names, about = record
            found[names] = " ".join(about.split())
    return found


def manual() -> str:
    """The page for ``man veracite``: what ``--help`` says of every command, in roff."""
    from veracite.tui.cli.root import PROGRAM, root

    lines = [
        f'.TH {PROGRAM.upper()} 1 "" "{PROGRAM} {__version__}" "User Commands"',
        ".SH NAME",
        f"{PROGRAM} \\- {_roff(root.get_short_help_str(200)).rstrip('.')}",
        ".SH SYNOPSIS",
        f".B {PROGRAM}",
        "[OPTIONS] [COMMAND] [ARGUMENTS]",
        ".SH DESCRIPTION",
        *_told(root),
        ".SH COMMANDS",
    ]
    for name, command in commands().items():
        pieces = " ".join(command.collect_usage_pieces(click.Context(command)))
        lines += [f'.SS "{PROGRAM} {name} {_roff(pieces)}"', *_told(command)]
    return "\n".join([*lines, ".SH SEE ALSO", *map(_roff, SEE_ALSO)]) + "\n"


def _told(command: click.Command) -> Iterator[str]:
    """The help of a command, and its options."""
    for number, paragraph in enumerate(inspect.cleandoc(command.help or "").split("\n\n")):
        rows = [_roff(line) for line in paragraph.removeprefix("\b\n").split("\n")]
        yield from [".PP"] * (number > 0)
        yield from (".nf", *rows, ".fi") if paragraph.startswith("\b") else rows
    for names, about in records(command).items():
        yield from (".TP", f".B {_roff(names)}", _roff(about))


def _roff(text: str) -> str:
    """A line for roff to print as it is."""
    return ("\\&" if text.startswith(".") else "") + text.translate(ROFF)


def options_of(*names: str, but_of: Collection[str] = ()) -> str:
    """A table of the options of some commands that some others do not have just so.

    Args:
        names: The commands; where they are several, each row says which.
        but_of: Commands whose options are passed over.
    """
    found = {name: records(command) for name, command in commands().items()}
    several = len(names) > 1
    known = {pair for name in but_of for pair in found[name].items()}
    known |= EVERYWHERE if several else set()
    users: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for pair in found[name].items():
            if pair not in known:
                users.setdefault(pair, []).append(name.rpartition(" ")[2])
    of = ["Of"] if several else []
    rows = [
        (f"`{option}`", *([_of(own, names)] if several else []), about)
        for (option, about), own in users.items()
    ]
    return _table(("Option", *of, "What it does"), rows)


def options_below(group: str) -> str:
    """The same of all subcommands of a command."""
    return options_of(*(name for name in commands() if name.startswith(f"{group} ")))


def _of(users: Collection[str], names: Collection[str]) -> str:
    return "all" if len(users) == len(names) > 2 else ", ".join(users)


def command_list() -> str:
    """Every command with what it does."""
    rows = (
        (f"`veracite {name}`", command.get_short_help_str(200))
        for name, command in commands().items()
        if not isinstance(command, click.Group)
    )
    return _table(("Command", "What it does"), rows)


def settings(table: str) -> str:
    """What a table of the config file may hold."""
    from veracite.engine.methods.fix import FixSettings
    from veracite.engine.settings import declared, tables

    of_fix = table == "fix"
    environment = [] if of_fix else ["Environment"]
    found = declared(FixSettings) if of_fix else tables()[table]
    rows = []
    for one in found.values():
        variable = [] if of_fix else [f"`{one.variable}`"]
        default = "none" if one.default is None else one.usual
        rows.append((f"`{one.name}`", *variable, one.valid, default, one.about))
    return _table(("Setting", *environment, "Takes", "Default", "What it is"), rows)


def methods() -> str:
    """Every method, the settings of those from papers, and the names of all presets."""
    told = json.loads(output_of(["veracite", "ask", "--list-methods", "--json"]))["methods"]
    blocks = [_table(("Method", "What it does"), ((f"`{m['name']}`", m["about"]) for m in told))]
    for method in told:
        own = method["settings"]
        if method["presets"] and len(own) > 4:
            names = ", ".join(f"`{name}`" for name in method["presets"])
            defaults = (json.dumps(one["default"]).strip('"') for one in own)
            rows = (
                (f"`{one['name']}`", f"`{default.replace('null', 'none')}`", one["about"])
                for one, default in zip(own, defaults, strict=True)
            )
            table = _table(("Setting", "Default", "What it is"), rows)
            blocks += [f"### {method['name']}", table, f"Presets: {names}."]
    return "\n\n".join(blocks)


def keys() -> str:
    """The keys of the app that the config file can change, by where they work."""
    from veracite.tui.keys import KEYS

    rows = (
        (place, f"`{k.key_display or k.key}`", f"`{k.id}`", k.tooltip or k.description.lower())
        for place, own in KEYS.items()
        for k in own
        if k.id
    )
    return _table(("In", "Key", "Name in `[keys]`", "What it does"), rows)


def checks() -> str:
    """What the decision goes by beside the network."""
    from veracite.engine.judge.checks import CHECKS, VETOES

    rows = [
        (f"`{c.id}`{' (veto)' * (c in VETOES)}", (c.value.__doc__ or "").splitlines()[0])
        for c in CHECKS
    ]
    return _table(("Check", "What it says of a claim beside a sentence"), rows)


OTHERS = ("search", "mcp", "trace show", "doctor")
"""Commands that have options, and no table of their own."""
PIECES: dict[str, Callable[[], str]] = {
    "commands": command_list,
    "options of check": lambda: options_of("check"),
    "options of ask": lambda: options_of("ask", but_of=["check"]),
    "options of fix": lambda: options_of("fix", but_of=["check", "ask"]),
    "options of library": lambda: options_below("library"),
    "options of models": lambda: options_below("models"),
    "options of the others": lambda: options_of(*OTHERS, but_of=["check"]),
    "options of eval": lambda: options_below("eval"),
    "settings of check": lambda: settings("check"),
    "settings of ask": lambda: settings("ask"),
    "settings of fix": lambda: settings("fix"),
    "methods": methods,
    "keys": keys,
    "checks": checks,
}
"""What is known at once, by the name in the marks."""
ROFF = str.maketrans(
    {"\\": "\\e", "-": "\\-", "~": "\\(ti", "^": "\\(ha", "`": "\\(ga", "'": "\\(aq"}
)
"""What roff would take for something else."""
SEE_ALSO = (
    "`veracite locate` prints every path that is used, `veracite doctor` what works here.",
    "README.md and docs/ in the source say the rest.",
)
"""What the manual page ends with."""
MEASURED: dict[str, Callable[[], str]] = {"demo": demo, "question": asking}
"""What has to be run."""


def marked(text: str) -> list[str]:
    """The names of the pieces of a page, in order."""
    return re.findall(r"^<!-- begin ([\w ]+) -->$", text, re.MULTILINE)


def between(text: str, name: str) -> str:
    """A piece as it stands on a page."""
    _, _, rest = text.partition(f"<!-- begin {name} -->\n")
    return rest.partition(f"<!-- end {name} -->")[0].rstrip("\n")


def _table(head: Collection[str], rows: Any) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"


def main() -> None:
    """Write every piece of every page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="only what nothing is run for")
    pieces = PIECES if parser.parse_args().quick else PIECES | MEASURED
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name in filter(pieces.__contains__, marked(text)):
            before, begin, rest = text.partition(f"<!-- begin {name} -->\n")
            _, end, after = rest.partition(f"<!-- end {name} -->")
            text = f"{before}{begin}{pieces[name]()}\n{end}{after}"
        page.write_text(text, encoding="utf-8")
        print(page.relative_to(ROOT), len(text.splitlines()))
    MANUAL.write_text(manual(), encoding="utf-8")


if __name__ == "__main__":
    main()
