"""What happened, as JSON lines, for ``--trace``; and such lines back to what happened.

A line is an event: its name under ``event``, under ``at`` the seconds since the trace was begun,
then its fields. The first one also names the schema. A passage is written out where it first
occurs, with a ``number``; after that its number stands for it, also where it is the context of a
quote. So is a longer part of what a language model is asked, with numbers of its own.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from time import monotonic
from typing import Any, get_args

from veracite.engine.errors import InputError
from veracite.engine.events import Event
from veracite.engine.plain_data import Mismatch, built
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
        if isinstance(value, Passage):
            return self._passage(value)
        if isinstance(value, Message):
            return {"role": value.role, "parts": [self._part(part) for part in value.parts]}
        if is_dataclass(value):
            plain = {f.name: self._plain(getattr(value, f.name)) for f in fields(value)}
            if isinstance(value, Citation):
                known = self._contexts.get((value.file, value.context))
                plain["context"] = value.context if known is None else known
            return plain
        if isinstance(value, Mapping):
            return {str(key): self._plain(item) for key, item in value.items()}
        if isinstance(value, tuple):
            return [self._plain(item) for item in value]
        return value

    def _passage(self, passage: Passage) -> Any:
        if (number := self._numbers.get(passage)) is not None:
            return number
        number = self._numbers[passage] = len(self._numbers) + 1
        self._contexts.setdefault((passage.document.path, passage.text), number)
        plain = {f.name: self._plain(getattr(passage, f.name)) for f in fields(passage)}
        return {"number": number} | plain

    def _part(self, text: str) -> Any:
        if len(text) < _LONG:
            return text
        if (number := self._parts.get(text)) is not None:
            return number
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
    reader, gaps, found = _Reader(), [], False
    for number, line in enumerate(lines, start=1):
        try:
            value = _object(line)
            _require_version(value, name)
            entry = reader.entry(value)
        except Mismatch as error:
            gaps.append(Gap(number, str(error)))
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


def _require_version(value: dict[str, Any], name: str) -> None:
    schema = value.get("schema", SCHEMA)
    if schema != SCHEMA and str(schema).startswith(_FAMILY):
        raise InputError(
            f"{name} is a trace of another version ({schema}); this one reads {SCHEMA}.",
            "Show it with the Veracite that wrote it.",
        )


def _object(line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        cut = not line.endswith("\n")
        raise Mismatch("it is cut off" if cut else "it is no JSON") from error
    if not isinstance(value, dict):
        raise Mismatch("it is no event")
    return value


class _Reader:
    """Turns objects into events; remembers the passages and the parts of prompts."""

    def __init__(self) -> None:
        self._passages: dict[int, Passage] = {}
        self._parts: dict[int, str] = {}

    def entry(self, value: dict[str, Any]) -> Entry:
        """Raises Mismatch if it is none."""
        kind = _EVENTS.get(str(value.get("event")))
        if kind is None:
            raise Mismatch("it is no event that this version knows")
        made = {Passage: self._passage, Citation: self._citation, Message: self._message}
        return Entry(built(float, value.get("at"), made), built(kind, value, made))

    def _passage(self, value: Any) -> Passage:
        if isinstance(value, int):
            return self._passages.get(value, LOST)
        passage: Passage = built(Passage, value)
        self._passages[built(int, value.get("number"))] = passage
        return passage

    def _citation(self, value: Any) -> Citation:
        if isinstance(value, dict) and isinstance(value.get("context"), int):
            context = self._passages.get(value["context"], LOST).text
            value = value | {"context": context or value.get("quote")}
        citation: Citation = built(Citation, value)
        return citation

    def _message(self, value: Any) -> Message:
        plain = built(dict, value)
        parts = [self._part(part) for part in built(list, plain.get("parts"))]
        message: Message = built(Message, plain | {"parts": parts})
        return message

    def _part(self, value: Any) -> Any:
        if isinstance(value, int):
            return self._parts.get(value, _LOST_PART)
        if not isinstance(value, dict):
            return value
        text = self._parts[built(int, value.get("number"))] = built(str, value.get("text"))
        return text
