"""A run: one evaluation's folder, with its record and every prediction as it was made.

A stop at any moment costs at most the items in hand: the same command goes on from the last whole
line. A folder holds one run; other settings, models or data make another. It holds the user's
texts, so only the user can read it.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from veracite.engine.errors import CheckError, InputError
from veracite.engine.evaluation.items import Prediction
from veracite.engine.methods.cost import Cost
from veracite.engine.paths import private_folder
from veracite.index.storage import FolderLock

__all__ = ["Run"]

_RECORD = "run.json"
_PREDICTIONS = "predictions.jsonl"
_LOCK = "lock"


class Run:
    """The predictions of one evaluation, kept on disk as they come.

    Args:
        folder: Made if missing.
        identity: What the predictions depend on: data, models, settings, seed, versions.

    Raises:
        InputError: The folder holds another run, or something that is no run.
        CheckError: It cannot be written, or another process is at work in it. Also from ``add``.
    """

    def __init__(self, folder: Path, identity: Mapping[str, object]) -> None:
        self.folder = folder
        self._path = folder / _PREDICTIONS
        self._done: dict[tuple[str, str], Prediction] = {}
        with _writing(folder):
            private_folder(folder)
            _claim(folder / _RECORD, identity)
            self._lock = FolderLock(folder / _LOCK)
            if not self._lock.acquire():
                raise CheckError(
                    f"Another evaluation is at work in {folder}.",
                    "Wait until it has ended, or name another folder with --run.",
                )
            try:
                self._read()
                self._file: TextIO = open(  # noqa: SIM115
                    self._path, "a", encoding="utf-8", newline="\n", opener=_private
                )
            except BaseException:
                self._lock.release()
                raise

    def get(self, item: str, method: str) -> Prediction | None:
        """What this method said of this item; None if it has not been asked."""
        return self._done.get((item, method))

    def knows(self, item: str, method: str) -> bool:
        """Whether this method has been asked about this item."""
        return (item, method) in self._done

    def has(self, item: str, methods: Iterable[str]) -> bool:
        """Whether all these methods have been asked about an item."""
        return all(self.knows(item, method) for method in methods)

    def add(self, predictions: Iterable[Prediction]) -> None:
        """Keep predictions; they are on disk when this returns."""
        with _writing(self.folder):
            for prediction in predictions:
                line = json.dumps(asdict(prediction), ensure_ascii=True, sort_keys=True)
                self._file.write(f"{line}\n")
                self._done[prediction.item, prediction.method] = prediction
            self._file.flush()
            os.fsync(self._file.fileno())

    def __len__(self) -> int:
        return len(self._done)

    def close(self) -> None:
        """Close the file and let others at the folder."""
        try:
            with _writing(self.folder):
                self._file.close()
        finally:
            self._lock.release()

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
        cited, supported, cost = (row[name] for name in ("cited", "supported", "cost"))
        return Prediction(
            **{
                **row,
                "found": tuple(row["found"]),
                "cited": None if cited is None else (float(cited[0]), float(cited[1])),
                "supported": None if supported is None else (int(supported[0]), int(supported[1])),
                "cost": None if cost is None else Cost(**cost),
            }
        )
    except (ValueError, TypeError, KeyError, IndexError):
        return None


def _claim(path: Path, identity: Mapping[str, object]) -> None:
    """Write the run's identity, or see that it is the one that is there."""
    wanted = json.loads(json.dumps(identity, sort_keys=True))
    if path.exists():
        _require(path, wanted)
        return
    partial = path.with_suffix(".partial")
    if any(other != partial for other in path.parent.iterdir()):
        raise InputError(
            f"{path.parent} holds files that are no run of an evaluation.",
            "Name a folder that is empty or does not exist with --run.",
        )
    text = json.dumps(wanted, indent=1, sort_keys=True)
    with open(partial, "w", encoding="utf-8", opener=_private) as file:
        file.write(f"{text}\n")
    partial.replace(path)


def _require(path: Path, wanted: Mapping[str, object]) -> None:
    try:
        held = json.loads(path.read_text("utf-8"))
    except ValueError:
        held = None
    if held == wanted:
        return
    differing = sorted(k for k in wanted if not isinstance(held, dict) or held.get(k) != wanted[k])
    raise InputError(
        f"{path.parent} holds another run (it differs in {', '.join(differing)}).",
        "Name another folder with --run, or delete this one.",
    )


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CheckError(
            f"The predictions cannot be kept in {folder} ({error.strerror or error}).",
            "Name a folder of yours with room on its disk with --run.",
        ) from error
