"""The only door to tokenizers: text to the token ids of a network."""

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import ModelError

TokenIds = NDArray[np.int64]

_LONGEST_WORD = 100
"""Characters; WordPiece makes one unknown token of any longer word, others make several."""


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
            raise _unusable("is damaged") from error
        if len(around) != 2:
            raise _unusable(f"puts {len(around)} special tokens around a text, not 2")
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
            raise _unusable("cannot read every text") from error
        return np.array(encoding.ids[:most], dtype=np.int64)


def _unusable(reason: str) -> ModelError:
    return ModelError(
        f"The model's tokenizer {reason}.",
        "Install the model once more, or veracite if it came with it.",
    )
