"""Pairs in JSON lines as batches of tokens.

Lengths are rounded up and batches are of one size, so that few shapes occur: the first product of
each shape is compiled, which takes longer than multiplying.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor

MAX_LENGTH = 256
"""Tokens of a pair; of longer ones the premise is cut."""
_STEP = 16
"""Lengths are multiples of this many tokens."""
_POOL = 48
"""Batches that are cut from as many pairs in the order of their lengths."""


def tokenizer(weights: Path) -> Tokenizer:
    """Return the tokenizer: pairs up to MAX_LENGTH tokens, only the premise is cut."""
    made = Tokenizer.from_file(str(weights / "tokenizer.json"))
    made.no_padding()
    made.enable_truncation(MAX_LENGTH, strategy="only_first")
    return made


def encoded(
    tokens: Tokenizer, pairs: Iterable[tuple[str, str]]
) -> Iterator[tuple[list[int], list[bool], list[int]]]:
    """Yield the ids, the mask and the types (1 where the claim stands) of each pair."""
    for e in tokens.encode_batch(list(pairs)):
        start = e.sequence_ids.index(1)
        yield e.ids, [True] * len(e.ids), [int(at >= start) for at in range(len(e.ids))]


class Pairs:
    """Encoded pairs of a JSON lines file; their claims are cut at 700 characters."""

    def __init__(self, path: Path, weights: Path) -> None:
        rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
        tokens = tokenizer(weights)
        self._padding = tokens.token_to_id("<pad>") or tokens.token_to_id("[PAD]") or 0
        self.labels = [int(row["label"]) for row in rows]
        self._ids: list[npt.NDArray[np.int32]] = []
        self._claims: list[int] = []
        for start in range(0, len(rows), 4096):
            part = rows[start : start + 4096]
            for e in tokens.encode_batch([(r["premise"], r["claim"][:700]) for r in part]):
                self._ids.append(np.array(e.ids, np.int32))
                self._claims.append(e.sequence_ids.index(1))

    def __len__(self) -> int:
        return len(self._ids)

    def width(self, place: int) -> int:
        """The length of a pair in a batch of its like, in tokens."""
        return -(-len(self._ids[place]) // _STEP) * _STEP

    def batch(self, chosen: Sequence[int]) -> tuple[Tensor, Tensor, Tensor]:
        """Return ids, mask and types of these pairs, each of shape (pairs, length)."""
        width = max(map(self.width, chosen))
        ids = torch.full((len(chosen), width), self._padding)
        mask = torch.zeros(len(chosen), width, dtype=torch.bool)
        types = torch.zeros(len(chosen), width, dtype=torch.long)
        for row, place in enumerate(chosen):
            length = len(self._ids[place])
            ids[row, :length] = torch.from_numpy(self._ids[place].astype(np.int64))
            mask[row, :length] = True
            types[row, self._claims[place] : length] = 1
        return ids, mask, types

    def epoch(self, size: int, rng: random.Random) -> Iterator[list[int]]:
        """Yield all pairs but a rest, in random batches of this size and of similar length."""
        order = list(range(len(self)))
        rng.shuffle(order)
        for start in range(0, len(order), _POOL * size):
            pool = sorted(order[start : start + _POOL * size], key=lambda i: len(self._ids[i]))
            groups = [pool[i : i + size] for i in range(0, len(pool), size)]
            rng.shuffle(groups)
            yield from (group for group in groups if len(group) == size)
