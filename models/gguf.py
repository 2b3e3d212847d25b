"""The only door to llama.cpp: a GGUF model, loaded with a context of one text.

No policy lives here. llama_cpp is imported when it is first needed, never at import.
"""

import ctypes
import sys
import weakref
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from veracite.models.errors import Cancelled, ModelError
from veracite.models.grammar import Grammar
from veracite.models.native import MAX_ROWS, Logits, Native

__all__ = ["MAX_ROWS", "Logits", "Model", "library"]

_ABORTED = 2
"""llama_decode's result when it was stopped."""

_SENTENCEPIECE = 1
"""llama_vocab_type"""


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
        self._llama = library()
        self._llama.llama_log_set(_log(self._llama, verbose), None)
        self._native = Native(
            self._llama, path, context=context, chunk=chunk, threads=threads, gpu_layers=gpu_layers
        )
        # Runs at exit too, while all that llama.cpp may call is still there.
        self._free = weakref.finalize(self, self._native.free)
        vocab = self._native.vocab
        self.context = context
        self.chunk = chunk
        self.branches = self._native.branching
        """Whether ``decode`` takes tails: not where the whole text is one state."""
        self.vocabulary: int = self._llama.llama_vocab_n_tokens(vocab)
        self.begin: int = self._llama.llama_vocab_bos(vocab)
        """The token that begins a text, -1 if there is none."""
        self.adds_begin: bool = self._llama.llama_vocab_get_add_bos(vocab) and self.begin >= 0
        """Whether every text is to begin with it."""
        self.end: int = self._llama.llama_vocab_eos(vocab)
        """The token that ends a text, -1 if there is none."""
        self._adds_space: bool = self._llama.llama_vocab_type(vocab) == _SENTENCEPIECE

    def tokenise(self, text: str, special: bool = False) -> tuple[int, ...]:
        """A text's tokens, as they are in the middle of a longer one.

        Args:
            special: Whether the names of special tokens stand for those tokens; they are plain
                text otherwise.
        """
        if self._adds_space:
            # SentencePiece begins every text with a space; behind a line's end there is none.
            line = self._native.tokens("\n", False)
            whole = self._native.tokens(f"\n{text}", special)
            if whole[: len(line)] == line:
                return whole[len(line) :]
        return self._native.tokens(text, special)

    def piece(self, token: int) -> bytes:
        """What a token adds to a text: part of a character, or more; nothing for a special one."""
        return self._native.piece(token, special=False)

    def name(self, token: int) -> str:
        """A token as chat templates write it; empty for -1."""
        return (
            self._native.piece(token, special=True).decode("utf-8", "replace") if token >= 0 else ""
        )

    def ends(self, token: int) -> bool:
        """Whether a token ends what the model has to say."""
        with self._native.held():
            ended: bool = self._llama.llama_vocab_is_eog(self._native.vocab, token)
        return ended

    def grammar(self, text: str) -> Grammar:
        """A GBNF grammar at the beginning of a text of this model.

        Raises:
            ModelError: it is no grammar, or the model was closed.
        """
        return Grammar(self._llama, self._native, text)

    def decode(
        self, tokens: Sequence[int], position: int, rows: int, tails: Sequence[Sequence[int]] = ()
    ) -> Logits:
        """Compute tokens, at most a chunk of them, that stand from ``position`` on.

        Args:
            rows: For how many of the last tokens logits are wanted.
            tails: What else is computed, each tail as if it alone stood behind the tokens; it is
                not held. They and ``rows`` are at most ``MAX_ROWS`` together, and only models
                that ``branches`` take them.

        Returns:
            What may follow each of those tokens, and then each of the tails', shape
            (rows + all tails' tokens, vocabulary).

        Raises:
            Cancelled: ``stop`` was called; how much of the tokens is held is not known.
            ModelError: the model was closed, or the memory does not suffice.
        """
        if self._native.stopping:
            raise Cancelled
        with self._native.held():
            code = self._native.decode(tokens, position, rows, tails)
            if code == _ABORTED:
                raise Cancelled
            if code != 0:
                raise ModelError(
                    f"The language model failed to run (llama_decode gave {code}).",
                    "Use a smaller --context, or keep fewer layers on the GPU.",
                    "context too large",
                )
            return self._native.logits(rows + sum(map(len, tails)), self.vocabulary)

    def forget(self, position: int) -> int:
        """Take away what stands from ``position`` on, or everything where the model cannot.

        Returns:
            How many tokens are left: ``position``, or 0 (recurrent models).
        """
        with self._native.held():
            memory = self._llama.llama_get_memory(self._native.context)
            if self._llama.llama_memory_seq_rm(memory, 0, position, -1):
                return position
            self._llama.llama_memory_clear(memory, True)
            return 0

    def stop(self) -> None:
        """Make the decoding in progress and later ones raise ``Cancelled``, until ``resume``."""
        self._native.stopping = True

    def resume(self) -> None:
        """Let decoding go on."""
        self._native.stopping = False

    def close(self) -> None:
        """Give the memory back, as soon as the decoding in progress has stopped."""
        self.stop()
        self._free()


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
