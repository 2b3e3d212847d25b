"""What ``veracite models`` prints: facts as JSON, or as lines for people."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracite.engine.display import neutralise
from veracite.engine.report.json import safe_json
from veracite.models.store.disk import size_in_words
from veracite.tui import console

if TYPE_CHECKING:
    from veracite.models.store.manifest import ModelManifest
    from veracite.models.store.overview import Listed

__all__ = ["SCHEMA", "fact_lines", "listed_facts", "manifest_facts", "table_lines", "write"]

SCHEMA = "veracite.models/1"

_HEADINGS = {
    "bundled": "Part of Veracite:",
    "stored": "In the store:",
    "partial": "Half downloaded (`veracite models pull NAME` goes on, `remove NAME` gives up):",
    "found": "Of other applications, used where they are:",
    "known": "Can be pulled:",
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


def manifest_facts(manifest: "ModelManifest", folder: Path) -> dict[str, Any]:
    """A stored model in the schema's words."""
    facts = {name: value for name, value in asdict(manifest).items() if name != "files"}
    files = [asdict(file) for file in manifest.files]
    return {**facts, "path": str(folder), "size": manifest.size, "files": files}


def write(
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
        rows = [(*_row(model), _use(model)) for model in models]
        widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
        for model, row in zip(models, rows, strict=True):
            mark = "*" if model["in_use"] else " "
            cells = "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
            yield f"{mark} {cells}".rstrip()
    yield f"* is in use; {size_in_words(facts['free_memory'])} of memory are free now."


def _row(model: dict[str, Any]) -> Sequence[str]:
    if model["problem"]:
        return model["name"], f"cannot be used: {model['problem']}", "", "", "", ""
    return (
        model["name"],
        model["kind"],
        model["quantisation"] or "",
        size_in_words(model["size"]) if model["size"] is not None else "",
        _fit(model),
        model["licence"] or "",
    )


def _use(model: dict[str, Any]) -> str:
    return f"in use for: {model['in_use_for']}" if model["in_use"] else ""


def _fit(model: dict[str, Any]) -> str:
    return f"{model['fit']} ({size_in_words(model['memory'])})" if model["fit"] else ""


def fact_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Everything about one model."""
    said = {name: value for name, value in facts.items() if name not in ("files", "details")}
    said |= facts.get("details", {})
    told = {_NAMES.get(name, name): _words(name, value) for name, value in said.items()}
    width = max(map(len, told))
    for name, words in told.items():
        if words:
            yield f"{name:<{width}}  {words}"
    for file in facts.get("files", []):
        yield f"{file['path']}  {file['size']:,} bytes  sha256 {file['sha256']}"


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
