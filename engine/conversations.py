"""Conversations that are kept, one file each.

A file is JSON lines: for each question a head (its schema ``veracite.conversation/1``), and behind
it what each method did and said, as a trace (``veracite.engine.trace``). So a list of
conversations needs the first line of each alone, and an answer that is added leaves the others
untouched.
"""

import json
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from veracite.engine import trace
from veracite.engine.errors import InputError, disk_errors
from veracite.engine.libraries import Documents
from veracite.engine.paths import for_owner
from veracite.engine.report.json import safe_json
from veracite.engine.trace import Entry, Gap
from veracite.models.files import private_folder

SCHEMA = "veracite.conversation/1"
_HEAD = '{"schema": "veracite.conversation/'
_TRACE = '{"schema": "veracite.trace/'
_SUFFIX = ".jsonl"

Reply = tuple[Entry | Gap, ...]
"""What one method did, up to its report; a gap where a line of the file cannot be read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question."""

    question: str
    against: str
    """The documents, as a person reads them."""
    documents: Documents | None = None
    """The same, to ask them again; None in files of earlier versions."""
    methods: tuple[str, ...] = ()
    """What each method that was asked is called; none in files of earlier versions."""
    meant: str = ""
    """The question as it is meant behind the one before, where that is something else."""
    when: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    """ISO 8601, UTC, to the second."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and what each method that was asked did."""

    asked: Asked
    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A conversation in a list."""

    path: Path
    first: Asked | None
    """What was asked first; None if the file cannot be read."""


class Conversations:
    """The conversations of a folder.

    Args:
        folder: Made, for its owner only, when the first one is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def listed(self) -> tuple[Kept, ...]:
        """Every conversation, the one that was last added to first."""
        found = sorted(map(_looked_at, self._folder.glob(f"*{_SUFFIX}")), key=lambda one: one[:2])
        return tuple(Kept(path, first) for _, path, first in reversed(found))

    def add(self, exchange: Exchange, path: Path | None = None) -> Path:
        """Add an exchange to a conversation; returns its file.

        Args:
            path: Of the conversation; None begins a new one.

        Raises:
            InputError: It cannot be written.
        """
        lines = "".join(_lines(exchange)).encode()
        new = f"{datetime.now(UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(3)}{_SUFFIX}"
        path = path or self._folder / new
        advice = f"Check the folder {self._folder} and the free space on its disk."
        with disk_errors("The conversation cannot be saved", advice):
            private_folder(self._folder)
            with open(path, "ab", opener=for_owner) as file:
                # A crash may have cut off the last line.
                file.write(b"\n" + lines if file.tell() else lines)
        return path

    def read(self, path: Path) -> tuple[Exchange, ...]:
        """A conversation, in order.

        Raises:
            InputError: It cannot be read, or is one of a later version.
        """
        try:
            with path.open(encoding="utf-8", errors="replace") as lines:
                found = tuple(map(_exchange, _parts(lines, _HEAD)))
            if not found:
                raise ValueError("it is no conversation of this version")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise InputError(
                f"The conversation {path.name} cannot be read: {reason}.",
                "Choose another one, or begin a new one.",
            ) from error
        return found

    def delete(self, path: Path) -> None:
        """Delete a conversation; one that is gone already is no error.

        Raises:
            InputError: It cannot be deleted.
        """
        advice = f"Check the permissions of {self._folder}."
        with disk_errors("The conversation cannot be deleted", advice):
            path.unlink(missing_ok=True)


def _lines(exchange: Exchange) -> Iterator[str]:
    yield safe_json({"schema": SCHEMA, **asdict(exchange.asked)})
    for reply in exchange.replies:
        entries = (entry for entry in reply if isinstance(entry, Entry))
        yield from (trace.line(entry, first=not at) for at, entry in enumerate(entries))


def _parts(lines: Iterable[str], opening: str) -> list[list[str]]:
    """The lines in parts that open with such a line each; what stands before the first is none."""
    parts: list[list[str]] = []
    for line in lines:
        if line.startswith(opening):
            parts.append([line])
        elif parts and line != "\n":
            parts[-1].append(line)
    return parts


def _exchange(lines: Sequence[str]) -> Exchange:
    replies = _parts(lines, _TRACE)
    return Exchange(_head(lines[0]), tuple(tuple(trace.read(one, "The trace")) for one in replies))


def _head(line: str) -> Asked:
    """Raises ValueError if it is none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ValueError("its first line is damaged") from error
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise ValueError("it is no conversation of this version")
    return msgspec.convert(value, Asked)


def _looked_at(path: Path) -> tuple[int, Path, Asked | None]:
    """When a conversation was last added to, in nanoseconds, and what was asked first in it."""
    changed, first = 0, None
    with suppress(OSError, ValueError), path.open(encoding="utf-8", errors="replace") as lines:
        changed = os.fstat(lines.fileno()).st_mtime_ns
        first = _head(lines.readline())
    return changed, path, first
