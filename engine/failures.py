"""The files of a library that were not read, by reason: what every list of them is made of."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from veracite.index.documents import FailedDocument, lost

_OTHER_KINDS = "If one matters, save it as PDF or as text."
_FEW = 3
"""Files of other kinds that are named; more are only counted."""


def shortfall(failed: Sequence[FailedDocument], whole: str = "could not be read") -> str:
    """Such as ``, 2 could not be read, 1 read in part``; nothing where all were read."""
    gone = lost(failed)
    parts = ((gone, whole), (len(failed) - gone, "read in part"))
    return "".join(f", {count:,} {what}" for count, what in parts if count)


@dataclass(frozen=True, slots=True)
class Unread:
    """Files that were not read, or not wholly, for one and the same reason; nothing neutralised."""

    reason: str
    """One sentence."""
    advice: str
    """What to do, one sentence; empty where nobody knows."""
    count: int
    files: tuple[str, ...]
    """In order; empty where they are many of a kind that is not read and only counted by it."""

    @property
    def listed(self) -> tuple[str, ...]:
        """The files that ``said`` does not name."""
        return () if self.count == 1 else self.files

    def said(self, name: Callable[[str], str] = str) -> str:
        """Such as ``2 files: The file is encrypted. Save it without a password.``; one file alone
        is named."""
        files = "1 file" if self.count == 1 else f"{self.count:,} files"
        which = name(self.files[0]) if self.files and self.count == 1 else files
        return f"{which}: {self.reason} {self.advice}".rstrip()


def by_reason(failed: Iterable[FailedDocument], others: Sequence[str]) -> tuple[Unread, ...]:
    """The files that were not read, the most frequent reason first, other kinds last.

    Args:
        failed: Those that could not be read.
        others: Those of kinds that are not read.
    """
    files: dict[tuple[str, str], list[str]] = {}
    for one in failed:
        files.setdefault((one.reason, one.advice), []).append(one.file)
    found = [Unread(*why, len(named), tuple(named)) for why, named in files.items()]
    found.sort(key=lambda group: -group.count)
    if others:
        named = tuple(others) if len(others) <= _FEW else ()
        found.append(Unread(f"{kinds(others)}.", _OTHER_KINDS, len(others), named))
    return tuple(found)


def kinds(others: Iterable[str]) -> str:
    """Such as ``Not of a kind that is read: .mp4 (12), .exe (3)``."""
    counts = Counter(Path(file).suffix.lower() or "no suffix" for file in others)
    told = ", ".join(f"{kind} ({count:,})" for kind, count in counts.most_common())
    return f"Not of a kind that is read: {told}"
