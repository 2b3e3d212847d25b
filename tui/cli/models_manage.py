"""``veracite models use``, ``verify`` and ``remove``."""

from typing import TYPE_CHECKING, Any

import click

from veracite.tui import console
from veracite.tui.cli.models_asking import agreed
from veracite.tui.cli.models_output import write
from veracite.tui.cli.models_progress import Bytes
from veracite.tui.cli.models_setting import setting_before, setting_lines
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError

if TYPE_CHECKING:
    from veracite.models.store.store import Store

__all__ = ["remove", "use", "verify"]


@click.command
@click.argument("name", required=False)
@click.option(
    "--none",
    is_flag=True,
    help="Go back to the models that are part of Veracite; with NAME, in place of that one alone.",
)
@as_json
@click.pass_obj
def use(session: Session, /, name: str | None, none: bool, as_json: bool) -> None:
    """Use the model NAME from now on, where no command names another.

    NAME is one that `veracite models list` shows, in the store or of another application, or a
    GGUF file. A language model judges beside the bundled verifier; an encoder takes the place of
    the bundled one; a cross-encoder puts what a search finds into its order.
    """
    from veracite.models.store.store import Choices, Store

    if name is None and not none:
        raise UsageError("Name one model, or say --none.", "`veracite models list` shows all.")
    store = Store(session.paths.models)
    before = _encoder(store)
    in_use, told = _given_up(store, name) if none else _taken_up(store, str(name))
    lines = [told]
    if _encoder(store) != before:
        lines.append("Libraries are encoded anew at their next sync or check.")
    instead = None
    if "generator" in in_use or not in_use:
        instead = setting_before(session.paths, Choices(store).path("generator"))
    write({"in_use": in_use, "setting": instead}, as_json, lambda _: lines + setting_lines(instead))


def _given_up(store: "Store", name: str | None) -> tuple[dict[str, str | None], str]:
    """What is used in place of what, and the sentence that says so."""
    from veracite.models.store.catalogue import use_no_longer, use_none

    if name is None:
        use_none(store)
        return {}, "Only what is part of Veracite is used."
    return {use_no_longer(store, name): None}, f"{name} is not used now."


def _taken_up(store: "Store", name: str) -> tuple[dict[str, str | None], str]:
    from veracite.models.store.catalogue import find, use

    named = find(store, name)
    use(store, named)
    return {named.kind: str(named.path)}, f"{name} is used from now on."


def _encoder(store: "Store") -> str | None:
    """What is chosen; None too if that cannot be read."""
    from veracite.models.errors import ModelError
    from veracite.models.store.store import Choices

    try:
        return Choices(store).name("encoder")
    except ModelError:
        return None


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
    from veracite.models.store.catalogue import Verified, require_stored
    from veracite.models.store.catalogue import verify as verified
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    for name in names:
        require_stored(store, name)
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
    from veracite.models.store.catalogue import require_stored
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    if name not in store.partial():
        require_stored(store, name)
    if not yes and not agreed(f"Remove the model {name}?", f"Removing the model {name!r}"):
        console.say("Nothing was removed.")
        return
    store.remove(name)
    write({"name": name, "removed": True}, as_json, lambda _: [f"The model {name} is removed."])
