"""What llama.cpp allocates for one model, and the lock without which nobody touches it."""

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import ModelError

__all__ = ["MAX_ROWS", "Logits", "Native"]

Logits = NDArray[np.float32]
"""One row for each place in a text, one column for each token that may stand there."""

MAX_ROWS = 32
"""At most so many rows of logits come out of one decoding."""


class Native:
    """A model, a context of one text and a batch of ``chunk`` tokens with the tails behind them.

    Args:
        llama: llama.cpp's functions.

    Raises:
        ModelError: the file cannot be loaded, or the context does not fit into the memory.
    """

    def __init__(
        self, llama: Any, path: Path, *, context: int, chunk: int, threads: int, gpu_layers: int
    ) -> None:
        self._llama = llama
        self._lock = Lock()
        self.context: Any = None
        # Read by strlen: empty goes on, any other text stops.
        self._flag = ctypes.create_string_buffer(2)
        self._abort = _abort(llama)
        self.model = self._load(path, gpu_layers)
        self.vocab = llama.llama_model_get_vocab(self.model)
        self.branching = not (
            llama.llama_model_is_recurrent(self.model) or llama.llama_model_is_hybrid(self.model)
        )
        """Whether several tails can be decoded at once."""
        options = llama.llama_context_default_params()
        options.n_ctx = context
        options.n_batch = options.n_ubatch = size = chunk + MAX_ROWS
        # Tails are sequences of their own, which have the text's cells in common with it.
        options.n_seq_max = MAX_ROWS if self.branching else 1
        options.kv_unified = True
        options.n_outputs_max = options.n_outputs_max_per_seq = MAX_ROWS
        options.n_threads = options.n_threads_batch = threads
        options.abort_callback = self._abort
        options.abort_callback_data = ctypes.addressof(self._flag)
        self.context = llama.llama_init_from_model(self.model, options)
        if not self.context:
            self.free()
            raise ModelError(
                f"llama.cpp cannot make a context of {context:,} tokens for {path.name}.",
                "Use a smaller --context, or keep fewer layers on the GPU.",
                "context too large",
            )
        self._batch = batch = llama.llama_batch_init(size, 0, MAX_ROWS)
        for row in range(size):
            np.ctypeslib.as_array(batch.seq_id[row], (MAX_ROWS,))[:] = range(MAX_ROWS)
        self._tokens, self._positions, self._wanted, self._sequences = (
            np.ctypeslib.as_array(column, (size,))
            for column in (batch.token, batch.pos, batch.logits, batch.n_seq_id)
        )

    @property
    def stopping(self) -> bool:
        """Whether decoding is to stop; may be set at any time, without the lock."""
        return self._flag.raw[0] != 0

    @stopping.setter
    def stopping(self, stopping: bool) -> None:
        self._flag[0] = b"\x01" if stopping else b"\x00"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else uses or frees it.

        Raises:
            ModelError: it was freed.
        """
        with self._lock:
            if self.model is None:
                raise ModelError("The language model was closed.", "Open it again before using it.")
            yield

    def decode(
        self, tokens: Sequence[int], position: int, rows: int, tails: Sequence[Sequence[int]] = ()
    ) -> int:
        """llama_decode's result for tokens of which the last ``rows`` give logits.

        Args:
            tails: What is decoded behind the tokens too, each as if it alone stood there, all of
                it with logits; nothing of them is held afterwards.
        """
        after = position + len(tokens)
        parts = [(tokens, position, rows), *((tail, after, len(tail)) for tail in tails)]
        row = 0
        for sequence, (part, start, wanted) in enumerate(parts):
            end = row + len(part)
            self._tokens[row:end] = part
            self._positions[row:end] = range(start, start + len(part))
            self._wanted[row : end - wanted] = 0
            self._wanted[end - wanted : end] = 1
            self._sequences[row:end] = 1 if sequence else len(parts)
            for place in range(row, end):
                self._batch.seq_id[place][0] = sequence
            row = end
        self._batch.n_tokens = row
        with self._branches(len(tails), position):
            code: int = self._llama.llama_decode(self.context, self._batch)
        return code

    @contextmanager
    def _branches(self, count: int, position: int) -> Iterator[None]:
        """Sequences that begin with the text's first ``position`` tokens, for a while."""
        memory = self._llama.llama_get_memory(self.context)
        for sequence in range(1, count + 1):
            self._llama.llama_memory_seq_cp(memory, 0, sequence, 0, position)
        try:
            yield
        finally:
            for sequence in range(1, count + 1):
                self._llama.llama_memory_seq_rm(memory, sequence, -1, -1)

    def logits(self, rows: int, vocabulary: int) -> Logits:
        """A copy of the last ``rows`` rows that ``decode`` gave."""
        logits = np.empty((rows, vocabulary), dtype=np.float32)
        for row in range(rows):
            at = self._llama.llama_get_logits_ith(self.context, row - rows)
            logits[row] = np.ctypeslib.as_array(at, (vocabulary,))
        return logits

    def tokens(self, text: str, special: bool) -> tuple[int, ...]:
        """llama_tokenize, without a token that begins the text."""
        encoded = text.encode("utf-8", "replace")
        room = len(encoded) + 2
        tokens = (ctypes.c_int32 * room)()
        with self.held():
            count = self._llama.llama_tokenize(
                self.vocab, encoded, len(encoded), tokens, room, False, special
            )
        return tuple(tokens[:count])

    def piece(self, token: int, special: bool) -> bytes:
        """llama_token_to_piece"""
        room = ctypes.create_string_buffer(256)
        with self.held():
            size = self._llama.llama_token_to_piece(self.vocab, token, room, 256, 0, special)
        return room.raw[: max(size, 0)]

    def free(self) -> None:
        """Give everything back, as soon as nobody holds it. Freeing twice is allowed."""
        self.stopping = True
        with self._lock:
            if self.context:
                self._llama.llama_batch_free(self._batch)
                self._llama.llama_free(self.context)
            if self.model:
                self._llama.llama_model_free(self.model)
            self.model = self.context = None

    def _load(self, path: Path, gpu_layers: int) -> Any:
        options = self._llama.llama_model_default_params()
        options.n_gpu_layers = gpu_layers
        model = self._llama.llama_model_load_from_file(bytes(path), options)
        if not model:
            raise ModelError(
                f"llama.cpp cannot load {path.name}.",
                "Download it again, or start with --verbose to read llama.cpp's own reason.",
                "does not load",
            )
        return model


def _abort(llama: Any) -> Any:
    """Asked before every node of the graph whether to stop, with the flag's address: strlen.

    A function in Python would need the interpreter's lock some thousand times for each token, and
    wait for it whenever another thread computes.
    """
    return ctypes.cast(ctypes.CDLL(None).strlen, llama.ggml_abort_callback)
