"""``veracite models``: the models on this machine, and what language models are asked."""

import difflib
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.display import neutralise
from veracite.engine.paths import Paths
from veracite.engine.report.json import safe_json
from veracite.tui import console
from veracite.tui.cli.models_output import (
    agreed,
    entry_facts,
    fact_lines,
    listed_facts,
    manifest_facts,
    setting_before,
    setting_lines,
    table_lines,
    write_facts,
)
from veracite.tui.cli.models_transfer import export, import_, pull
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.progress import Bytes

if TYPE_CHECKING:
    from veracite.engine.skills.prompts import Prompt, Prompts
    from veracite.models.store.catalogue import Listed
    from veracite.models.store.store import Store


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
    write_facts(facts, as_json, lambda facts: [*table_lines(facts), *setting_lines(setting)])


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
            write_facts({**more, **listed_facts(model, free)}, as_json, fact_lines)
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
    facts = {"in_use": in_use, "setting": instead}
    write_facts(facts, as_json, lambda _: lines + setting_lines(instead))


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
    write_facts({"verified": checked}, as_json, lambda _: _verdicts(checked))
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
    facts = {"name": name, "removed": True}
    write_facts(facts, as_json, lambda _: [f"The model {name} is removed."])


_SCHEMA = "veracite.prompts/1"
_PACKAGE = "veracite.engine.skills.prompts"


@click.group
def models() -> None:
    """Models on this machine and on the hub, and what language models are asked."""


for command in (list_, pull, import_, export, show, use, verify, remove):
    models.add_command(command)


@models.command
@click.argument("name", required=False)
@as_json
@click.pass_obj
def prompts(session: Session, /, name: str | None, as_json: bool) -> None:
    """List the prompts, or print the file of the one called NAME.

    A file of yours takes the place of the prompt of the same name. To begin with:
    `veracite models prompts judge.veracite > PROMPTS/judge.veracite.toml`, where PROMPTS is the
    folder that `veracite locate` prints.
    """
    from veracite.engine.skills.prompts import Prompts

    known = Prompts.load(session.paths.prompts)
    chosen = known.all() if name is None else (_named(name, known),)
    if as_json:
        facts = {"schema": _SCHEMA, "prompts": [_facts(prompt) for prompt in chosen]}
        console.write(safe_json(facts, indent=2) + "\n", data=True)
    elif name is None:
        console.write(_table(chosen))
    else:
        console.write(_file(chosen[0]), data=True)


def _named(name: str, known: "Prompts") -> "Prompt":
    """By its name, or by its id as verdicts give it."""
    prompt = known.named.get(name.partition("/")[0])
    if prompt is None:
        near = difflib.get_close_matches(name, known.named, n=1, cutoff=0.5)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(
            f"There is no prompt named {name!r}.", f"{meant}`veracite models prompts` lists all."
        )
    return prompt


def _facts(prompt: "Prompt") -> dict[str, Any]:
    return {"id": prompt.id, **asdict(prompt)}


def _table(chosen: "tuple[Prompt, ...]") -> str:
    width = max(len(prompt.id) for prompt in chosen)
    rows = ((p.id, f"{p.source} ({p.file})" if p.file else p.source) for p in chosen)
    return "".join(f"{neutralise(f'{name:<{width}}  {told}')}\n" for name, told in rows)


def _file(prompt: "Prompt") -> str:
    """What its file holds: the user's own, or the one that ships with Veracite."""
    own = Path(prompt.file) if prompt.file else files(_PACKAGE).joinpath(f"{prompt.name}.toml")
    return own.read_text(encoding="utf-8")
