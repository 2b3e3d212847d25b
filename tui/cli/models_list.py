"""``veracite models list`` and ``show``: which models there are, and everything about one."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.paths import Paths
from veracite.tui.cli.models_output import (
    entry_facts,
    fact_lines,
    listed_facts,
    manifest_facts,
    table_lines,
    write,
)
from veracite.tui.cli.models_setting import setting_before, setting_lines
from veracite.tui.cli.options import as_json
from veracite.tui.cli.root import Session

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed

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
    from veracite.models.store.catalogue import overview
    from veracite.models.store.store import Store

    models, free = overview(Store(session.paths.models))
    models, setting = _as_set(models, session.paths)
    listed = [listed_facts(model, free) for model in models]
    facts = {"models": listed, "free_memory": free, "setting": setting}
    write(facts, as_json, lambda facts: [*table_lines(facts), *setting_lines(setting)])


@click.command
@click.argument("name")
@as_json
@click.pass_obj
def show(session: Session, /, name: str, as_json: bool) -> None:
    """Show everything that is known of the model NAME."""
    from veracite.models.errors import ModelError
    from veracite.models.store.catalogue import overview
    from veracite.models.store.registry import entry_of
    from veracite.models.store.store import Store

    store = Store(session.paths.models)
    models, free = overview(store)
    models, _ = _as_set(models, session.paths)
    for model in models:
        if model.name == name:
            more: dict[str, Any] = {}
            if model.state == "stored" and not model.problem:
                more = manifest_facts(store.get(name), store.path(name))
            elif model.state == "known":
                more = entry_facts(entry_of(name))
            write({**more, **listed_facts(model, free)}, as_json, fact_lines)
            return
    raise ModelError(f"There is no model {name!r}.", "`veracite models list` shows all.")


def _as_set(models: "tuple[Listed, ...]", paths: Paths) -> "tuple[tuple[Listed, ...], str | None]":
    """The models as they are in use, and the language model that a setting names, if one does."""
    generators = (model for model in models if model.kind == "generator" and model.in_use)
    chosen = next(generators, None)
    setting = setting_before(paths, chosen.path if chosen else None)
    if setting is None:
        return models, None
    used = (
        replace(model, in_use=str(model.path) == setting) if model.kind == "generator" else model
        for model in models
    )
    return tuple(used), setting
