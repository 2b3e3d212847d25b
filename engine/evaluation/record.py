"""What a run records about itself, so that somebody else can repeat it.

No host name, no user name and no folder is recorded: paths are cut to their last name.
"""

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path, PurePath
from typing import Any

from veracite.engine.evaluation.fingerprints import code_digest
from veracite.engine.evaluation.results import DataFile
from veracite.engine.version import __version__
from veracite.models.cores import physical_cores

__all__ = [
    "LIBRARIES",
    "Machine",
    "facts",
    "identity",
    "library_versions",
    "record",
    "this_machine",
]

LIBRARIES = ("hnswlib", "numpy", "onnxruntime", "tantivy", "tokenizers")
"""The libraries that a score can depend on."""

_ORDER = (
    "veracite",
    "code",
    "command",
    "started",
    "seed",
    "models",
    "settings",
    "libraries",
    "machine",
)
_PER_OCCASION = ("command", "machine", "started")


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


def library_versions(names: Iterable[str] = LIBRARIES) -> dict[str, str | None]:
    """The installed versions; None for what is not installed."""
    return {name: _version(name) for name in names}


def record(
    *,
    command: Sequence[str],
    files: Iterable[DataFile],
    models: Iterable[str],
    settings: Mapping[str, Any],
    seed: int,
    machine: Machine,
    libraries: Mapping[str, str | None],
    clock: Callable[[], datetime],
) -> dict[str, Any]:
    """The record of a run, ready for JSON.

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
        "libraries": dict(sorted(libraries.items())),
        "machine": asdict(machine),
    }


def identity(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """What the predictions depend on: the record without when, where and by which words."""
    return {key: value for key, value in recorded.items() if key not in _PER_OCCASION}


def facts(recorded: Mapping[str, Any]) -> list[tuple[str, str]]:
    """A record as names and values for people, not neutralised.

    The data files are left out: a result lists them.
    """
    known = [key for key in _ORDER if key in recorded]
    others = sorted(key for key in recorded if key not in (*_ORDER, "data"))
    return [(key, _told(recorded[key])) for key in (*known, *others)]


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


def _told(value: Any) -> str:
    if isinstance(value, Mapping):
        told = (f"{key.replace('_', ' ')} {_told(item)}" for key, item in sorted(value.items()))
        return ", ".join(told) or "none"
    if isinstance(value, list | tuple):
        return ", ".join(map(_told, value)) or "none"
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
