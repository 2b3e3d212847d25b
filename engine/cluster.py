"""Builds libraries and judges texts on the machines of a Ray cluster. The only door to ray.

Work is cut into tasks, which Ray gives to whatever processor is free and gives to another one if
its machine is lost. The processes that carry them out stay, and hold encoder, verifier and library
from one task to the next. No cluster is started here: it is whichever one the user names.
"""

import os
import re
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from veracite.engine import offline
from veracite.engine.errors import USER_ERRORS, CheckError, InputError
from veracite.engine.events import Finished
from veracite.engine.libraries import Libraries
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Report
from veracite.engine.version import __version__
from veracite.engine.workbench import Workbench
from veracite.index.errors import StorageError

if TYPE_CHECKING:
    from veracite.index.building import Writer, Written
    from veracite.index.dataset import Dataset
    from veracite.index.progress import SyncEvent
    from veracite.index.sources import Holder

_ADDRESS = re.compile(r"(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})")
_ANSWERS_SECONDS = 5.0
_TRIES = 20
"""How often a task is given to another machine after the loss of one."""
_AHEAD = 3
"""Tasks for each processor that wait for it or for their turn to be told."""
_NAME = "shared"


@dataclass(frozen=True, slots=True)
class _Failed:
    """Why a task could not be done, where that is for the user to know."""

    message: str
    advice: str


# --- What a process of the cluster does ---------------------------------------------------------


def _told(version: str, work: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """What some work comes to, or ``_Failed``."""
    offline.install()
    try:
        if version != __version__:
            raise CheckError(
                f"Veracite is {version} here, and {__version__} on another machine.",
                "Install the same version on all of them.",
            )
        return work(*arguments)
    except USER_ERRORS as error:
        return _Failed(error.message, error.advice)


def _written(
    address: str, settings: CheckSettings, paths: Sequence[str], holders: "Mapping[str, Holder]"
) -> "Written":
    return _writer(address, settings).write(paths, holders)


@cache
def _writer(address: str, settings: CheckSettings) -> "Writer":
    from veracite.index.building import Writer
    from veracite.index.dataset import Dataset

    dataset = Dataset(address)
    encoder = OpenModels(settings, Paths.resolve()).open_encoder()
    if encoder.id != dataset.head.encoder:
        raise InputError(
            f"The library was encoded by {dataset.head.encoder}, and {encoder.id} is in use.",
            "Choose its encoder with `veracite models use`, or build another library.",
        )
    return Writer(dataset, encoder.encode)


def _judged(address: str, version: int, settings: CheckSettings, text: str) -> Report:
    bench, _ = _bench(address, version, settings)
    events = bench.check(text, against=_NAME)
    return next(event.report for event in events if isinstance(event, Finished))


@cache
def _bench(address: str, version: int, settings: CheckSettings) -> tuple[Workbench, ExitStack]:
    """A workbench, and what keeps the library open for as long as this process lives."""
    paths, stack = Paths.resolve(), ExitStack()
    # This machine need not know the library by any name.
    paths.libraries = Path(stack.enter_context(TemporaryDirectory(prefix="veracite-")))
    Libraries(paths).register(_NAME, address, version)
    bench = stack.enter_context(Workbench(settings, paths))
    stack.enter_context(bench.keeping(_NAME))
    return bench, stack


# --- What the process does that gives the work out ----------------------------------------------


def opened(
    libraries: Libraries,
    name: str,
    storage: str | None,
    settings: CheckSettings,
    cluster: str | None,
) -> "Dataset":
    """The dataset of a library, which is known by its name from now on.

    Args:
        storage: Where it lies; None where that is known.
        settings: Whose encoder a new one is made for.
        cluster: What it is to be built by; None if it is there already.

    Raises:
        InputError: Nothing answers at the cluster's address, it is not known where the dataset
            lies, or nothing is there.
        StorageError: It cannot be read or made.
    """
    from veracite.index.dataset import Dataset, Head, require_address

    if cluster is not None:
        require_answer(cluster)
    known = libraries.dataset(name)
    address = require_address(storage) if storage else known and known[0]
    if address is None:
        raise InputError(
            f"It is not known where the library {name} lies.",
            "Name a folder that all machines see, or s3://BUCKET/PLACE, with --storage.",
        )
    try:
        dataset = Dataset(address)
    except StorageError:
        if cluster is None or known:
            raise
        # Where there is one that cannot be read, none can be made either.
        encoder = OpenModels(settings, Paths.resolve()).open_encoder()
        memory = settings.reader_memory * 1024**2
        dataset = Dataset.create(address, Head(encoder.id, encoder.dimension, memory))
    libraries.register(name, address)
    return dataset


def build(
    dataset: "Dataset",
    cluster: str,
    settings: CheckSettings,
    add: Sequence[Path] = (),
    drop: Sequence[Path] = (),
    patterns: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
) -> "Iterator[SyncEvent]":
    """Bring a library on shared storage up to date with its files, on the machines of a cluster.

    Args:
        dataset: Of the library.
        cluster: The address of Ray's head, such as ``10.0.0.1:6379``.
        settings: Whose encoder reads; each machine must have it.
        add: Files and folders that it follows from now on, where all machines see them.
        drop: What it follows no longer.
        patterns: Included, excluded; None leaves them as they are.

    Raises:
        InputError, CheckError: The cluster cannot be used, or lost too many machines.
        StorageError: As ``veracite.index.building.build``.
    """
    from veracite.index import building

    head = dataset.head
    named = {*head.sources, *map(str, add)} - {*map(str, drop)}
    head = replace(head, sources=sorted(named), patterns=patterns or head.patterns)
    alone = replace(settings, threads=1)

    def spread(
        batches: Sequence[Sequence[str]], holders: "Mapping[str, Holder]"
    ) -> "Iterable[Written]":
        tasks = [
            (dataset.address, alone, paths, {p: holders[p] for p in paths if p in holders})
            for paths in batches
        ]
        return _spread(cluster, _written, tasks)

    yield from building.build(dataset, Path(dataset.address), head, spread)


def check(
    address: str, version: int | None, cluster: str, settings: CheckSettings, texts: Iterable[str]
) -> Iterator[Report]:
    """The reports on texts by one version of a library on shared storage, in their order.

    Args:
        version: None is the newest.
        cluster: As ``build``.

    Raises:
        InputError, CheckError: As ``build``.
    """
    from veracite.index.dataset import Dataset

    alone, read = replace(settings, threads=1), Dataset(address, version).version
    tasks = ((address, read, alone, text) for text in texts)
    yield from _spread(cluster, _judged, tasks)


def _spread(
    cluster: str, work: Callable[..., Any], tasks: Iterable[Sequence[Any]]
) -> Iterator[Any]:
    """What each task comes to, in their order.

    Raises:
        CheckError: One cannot be done: the first whose turn it is.
    """
    with _connected(cluster) as ray:
        remote = ray.remote(num_cpus=1, max_retries=_TRIES)(_told)
        waiting: deque[Any] = deque()
        rest = iter(tasks)
        while True:
            room = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(waiting)
            for _, arguments in zip(range(room), rest, strict=False):
                waiting.append(remote.remote(__version__, work, arguments))
            if not waiting:
                return
            try:
                found = ray.get(waiting.popleft())
            except ray.exceptions.RayError as error:
                raise CheckError(
                    f"A task was lost on the cluster ({type(error).__name__}).",
                    "Run the same command again: what is done is not done again. Ray's logs on its "
                    "machines say more.",
                ) from None
            if isinstance(found, _Failed):
                raise CheckError(found.message, found.advice)
            yield found


def require_answer(cluster: str) -> None:
    """Raises InputError unless this is the address of something that answers: Ray itself would ask
    for a minute and more."""
    if not (parts := _ADDRESS.fullmatch(cluster)):
        raise InputError(
            f"{cluster!r} is no address of a Ray cluster.",
            "Give the host and port of its head, such as 10.0.0.1:6379.",
        )
    place = parts[1].strip("[]"), int(parts[2])
    try:
        with offline.lifted():
            socket.create_connection(place, _ANSWERS_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise InputError(
            f"Nothing answers at {cluster} ({getattr(error, 'strerror', '') or error}).",
            "Start Ray there with `ray start --head`, or name another address.",
        ) from error


@contextmanager
def _connected(cluster: str) -> Iterator[Any]:
    """Ray, connected to a cluster meanwhile.

    Raises:
        InputError: As ``require_answer``, or Ray refuses.
    """
    require_answer(cluster)
    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
    import ray

    try:
        ray.init(address=cluster, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise InputError(
            f"The Ray cluster at {cluster} cannot be used ({str(error).splitlines()[0]}).",
            "Run this on one of its machines, with the Ray and Python that it has.",
        ) from error
    try:
        yield ray
    finally:
        ray.shutdown()
