"""The only door to llama.cpp: a GGUF model, loaded with a context of one text, and its grammars.

No policy lives here. llama_cpp is imported when it is first needed, never at import.
"""

import ctypes
import sys
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import Cancelled, ModelError
from veracite.models.gguf import MAX_ROWS

Logits = NDArray[np.float32]
"""One row for each place in a text, one column for each token that may stand there."""

_ABORTED = 2
"""llama_decode's result when it was stopped."""

_SENTENCEPIECE = 1
"""llama_vocab_type"""

_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""llama_token_data"""

_GPU_KINDS = (1, 2)
"""ggml_backend_dev_type: a GPU with its own memory, one that shares the processor's."""


class Model:
    """A loaded model and its context.

    Tokens are decoded in order from position 0 on; ``forget`` takes the last ones away again.
    Calls from several threads wait for each other one by one, so whoever needs several in a row
    undisturbed holds a lock of their own. ``stop`` and ``resume`` never wait.

    Args:
        path: The file, known to be loadable (see ``trial``).
        context: Tokens that the context holds.
        chunk: Tokens that are decoded at once, at most.
        threads: Number of cores to use.
        gpu_layers: Layers to keep on the GPU.
        verbose: Whether llama.cpp's log goes to stderr; nowhere otherwise.

    Raises:
        ModelError: llama-cpp-python is not installed, the file cannot be loaded, or the context
            does not fit into the memory.
    """

    def __init__(
        self,
        path: Path,
        *,
        context: int,
        chunk: int,
        threads: int,
        gpu_layers: int,
        verbose: bool = False,
    ) -> None:
        self._llama = llama = library()
        llama.llama_log_set(_log(llama, verbose), None)
        self._lock = Lock()
        # Read by strlen: empty goes on, any other text stops.
        self._flag = ctypes.create_string_buffer(2)
        # Asked before every node of the graph whether to stop, with the flag's address. A function
        # in Python would need the interpreter's lock some thousand times for each token, and wait
        # for it whenever another thread computes.
        self._abort = ctypes.cast(ctypes.CDLL(None).strlen, llama.ggml_abort_callback)
        loading = llama.llama_model_default_params()
        loading.n_gpu_layers = gpu_layers
        model = llama.llama_model_load_from_file(bytes(path), loading)
        if not model:
            raise ModelError(
                f"llama.cpp cannot load {path.name}.",
                "Download it again, or start with --verbose to read llama.cpp's own reason.",
                "does not load",
            )
        self.vocab = vocab = llama.llama_model_get_vocab(model)
        self.context = context
        self.chunk = chunk
        self.vocabulary: int = llama.llama_vocab_n_tokens(vocab)
        self.begin: int = llama.llama_vocab_bos(vocab)
        """The token that begins a text, -1 if there is none."""
        self.adds_begin: bool = llama.llama_vocab_get_add_bos(vocab) and self.begin >= 0
        """Whether every text is to begin with it."""
        self.end: int = llama.llama_vocab_eos(vocab)
        """The token that ends a text, -1 if there is none."""
        self._adds_space: bool = llama.llama_vocab_type(vocab) == _SENTENCEPIECE
        options = llama.llama_context_default_params()
        options.n_ctx = context
        options.n_batch = options.n_ubatch = size = max(chunk, MAX_ROWS)
        options.n_outputs_max = options.n_outputs_max_per_seq = MAX_ROWS
        options.n_threads = options.n_threads_batch = threads
        options.abort_callback = self._abort
        options.abort_callback_data = ctypes.addressof(self._flag)
        self._context = llama.llama_init_from_model(model, options)
        if not self._context:
            llama.llama_model_free(model)
            raise ModelError(
                f"llama.cpp cannot make a context of {context:,} tokens for {path.name}.",
                "Use a smaller --context, or keep fewer layers on the GPU.",
                "context too large",
            )
        self._batch = batch = llama.llama_batch_init(size, 0, 1)
        for row in range(size):
            batch.n_seq_id[row], batch.seq_id[row][0] = 1, 0
        self._tokens, self._positions, self._wanted = (
            np.ctypeslib.as_array(column, (size,))
            for column in (batch.token, batch.pos, batch.logits)
        )
        # Runs at exit too, while all that llama.cpp may call is still there.
        held = (llama, self._lock, self._flag, batch, self._context, model)
        self._free = weakref.finalize(self, _free, *held)

    def tokenise(self, text: str, special: bool = False) -> tuple[int, ...]:
        """A text's tokens, as they are in the middle of a longer one.

        Args:
            special: Whether the names of special tokens stand for those tokens; they are plain
                text otherwise.
        """
        if self._adds_space:
            # SentencePiece begins every text with a space; behind a line's end there is none.
            line = self._tokenised("\n", False)
            whole = self._tokenised(f"\n{text}", special)
            if whole[: len(line)] == line:
                return whole[len(line) :]
        return self._tokenised(text, special)

    def piece(self, token: int, special: bool = False) -> bytes:
        """What a token adds to a text: part of a character, or more.

        Args:
            special: Whether a special token gives its name; it adds nothing otherwise.
        """
        room = ctypes.create_string_buffer(256)
        with self.held():
            size = self._llama.llama_token_to_piece(self.vocab, token, room, 256, 0, special)
        return room.raw[: max(size, 0)]

    def name(self, token: int) -> str:
        """A token as chat templates write it; empty for -1."""
        return self.piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""

    def ends(self, token: int) -> bool:
        """Whether a token ends what the model has to say."""
        with self.held():
            ended: bool = self._llama.llama_vocab_is_eog(self.vocab, token)
        return ended

    def grammar(self, text: str) -> "Grammar":
        """A GBNF grammar at the beginning of a text of this model.

        Raises:
            ModelError: the model was closed.
        """
        return Grammar(self._llama, self, text)

    def decode(self, tokens: Sequence[int], position: int, rows: int) -> Logits:
        """Compute tokens, at most a chunk of them, that stand from ``position`` on.

        Args:
            rows: For how many of the last tokens logits are wanted, at most ``MAX_ROWS``.

        Returns:
            What may follow each of those tokens, shape (rows, vocabulary).

        Raises:
            Cancelled: ``stop`` was called; how much of the tokens is held is not known.
            ModelError: the model was closed, or the memory does not suffice.
        """
        if self._flag.raw[0]:
            raise Cancelled
        count = len(tokens)
        with self.held():
            self._tokens[:count] = tokens
            self._positions[:count] = range(position, position + count)
            self._wanted[: count - rows] = 0
            self._wanted[count - rows : count] = 1
            self._batch.n_tokens = count
            code = self._llama.llama_decode(self._context, self._batch)
            if code == _ABORTED:
                raise Cancelled
            if code != 0:
                raise ModelError(
                    f"The language model failed to run (llama_decode gave {code}).",
                    "Use a smaller --context, or keep fewer layers on the GPU.",
                    "context too large",
                )
            logits = np.empty((rows, self.vocabulary), dtype=np.float32)
            for row in range(rows):
                at = self._llama.llama_get_logits_ith(self._context, row - rows)
                logits[row] = np.ctypeslib.as_array(at, (self.vocabulary,))
            return logits

    def forget(self, position: int) -> int:
        """Take away what stands from ``position`` on, or everything where the model cannot.

        Returns:
            How many tokens are left: ``position``, or 0 (recurrent models).
        """
        with self.held():
            memory = self._llama.llama_get_memory(self._context)
            if self._llama.llama_memory_seq_rm(memory, 0, position, -1):
                return position
            self._llama.llama_memory_clear(memory, True)
            return 0

    def stop(self) -> None:
        """Make the decoding in progress and later ones raise ``Cancelled``, until ``resume``."""
        self._flag[0] = b"\x01"

    def resume(self) -> None:
        """Let decoding go on."""
        self._flag[0] = b"\x00"

    def close(self) -> None:
        """Give the memory back, as soon as the decoding in progress has stopped."""
        self._free()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else uses or frees what llama.cpp allocated.

        Raises:
            ModelError: it was freed.
        """
        with self._lock:
            if not self._free.alive:
                raise ModelError("The language model was closed.", "Open it again before using it.")
            yield

    def _tokenised(self, text: str, special: bool) -> tuple[int, ...]:
        """llama_tokenize, without a token that begins the text."""
        encoded = text.encode("utf-8", "replace")
        room = len(encoded) + 2
        tokens = (ctypes.c_int32 * room)()
        with self.held():
            count = self._llama.llama_tokenize(
                self.vocab, encoded, len(encoded), tokens, room, False, special
            )
        return tuple(tokens[:count])


def _free(llama: Any, lock: Lock, flag: Any, batch: Any, context: Any, model: Any) -> None:
    """Give everything back, as soon as nobody holds it."""
    flag[0] = b"\x01"
    with lock:
        llama.llama_batch_free(batch)
        llama.llama_free(context)
        llama.llama_model_free(model)


@cache
def library() -> Any:
    """llama.cpp's functions, silent until a model is to be loud.

    Raises:
        ModelError: llama-cpp-python is not installed, or cannot be loaded.
    """
    try:
        import llama_cpp.llama_cpp as llama
    except ImportError as error:
        raise ModelError(
            "GGUF models need llama-cpp-python, which is not installed.",
            "To add it (it compiles for some minutes): pip install '.[llm]' in Veracite's clone.",
        ) from error
    except (OSError, RuntimeError, AttributeError) as error:
        raise ModelError(
            f"llama-cpp-python is installed, but cannot be loaded: {error}.",
            "Build it again: pip install --force-reinstall --no-cache-dir llama-cpp-python",
        ) from error
    llama.llama_log_set(_log(llama, False), None)
    llama.llama_backend_init()
    return llama


@cache
def _log(llama: Any, verbose: bool) -> Any:
    """Where llama.cpp's log goes: one for the process, which must stay as long as that.

    Nowhere is libc's ``abs``: an interrupt that came while Python did nothing there would be
    printed with its traceback, and lost.
    """
    if not verbose:
        return ctypes.cast(ctypes.CDLL(None).abs, llama.llama_log_callback)

    def write(level: int, text: bytes, data: Any) -> None:
        # It quotes the file, which must not steer the terminal.
        told = text.decode("utf-8", "replace")
        sys.stderr.write("".join(c if c.isprintable() or c in "\n\t" else "�" for c in told))

    return llama.llama_log_callback(write)


class Grammar:
    """What may come next in a text.

    Args:
        llama: llama.cpp's functions.
        model: The model whose tokens the text is made of.
        text: Sound GBNF; the text keeps to its rule ``root``.
    """

    def __init__(self, llama: Any, model: Model, text: str) -> None:
        self._llama = llama
        self._model = model
        with model.held():
            self._sampler = llama.llama_sampler_init_grammar(model.vocab, text.encode(), b"root")
            self._all = np.zeros(model.vocabulary, dtype=_CANDIDATE)
        weakref.finalize(self, llama.llama_sampler_free, self._sampler)
        self._one = np.zeros(1, dtype=_CANDIDATE)

    def allows(self, token: int) -> bool:
        """Whether a token may come next; one that ends the text may where the rules are kept."""
        self._one["id"], self._one["logit"] = token, 0
        return bool(np.isfinite(self._masked(self._one)[0]))

    def masked(self, logits: Logits) -> Logits:
        """The logits, shape (vocabulary,), with -inf for each token that may not come next.

        Raises:
            ModelError: no token may.
        """
        self._all["id"], self._all["logit"] = np.arange(len(logits)), logits
        masked = self._masked(self._all)
        if not np.isfinite(masked).any():
            raise ModelError(
                "The language model cannot write a reply of the form that is asked for.",
                "Use another language model.",
            )
        return masked

    def accept(self, token: int) -> None:
        """Go on behind a token, which must be one that may come next."""
        with self._model.held():
            self._llama.llama_sampler_accept(self._sampler, token)

    def _masked(self, candidates: NDArray[np.void]) -> Logits:
        array = self._llama.llama_token_data_array(
            data=candidates.ctypes.data_as(self._llama.llama_token_data_p),
            size=len(candidates),
            selected=-1,
            sorted=False,
        )
        with self._model.held():
            self._llama.llama_sampler_apply(self._sampler, ctypes.byref(array))
        logits: Logits = candidates["logit"]
        return logits


@dataclass(frozen=True, slots=True)
class Build:
    """What the installed llama.cpp was built for."""

    version: str
    """Of llama-cpp-python."""
    instructions: tuple[str, ...]
    """Instruction sets and libraries, by llama.cpp's names: AVX2, FMA, ..."""
    gpu: bool
    """Whether it can use GPUs of some make."""
    gpus: tuple[str, ...]
    """Those that are here."""


def build() -> Build:
    """The installed llama.cpp.

    Raises:
        ModelError: there is none, or it cannot be loaded.
    """
    llama = library()
    facts = llama.llama_print_system_info().decode("utf-8", "replace").replace(":", "|")
    return Build(
        version=version("llama-cpp-python"),
        instructions=tuple(
            fact.split("=")[0].strip() for fact in facts.split("|") if fact.strip().endswith("= 1")
        ),
        gpu=llama.llama_supports_gpu_offload(),
        gpus=tuple(name for name, _ in _gpus()),
    )


def gpu_memory() -> int:
    """Free bytes of all GPUs that llama.cpp can use; 0 where it was built for none.

    Raises:
        ModelError: llama-cpp-python is not installed, or cannot be loaded.
    """
    return sum(free for _, free in _gpus())


def _gpus() -> Iterator[tuple[str, int]]:
    """The names of the GPUs, and how many of their bytes are free."""
    llama = library()
    if not llama.llama_supports_gpu_offload():
        return
    # llama.cpp's own handle leads to the libraries that it is linked with.
    libggml = llama._lib
    device_at, name = libggml.ggml_backend_dev_get, libggml.ggml_backend_dev_description
    device_at.restype, name.restype = ctypes.c_void_p, ctypes.c_char_p
    libggml.ggml_backend_dev_count.restype = ctypes.c_size_t
    for number in range(libggml.ggml_backend_dev_count()):
        device = ctypes.c_void_p(device_at(ctypes.c_size_t(number)))
        if libggml.ggml_backend_dev_type(device) in _GPU_KINDS:
            free, total = ctypes.c_size_t(), ctypes.c_size_t()
            libggml.ggml_backend_dev_memory(device, ctypes.byref(free), ctypes.byref(total))
            yield name(device).decode("utf-8", "replace"), free.value
