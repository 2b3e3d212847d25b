"""What ``veracite library`` prints: facts as JSON, or as lines for people."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

from veracite.engine.display import neutralise
from veracite.engine.report.json import safe_json
from veracite.tui import console

if TYPE_CHECKING:
    from veracite.index.library import Library

__all__ = ["SCHEMA", "library_facts", "list_lines", "status_lines", "summary_lines", "write"]

SCHEMA = "veracite.library/1"
_MOST_FAILED = 5


def library_facts(name: str, opened: "Library") -> dict[str, Any]:
    """What a library holds, in the schema's words."""
    held = opened.status()
    return {
        "schema": SCHEMA,
        "name": name,
        "sources": [str(source) for source in held.sources],
        "elsewhere": [str(source) for source in held.elsewhere],
        "documents": held.documents,
        "failed": [{"file": file, "reason": reason} for file, reason in held.failed],
        "passages": held.passages,
        "embedded": held.embedded,
        "other_encoders": list(opened.other_encoders),
        "search": held.search,
        "bytes": held.bytes_on_disk,
        "last_sync": held.last_sync.isoformat() if held.last_sync else None,
    }


def write(
    facts: dict[str, Any], as_json: bool, lines: Callable[[dict[str, Any]], Iterable[str]]
) -> None:
    """Write facts as JSON, or as the lines that ``lines`` makes of them."""
    if as_json:
        console.write(safe_json(facts, indent=2) + "\n", data=True)
    else:
        console.write("".join(f"{neutralise(line)}\n" for line in lines(facts)))


def summary_lines(facts: dict[str, Any]) -> Iterator[str]:
    """How many documents are held, and the first that could not be read."""
    yield f"{facts['name']}: {_held(facts['documents'], len(facts['failed']))}"
    for item in facts["failed"][:_MOST_FAILED]:
        yield f"  {item['file']}: {item['reason']}"
    if (more := len(facts["failed"]) - _MOST_FAILED) > 0:
        yield f"  ... and {more} more (veracite library status {facts['name']})"


def status_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Everything about one library."""
    yield f"{facts['name']}: {_held(facts['documents'], len(facts['failed']))}"
    yield from _source_lines(facts)
    yield f"  {facts['passages']} passages, {facts['embedded']} of them encoded"
    if facts["embedded"] < facts["passages"] and facts["other_encoders"]:
        before = ", ".join(facts["other_encoders"])
        yield f"  encoded by {before} before; the next sync encodes them anew"
    yield f"  search: {facts['search']}; {facts['bytes'] / 1e6:.1f} MB of index"
    yield f"  last brought up to date: {_local_time(facts['last_sync'])}"
    if facts["failed"]:
        yield "Could not be read:"
    for item in facts["failed"]:
        yield f"  {item['file']}: {item['reason']}"


def _source_lines(facts: dict[str, Any]) -> Iterator[str]:
    for source in facts["sources"]:
        there = source in facts["elsewhere"]
        yield f"  holds what was in {source} elsewhere" if there else f"  follows {source}"


def _local_time(moment: str | None) -> str:
    """A time as clocks here show it."""
    if moment is None:
        return "never"
    return datetime.fromisoformat(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def list_lines(facts: dict[str, Any]) -> Iterator[str]:
    """Every library in short."""
    if not facts["libraries"]:
        yield "There are no libraries yet: make one with `veracite library add FOLDER`."
    for item in facts["libraries"]:
        if item["problem"]:
            yield f"{item['name']}: {item['problem']}"
            continue
        yield f"{item['name']}: {_held(item['documents'], item['failed'])}"
        yield from _source_lines(item)


def _held(documents: int, failed: int) -> str:
    read = "1 document" if documents == 1 else f"{documents} documents"
    return f"{read}, {failed} could not be read" if failed else read
