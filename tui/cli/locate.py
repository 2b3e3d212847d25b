"""``veracite locate``."""

from pathlib import Path

import click

from veracite.engine.display import table
from veracite.tui.cli import options
from veracite.tui.cli.output import write_facts
from veracite.tui.cli.session import Session


@click.command
@options.facts
def locate(session: Session, /) -> None:
    """Print every path that Veracite uses, whether or not it exists yet."""
    import veracite.models

    named = {name: str(path) for name, path in session.paths.named().items()}
    named["bundled models"] = str(Path(next(iter(veracite.models.__path__))) / "bundled")
    (lines,) = table([*named.items()], 0)
    write_facts(session, named, lines)
