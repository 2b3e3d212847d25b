"""What happened, as JSON lines, for ``--trace``; and such lines back to what happened.

A line is an event: its name under ``event``, under ``at`` the seconds since the trace was begun,
then its fields. The first one also names the schema. A passage is written out where it first
occurs, with a ``number``; after that its number stands for it, also where it is the context of a
quote. So is a longer part of what a language model is asked, with numbers of its own.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from time import monotonic
from typing import Any, get_args

import msgspec

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.report.json import safe_json
from veracite.engine.types import Citation
from veracite.engine.version import __version__
from veracite.index.documents import Document, Passage
from veracite.models.chat import Message

SCHEMA = "veracite.trace/1"
LOST = Passage(Document("", "", ""), 0, 0, None, None, "", "")
"""In the place of a passage that stood in a line that cannot be read."""
_LOST_PART = "[in a line that cannot be read]"
_FAMILY = "veracite.trace/"
_LONG = 40
"""Characters of a part of a prompt from which on a number is shorter."""
_EVENTS = {event.__name__: event for event in get_args(Event)}


class Writer:
    """Makes the lines of one trace.

    Args:
        clock: Seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._head = {"schema": SCHEMA, "veracite": __version__}
        self._numbers: dict[Passage, int] = {}
        self._contexts: dict[tuple[str, str], int] = {}
        """File and text of a passage to its number."""
        self._parts: dict[str, int] = {}

    def line(self, event: Event) -> str:
        """An event that happened just now."""
        at = round(self._clock() - self._began, 3)
        told = self._head | {"event": type(event).__name__, "at": at} | self._plain(event)
        self._head = {}
        return safe_json(told) + "\n"

    def _plain(self, value: Any) -> Any:
        if isinstance(value, Passage) and (number := self._numbers.get(value)) is not None:
            return number
        if isinstance(value, Message):
            return {"role": value.role, "parts": [self._part(part) for part in value.parts]}
        if is_dataclass(value):
            numbered = self._numbered(value) if isinstance(value, Passage) else {}
            plain = {f.name: self._plain(getattr(value, f.name)) for f in fields(value)}
            if isinstance(value, Citation):
                known = self._contexts.get((value.file, value.context))
                plain["context"] = value.context if known is None else known
            return numbered | plain
        if isinstance(value, Mapping):
            return {str(key): self._plain(item) for key, item in value.items()}
        return [self._plain(item) for item in value] if isinstance(value, tuple) else value

    def _numbered(self, passage: Passage) -> dict[str, int]:
        number = self._numbers[passage] = len(self._numbers) + 1
        self._contexts.setdefault((passage.document.path, passage.text), number)
        return {"number": number}

    def _part(self, text: str) -> Any:
        if len(text) < _LONG or text in self._parts:
            return self._parts.get(text, text)
        number = self._parts[text] = len(self._parts) + 1
        return {"number": number, "text": text}


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that happened."""

    at: float
    """Seconds since the trace was begun."""
    event: Event


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
    reader, gaps, found = _Reader(), list[Gap](), False
    for number, line in enumerate(lines, start=1):
        try:
            entry = reader.entry(line, name)
        except (ValueError, RecursionError, msgspec.ValidationError) as error:
            cut = "it is cut off" if not line.endswith("\n") else "it is no JSON"
            known = isinstance(error, (_NoEventError, msgspec.ValidationError))
            gaps.append(Gap(number, str(error) if known else cut))
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


class _NoEventError(ValueError):
    """A line of JSON that is no event."""


@dataclass(frozen=True, slots=True)
class _Reader:
    """Turns lines into events, and remembers the passages and the parts of prompts."""

    passages: dict[int, dict[str, Any]] = field(default_factory=dict)
    parts: dict[int, str] = field(default_factory=dict)

    def entry(self, line: str, name: str) -> Entry:
        """Raises ``ValueError`` or a ``msgspec.ValidationError`` if it is none."""
        value = json.loads(line)
        if not isinstance(value, dict):
            raise _NoEventError("it is no event")
        schema = value.get("schema", SCHEMA)
        if schema != SCHEMA and str(schema).startswith(_FAMILY):
            raise InputError(
                f"{name} is a trace of another version ({schema}); this one reads {SCHEMA}.",
                "Show it with the Veracite that wrote it.",
            )
        kind = _EVENTS.get(str(value.get("event")))
        if kind is None:
            raise _NoEventError("it is no event that this version knows")
        at = msgspec.convert(value.get("at"), float)
        return Entry(at, msgspec.convert(self._written_out(value), kind))

    def _written_out(self, value: Any) -> Any:
        """The value with passages and parts of prompts in the place of their numbers."""
        if isinstance(value, list):
            return [self._written_out(item) for item in value]
        if not isinstance(value, dict):
            return value
        plain = {key: self._written_out(item) for key, item in value.items()}
        if isinstance(plain.get("passage"), int):
            plain["passage"] = self.passages.get(plain["passage"], msgspec.to_builtins(LOST))
        elif isinstance(plain.get("context"), int):
            known = self.passages.get(plain["context"], {})
            plain["context"] = known.get("text") or plain.get("quote")
        elif isinstance(plain.get("parts"), list):
            plain["parts"] = [self._part(part) for part in plain["parts"]]
        elif isinstance(plain.get("number"), int) and "document" in plain:
            self.passages[plain["number"]] = plain
        return plain

    def _part(self, value: Any) -> Any:
        if isinstance(value, int):
            return self.parts.get(value, _LOST_PART)
        if isinstance(value, dict) and isinstance(value.get("number"), int):
            return self.parts.setdefault(value["number"], value.get("text", _LOST_PART))
        return value
