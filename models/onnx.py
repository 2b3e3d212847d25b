"""A network in an ONNX file: its manifest, its tokenizer, a session on the cores, and its batches.

This is the only door to onnxruntime, which is imported when the first session is opened, and to
tokenizers.

Only sequences of one shape share a batch, and the shape follows from the sequence alone: the
numbers that a network computes for it are then the same, to the last bit, alone and in any company
(tests/models/test_encoder.py and test_verifier.py prove it). Where a network masks, a sequence may
be padded, so that more of them have one shape.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from threading import Lock, Semaphore
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import Cancelled, ModelError

_FATAL = 4
"""onnxruntime's log level: what it reports as an error reaches us as an exception anyway."""
_WEIGHTS_BESIDE = "session.model_external_initializers_file_folder_path"

STEP = 16
"""Padded lengths are multiples of this, where a network masks."""

_TOKENS = 2048
ROWS = 32
"""A batch holds at most this many tokens and rows: more is no faster and takes more memory."""

TokenIds = NDArray[np.int64]
_Result = TypeVar("_Result")

_LONGEST_WORD = 100
"""Characters; WordPiece makes one unknown token of any longer word, others make several."""
_CPUS = Path("/sys/devices/system/cpu")
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What ``encoder.json`` and ``verifier.json`` say."""

    name: str
    version: str
    file: str
    """Name of the ONNX file in the manifest's folder."""
    sha256: str
    """Of the ONNX file's bytes."""
    tokenizer: str
    """Name of its tokenizer.json."""
    tokenizer_sha256: str
    licence: str
    """An SPDX expression."""
    origin: str
    """Where the weights come from, for people."""
    max_length: int
    """Tokens that the model reads at most, special tokens included."""
    details: Mapping[str, Any]
    """The whole manifest; it holds what only one kind of model has."""

    @property
    def id(self) -> str:
        """Name and the start of the weights' SHA-256: other weights have another id.

        So have other vectors of the same weights: an encoder's pooling belongs to it unless it is
        "mean".
        """
        pooling = "-cls" if self.details.get("pooling") == "cls" else ""
        return f"{self.name}@{self.sha256[:12]}{pooling}"


def read_manifest(path: Path, kind: str) -> Manifest:
    """Read a manifest of a model called ``kind`` in messages.

    Raises:
        ModelError: the file is missing or is no manifest.
    """
    import msgspec

    try:
        details = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        return msgspec.convert({**details, "details": details}, Manifest)
    except (OSError, ValueError) as error:
        raise _missing(kind) from error


def read_network(folder: Path, kind: str) -> tuple[bytes, bytes, Manifest]:
    """A network's ONNX file, its tokenizer.json and its manifest, ``<kind>.json`` in a folder.

    Raises:
        ModelError: a file is missing or its SHA-256 is not the manifest's.
    """
    manifest = read_manifest(folder / f"{kind}.json", kind)
    try:
        network = (folder / manifest.file).read_bytes()
        tokenizer = (folder / manifest.tokenizer).read_bytes()
    except OSError as error:
        raise _missing(kind) from error
    known = (manifest.sha256, manifest.tokenizer_sha256)
    if known != tuple(hashlib.sha256(content).hexdigest() for content in (network, tokenizer)):
        raise _missing(kind)
    return network, tokenizer, manifest


def _missing(kind: str) -> ModelError:
    return ModelError(
        f"The bundled {kind} is missing or damaged.",
        "Install Veracite again: `make demo` in its clone, or `sh install.sh` in its kit.",
    )


class Tokenizer:
    """Text to token ids, without the special tokens around them.

    Args:
        definition: The bytes of a ``tokenizer.json``.

    Raises:
        ModelError: the bytes are no tokenizer, or none that puts one special token before a text
            and one behind it.
    """

    def __init__(self, definition: bytes) -> None:
        import tokenizers

        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(definition.decode("utf-8"))
            # Length is decided by our callers, for pairs as for single texts.
            self._tokenizer.no_truncation()
            self._tokenizer.no_padding()
            around = self._tokenizer.encode("").ids
            pair = self._tokenizer.encode("", "").ids
        except Exception as error:
            raise _no_tokenizer("is damaged") from error
        if len(around) != 2:
            raise _no_tokenizer(f"puts {len(around)} special tokens around a text, not 2")
        self.first, self.last = around
        """The special tokens before and behind a text."""
        self.between: list[int] = pair[1:-1]
        """Those between the two texts of a pair: </s></s> in MPNet's, [SEP] in BERT's."""

    def largest(self) -> int:
        """The largest id that a text can have."""
        return max(self._tokenizer.get_vocab(with_added_tokens=True).values())

    def ids(self, text: str, most: int) -> TokenIds:
        """The first ``most`` tokens of a text, any text: the ids' array may be empty.

        Only the first ``100 * most`` characters are looked at, so that a text of any size
        costs the same.

        Raises:
            ModelError: the tokenizer lacks a token that it needs.
        """
        beginning = text[: _LONGEST_WORD * most]
        # A damaged document may hold lone surrogates, which are no Unicode text.
        readable = beginning.encode("utf-8", "replace").decode("utf-8")
        # One text at a time: batches start a thread pool of their own that does not survive a fork.
        try:
            encoding = self._tokenizer.encode(readable, add_special_tokens=False)
        except Exception as error:
            raise _no_tokenizer("cannot read every text") from error
        return np.array(encoding.ids[:most], dtype=np.int64)


def _no_tokenizer(reason: str) -> ModelError:
    return ModelError(
        f"The model's tokenizer {reason}.",
        "Install the model again, or Veracite if the model came with it.",
    )


def physical_cores() -> int:
    """Physical cores, at least 1, that the process's affinity and its container leave it.

    Two hardware threads of one core share its arithmetic units: matrix products gain nothing
    from the second. Where the system does not say (outside Linux), every processor counts.
    """
    cores = _distinct_cores() or os.cpu_count() or 1
    quota = _container_quota()
    return max(1, min(cores, quota) if quota else cores)


def _distinct_cores() -> int:
    if not hasattr(os, "sched_getaffinity"):
        return 0
    usable = os.sched_getaffinity(0)
    siblings = set()
    for cpu in usable:
        try:
            path = _CPUS / f"cpu{cpu}" / "topology" / "thread_siblings_list"
            siblings.add(path.read_text(encoding="ascii"))
        except OSError:
            return len(usable)
    return len(siblings)


def _container_quota() -> int:
    """Whole cores that a control group allows; 0 where there is no limit."""
    try:
        quota, period = _QUOTA.read_text(encoding="ascii").split()
        return 0 if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError, ZeroDivisionError):
        return 0


def _onnxruntime() -> Any:
    """The library, kept from reporting to its maker.

    From 1.29 on its builds do so from native code, once imported, unless this variable is set;
    ``disable_telemetry_events`` alone comes too late for what is sent at the start.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime

    onnxruntime.disable_telemetry_events()
    return onnxruntime


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
        self, model: bytes, name: str, threads: int | None = None, *, side_by_side: bool = False
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
        # What no hash covers is not read: weights in a file beside the network's.
        options.add_session_config_entry(_WEIGHTS_BESIDE, os.devnull)
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


class OpenNetwork:
    """A network with its tokenizer, as encoder, verifier and reranker are.

    Args:
        model: Bytes of the ONNX file that ``manifest`` describes.
        tokenizer: Bytes of its ``tokenizer.json``.
        manifest: What the file beside them says.
        threads: Number of cores to use; all physical ones by default.
        side_by_side: As for ``Session``.

    Raises:
        ModelError: the model or its tokenizer cannot be loaded.
    """

    def __init__(
        self,
        model: bytes,
        tokenizer: bytes,
        manifest: Manifest,
        threads: int | None = None,
        *,
        side_by_side: bool = False,
    ) -> None:
        self.manifest = manifest
        self._tokenizer = Tokenizer(tokenizer)
        self._session = Session(model, manifest.name, threads, side_by_side=side_by_side)

    @property
    def id(self) -> str:
        """Name and the start of the weights' SHA-256; results of another id do not compare."""
        return self.manifest.id

    def _side_by_side(
        self, work: Callable[[list[int]], _Result], batches: Iterable[list[int]], generation: int
    ) -> Iterator[_Result]:
        """What ``work`` makes of each batch, in their order, as many at once as the session runs.

        Raises:
            Cancelled: ``cancel`` was called since this generation.
        """
        # Who stops listening stops what was not begun yet.
        threads = ThreadPoolExecutor(self._session.at_once, "batch")
        try:
            for one in threads.map(work, batches):
                if generation != self._session.generation():
                    raise Cancelled
                yield one
        finally:
            threads.shutdown(cancel_futures=True)

    def cancel(self) -> None:
        """Make the calls in progress raise ``Cancelled``, from any thread; later ones work."""
        self._session.terminate()

    def close(self) -> None:
        """Give the memory back; the network cannot be used any more."""
        self._session.close()


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0] if lines[0].endswith(".") else f"{lines[0]}."


def padded_length(length: int, step: int = STEP) -> int:
    """The length that a sequence of ``length`` tokens is padded to: a multiple of ``step``."""
    return max(1, -(-length // step)) * step


def plan(lengths: Sequence[int], most: int = ROWS, step: int = STEP) -> Iterator[list[int]]:
    """Positions of ``lengths`` in batches of one padded length, the longest first."""
    return alike([(padded_length(length, step),) for length in lengths], most)


def alike(shapes: Sequence[tuple[int, ...]], most: int = ROWS) -> Iterator[list[int]]:
    """Positions of equal shapes in batches, the longest first.

    Args:
        shapes: What each sequence must have in common with its batch; first its tokens.
        most: How many rows a batch may have.
    """
    order = sorted(range(len(shapes)), key=lambda position: shapes[position], reverse=True)
    for shape, group in groupby(order, key=lambda position: shapes[position]):
        positions = list(group)
        rows = max(1, min(most, _TOKENS // shape[0]))
        yield from (positions[start : start + rows] for start in range(0, len(positions), rows))


def padded(sequences: Sequence[NDArray[np.int64]], step: int = STEP) -> NDArray[np.int64]:
    """Sequences as rows, zeros after each: shape (len(sequences), padded length of the longest)."""
    width = padded_length(max(map(len, sequences)), step)
    rows = np.zeros((len(sequences), width), dtype=np.int64)
    for row, sequence in zip(rows, sequences, strict=True):
        row[: len(sequence)] = sequence
    return rows
