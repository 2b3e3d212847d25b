"""A run: one evaluation's folder, with its record and every prediction as it was made.

A stop at any moment costs at most the items in hand: the same command goes on from the last whole
line. A folder holds one run; other settings, models or data make another. It holds the user's
texts, so only the user can read it. The record names no host, user or folder: paths are cut to
their last name.
"""

import contextlib
import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path, PurePath
from types import TracebackType
from typing import Any, Self, TextIO

from veracite.engine.errors import CheckError, InputError
from veracite.engine.evaluation.files import parts_of
from veracite.engine.evaluation.items import Prediction
from veracite.engine.evaluation.results import DataFile
from veracite.engine.methods.cost import Cost
from veracite.engine.paths import private_folder
from veracite.engine.version import __version__
from veracite.index.storage import FolderLock
from veracite.models.onnx import physical_cores

_LIBRARIES = ("hnswlib", "numpy", "onnxruntime", "tantivy", "tokenizers")
"""The libraries that a score can depend on."""
_PER_OCCASION = ("command", "machine", "started")
_ROOMS = Path(__file__).parents[2]
_PREDICTING = ("engine/**/*", "index/**/*", "models/*")
_COUNTING = ("bootstrap", "calibrate", "figures", "page", "report", "results", "splits")
"""What only counts and shows predictions: they do not depend on it."""

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
                    self._path, "a", encoding="utf-8", newline="\n", opener=_for_owner
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
    with open(partial, "w", encoding="utf-8", opener=_for_owner) as file:
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


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@contextlib.contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CheckError(
            f"The predictions cannot be saved in {folder} ({error.strerror or error}).",
            "Name a folder of yours with room on its disk with --run.",
        ) from error


# --- The record -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Machine:
    """What a run's speed depends on, and its last bits may."""

    cpu: str
    cores: int
    """Physical cores that this process may use."""
    architecture: str
    system: str
    python: str


def this_machine(cpu_info: Path = Path("/proc/cpuinfo")) -> Machine:
    """The machine that this runs on."""
    return Machine(
        cpu=_cpu(cpu_info),
        cores=physical_cores(),
        architecture=platform.machine(),
        system=platform.system(),
        python=platform.python_version(),
    )


def record(
    *,
    command: Sequence[str],
    files: Iterable[DataFile],
    models: Iterable[str],
    settings: Mapping[str, Any],
    seed: int,
    clock: Callable[[], datetime],
) -> dict[str, Any]:
    """What a run records about itself, so that somebody else can repeat it, ready for JSON.

    Args:
        command: The words of the command line.
        models: Ids of the models that were asked.
        settings: What the run's predictions and figures depend on besides.
        clock: Tells the present time with its time zone.
    """
    return {
        "veracite": __version__,
        "code": code_digest(),
        "command": " ".join(map(_without_folders, command)),
        "started": clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "seed": seed,
        "models": [_private(model) for model in models],
        "settings": _private(settings),
        "data": [asdict(file) for file in files],
        "libraries": {name: _version(name) for name in _LIBRARIES},
        "machine": asdict(this_machine()),
    }


def identity(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """What the predictions depend on: the record without when, where and by which words."""
    return {key: value for key, value in recorded.items() if key not in _PER_OCCASION}


def code_digest(root: Path = _ROOMS) -> str:
    """The start of a SHA-256 over the code that predictions depend on.

    A version says too little to whoever works on the code: predictions of an older state would be
    taken for those of the present one.

    Args:
        root: The folder that holds the rooms ``engine``, ``index`` and ``models``.
    """
    whole = hashlib.sha256()
    for path in sorted({path for pattern in _PREDICTING for path in root.glob(pattern)}):
        counts = path.parent.name == "evaluation" and path.stem.endswith(_COUNTING)
        if path.suffix in (".py", ".json", ".toml") and not counts:
            content = path.read_bytes()
            whole.update(f"{path.relative_to(root).as_posix()} {len(content)}\n".encode() + content)
    return whole.hexdigest()[:12]


def data_files(paths: Iterable[Path]) -> tuple[DataFile, ...]:
    """Name, SHA-256 and size of each file, and of every file of data in each folder, sorted.

    Raises:
        InputError: A file cannot be read, or a folder holds no data.
    """
    return tuple(
        _data_file(file, file.relative_to(path.parent).as_posix())
        for path in paths
        for file in ([part.path for part in parts_of([path])] if path.is_dir() else [path])
    )


def _data_file(path: Path, name: str) -> DataFile:
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return DataFile(name, digest, file.tell())
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror or error}).",
            "Name a file that exists and that you may read.",
        ) from error


def _cpu(cpu_info: Path) -> str:
    try:
        lines = cpu_info.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or "unknown"


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _without_folders(argument: str) -> str:
    """``--data=/home/me/a.json`` to ``--data=a.json``; a label with a slash in it stays."""
    option, equals, value = argument.partition("=")
    if equals and "/" not in option:
        return f"{option}={PurePath(value).name or value}"
    if equals and not argument.startswith(("/", "~", ".")):
        return argument
    return PurePath(argument).name or argument


def _private(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _private(item) for key, item in sorted(value.items())}
    if isinstance(value, list | tuple):
        return [_private(item) for item in value]
    if isinstance(value, PurePath):
        return value.name
    if isinstance(value, str) and value.startswith(("/", "~")):
        return PurePath(value).name or value
    return value
