"""``veracite models pull``, ``import`` and ``export``."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine import offline
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.cli.models_output import agreed, manifest_facts, write_facts
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import UsageError
from veracite.tui.progress import Bytes

if TYPE_CHECKING:
    from veracite.models.store.hub import Hub
    from veracite.models.store.pulling import Plan
    from veracite.models.store.store import Store


@click.command
@click.argument("name")
@click.option("--name", "called", help="What the model is to be called in the store.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask before more than 1 GB is downloaded.")
@as_json
@quiet
@click.pass_obj
def pull(
    session: Session, /, name: str, called: str | None, yes: bool, as_json: bool, quiet: bool
) -> None:
    """Download the model NAME into the store: the one command that uses the network.

    NAME is one that `veracite models list` shows, OWNER/REPOSITORY/FILE.gguf for any other
    language model of the hub, or OWNER/REPOSITORY for any other encoder or reranker. What was
    interrupted goes on where it stopped, by its name in the list too.
    HF_ENDPOINT names a mirror of the hub.
    """
    from veracite.models.store.hub import Hub
    from veracite.models.store.pulling import Plan, begun_or_known
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    with Hub(offline.lifted) as hub:
        plan = Plan.of(begun_or_known(store, name, called), store, hub)
        if not quiet:
            console.say(
                f"{plan.entry.name}: {size_in_words(plan.size)} of {plan.remote.repository} from "
                f"{hub.endpoint} ({plan.licence or 'no licence stated'})"
            )
        size = size_in_words(plan.size)
        if plan.is_large and not yes and not agreed(f"Download {size}?", f"Downloading {size}"):
            console.say("Nothing was downloaded.")
            return
        facts = _pulled(store, plan, hub, quiet=quiet)
    write_facts(facts, as_json, _lines)


def _pulled(store: "Store", plan: "Plan", hub: "Hub", *, quiet: bool) -> dict[str, Any]:
    from veracite.models.store.pulling import Pulled, pull

    facts: dict[str, Any] = {}
    with Bytes("pulling", quiet=quiet) as progress:
        for event in pull(store, plan, hub):
            if isinstance(event, Pulled):
                there = manifest_facts(event.manifest, store.path(event.manifest.name))
                facts = {**there, "changed": list(event.changed)}
            else:
                progress.update(event.path, event.done, event.total)
    return facts


def _lines(facts: dict[str, Any]) -> list[str]:
    known = "as they were known" if facts["pinned"] else "recorded for later"
    changed = ", ".join(facts["changed"])
    return [
        *([f"Changed on the hub since it was last pulled: {changed}."] if changed else []),
        f"{facts['name']} is in the store, its hashes {known}.",
        f"Use it with `veracite models use {facts['name']}`.",
    ]


@click.command
@click.argument("names", nargs=-1, metavar="NAME...")
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
def export(
    session: Session, /, names: tuple[str, ...], output: Path | None, as_json: bool, quiet: bool
) -> None:
    """Write models of the store into one file, a bundle, for another machine.

    It holds the models, their hashes and their licences; `veracite models import` takes it.
    """
    from veracite.engine.bundles.models import export_models
    from veracite.engine.bundles.writing import Exported
    from veracite.models.store.store import Store

    if not names or output is None:
        raise UsageError(
            "Name the models, and the file to write them to.",
            "Such as: veracite models export NAME -o models.veracite",
        )
    store = Store(session.paths.models)
    for wanted in names:
        _require_stored(store, wanted)
    size = 0
    lacking: tuple[str, ...] = ()
    with Bytes("exporting", quiet=quiet) as progress:
        for event in export_models(store, names, output):
            if isinstance(event, Exported):
                size, lacking = event.size, event.without_licence
            else:
                progress.update(event.path, event.done, event.total)
    if lacking and not quiet:
        console.say(
            f"The text of the licence is missing of: {', '.join(lacking)}. Put it beside the "
            "bundle yourself if it has to travel along; `veracite models show NAME` names the "
            "source."
        )
    facts = {
        "bundle": str(output),
        "size": size,
        "models": list(dict.fromkeys(names)),
        "without_licence": list(lacking),
    }
    write_facts(facts, as_json, lambda _: [f"{output}: {size_in_words(size)}, {_count(names)}."])


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="What the model is to be called; not for several.")
@as_json
@quiet
@click.pass_obj
def import_(session: Session, /, path: Path, name: str | None, as_json: bool, quiet: bool) -> None:
    """Put models from a file or folder into the store; no network is needed.

    PATH is a bundle of `veracite models export`; a GGUF file; the folder of an encoder or reranker
    as it is published on Hugging Face, which is converted; or one that was converted before, as its
    folder or its ONNX file. So can a model of another application be named, as
    `veracite models list` shows it.
    """
    from veracite.engine.bundles.models import import_path
    from veracite.models.store.bringing import Brought, Copied
    from veracite.models.store.store import Store

    if not path.exists():
        path, name = _found(str(path), name)
    imported: list[dict[str, Any]] = []
    store = Store(session.paths.models)
    with Bytes("importing", quiet=quiet) as progress:
        for event in import_path(store, path, name):
            if isinstance(event, Copied):
                progress.update(event.path, event.done, event.total)
            elif isinstance(event, Brought):
                there = manifest_facts(event.manifest, store.path(event.manifest.name))
                imported.append({**there, "before": event.before})
    write_facts({"imported": imported}, as_json, _imported_lines)


def _require_stored(store: "Store", name: str) -> None:
    """Nothing, if a model of this name is in the store.

    Raises:
        ModelError: It is not; the advice says how it gets there, if it can.
    """
    from veracite.models.bundled import BUNDLED
    from veracite.models.errors import ModelError
    from veracite.models.store.catalogue import find

    if name in store.names():
        return
    if find(store, name).path == BUNDLED:
        raise ModelError(f"{name} is a part of Veracite and is wherever that is.", "Leave it out.")
    raise ModelError(
        f"The model {name} is not in the store: it is used where it lies.",
        f"`veracite models import {shlex.quote(name)}` puts it into the store, from which it can "
        "be exported.",
    )


def _found(wanted: str, name: str | None) -> tuple[Path, str | None]:
    """Where a model of another application lies, and what it is to be called.

    Raises:
        UsageError: There is none.
    """
    from veracite.models.files import name_from
    from veracite.models.store.discovery import discover

    for model in discover(os.environ):
        if model.name == wanted:
            unnamed = model.path.is_file() and model.path.suffix.lower() != ".gguf"
            return model.path, name or (name_from(wanted.partition("/")[2]) if unnamed else None)
    raise UsageError(f"There is no file or folder {wanted!r}.", "Check the spelling.")


def _imported_lines(facts: dict[str, Any]) -> Iterator[str]:
    for model in facts["imported"]:
        name = model["name"]
        if model["before"]:
            yield f"{name} was in the store already."
            continue
        known = "as they are known" if model["pinned"] else "recorded for later"
        yield f"{name} is in the store, its hashes {known}."
        yield f"Use it with `veracite models use {name}`."


def _count(names: tuple[str, ...]) -> str:
    count = len(set(names))
    return "1 model" if count == 1 else f"{count} models"
