"""Verdicts that a person has overridden, kept from one check to the next.

An override belongs to what a verdict belongs to: a claim as it stands alone, and the documents that
it is judged by. So it outlives edits elsewhere in the text, and holds for the same claim anywhere.
"""

import json
import os
from dataclasses import replace
from pathlib import Path

from veracite.engine.errors import InputError
from veracite.engine.libraries import DEFAULT_LIBRARY, Against
from veracite.engine.paths import private_folder
from veracite.engine.types import Label, Override, Report, Verdict
from veracite.models.files import write_whole

_SCHEMA = "veracite.overrides/1"
_Key = tuple[str, str]


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
        self._said: dict[_Key, tuple[Label, str]] = _read(path) if path else {}

    def applied(self, verdict: Verdict, against: Against) -> Verdict:
        """The verdict as it stands with what a person said about it."""
        verdict = without(verdict)
        said = self._said.get(_key(verdict, against))
        if said is None:
            return verdict
        label, note = said
        return replace(verdict, label=label, override=Override(verdict.label, note))

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
        self._said[_key(verdict, against)] = (label, note)
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
        kept = [
            {"documents": documents, "claim": claim, "label": str(label), "note": note}
            for (documents, claim), (label, note) in sorted(self._said.items())
        ]
        try:
            private_folder(self._path.parent)
            write_whole(self._path, json.dumps({"schema": _SCHEMA, "overrides": kept}, indent=1))
        except OSError as error:
            raise InputError(
                f"Your verdict cannot be saved ({error.strerror or error}); it holds until you "
                "quit.",
                f"Free some space for {self._path}.",
            ) from error


def without(verdict: Verdict) -> Verdict:
    """The verdict as it was judged."""
    return replace(verdict, label=verdict.judged, override=None)


def _key(verdict: Verdict, against: Against) -> _Key:
    if isinstance(against, tuple):
        documents = "\n".join(sorted(os.path.abspath(path) for path in against))
    else:
        documents = f"library {against or DEFAULT_LIBRARY}"
    return documents, verdict.claim.hypothesis


def _read(path: Path) -> dict[_Key, tuple[Label, str]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {
            (str(one["documents"]), str(one["claim"])): (Label(one["label"]), str(one["note"]))
            for one in content["overrides"]
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"The verdicts that you overrode, in {path}, cannot be read.",
            "Correct or move that file; until then none of them hold and new ones are not saved.",
        ) from error
