"""``veracite locate``."""

from pathlib import Path

import click

from veracite.engine.display import neutralise
from veracite.engine.report.json import safe_json
from veracite.tui import console
from veracite.tui.cli.options import as_json
from veracite.tui.cli.root import Session


@click.command
@as_json
@click.pass_obj
def locate(session: Session, as_json: bool) -> None:
    """Print every path that Veracite uses, whether or not it exists yet."""
    import veracite.models

    named = {name: str(path) for name, path in session.paths.named().items()}
    named["bundled models"] = str(Path(next(iter(veracite.models.__path__))) / "bundled")
    if as_json:
        console.write(safe_json(named, indent=2) + "\n", data=True)
        return
    width = max(map(len, named))
    lines = [f"{name:<{width}}  {neutralise(path)}\n" for name, path in named.items()]
    console.write("".join(lines))
