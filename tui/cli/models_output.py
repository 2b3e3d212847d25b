"""What the commands of ``veracite models`` print and ask."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from veracite.engine.display import neutralise
from veracite.engine.errors import USER_ERRORS
from veracite.engine.paths import Paths
from veracite.engine.report.json import safe_json
from veracite.models.files import size_in_words
from veracite.tui import console
from veracite.tui.console import UsageError
from veracite.tui.service import short_path

if TYPE_CHECKING:
    from veracite.models.store.catalogue import Listed
    from veracite.models.store.manifest import ModelManifest
    from veracite.models.store.registry import Entry


def agreed(question: str, what: str) -> bool:
    """Whether the user says yes.

    Args:
        what: The same as a noun: ``Downloading 2.0 GB``.

    Raises:
        UsageError: Nobody can be asked, as in a pipe.
    """
    if not (console.is_terminal(sys.stdin) and console.is_terminal(sys.stderr)):
        raise UsageError(f"{what} needs a yes.", "Add --yes to the command.")
    return click.confirm(question, err=True)


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

_HEADINGS = {
    "bundled": "Part of Veracite:",
    "stored": "In the store:",
    "partial": "Half downloaded (`veracite models pull NAME` goes on, `remove NAME` gives up):",
    "found": "Of other applications, used where they are:",
    "known": "Can be pulled:",
}
_STATES = {
    "bundled": "part of Veracite",
    "stored": "in the store",
    "partial": "half downloaded",
    "found": "of another application, or where its path says",
    "known": "not here yet; `veracite models pull` fetches it",
}
_NAMES = {
    "context": "context in tokens",
    "in_use": "in use",
    "in_use_for": "in use for",
    "max_length": "tokens read",
    "memory": "memory needed",
    "pinned": "hashes known",
}


def listed_facts(model: "Listed", free: int) -> dict[str, Any]:
    """A model in the schema's words, with how it fits into so many bytes of free memory."""
    path = None if model.path is None else str(model.path)
    used_for = model.task if model.in_use else None
    return {**asdict(model), "path": path, "fit": model.fit(free), "in_use_for": used_for}


def entry_facts(entry: "Entry") -> dict[str, Any]:
    """What is known before a pull, in the schema's words."""
    return {"revision": entry.revision, "files": [asdict(file) for file in entry.files]}


def manifest_facts(manifest: "ModelManifest", folder: Path) -> dict[str, Any]:
    """A stored model in the schema's words."""
    facts = {name: value for name, value in asdict(manifest).items() if name != "files"}
    files = [asdict(file) for file in manifest.files]
    return {**facts, "path": str(folder), "size": manifest.size, "files": files}


def write_facts(
    facts: dict[str, Any], as_json: bool, lines: Callable[[dict[str, Any]], Iterable[str]]
) -> None:
    """Write facts as JSON, or as the lines that ``lines`` makes of them."""
    if as_json:
        console.write(safe_json({"schema": SCHEMA, **facts}, indent=2) + "\n", data=True)
    else:
        console.write("".join(f"{neutralise(line)}\n" for line in lines(facts)))


def table_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Every model in a line, by where it is; the ones in use with an asterisk and what for."""
    for state, heading in _HEADINGS.items():
        models = [model for model in facts["models"] if model["state"] == state]
        if not models:
            continue
        yield heading
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


def fact_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Everything about one model."""
    said = {name: value for name, value in facts.items() if name not in ("files", "details")}
    said |= facts.get("details", {})
    said["state"] = _STATES[facts["state"]]
    if facts["state"] in ("stored", "known") and not facts["licence"]:
        said["licence"] = "not stated"
    told = {_NAMES.get(name, name): _words(name, value) for name, value in said.items()}
    width = max(map(len, told))
    for name, words in told.items():
        if words:
            yield f"{name:<{width}}  {words}"
    for file in facts.get("files", []):
        size = "" if file["size"] is None else f"  {file['size']:,} bytes"
        yield f"{file['path']}{size}  sha256 {file['sha256'] or 'not known'}"


def _words(name: str, value: Any) -> str:
    if value is None:
        return ""
    if name in ("size", "memory"):
        return f"{size_in_words(value)} ({value:,} bytes)"
    if name == "pinned":
        return "before it was fetched" if value else "since it was fetched"
    if isinstance(value, bool):
        return "yes" if value else ""
    return f"{value:,}" if isinstance(value, int) else str(value)
