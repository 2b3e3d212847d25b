"""``veracite library export`` and ``import``: a library on its way without its documents."""

from pathlib import Path

import click

from veracite.engine.libraries import Libraries
from veracite.models.files import size_in_words
from veracite.tui.cli.library_output import SCHEMA, write
from veracite.tui.cli.library_syncing import opened_library, synchronise
from veracite.tui.cli.models_progress import Bytes
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import UsageError

__all__ = ["export", "import_"]


@click.command
@click.argument("name")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The bundle to be written.",
)
@as_json
@quiet
@click.pass_obj
def export(session: Session, /, name: str, output: Path | None, as_json: bool, quiet: bool) -> None:
    """Write the library NAME into one file, a bundle, for another machine.

    It holds the text that was read from the documents, not the documents themselves.
    """
    from veracite.engine.bundles.libraries import export_library
    from veracite.engine.bundles.writing import Exported

    if output is None:
        raise UsageError("Name the file to write to.", f"Such as: -o {name}.veracite")
    size = 0
    with Bytes("exporting", quiet=quiet) as progress:
        for event in export_library(Libraries(session.paths), name, output):
            if isinstance(event, Exported):
                size = event.size
            else:
                progress.update(event.path, event.done, event.total)
    facts = {"schema": SCHEMA, "name": name, "bundle": str(output), "size": size}
    write(facts, as_json, lambda _: [f"{output}: {size_in_words(size)}, the library {name}."])


@click.command("import")
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--name", help="Of the new library, if not as on the machine that it comes from.")
@as_json
@quiet
@click.pass_obj
def import_(session: Session, /, path: Path, name: str | None, as_json: bool, quiet: bool) -> None:
    """Make a library of a bundle; the documents need not be on this machine.

    Nothing is looked for at the places that they were read from. `veracite library add` has the
    library follow files and folders of this machine too.
    """
    from veracite.engine.bundles.libraries import Taken, import_library

    imported = ""
    with Bytes("importing", quiet=quiet) as progress:
        for event in import_library(Libraries(session.paths), path, name):
            if isinstance(event, Taken):
                progress.update(path.name, event.done, event.total)
            else:
                imported = event
    with opened_library(session, imported) as opened:
        synchronise(opened, imported, as_json, quiet)
