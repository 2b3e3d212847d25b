"""``veracite models pull``: the one command that uses the network."""

from typing import TYPE_CHECKING, Any

import click

from veracite.engine import offline
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.cli.models_asking import agreed
from veracite.tui.cli.models_output import manifest_facts, write
from veracite.tui.cli.models_progress import Bytes
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session

if TYPE_CHECKING:
    from veracite.models.store.hub import Hub
    from veracite.models.store.pulling import Plan
    from veracite.models.store.store import Store

__all__ = ["pull"]


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
    write(facts, as_json, _lines)


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
