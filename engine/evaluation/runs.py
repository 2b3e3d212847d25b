"""A run: one evaluation's folder, with its record and every prediction as it was made.

A stop at any moment costs at most the items in hand: the same command goes on from the last whole
line. A folder holds one run; other settings, models or data make another.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from veracite.engine.errors import InputError
from veracite.engine.evaluation.items import Prediction

__all__ = ["Run"]

_RECORD = "run.json"
_PREDICTIONS = "predictions.jsonl"


class Run:
    """The predictions of one evaluation, kept on disk as they come.

    Args:
        folder: Made if missing.
        identity: What the predictions depend on: data, models, settings, seed, versions.

    Raises:
        InputError: The folder holds another run, or something that is no run.
    """

    def __init__(self, folder: Path, identity: Mapping[str, object]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        _claim(folder / _RECORD, identity)
        self._path = folder / _PREDICTIONS
        self._done: dict[tuple[str, str], Prediction] = {}
        self._read()
        self._file: TextIO = self._path.open("a", encoding="utf-8", newline="\n")

    def get(self, item: str, method: str) -> Prediction | None:
        """What this method said of this item; None if it has not been asked."""
        return self._done.get((item, method))

    def has(self, item: str, methods: Iterable[str]) -> bool:
        """Whether all these methods have been asked about an item."""
        return all((item, method) in self._done for method in methods)

    def add(self, predictions: Iterable[Prediction]) -> None:
        """Keep predictions; they are on disk when this returns."""
        for prediction in predictions:
            line = json.dumps(asdict(prediction), ensure_ascii=False, sort_keys=True)
            self._file.write(f"{line}\n")
            self._done[prediction.item, prediction.method] = prediction
        self._file.flush()
        os.fsync(self._file.fileno())

    def __len__(self) -> int:
        return len(self._done)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self) -> None:
        """Take in the whole lines, and cut off what a stop left unfinished."""
        if not self._path.exists():
            return
        whole = 0
        with self._path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    break
                prediction = _prediction(line)
                if prediction is None:
                    break
                self._done[prediction.item, prediction.method] = prediction
                whole += len(line)
        os.truncate(self._path, whole)


def _prediction(line: bytes) -> Prediction | None:
    try:
        row = json.loads(line)
        return Prediction(**{**row, "found": tuple(row["found"])})
    except (ValueError, TypeError, KeyError):
        return None


def _claim(path: Path, identity: Mapping[str, object]) -> None:
    """Write the run's identity, or see that it is the one that is there."""
    wanted = json.loads(json.dumps(identity, sort_keys=True))
    if path.exists():
        try:
            held = json.loads(path.read_text("utf-8"))
        except ValueError:
            held = None
        if held != wanted:
            differing = sorted(k for k in wanted if not held or held.get(k) != wanted[k])
            raise InputError(
                f"{path.parent} holds another run (it differs in {', '.join(differing)}).",
                "Name another folder with --run, or delete this one.",
            )
        return
    if any(path.parent.iterdir()):
        raise InputError(
            f"{path.parent} holds files that are no run of an evaluation.",
            "Name a folder that is empty or does not exist with --run.",
        )
    text = json.dumps(wanted, indent=1, ensure_ascii=False, sort_keys=True)
    path.write_text(f"{text}\n", encoding="utf-8")
