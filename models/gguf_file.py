"""What is written at the start of a GGUF file: its values and the places of its tensors."""

import os
import stat
from dataclasses import dataclass
from io import BufferedReader
from math import prod
from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError
from veracite.models.gguf_values import Cursor, Damaged, quoted, text

__all__ = ["Contents", "Tensor", "open_file", "read_contents"]

_MAX_HEADER = 64 * 2**20
"""Bytes; vocabularies of 260,000 tokens with their merges take some 17 MB."""

_TENSOR_TYPES = {
    **{0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34)},
    **{9: (32, 40), 10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176)},
    **{14: (256, 210), 15: (256, 292), 16: (256, 66), 17: (256, 74), 18: (256, 98)},
    **{19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136)},
    **{24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2)},
    **{34: (256, 54), 35: (256, 66), 39: (32, 17), 40: (64, 36), 41: (128, 18)},
}
"""ggml's types of weights: how many make a block, and a block's bytes."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array of weights, of which only the place is known."""

    name: str
    shape: tuple[int, ...]
    size: int
    """In bytes."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's values by their names (see ``Cursor.value``), and its tensors in their order."""

    values: dict[str, Any]
    tensors: tuple[Tensor, ...]


def open_file(path: Path) -> BufferedReader:
    """An ordinary file opened for reading; never waits, as opening a pipe would.

    Raises:
        ModelError: there is no such file, or it is of another kind or may not be read.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError(
            f"The model {path} cannot be read ({reason}).",
            "Mend the path or the file's permissions.",
        ) from error
    if stat.S_ISREG(os.fstat(file).st_mode):
        return open(file, "rb")
    os.close(file)
    raise _no_model(path, "is no file")


def read_contents(path: Path) -> Contents:
    """What the file says of itself.

    Raises:
        ModelError: it cannot be read or is no GGUF file.
        Damaged: it is one, but what it says cannot be true.
    """
    with open_file(path) as file:
        cursor = Cursor(file.read(_MAX_HEADER))
        size = os.fstat(file.fileno()).st_size
    if not cursor.data.startswith(b"GGUF"):
        raise _no_model(path, "is no GGUF file" if cursor.data else "is empty")
    cursor.take(4)
    _check_version(cursor.number("I"))
    tensors, values = cursor.count(24), cursor.count(13)
    found: dict[str, Any] = {}
    for _ in range(values):
        name = text(cursor.string())
        if name in found:
            raise Damaged(f"it names {quoted(name)} twice")
        found[name] = cursor.value()
    return Contents(found, _tensors(cursor, tensors, _alignment(found), size))


def _no_model(path: Path, what: str) -> ModelError:
    return ModelError(f"{path} {what}.", "Name the GGUF file of a language model.")


def _check_version(number: int) -> None:
    if number in (2, 3):
        return
    if number and number & 0xFFFF == 0:
        raise Damaged("it was made for computers of the other byte order")
    raise Damaged(f"it is of version {number} of the format, not 2 or 3")


def _alignment(values: dict[str, Any]) -> int:
    alignment = values.get("general.alignment", 32)
    if type(alignment) is not int or alignment < 1 or alignment & (alignment - 1):
        raise Damaged("its alignment is no power of two")
    return alignment


def _tensors(cursor: Cursor, count: int, alignment: int, size: int) -> tuple[Tensor, ...]:
    """The tensors, whose data lie one after the other and end before the file does."""
    found: dict[str, Tensor] = {}
    end = 0
    for _ in range(count):
        tensor, offset = _tensor(cursor)
        if tensor.name in found:
            raise Damaged(f"it holds the weights {quoted(tensor.name)} twice")
        if offset != _aligned(end, alignment):
            raise Damaged(f"the weights {quoted(tensor.name)} are not where they belong")
        found[tensor.name] = tensor
        end = offset + tensor.size
    end += _aligned(cursor.position, alignment)
    if found and end > size:
        raise Damaged(f"{end - size:,} bytes are missing at its end")
    return tuple(found.values())


def _aligned(place: int, alignment: int) -> int:
    return -(-place // alignment) * alignment


def _tensor(cursor: Cursor) -> tuple[Tensor, int]:
    """A tensor and the offset of its data."""
    name = text(cursor.string())
    dimensions = cursor.number("I")
    if not 1 <= dimensions <= 4:
        raise Damaged(f"the weights {quoted(name)} have {dimensions} dimensions")
    shape = tuple(cursor.number("Q") for _ in range(dimensions))
    kind = cursor.number("I")
    if kind not in _TENSOR_TYPES:
        raise Damaged(f"the weights {quoted(name)} are of the unknown type {kind}")
    block, size = _TENSOR_TYPES[kind]
    if 0 in shape or shape[0] % block:
        raise Damaged(f"the weights {quoted(name)} have an impossible shape")
    return Tensor(name, shape, prod(shape) // block * size), cursor.number("Q")
