"""``veracite models list`` and ``show``: which models there are, and everything about one."""

import click

from veracite.tui.cli.models_output import (
    fact_lines,
    listed_facts,
    manifest_facts,
    table_lines,
    write,
)
from veracite.tui.cli.options import as_json
from veracite.tui.cli.root import Session
from veracite.tui.console import UsageError

__all__ = ["list_", "show"]


@click.command("list")
@as_json
@click.pass_obj
def list_(session: Session, /, as_json: bool) -> None:
    """List the models: bundled, stored, of other applications, and those that can be pulled.

    The models of llama.cpp, LM Studio, Ollama, GPT4All and the Hugging Face libraries are found
    in their usual folders, or where LLAMA_CACHE, OLLAMA_MODELS, HF_HOME and their like point to.
    Memory is what a language model takes with its usual context.
    """
    from veracite.models.store.overview import overview
    from veracite.models.store.store import Store

    models, free = overview(Store(session.paths.models))
    listed = [listed_facts(model, free) for model in models]
    write({"models": listed, "free_memory": free}, as_json, table_lines)


@click.command
@click.argument("name")
@as_json
@click.pass_obj
def show(session: Session, /, name: str, as_json: bool) -> None:
    """Show everything that is known of the model NAME."""
    from veracite.models.store.overview import overview
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    models, free = overview(store)
    for model in models:
        if model.name == name:
            more = {}
            if model.state == "stored" and not model.problem:
                more = manifest_facts(store.get(name), store.path(name))
            write({**more, **listed_facts(model, free)}, as_json, fact_lines)
            return
    raise UsageError(f"There is no model {name!r}.", "`veracite models list` shows all.")
