"""Reuse of what a context holds, without a bit of difference.

A prompt is decoded in chunks whose borders depend on the prompt alone: at the end of each
segment, and every so many tokens from a segment's start. A later prompt keeps the leading chunks
that it has in common with what the context holds, whole chunks only. So each chunk is always
computed in the same company, and warm or cold the logits are the same to the last bit.
"""

from collections.abc import Sequence

from veracite.models.gguf import MAX_ROWS
from veracite.models.llama import Logits, Model

Chunk = tuple[int, ...]
"""Tokens that are decoded together."""


def chunks(segments: Sequence[tuple[int, ...]], size: int) -> tuple[Chunk, ...]:
    """The chunks, of at most ``size`` tokens, in which a prompt is decoded."""
    return tuple(
        segment[start : start + size]
        for segment in segments
        for start in range(0, len(segment), size)
    )


class Context:
    """What a model's context holds: a prompt, and what was decoded behind it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._held: list[Chunk] = []
        self._position = 0
        self.computed = 0
        """Tokens decoded, ever."""
        self._prompt: Sequence[Chunk] = ()
        self._logits: Logits | None = None

    def prefill(self, prompt: Sequence[Chunk]) -> tuple[Logits, int]:
        """Hold a prompt and nothing behind it.

        Returns:
            What may follow it, shape (vocabulary,), and how many of its tokens stood computed.

        Raises:
            Cancelled: somebody stopped the model meanwhile.
            ModelError: the model was closed or failed to run.
        """
        known = self._logits is not None and prompt == self._prompt
        kept = _common(self._held, prompt if known else prompt[:-1])
        reused = self._keep(kept)
        if reused == sum(map(len, prompt)) and self._logits is not None:
            return self._logits, reused
        self._logits = None
        *leading, last = prompt[len(self._held) :]
        for chunk in leading:
            self._decode(chunk, 0)
        self._prompt, self._logits = prompt, self._decode(last, 1)[0]
        return self._logits, reused

    def branch(self, prompt: Sequence[Chunk], tails: Sequence[Chunk]) -> tuple[Logits, int] | None:
        """What may follow a prompt, and each token of texts behind it, with one decoding for all.

        The prompt's last chunk, which has company then that it has nowhere else, is not kept.

        Returns:
            The logits, shape (1 + all tails' tokens, vocabulary), and how many tokens stood
            computed; None if tails are none or too many, which nothing but they, the prompt
            and the model decides.

        Raises:
            As ``prefill``.
        """
        more, length = sum(map(len, tails)), sum(map(len, prompt))
        room = min(MAX_ROWS - 1, self._model.context - length)
        if not self._model.branches or not 0 < more <= room:
            return None
        *leading, last = prompt
        reused = self._keep(_common(self._held, leading))
        self._logits = None
        for chunk in leading[len(self._held) :]:
            self._decode(chunk, 0)
        logits = self._model.decode(last, self._position, 1, tails)
        self.computed += len(last) + more
        return logits, reused

    def append(self, tokens: Chunk, rows: int = 1) -> Logits:
        """Decode tokens, at most a chunk, behind all that is held.

        Returns:
            What may follow each of the last ``rows`` of them, shape (rows, vocabulary).

        Raises:
            As ``prefill``.
        """
        return self._decode(tokens, rows)

    def _keep(self, kept: int) -> int:
        """Forget all but the first chunks; how many tokens are left."""
        wanted = sum(map(len, self._held[:kept]))
        self._position = self._model.forget(wanted)
        self._held = self._held[:kept] if self._position == wanted else []
        return self._position

    def _decode(self, chunk: Chunk, rows: int) -> Logits:
        logits = self._model.decode(chunk, self._position, rows)
        self._held.append(chunk)
        self._position += len(chunk)
        self.computed += len(chunk)
        return logits


def _common(first: Sequence[Chunk], second: Sequence[Chunk]) -> int:
    """How many leading chunks are equal."""
    number = 0
    for number, (one, other) in enumerate(zip(first, second, strict=False)):
        if one != other:
            return number
    return min(len(first), len(second))
