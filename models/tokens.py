"""The only door to tokenizers: text to the token ids of the bundled networks."""

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import ModelError

__all__ = ["CLS", "SEP", "TokenIds", "Tokenizer"]

TokenIds = NDArray[np.int64]

CLS = 101
SEP = 102

_LONGEST_WORD = 100
"""Characters; WordPiece makes one unknown token of any longer word."""


class Tokenizer:
    """Text to token ids, without the special tokens around them.

    Args:
        definition: The bytes of a ``tokenizer.json``.

    Raises:
        ModelError: the bytes are no tokenizer of the kind that the bundled networks use.
    """

    def __init__(self, definition: bytes) -> None:
        import tokenizers

        try:
            self._tokenizer = tokenizers.Tokenizer.from_str(definition.decode("utf-8"))
        except Exception as error:
            raise ModelError(
                "The tokenizer of the bundled models cannot be loaded.", "Reinstall veracite."
            ) from error
        found = tuple(self._tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
        if found != (CLS, SEP):
            raise ModelError(
                "The tokenizer does not belong to the bundled models.", "Reinstall veracite."
            )
        # Length is decided by our callers, for pairs as for single texts.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def ids(self, text: str, most: int) -> TokenIds:
        """The first ``most`` tokens of a text, any text: the ids' array may be empty.

        Only the first ``100 * most`` characters are looked at, so that a text of any size
        costs the same.
        """
        beginning = text[: _LONGEST_WORD * most]
        # A damaged document may hold lone surrogates, which are no Unicode text.
        readable = beginning.encode("utf-8", "replace").decode("utf-8")
        # One text at a time: batches start a thread pool of their own that does not survive a fork.
        encoding = self._tokenizer.encode(readable, add_special_tokens=False)
        return np.array(encoding.ids[:most], dtype=np.int64)
