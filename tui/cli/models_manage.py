"""``veracite models use``, ``verify`` and ``remove``."""

from typing import TYPE_CHECKING, Any

import click

from veracite.tui import console
from veracite.tui.cli.models_asking import agreed
from veracite.tui.cli.models_output import write
from veracite.tui.cli.models_progress import Bytes
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError

if TYPE_CHECKING:
    from veracite.models.store.store import Store

__all__ = ["remove", "use", "verify"]


@click.command
@click.argument("name", required=False)
@click.option("--none", is_flag=True, help="Go back to the models that are part of Veracite.")
@as_json
@click.pass_obj
def use(session: Session, /, name: str | None, none: bool, as_json: bool) -> None:
    """Use the model NAME from now on, where no command names another.

    NAME is one that `veracite models list` shows, in the store or of another application, or a
    GGUF file. A language model judges beside the bundled verifier; an encoder takes the place of
    the bundled one.
    """
    from veracite.models.store.choices import Choices
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    if none == (name is not None):
        raise UsageError("Name one model, or say --none.", "`veracite models list` shows all.")
    if name is None:
        for kind in ("generator", "encoder"):
            Choices(store).choose(kind, None)
        write({"in_use": {}}, as_json, lambda _: ["Only what is part of Veracite is used."])
        return
    facts = _choose(store, name)
    write({"in_use": facts}, as_json, lambda _: [f"{name} is used from now on."])


def _choose(store: "Store", name: str) -> dict[str, str]:
    """The chosen model's path, by its kind."""
    from veracite.models.gguf_header import read_header
    from veracite.models.store.choices import Choices
    from veracite.models.store.finding import find

    named = find(store, name)
    if named.kind == "cross-encoder":
        raise UsageError(
            f"The model {name} is a cross-encoder, which nothing in Veracite uses yet.",
            "Name a language model or an encoder.",
        )
    if named.kind == "generator":
        read_header(named.path)
    elif named.stored is None:
        raise UsageError(
            f"The encoder {name} has to be converted first.",
            f"Import it with `veracite models import {named.path}`.",
        )
    Choices(store).choose(named.kind, named.stored or named.path)
    return {named.kind: str(named.path)}


@click.command
@click.argument("names", nargs=-1, metavar="[NAME]...")
@as_json
@quiet
@click.pass_obj
def verify(
    session: Session, /, names: tuple[str, ...], as_json: bool, quiet: bool
) -> ExitCode | None:
    """Compare the files of stored models with the hashes that are known, of all by default.

    Exits with 1 if a file is not what it was.
    """
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    checked = [_verified(store, name, quiet) for name in names or store.names()]
    write({"verified": checked}, as_json, lambda _: _verdicts(checked))
    wrong = any(model["problems"] for model in checked)
    return ExitCode.FINDINGS if wrong else None


def _verified(store: "Store", name: str, quiet: bool) -> dict[str, Any]:
    from veracite.models.errors import ModelError
    from veracite.models.store.checking import Hashing

    store.path(name)
    problems: list[dict[str, str | None]] = []
    try:
        with Bytes("verifying", quiet=quiet) as progress:
            for event in store.verify(name):
                if isinstance(event, Hashing):
                    progress.update(name, event.done, event.total)
                elif event.problem:
                    problems.append({"file": event.path, "problem": event.problem})
    except ModelError as error:  # one damaged model must not hide the others
        problems.append({"file": None, "problem": error.message})
    return {"name": name, "problems": problems}


def _verdicts(checked: list[dict[str, Any]]) -> list[str]:
    if not checked:
        return ["There is no model in the store."]
    lines = []
    for model in checked:
        if not model["problems"]:
            lines.append(f"{model['name']}: right")
        for problem in model["problems"]:
            file = f"{problem['file']}: " if problem["file"] else ""
            lines.append(f"{model['name']}: {file}{problem['problem']}")
    return lines


@click.command
@click.argument("name")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@as_json
@click.pass_obj
def remove(session: Session, /, name: str, yes: bool, as_json: bool) -> None:
    """Delete the model NAME from the store, or what an interrupted pull of it left."""
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    if name not in store.partial():
        store.path(name)
    if not yes and not agreed(f"Remove the model {name}?", f"Removing the model {name!r}"):
        console.say("Nothing was removed.")
        return
    store.remove(name)
    write({"name": name, "removed": True}, as_json, lambda _: [f"The model {name} is removed."])
