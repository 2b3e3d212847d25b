"""``veracite models``: the models on this machine, and what language models are asked."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine import offline
from veracite.engine.errors import USER_ERRORS
from veracite.engine.paths import Paths
from veracite.engine.report.phrases import counted
from veracite.engine.settings import no_such
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.cli import options
from veracite.tui.cli import output as destination
from veracite.tui.cli.options import as_json, quiet
from veracite.tui.cli.output import agreed
from veracite.tui.cli.root import Session
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.progress import results
from veracite.tui.service import HEADINGS, model_facts, short_path

if TYPE_CHECKING:
    from veracite.engine.skills.prompts import Prompt
    from veracite.models.store import Store
    from veracite.models.store.catalogue import Listed
    from veracite.models.store.manifest import ModelManifest


@click.command("list")
@as_json
@click.pass_obj
def list_(session: Session, /, as_json: bool) -> None:
    """List the models: bundled, stored, of other applications, and those that can be pulled.

    The models of llama.cpp, LM Studio, Ollama, GPT4All and the Hugging Face libraries are found
    in their usual folders, or where LLAMA_CACHE, OLLAMA_MODELS, HF_HOME and their like point to.
    Memory is what a language model takes with its usual context.
    """
    from veracite.models.store import Store
    from veracite.models.store.catalogue import overview

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
    from veracite.models.store import Store
    from veracite.models.store.catalogue import overview
    from veracite.models.store.manifest import entry_of

    store = Store(session.paths.models)
    models, free = overview(store)
    models, _ = _as_set(models, session.paths)
    for model in models:
        if model.name == name:
            more: dict[str, Any] = {}
            if model.state == "stored" and not model.problem:
                more = manifest_facts(store.get(name), store.path(name))
            elif model.state == "known":
                entry = entry_of(name)
                files = [asdict(file) for file in entry.files]
                more = {"revision": entry.revision, "files": files}
            facts = {**more, **listed_facts(model, free)}
            write_facts(facts, as_json, partial(_everything, model, free))
            return
    raise ModelError(f"There is no model {name!r}.", "`veracite models list` shows all.")


def _as_set(models: "tuple[Listed, ...]", paths: Paths) -> "tuple[tuple[Listed, ...], str | None]":
    """The models as they are in use, and the language model that a setting names, if one does."""
    chosen = next((m.path for m in models if m.kind == "generator" and m.in_use), None)
    setting = setting_before(paths, chosen)
    if setting is None:
        return models, None
    return tuple(
        replace(model, in_use=str(model.path) == setting) if model.kind == "generator" else model
        for model in models
    ), setting


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
    from veracite.models.store import Choices, Store
    from veracite.models.store import catalogue as known

    if name is None and not none:
        raise UsageError("Name one model, or say --none.", "`veracite models list` shows all.")
    store = Store(session.paths.models)
    before = _encoder(store)
    in_use: dict[str, str | None] = {}
    if name is None:
        known.use_none(store)
        lines = ["Only what is part of Veracite is used."]
    elif none:
        in_use = {known.use_no_longer(store, name): None}
        lines = [f"{name} is not used now."]
    else:
        named = known.find(store, name)
        known.use(store, named)
        in_use = {named.kind: str(named.path)}
        lines = [f"{name} is used from now on."]
    if _encoder(store) != before:
        lines.append("Libraries are encoded anew at their next sync or check.")
    instead = None
    if "generator" in in_use or not in_use:
        instead = setting_before(session.paths, Choices(store).path("generator"))
    facts = {"in_use": in_use, "setting": instead}
    write_facts(facts, as_json, lambda _: lines + setting_lines(instead))


def _encoder(store: "Store") -> str | None:
    """What is chosen; None too if that cannot be read."""
    from veracite.models.errors import ModelError
    from veracite.models.store import Choices

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
    from veracite.models.store import Store, Verified
    from veracite.models.store.catalogue import require_stored

    store = Store(session.paths.models)
    for name in names:
        require_stored(store, name)
    events = store.verify(names or store.names())
    checked = [
        {
            "name": one.name,
            "problems": [{"file": f or None, "problem": p} for f, p in one.problems.items()],
        }
        for one in results(events, Verified, "Verifying", quiet=quiet)
    ]
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
@options.yes("Do not ask.")
@as_json
@click.pass_obj
def remove(session: Session, /, name: str, yes: bool, as_json: bool) -> None:
    """Delete the model NAME from the store, or what an interrupted pull of it left."""
    from veracite.models.store import Store
    from veracite.models.store.catalogue import require_stored

    store = Store(session.paths.models)
    if name not in store.partial():
        require_stored(store, name)
    if not yes and not agreed(f"Remove the model {name}?", f"Removing the model {name!r}"):
        console.say("Nothing was removed.")
        return
    store.remove(name)
    facts = {"name": name, "removed": True}
    write_facts(facts, as_json, lambda _: [f"The model {name} is removed."])


@click.command
@click.argument("name")
@click.option("--name", "called", help="What the model is to be called in the store.")
@options.yes("Do not ask before more than 1 GB is downloaded.")
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
    from veracite.models.store import Store
    from veracite.models.store.bringing import Brought
    from veracite.models.store.hub import Hub, Plan, begun_or_known
    from veracite.models.store.hub import pull as fetch

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
        (pulled,) = results(fetch(store, plan, hub), Brought, "Pulling", quiet=quiet)
    facts = manifest_facts(pulled.manifest, store.path(pulled.manifest.name))
    write_facts(facts, as_json, lambda _: _arrived(facts))


@click.command
@click.argument("names", nargs=-1, metavar="NAME...")
@options.output("The bundle to be written.")
@as_json
@quiet
@click.pass_obj
def export(
    session: Session, /, names: tuple[str, ...], output: Path | None, as_json: bool, quiet: bool
) -> None:
    """Write models of the store into one file, a bundle, for another machine.

    It holds the models, their hashes and their licences; `veracite models import` takes it.
    """
    from veracite.engine.bundles import Exported
    from veracite.engine.bundles.models import export_models
    from veracite.models.store import Store
    from veracite.models.store.catalogue import require_stored

    if not names or output is None:
        raise UsageError(
            "Name the models, and the file to write them to.",
            "Such as: veracite models export NAME -o models.veracite",
        )
    store = Store(session.paths.models)
    for wanted in names:
        require_stored(store, wanted)
    events = export_models(store, names, output)
    (exported,) = results(events, Exported, "Exporting", quiet=quiet)
    lacking = exported.without_licence
    if lacking and not quiet:
        console.say(
            f"The text of the licence is missing for: {', '.join(lacking)}. Put it beside the "
            "bundle yourself if it has to travel along; `veracite models show NAME` names the "
            "source."
        )
    facts = {
        "bundle": str(output),
        "size": exported.size,
        "models": list(dict.fromkeys(names)),
        "without_licence": list(lacking),
    }
    models = counted(len(set(names)), "model")
    said = f"{output}: {size_in_words(exported.size)}, {models}."
    write_facts(facts, as_json, lambda _: [said])


@click.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="What the model is to be called; not for several.")
@as_json
@quiet
@click.pass_obj
def import_(session: Session, /, path: Path, name: str | None, as_json: bool, quiet: bool) -> None:
    """Put models from a file or folder into the store; no network is needed.

    PATH is a bundle of `veracite models export`; a GGUF file; or the folder of an encoder or
    reranker as it is published on Hugging Face, which is converted. So can a model of another
    application be named, as `veracite models list` shows it.
    """
    from veracite.engine.bundles.models import import_path
    from veracite.models.store import Store
    from veracite.models.store.bringing import Brought

    if not path.exists():
        path, name = _found(str(path), name)
    store = Store(session.paths.models)
    events = import_path(store, path, name)
    imported = [
        {**manifest_facts(one.manifest, store.path(one.manifest.name)), "before": one.before}
        for one in results(events, Brought, "Importing", quiet=quiet)
    ]
    write_facts({"imported": imported}, as_json, _imported_lines)


def _found(wanted: str, name: str | None) -> tuple[Path, str | None]:
    """Where a model of another application lies, and what it is to be called.

    Raises:
        UsageError: There is none.
    """
    from veracite.models.files import name_from
    from veracite.models.store.catalogue import discover

    for model in discover():
        if model.name == wanted and model.path is not None:
            unnamed = model.path.is_file() and model.path.suffix.lower() != ".gguf"
            return model.path, name or (name_from(wanted.partition("/")[2]) if unnamed else None)
    raise UsageError(f"There is no file or folder {wanted!r}.", "Check the spelling.")


def _imported_lines(facts: dict[str, Any]) -> Iterator[str]:
    for model in facts["imported"]:
        if model["before"]:
            yield f"{model['name']} was in the store already."
        else:
            yield from _arrived(model)


def _arrived(facts: dict[str, Any]) -> list[str]:
    known = "as they were known" if facts["pinned"] else "recorded for later"
    return [
        f"{facts['name']} is in the store, its hashes {known}.",
        f"Use it with `veracite models use {facts['name']}`.",
    ]


_PROMPTS_SCHEMA = "veracite.prompts/1"
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
    from msgspec import to_builtins

    from veracite.engine.skills.prompts import Prompts

    known = Prompts.load(session.paths.prompts)
    chosen = known.all()
    if name is not None:  # or an id as verdicts give it
        prompt = known.named.get(name.partition("/")[0])
        if prompt is None:
            raise no_such("prompt", name, known.named)
        chosen = (prompt,)
    if name is not None and not as_json:
        console.write(_file(chosen[0]), data=True)
        return
    prompts = [{"id": prompt.id, **to_builtins(prompt)} for prompt in chosen]
    facts = {"schema": _PROMPTS_SCHEMA, "prompts": prompts}
    destination.write_facts(facts, as_json, lambda _: _table(chosen))


def _table(chosen: "tuple[Prompt, ...]") -> Iterator[str]:
    width = max(len(prompt.id) for prompt in chosen)
    for prompt in chosen:
        file = f" ({prompt.file})" if prompt.file else ""
        yield f"{prompt.id:<{width}}  {prompt.source}{file}"


def _file(prompt: "Prompt") -> str:
    """What its file holds: the user's own, or the one that ships with Veracite."""
    own = Path(prompt.file) if prompt.file else resources(_PACKAGE).joinpath(f"{prompt.name}.toml")
    return own.read_text(encoding="utf-8")


def setting_before(paths: Paths, chosen: Path | None) -> str | None:
    """The file of the language model that is used in place of the chosen one, if one is.

    Settings that cannot be read name none; what they are wanted for says so.
    """
    from veracite.engine import settings

    try:
        model = settings.load(paths).check.model
    except USER_ERRORS:
        return None
    return None if model is None or (chosen and Path(model) == chosen.absolute()) else model


def setting_lines(model: str | None) -> list[str]:
    """That a setting goes before."""
    if model is None:
        return []
    return [
        f"The setting model, in the config file or VERACITE_MODEL, goes before what is chosen: "
        f"{model} is the language model in use."
    ]


SCHEMA = "veracite.models/1"


def listed_facts(model: "Listed", free: int) -> dict[str, Any]:
    """A model in the schema's words, with how it fits into so many bytes of free memory."""
    path = None if model.path is None else str(model.path)
    used_for = model.task if model.in_use else None
    return {**asdict(model), "path": path, "fit": model.fit(free), "in_use_for": used_for}


def manifest_facts(manifest: "ModelManifest", folder: Path) -> dict[str, Any]:
    """A stored model in the schema's words."""
    facts = {name: value for name, value in asdict(manifest).items() if name != "files"}
    files = [asdict(file) for file in manifest.files]
    return {**facts, "path": str(folder), "size": manifest.size, "files": files}


def write_facts(
    facts: dict[str, Any], as_json: bool, lines: Callable[[dict[str, Any]], Iterable[str]]
) -> None:
    """Write facts about models, with their schema."""
    destination.write_facts({"schema": SCHEMA, **facts}, as_json, lambda _: lines(facts))


def table_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Every model in a line, by where it is; the ones in use with an asterisk and what for."""
    for state, heading in HEADINGS.items():
        models = [model for model in facts["models"] if model["state"] == state]
        if not models:
            continue
        yield f"{heading}:"
        rows = [(*_row(model), _use(model)) for model in models if not model["problem"]]
        widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)] or [0]
        for model in models:
            mark = "*" if model["in_use"] else " "
            if model["problem"]:
                yield f"{mark} {_name(model):<{widths[0]}}  {_problem(model)}"
                continue
            cells = zip((*_row(model), _use(model)), widths, strict=True)
            yield f"{mark} {'  '.join(f'{cell:<{width}}' for cell, width in cells)}".rstrip()
    yield f"* is in use; {size_in_words(facts['free_memory'])} of memory are free now."


def _row(model: dict[str, Any]) -> Sequence[str]:
    return (
        _name(model),
        model["kind"],
        model["quantisation"] or "",
        size_in_words(model["size"]) if model["size"] is not None else "",
        _fit(model),
        model["licence"] or "",
    )


def _name(model: dict[str, Any]) -> str:
    return short_path(Path(model["name"]))


def _problem(model: dict[str, Any]) -> str:
    """Why it cannot be used, with the home folder as ``~``."""
    return f"cannot be used: {model['problem']}".replace(f"{Path.home()}/", "~/")


def _use(model: dict[str, Any]) -> str:
    return f"in use for: {model['in_use_for']}" if model["in_use"] else ""


def _fit(model: dict[str, Any]) -> str:
    return f"{model['fit']} ({size_in_words(model['memory'])})" if model["fit"] else ""


def _everything(model: "Listed", free: int, facts: dict[str, Any]) -> Iterator[str]:
    """What is known of one model, and its files."""
    revision = facts.get("revision")
    pinned = facts.get("pinned")
    hashes = "known before it was fetched" if pinned else "recorded when it was fetched"
    for name, value in (
        ("Name", model.name),
        ("Kind", model.kind),
        ("State", HEADINGS[model.state]),
        ("In use for", model.task if model.in_use else None),
        ("Problem", model.problem),
        *model_facts(model, free),
        ("Revision", revision),
        ("Hashes", None if pinned is None else hashes),
        *((name.capitalize(), str(value)) for name, value in facts.get("details", {}).items()),
    ):
        if value:
            yield f"{name:<12}{value}"
    for file in facts.get("files", []):
        size = "" if file["size"] is None else f"  {file['size']:,} bytes"
        yield f"{file['path']}{size}  sha256 {file['sha256'] or 'not known'}"
