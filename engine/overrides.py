"""Verdicts that a person has overridden, kept from one check to the next.

An override belongs to what a verdict belongs to: a claim as it stands alone, and the documents that
it is judged by. So it outlives edits elsewhere in the text, and holds for the same claim anywhere.
"""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import msgspec

from veracite.engine.errors import InputError, disk_errors
from veracite.engine.libraries import DEFAULT_LIBRARY, Against
from veracite.engine.types import Label, Override, Report, Verdict
from veracite.models.files import write_private

_SCHEMA = "veracite.overrides/1"
_Key = tuple[str, str]
"""The documents, and the claim as it stands alone."""


@dataclass(frozen=True, slots=True)
class _Said:
    """An override, as it is kept."""

    documents: str
    claim: str
    label: Label
    note: str


class Overrides:
    """What a person said, by documents and claim.

    Args:
        path: The file, JSON, readable by its owner alone; made when it is first needed. None keeps
            nothing.

    Raises:
        InputError: There is a file, and it cannot be read.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._said = {(one.documents, one.claim): one for one in _read(path)} if path else {}

    @classmethod
    def kept(cls, path: Path, tell: Callable[[str], object]) -> "Overrides":
        """Those of a file; where it cannot be read, none, which is told."""
        try:
            return cls(path)
        except InputError as error:
            tell(f"{error.message} {error.advice}")
            return cls()

    def applied(self, verdict: Verdict, against: Against) -> Verdict:
        """The verdict as it stands with what a person said about it."""
        verdict = replace(verdict, label=verdict.judged, override=None)
        said = self._said.get(_key(verdict, against))
        if said is None:
            return verdict
        return replace(verdict, label=said.label, override=Override(verdict.label, said.note))

    def told(self, report: Report, against: Against) -> Report:
        """A report with what a person said about its verdicts."""
        return replace(
            report, verdicts=tuple(self.applied(one, against) for one in report.verdicts)
        )

    def say(self, verdict: Verdict, against: Against, label: Label, note: str) -> None:
        """Override a verdict.

        Raises:
            InputError: It cannot be kept; it holds until the end of this run.
        """
        key = _key(verdict, against)
        self._said[key] = _Said(*key, label, note)
        self._keep()

    def take_back(self, verdict: Verdict, against: Against) -> None:
        """Let the verdict stand again.

        Raises:
            InputError: As ``say``.
        """
        self._said.pop(_key(verdict, against), None)
        self._keep()

    def _keep(self) -> None:
        if self._path is None:
            return
        kept = [asdict(self._said[key]) for key in sorted(self._said)]
        content = json.dumps({"schema": _SCHEMA, "overrides": kept}, indent=1)
        what = "Your verdict holds until you quit, but it cannot be saved"
        with disk_errors(what, f"Free some space for {self._path}."):
            write_private(self._path, content)


def _key(verdict: Verdict, against: Against) -> _Key:
    if isinstance(against, tuple):
        documents = "\n".join(sorted(os.path.abspath(path) for path in against))
    else:
        documents = f"library {against or DEFAULT_LIBRARY}"
    return documents, verdict.claim.hypothesis


def _read(path: Path) -> list[_Said]:
    try:
        return msgspec.convert(json.loads(path.read_bytes())["overrides"], list[_Said])
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"The verdicts that you overrode, in {path}, cannot be read.",
            "Correct or move that file; until then none of them hold and new ones are not saved.",
        ) from error
