"""What happened, as JSON lines, for ``--trace``; and such lines back to what happened.

A line is an event: its name under ``event``, under ``at`` the seconds since the trace was begun,
then its fields. The first one also names the schema.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import get_args

import msgspec

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.report.json import safe_json
from veracite.engine.version import __version__

SCHEMA = "veracite.trace/1"
_FAMILY = "veracite.trace/"
_EVENTS = {event.__name__: event for event in get_args(Event)}


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened."""

    at: float
    """Seconds since the trace was begun."""
    event: Event


def line(entry: Entry, *, first: bool = False) -> str:
    """Something that happened; the first line of a trace names the schema."""
    head = {"schema": SCHEMA, "veracite": __version__} if first else {}
    name, at = type(entry.event).__name__, round(entry.at, 3)
    return safe_json(head | {"event": name, "at": at} | asdict(entry.event))


@dataclass(frozen=True, slots=True)
class Gap:
    """A line that cannot be read."""

    line: int
    """From 1."""
    reason: str
    """In a few words."""


def read(lines: Iterable[str], name: str) -> Iterator[Entry | Gap]:
    """What a trace holds, in order; what of it is damaged is a gap.

    Args:
        lines: Of the file.
        name: What to call it in an error.

    Raises:
        InputError: It is no trace, or one of a later version.
    """
    gaps, found = list[Gap](), False
    for number, text in enumerate(lines, start=1):
        try:
            entry = _entry(text, name)
        except msgspec.ValidationError as error:
            gaps.append(Gap(number, str(error)))
        except (ValueError, RecursionError):
            cut_off = not text.endswith("\n")
            gaps.append(Gap(number, "it is cut off" if cut_off else "it is no JSON"))
        else:
            found = True
            yield from gaps
            yield entry
            gaps.clear()
    if not found:
        raise InputError(
            f"{name} is no trace of Veracite.", "Name a file that --trace has written."
        )
    yield from gaps


def _entry(line: str, name: str) -> Entry:
    """Raises ``ValueError`` or a ``msgspec.ValidationError`` if it is none."""
    value = json.loads(line)
    if not isinstance(value, dict):
        raise msgspec.ValidationError("it is no event")
    schema = value.get("schema", SCHEMA)
    if schema != SCHEMA and str(schema).startswith(_FAMILY):
        raise InputError(
            f"{name} is a trace of another version ({schema}); this one reads {SCHEMA}.",
            "Show it with the Veracite that wrote it.",
        )
    kind = _EVENTS.get(str(value.get("event")))
    if kind is None:
        raise msgspec.ValidationError("it is no event that this version knows")
    return Entry(msgspec.convert(value.get("at"), float), msgspec.convert(value, kind))
