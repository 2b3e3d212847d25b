"""The only door to onnxruntime: an ONNX file, opened on the processor's cores, and its batches.

onnxruntime is imported when the first session is opened, never at import.

Only sequences of one shape share a batch, and the shape follows from the sequence alone: the
numbers that a network computes for it are then the same, to the last bit, alone and in any company
(tests/models/test_encoder.py and test_verifier.py prove it). Where a network masks, a sequence may
be padded, so that more of them have one shape.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import groupby
from threading import Lock, Semaphore
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from veracite.models.cores import physical_cores
from veracite.models.errors import Cancelled, ModelError

_FATAL = 4
"""onnxruntime's log level: what it reports as an error reaches us as an exception anyway."""

_Done = TypeVar("_Done")

_STEP = 16
"""Padded lengths are multiples of this."""

_TOKENS = 2048
_ROWS = 32
"""A batch holds at most this many tokens and rows: more is no faster and takes more memory."""


def _onnxruntime() -> ModuleType:
    """The library, kept from reporting to its maker.

    From 1.29 on its builds do so from native code, once imported, unless this variable is set;
    ``disable_telemetry_events`` alone comes too late for what is sent at the start.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    module: ModuleType = onnxruntime
    return module


class Session:
    """One loaded network with one output.

    Thread-safe. By default runs wait for each other, since each one already uses every core.

    Args:
        model: The ONNX file's bytes (bytes, so that what was verified is what runs).
        name: What the model is called in error messages.
        threads: Number of cores to use; all physical ones by default.
        side_by_side: Each run uses one core, and as many as there are cores go on at once: faster
            for many short runs, since their operations do not wait for each other's threads.

    Raises:
        ModelError: the bytes are no network that onnxruntime can run.
    """

    def __init__(
        self,
        model: bytes,
        name: str,
        threads: int | None = None,
        *,
        side_by_side: bool = False,
    ) -> None:
        onnxruntime = _onnxruntime()
        onnxruntime.set_default_logger_severity(_FATAL)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = _FATAL
        cores = threads or physical_cores()
        self.at_once = cores if side_by_side else 1
        """How many runs go on at the same time; further ones wait."""
        options.intra_op_num_threads = 1 if side_by_side else cores
        options.inter_op_num_threads = 1
        # Every batch has another shape: a plan of its memory would never be used again.
        options.enable_mem_pattern = False
        # Threads that wait by spinning take the cores from everything else that runs meanwhile.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # The encoder's weights are stored as int8 and multiplied as float32; see
        # scripts/training/quantise.py. (The verifier's products are of integers.)
        options.add_session_config_entry("session.disable_quant_qdq", "1")
        try:
            self._session: Any = onnxruntime.InferenceSession(
                model, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:
            raise ModelError(
                f"The model {name} cannot be loaded: {_first_line(error)}",
                "Install it again; the file is damaged or made for another version.",
            ) from error
        self._name = name
        self._places = Semaphore(self.at_once)
        self._state = Lock()
        self._generation = 0
        self._running: list[Any] = []

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of what the network takes."""
        return tuple(one.name for one in self._session.get_inputs())

    def generation(self) -> int:
        """A number that ``terminate`` changes: work begun under another one is to stop."""
        return self._generation

    def run(
        self, batch: Mapping[str, NDArray[np.int64]], generation: int | None = None
    ) -> NDArray[np.float32]:
        """The network's output for one batch of inputs.

        Args:
            batch: Input names to arrays, in the shapes that the network asks for.
            generation: What ``generation()`` said when the caller's work began, if its later
                runs are to stop as well when somebody terminates this one.

        Raises:
            Cancelled: ``terminate`` was called.
            ModelError: the network cannot be run (closed, out of memory, wrong inputs).
        """
        options = _onnxruntime().RunOptions()
        options.log_severity_level = _FATAL
        with self._places:
            with self._state:
                if generation is not None and generation != self._generation:
                    raise Cancelled
                session = self._session
                if session is None:
                    raise ModelError(
                        f"The model {self._name} was closed.", "Open it again before using it."
                    )
                self._running.append(options)
            try:
                output: NDArray[np.float32] = session.run(None, dict(batch), options)[0]
            except Exception as error:
                if options.terminate:
                    raise Cancelled from None
                raise ModelError(
                    f"The model {self._name} failed to run: {_first_line(error)}",
                    "Free some memory and try again, or install the model again.",
                ) from error
            finally:
                with self._state:
                    self._running.remove(options)
        return output

    def terminate(self) -> None:
        """Stop the runs in progress, from any thread; later work is not affected."""
        with self._state:
            self._generation += 1
            for options in self._running:
                options.terminate = True

    def close(self) -> None:
        """Stop the runs in progress and give the memory back. Closing twice is allowed."""
        self.terminate()
        with ExitStack() as all_places:
            for _ in range(self.at_once):
                all_places.enter_context(self._places)
            self._session = None


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0] if lines[0].endswith(".") else f"{lines[0]}."


def padded_length(length: int) -> int:
    """The length that a sequence of ``length`` tokens is padded to."""
    return max(1, -(-length // _STEP)) * _STEP


def plan(lengths: Sequence[int], most: int = _ROWS) -> Iterator[list[int]]:
    """Positions of ``lengths`` in batches of one padded length, the longest first."""
    return alike([(padded_length(length),) for length in lengths], most)


def alike(shapes: Sequence[tuple[int, ...]], most: int = _ROWS) -> Iterator[list[int]]:
    """Positions of equal shapes in batches, the longest first.

    Args:
        shapes: What each sequence must have in common with its batch; first its tokens.
        most: How many rows a batch may have.
    """
    order = sorted(range(len(shapes)), key=lambda position: shapes[position], reverse=True)
    for shape, group in groupby(order, key=lambda position: shapes[position]):
        positions = list(group)
        rows = max(1, min(most, _TOKENS // shape[0]))
        for start in range(0, len(positions), rows):
            yield positions[start : start + rows]


def side_by_side(
    work: Callable[[list[int]], _Done], batches: Sequence[list[int]], at_once: int
) -> Generator[_Done, None, None]:
    """What is done of each batch, in their order, several being worked on at the same time.

    No more is begun than is soon asked for: who stops listening, or closes, stops the work.

    Args:
        work: Called in threads of its own, unless there is nothing to do side by side.
        batches: What it is called with.
        at_once: How many calls go on at the same time.
    """
    if at_once < 2 or len(batches) < 2:
        yield from map(work, batches)
        return
    begun: deque[Future[_Done]] = deque()
    with ThreadPoolExecutor(at_once, "batch") as threads:
        try:
            for batch in batches:
                begun.append(threads.submit(work, batch))
                if len(begun) > at_once:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            for one in begun:
                one.cancel()


def padded(sequences: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Sequences as rows, zeros after each: shape (len(sequences), padded length of the longest)."""
    width = padded_length(max(map(len, sequences)))
    rows = np.zeros((len(sequences), width), dtype=np.int64)
    for row, sequence in zip(rows, sequences, strict=True):
        row[: len(sequence)] = sequence
    return rows
