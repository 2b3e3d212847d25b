"""``veracite hook``: what is wrong in several files, in a line or two each, for pre-commit."""

import click

from veracite.engine import settings
from veracite.engine.display import neutralise
from veracite.engine.report.phrases import LABEL_WORDS, percent
from veracite.engine.texts import decode_text
from veracite.tui import console
from veracite.tui.cli import options
from veracite.tui.cli.running import content_of, path_of
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode


@click.command
@click.argument("files", nargs=-1, metavar="FILE...", type=click.Path())
@options.against
@options.settings("fail_on")
@click.pass_obj
def hook(
    session: Session, /, files: tuple[str, ...], against: tuple[str, ...], fail_on: tuple[str, ...]
) -> int:
    """Check each FILE, plain text or Markdown, and print what is wrong with its line.

    For pre-commit and other programs that check what has changed. The documents are opened once;
    a file without text is passed over.
    """
    from veracite.engine.api import Library

    wanted = settings.load(session.paths, {"fail_on": fail_on} if fail_on else {}).fail_on
    paths = [path_of(name) for name in files]
    found = False
    with Library(against) as library:
        for path in paths:
            content = content_of(str(path), "text")
            if not content.strip():
                continue
            text = decode_text(content, str(path)).text
            report = library.check(text, path=path)
            for note in report.notes:
                console.say(f"{path}: {note}")
            for verdict in report.verdicts:
                if verdict.label not in wanted:
                    continue
                found = True
                line = text.count("\n", 0, verdict.claim.start) + 1
                label = f"{LABEL_WORDS[verdict.label]} ({percent(verdict.probability)})"
                said = f"{path}:{line}: {label}: {verdict.claim.statement}"
                console.write(f"{neutralise(said)}\n    {neutralise(verdict.explanation)}\n")
    return ExitCode.FINDINGS if found else ExitCode.OK
