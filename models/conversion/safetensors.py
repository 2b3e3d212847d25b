"""Reads the safetensors format (huggingface/safetensors, README.md, "Format").

Eight bytes of length, a header in JSON, then the numbers. Nothing that the header says is believed
before it is checked: the tensors lie one after the other, and fill the file to its last byte.
"""

import json
from math import prod
from pathlib import Path
from typing import Any

from veracite.models.conversion.tensors import SIZES, Floats, Tensor, as_floats, damaged
from veracite.models.gguf_values import quoted

__all__ = ["read_safetensors"]

_MAX_HEADER = 100_000_000
"""Bytes; the format's own limit."""

_MAX_DIMENSIONS = 8


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a file by their names.

    Raises:
        ModelError: the file cannot be read, or contradicts itself.
    """
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            size = path.stat().st_size - 8
            if length > min(size, _MAX_HEADER):
                raise damaged(path, "its header is longer than the file, or of an absurd length")
            header = json.loads(file.read(length), object_pairs_hook=_once)
    except OSError as error:
        raise damaged(path, f"they cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise damaged(path, "their header is not what safetensors files have") from error
    if not isinstance(header, dict):
        raise damaged(path, "their header is no list of tensors")
    header.pop("__metadata__", None)
    places = {name: _place(path, name, entry) for name, entry in header.items()}
    _check_layout(path, places, size - length)
    return {name: _tensor(path, *place, 8 + length) for name, place in places.items()}


_Place = tuple[str, tuple[int, ...], int]
"""Type, shape, and where the numbers begin after the header."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name is given twice")
    return found


def _place(path: Path, name: str, entry: Any) -> _Place:
    try:
        kind, shape, (start, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
        numbers = [*shape, start, end]
        sound = all(type(number) is int and number >= 0 for number in numbers)
        if sound and len(shape) <= _MAX_DIMENSIONS and end - start == prod(shape) * SIZES[kind]:
            return kind, tuple(shape), start
    except (KeyError, TypeError, ValueError):
        pass
    raise damaged(path, f"the tensor {quoted(name)} is described wrongly")


def _check_layout(path: Path, places: dict[str, _Place], size: int) -> None:
    end = 0
    for name, (kind, shape, start) in sorted(places.items(), key=lambda item: item[1][2]):
        count = prod(shape)
        if count and start != end:
            raise damaged(path, f"the tensor {quoted(name)} is not where it belongs")
        end += count * SIZES[kind]
    if end != size:
        raise damaged(path, f"they should take {end:,} bytes and take {size:,}")


def _tensor(path: Path, kind: str, shape: tuple[int, ...], start: int, data: int) -> Tensor:
    def read() -> Floats:
        size = prod(shape) * SIZES[kind]
        with path.open("rb") as file:
            file.seek(data + start)
            raw = file.read(size)
        if len(raw) != size:
            raise damaged(path, "they end too early")
        return as_floats(path, raw, kind).reshape(shape)

    return Tensor(shape, read)
