"""A grammar that follows a text, token by token."""

import ctypes
import weakref
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import ModelError
from veracite.models.gbnf import check
from veracite.models.native import Logits, Native

__all__ = ["Grammar"]

_CANDIDATE = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])
"""llama_token_data"""


class Grammar:
    """What may come next in a text.

    Args:
        llama: llama.cpp's functions.
        native: The model whose tokens the text is made of.
        text: GBNF; the text keeps to its rule ``root``.

    Raises:
        ModelError: it is no grammar.
    """

    def __init__(self, llama: Any, native: Native, text: str) -> None:
        check(text)
        self._llama = llama
        self._native = native
        with native.held():
            self._sampler = llama.llama_sampler_init_grammar(native.vocab, text.encode(), b"root")
            self._all = np.zeros(llama.llama_vocab_n_tokens(native.vocab), dtype=_CANDIDATE)
        if not self._sampler:
            raise ModelError(
                "The grammar for the language model's reply cannot be followed: a rule can "
                "begin with itself.",
                "Rewrite the rule so that something stands before it.",
            )
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
                "The grammar leaves the language model nothing to write.",
                "Correct the grammar: it asks for characters that there are none of.",
            )
        return masked

    def accept(self, token: int) -> None:
        """Go on behind a token, which must be one that may come next."""
        with self._native.held():
            self._llama.llama_sampler_accept(self._sampler, token)

    def _masked(self, candidates: NDArray[np.void]) -> Logits:
        array = self._llama.llama_token_data_array(
            data=candidates.ctypes.data_as(self._llama.llama_token_data_p),
            size=len(candidates),
            selected=-1,
            sorted=False,
        )
        with self._native.held():
            self._llama.llama_sampler_apply(self._sampler, ctypes.byref(array))
        logits: Logits = candidates["logit"]
        return logits
