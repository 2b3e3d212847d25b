"""``veracite models use``, ``verify`` and ``remove``."""

from typing import Any

import click

from veracite.tui import console
from veracite.tui.cli.models_asking import agreed
from veracite.tui.cli.models_output import write
from veracite.tui.cli.models_progress import Bytes
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError

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
    the bundled one; a cross-encoder puts what a search finds into its order.
    """
    from veracite.models.store.finding import find
    from veracite.models.store.store import Store
    from veracite.models.store.using import use as use_from_now_on
    from veracite.models.store.using import use_none

    store = Store(session.paths.models)
    if none == (name is not None):
        raise UsageError("Name one model, or say --none.", "`veracite models list` shows all.")
    if name is None:
        use_none(store)
        write({"in_use": {}}, as_json, lambda _: ["Only what is part of Veracite is used."])
        return
    named = find(store, name)
    use_from_now_on(store, named)
    facts = {"in_use": {named.kind: str(named.path)}}
    write(facts, as_json, lambda _: [f"{name} is used from now on."])


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
    from veracite.models.store.using import Verified
    from veracite.models.store.using import verify as verified

    store = Store(session.paths.models)
    for name in names:
        store.path(name)
    checked: list[dict[str, Any]] = []
    with Bytes("verifying", quiet=quiet) as progress:
        for event in verified(store, names or store.names()):
            if isinstance(event, Verified):
                found = [{"file": p.path or None, "problem": p.problem} for p in event.problems]
                checked.append({"name": event.name, "problems": found})
            else:
                progress.update(event[0], event[1].done, event[1].total)
    write({"verified": checked}, as_json, lambda _: _verdicts(checked))
    wrong = any(model["problems"] for model in checked)
    return ExitCode.FINDINGS if wrong else None


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
