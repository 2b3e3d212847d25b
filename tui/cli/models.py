"""``veracite models``: the models on this machine, and what language models are asked."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, replace
from importlib.resources import files as resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine import offline, settings
from veracite.engine.display import table
from veracite.engine.errors import USER_ERRORS
from veracite.engine.report.phrases import counted
from veracite.engine.skills.prompts import Prompt, Prompts
from veracite.models.errors import ModelError
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.cli import options, output
from veracite.tui.cli.session import Session
from veracite.tui.console import ExitCode, UsageError
from veracite.tui.progress import results
from veracite.tui.service import HEADINGS, exam_told, model_facts, short_path

if TYPE_CHECKING:
    from veracite.engine.exam_outcome import Outcome
    from veracite.models.store import ModelManifest, Store
    from veracite.models.store.catalogue import Listed

_SCHEMA = "veracite.models/1"
_PROMPTS_SCHEMA = "veracite.prompts/1"
_PACKAGE = "veracite.engine.skills.prompts"


@click.group
def models() -> None:
    """Models on this machine and on the hub, and what language models are asked."""


@models.command("list")
@options.facts
def list_(session: Session, /) -> None:
    """List the models: bundled, stored, of other applications, and those that can be pulled.

    The GGUF files of llama.cpp, LM Studio, GPT4All and the Hugging Face libraries are found in
    their usual folders. Memory is what a language model takes with its usual context.
    """
    listed, free, setting = _overview(session)
    told = [_listed_facts(model, free) for model in listed]
    facts = {"models": told, "free_memory": free, "setting": setting}
    _write(session, facts, [*_table_lines(told, free), *_setting_lines(setting)])


@models.command
@click.argument("name")
@options.facts
def show(session: Session, /, name: str) -> None:
    """Show everything that is known of the model NAME."""
    from veracite.models.store import entry_of

    listed, free, _ = _overview(session)
    model = next((model for model in listed if model.name == name), None)
    if model is None:
        raise UsageError(f"There is no model {name!r}.", "`veracite models list` shows all.")
    facts: dict[str, Any] = {}
    if model.state == "stored" and not model.problem:
        facts = _manifest_facts(session.store.get(name), session.store)
    elif model.state == "known":
        entry = entry_of(name)
        facts = {"revision": entry.revision, "files": [asdict(file) for file in entry.files]}
    facts |= _listed_facts(model, free)
    if model.kind == "generator" and model.path and not model.problem:
        facts["exam"] = exam_told(model.path, session.paths)
    _write(session, facts, _everything(model, free, facts))


@models.command
@click.argument("name", required=False)
@click.option(
    "--none",
    is_flag=True,
    help="Go back to the models that are part of Veracite; with NAME, in place of that one alone.",
)
@click.option(
    "--as",
    "role",
    type=click.Choice(["judge"]),
    help="In place of the bundled verifier, by an exam that it takes first.",
)
@click.option(
    "--labels",
    metavar="LABEL,...",
    help="What the numbers of a judge mean, in their order, where it does not say so.",
)
@options.work
def use(
    session: Session, /, name: str | None, none: bool, role: str | None, labels: str | None
) -> None:
    """Use the model NAME from now on, where no command names another.

    NAME is one that `veracite models list` shows, in the store or of another application, or a
    GGUF file. A language model judges beside the bundled verifier; an encoder takes the place of
    the bundled one; a cross-encoder puts what a search finds into its order; a verifier judges in
    place of the bundled one, with --as judge.
    """
    from veracite.engine import exam
    from veracite.engine.models import OpenModels
    from veracite.engine.own_verifier import Fit
    from veracite.models.store import catalogue

    if name is None and not none:
        raise UsageError("Name one model, or say --none.", "`veracite models list` shows all.")
    store = session.store
    before = _encoder(store)
    in_use: dict[str, str | None] = {}
    if name is None:
        catalogue.use_none(store)
        lines = ["Only what is part of Veracite is used."]
    elif none:
        in_use = {catalogue.use_no_longer(store, name): None}
        lines = [f"{name} is not used now."]
    elif role or labels:
        with closing(OpenModels(settings.CheckSettings(), session.paths)) as opened:
            events = exam.judge_by(store, name, opened, labels)
            (fit,) = results(events, Fit, "Testing", quiet=session.quiet)
        in_use = {"verifier": str(store.path(name))}
        lines = [f"{name} judges from now on. In its exam: {fit}."]
    else:
        named = catalogue.find(store, name)
        catalogue.use(store, named)
        in_use = {named.kind: str(named.path)}
        lines = [f"{name} is used from now on."]
        writer = named.path if named.kind == "generator" else None
        if writer and not exam.tested(writer, session.paths):
            lines.append(
                f"`veracite models test {name}` gives it the exam without which it has no say."
            )
    if _encoder(store) != before:
        lines.append("Libraries are encoded anew at their next sync or check.")
    writes = "generator" in in_use or not in_use
    instead = _set_instead(session, store.chosen_path("generator")) if writes else None
    facts = {"in_use": in_use, "setting": instead}
    _write(session, facts, [*lines, *_setting_lines(instead)])


def _encoder(store: "Store") -> str | None:
    """What is chosen; None too if that cannot be read."""
    with suppress(ModelError):
        return store.chosen("encoder")
    return None


@models.command
@click.argument("name", metavar="NAME|FILE")
@click.option("--quick", is_flag=True, help="A third of the questions, and so a smaller say.")
@options.work
def test(session: Session, /, name: str, quick: bool) -> ExitCode | None:
    """Have a language model take an exam, which its say in verdicts depends on.

    It judges claims whose labels are known, picks passages, corrects sentences and answers with
    citations. By what it adds to the bundled verifier its judgement counts from then on, if it
    adds anything; without an exam it writes, and has no say. The outcome is kept for the file,
    wherever it lies.
    """
    from veracite.engine import exam
    from veracite.engine.exam_outcome import Outcome
    from veracite.models.store import catalogue
    from veracite.tui.cli.running import interrupting

    file, paths = catalogue.find_generator(session.store, name), session.paths
    try:
        with closing(exam.opened(file, paths)) as opened, interrupting(opened.cancel):
            events = exam.take(opened, file, paths, quick=quick)
            (outcome,) = results(events, Outcome, "Testing", quiet=session.quiet)
    except KeyboardInterrupt:
        console.say("Interrupted. Nothing is kept of an exam that has not ended.")
        return ExitCode.INTERRUPTED
    facts = {"schema": exam.SCHEMA, **asdict(outcome)}
    output.write_facts(session, facts, _exam_lines(outcome))
    return None


def _exam_lines(outcome: "Outcome") -> Iterator[str]:
    """The table of what a model does beside the bundled verifier."""
    judging = outcome.judging
    asked = f"{judging.items} claims{' (a quick exam)' if outcome.quick else ''}"
    yield f"{outcome.model}, {asked}"
    readers = {"verifier": judging.verifier, "model": judging.model, "both": judging.both}
    held, against = judging.says
    say = f"by {held.weight:.2f} for a claim, by {against.weight:.2f} against one"
    rows = {
        "": [*readers],
        "AUC": [str(reader.auc) for reader in readers.values()],
        "Calibration error": [f"{reader.error:.2f}" for reader in readers.values()],
        "Say in verdicts": [say if outcome.has_say else "none: it adds nothing"],
    }
    for what, one in outcome.exercises.items():
        rows[what] = [f"{one.right} of {one.items} right, {one.kept} in the form asked for"]
    paces = {"reads": outcome.read, "writes": outcome.written}
    told = " and ".join(f"{what} {pace:,.1f}" for what, pace in paces.items() if pace)
    rows["Speed"] = [f"{told} tokens a second" if told else "could not be told on a busy machine"]
    rows["Memory"] = [size_in_words(outcome.memory)]
    for name, cells in rows.items():
        yield f"{name:<19}{''.join(f'{cell:<21}' for cell in cells)}".rstrip()


@models.command
@click.argument("names", nargs=-1, metavar="[NAME]...")
@options.work
def verify(session: Session, /, names: tuple[str, ...]) -> ExitCode | None:
    """Compare the files of stored models with the hashes that are known, of all by default.

    Exits with 1 if a file is not what it was.
    """
    from veracite.models.store import Verified

    store = session.store
    for name in names:
        store.path(name)  # says what is none of the store's
    checked, lines = [], []
    events = store.verify(names or store.names())
    for one in results(events, Verified, "Verifying", quiet=session.quiet):
        found = [{"file": file or None, "problem": why} for file, why in one.problems.items()]
        checked.append({"name": one.name, "problems": found})
        wrong = [f"{file}: {why}" if file else why for file, why in one.problems.items()]
        lines += [f"{one.name}: {told}" for told in wrong or ["right"]]
    _write(session, {"verified": checked}, lines or ["There is no model in the store."])
    return ExitCode.FINDINGS if any(model["problems"] for model in checked) else None


@models.command
@click.argument("name")
@options.yes("Do not ask.")
@options.facts
def remove(session: Session, /, name: str, yes: bool) -> None:
    """Delete the model NAME from the store, or what an interrupted pull of it left."""

    store = session.store
    if not store.was_begun(name):
        store.path(name)
    if not yes and not output.agreed(f"Remove the model {name}?", f"Removing the model {name!r}"):
        console.say("Nothing was removed.")
        return
    store.remove(name)
    _write(session, {"name": name, "removed": True}, [f"The model {name} is removed."])


@models.command
@click.argument("name")
@click.option("--name", "called", help="What the model is to be called in the store.")
@options.yes("Do not ask before more than 1 GB is downloaded.")
@options.work
def pull(session: Session, /, name: str, called: str | None, yes: bool) -> None:
    """Download the model NAME into the store: the one command that uses the network.

    NAME is one that `veracite models list` shows, OWNER/REPOSITORY/FILE.gguf for any other
    language model of the hub, or OWNER/REPOSITORY for any other encoder, reranker or verifier.
    What was interrupted goes on where it stopped, by the same command.
    HF_ENDPOINT names a mirror of the hub.
    """
    from veracite.models.store import Brought, entry_of, hub

    store = session.store
    with hub.Hub(offline.lifted) as there:
        plan = hub.Plan.of(entry_of(name, called), store, there)
        size = size_in_words(plan.size)
        if not session.quiet:
            console.say(
                f"{plan.entry.name}: {size} of {plan.remote.repository} from "
                f"{there.endpoint} ({plan.licence or 'no licence stated'})"
            )
        asked = plan.is_large and not yes
        if asked and not output.agreed(f"Download {size}?", f"Downloading {size}"):
            console.say("Nothing was downloaded.")
            return
        events = hub.pull(store, plan, there)
        (pulled,) = results(events, Brought, "Pulling", quiet=session.quiet)
    facts = _manifest_facts(pulled.manifest, store)
    _write(session, facts, _arrived(facts))


@models.command
@click.argument("names", nargs=-1, metavar="NAME...", required=True)
@options.output("The bundle to be written.", "target", required=True)
@options.work
def export(session: Session, /, names: tuple[str, ...], target: Path) -> None:
    """Write models of the store into one file, a bundle, for another machine.

    It holds the models, their hashes and their licences; `veracite models import` takes it.
    """
    from veracite.engine.bundles import Exported
    from veracite.engine.bundles.models import export_models

    for name in names:
        session.store.path(name)
    events = export_models(session.store, names, target)
    (exported,) = results(events, Exported, "Exporting", quiet=session.quiet)
    size, lacking = exported.size, list(exported.without_licence)
    if lacking and not session.quiet:
        console.say(
            f"The text of the licence is missing for: {', '.join(lacking)}. Put it beside the "
            "bundle yourself if it has to travel along; `veracite models show NAME` names the "
            "source."
        )
    wanted = list(dict.fromkeys(names))
    facts = {"bundle": str(target), "size": size, "models": wanted, "without_licence": lacking}
    said = f"{target}: {size_in_words(size)}, {counted(len(wanted), 'model')}."
    _write(session, facts, [said])


@models.command("import")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--name", help="What the model is to be called; not for several.")
@options.work
def import_(session: Session, /, path: Path, name: str | None) -> None:
    """Put models from a file or folder into the store; no network is needed.

    PATH is a bundle of `veracite models export`; a GGUF file; or the folder of an encoder, reranker
    or verifier as it is published on Hugging Face, which is converted. So can a model of another
    application be named, as `veracite models list` shows it.
    """
    from veracite.engine.bundles.models import import_path
    from veracite.models.store import Brought

    if not path.exists():
        path = _found(str(path))
    imported: list[dict[str, Any]] = []
    lines: list[str] = []
    events = import_path(session.store, path, name)
    for one in results(events, Brought, "Importing", quiet=session.quiet):
        facts = _manifest_facts(one.manifest, session.store)
        imported.append({**facts, "before": one.before})
        there = [f"{one.manifest.name} was in the store already."]
        lines += there if one.before else _arrived(facts)
    _write(session, {"imported": imported}, lines)


def _found(wanted: str) -> Path:
    """Where a model of another application lies.

    Raises:
        UsageError: There is none.
    """
    from veracite.models.store.catalogue import discover

    for model in discover():
        if model.name == wanted and model.path is not None:
            return model.path
    raise UsageError(f"There is no file or folder {wanted!r}.", "Check the spelling.")


def _arrived(facts: Mapping[str, Any]) -> list[str]:
    known = "as they were known" if facts["pinned"] else "recorded for later"
    role = " --as judge" if facts["kind"] == "verifier" else ""
    return [
        f"{facts['name']} is in the store, its hashes {known}.",
        f"Use it with `veracite models use {facts['name']}{role}`.",
    ]


@models.command
@click.argument("name", required=False)
@options.facts
def prompts(session: Session, /, name: str | None) -> None:
    """List the prompts, or print the file of the one called NAME.

    A file of yours takes the place of the prompt of the same name. To begin with:
    `veracite models prompts judge.veracite > PROMPTS/judge.veracite.toml`, where PROMPTS is the
    folder that `veracite locate` prints.
    """
    from msgspec import to_builtins

    known = Prompts.load(session.paths.prompts)
    chosen = known.all()
    if name is not None:  # or an id as verdicts give it
        prompt = known.named.get(name.partition("/")[0])
        if prompt is None:
            raise settings.no_such("prompt", name, known.named)
        if not session.as_json:
            console.write(_file_of(prompt), data=True)
            return
        chosen = (prompt,)
    told = [{"id": prompt.id, **to_builtins(prompt)} for prompt in chosen]
    rows = [(p.id, p.source + (f" ({p.file})" if p.file else "")) for p in chosen]
    (lines,) = table(rows, 0)
    output.write_facts(session, {"schema": _PROMPTS_SCHEMA, "prompts": told}, lines)


def _file_of(prompt: Prompt) -> str:
    """What its file holds: the user's own, or the one that ships with Veracite."""
    own = Path(prompt.file) if prompt.file else resources(_PACKAGE).joinpath(f"{prompt.name}.toml")
    return own.read_text(encoding="utf-8")


def _overview(session: Session) -> "tuple[Sequence[Listed], int, str | None]":
    """The models as they are in use, the bytes of free memory, and the language model that a
    setting puts before the chosen one, if one does."""
    from veracite.models.store.catalogue import overview

    listed, free = overview(session.store)
    chosen = next((m.path for m in listed if m.kind == "generator" and m.in_use), None)
    setting = _set_instead(session, chosen)
    if setting is None:
        return listed, free, None
    marked = [
        replace(model, in_use=str(model.path) == setting) if model.kind == "generator" else model
        for model in listed
    ]
    return marked, free, setting


def _set_instead(session: Session, chosen: Path | None) -> str | None:
    """The file of the language model that is used in place of the chosen one, if one is.

    Settings that cannot be read name none; what they are wanted for says so.
    """
    with suppress(*USER_ERRORS):
        model = settings.load(session.paths).check.model
        return None if model is None or (chosen and Path(model) == chosen.absolute()) else model
    return None


def _setting_lines(model: str | None) -> Iterator[str]:
    """That a setting goes before."""
    if model is not None:
        yield (
            "The setting model, in the config file or VERACITE_MODEL, goes before what is chosen: "
            f"{model} is the language model in use."
        )


def _listed_facts(model: "Listed", free: int) -> dict[str, Any]:
    """A model in the schema's words, with how it fits into so many bytes of free memory."""
    path = None if model.path is None else str(model.path)
    used_for = model.task if model.in_use else None
    return {**asdict(model), "path": path, "fit": model.fit(free), "in_use_for": used_for}


def _manifest_facts(manifest: "ModelManifest", store: "Store") -> dict[str, Any]:
    """A stored model in the schema's words."""
    facts, path = asdict(manifest), str(store.path(manifest.name))
    files = facts.pop("files")
    return {**facts, "path": path, "size": manifest.size, "files": files}


def _write(session: Session, facts: dict[str, Any], lines: Iterable[str]) -> None:
    output.write_facts(session, {"schema": _SCHEMA, **facts}, lines)


def _table_lines(models: Sequence[Mapping[str, Any]], free: int) -> Iterator[str]:
    """Every model in a line, by where it is; the ones in use with an asterisk and what for."""
    for state, heading in HEADINGS.items():
        here = [model for model in models if model["state"] == state]
        if here:
            yield f"{heading}:"
        rows = [_cells(model) for model in here if not model["problem"]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)] or [0]
        for model in here:
            cells = [f"{cell:<{room}}" for cell, room in zip(_cells(model), widths, strict=False)]
            if model["problem"]:
                why = f"cannot be used: {model['problem']}".replace(f"{Path.home()}/", "~/")
                cells = [cells[0], why]
            yield f"{'*' if model['in_use'] else ' '} {'  '.join(cells)}".rstrip()
    yield f"* is in use; {size_in_words(free)} of memory are free now."


def _cells(model: Mapping[str, Any]) -> Sequence[str]:
    return (
        short_path(model["name"]),
        model["kind"],
        model["quantisation"] or "",
        size_in_words(model["size"]) if model["size"] is not None else "",
        f"{model['fit']} ({size_in_words(model['memory'])})" if model["fit"] else "",
        model["licence"] or "",
        f"in use for: {model['in_use_for']}" if model["in_use"] else "",
    )


def _everything(model: "Listed", free: int, facts: Mapping[str, Any]) -> Iterator[str]:
    """What is known of one model, and its files."""
    hashes = "known before" if facts.get("pinned") else "recorded when"
    for name, value in (
        ("Name", model.name),
        ("Kind", model.kind),
        ("State", HEADINGS[model.state]),
        ("In use for", model.task if model.in_use else None),
        ("Problem", model.problem),
        *model_facts(model, free, facts.get("exam")),
        ("Revision", facts.get("revision")),
        ("Hashes", f"{hashes} it was fetched" if "pinned" in facts else None),
        *((name.capitalize(), str(value)) for name, value in facts.get("details", {}).items()),
    ):
        if value:
            yield f"{name:<12}{value}"
    for file in facts.get("files", []):
        size = "" if file["size"] is None else f"  {file['size']:,} bytes"
        yield f"{file['path']}{size}  sha256 {file['sha256'] or 'not known'}"
