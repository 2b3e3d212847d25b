"""Files as ``torch.save`` writes them, sound or not, put together without torch."""

import math
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_pytorch(path: Path, arrays: Mapping[str, NDArray[np.float32]]) -> None:
    """Write float32 arrays as ``torch.save`` does."""
    tensors = [
        (name, tensor(str(key), array.size, array.shape, steps(array.shape)))
        for key, (name, array) in enumerate(arrays.items())
    ]
    storages = {str(key): array.tobytes() for key, array in enumerate(arrays.values())}
    write_archive(path, dictionary(tensors), storages)


def write_archive(path: Path, pickle: bytes, storages: Mapping[str, bytes]) -> None:
    """Write a zip of a pickle and storages, as ``torch.save`` does."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model/data.pkl", pickle)
        archive.writestr("model/byteorder", b"little")
        for key, content in storages.items():
            archive.writestr(f"model/data/{key}", content)


def dictionary(entries: Sequence[tuple[str, bytes]]) -> bytes:
    """The pickle of a dictionary whose values are instructions."""
    body = b"".join(text(name) + value for name, value in entries)
    return b"\x80\x02}(" + body + b"u."


def tensor(
    key: str,
    count: int,
    shape: Sequence[int],
    strides: Sequence[int],
    offset: int = 0,
    storage: bytes = b"ctorch\nFloatStorage\n",
) -> bytes:
    """The instructions that make a tensor of a storage."""
    identifier = b"(" + text("storage") + storage + text(key) + text("cpu") + number(count) + b"tQ"
    view = number(offset) + tuple_of(shape) + tuple_of(strides)
    rest = b"\x89ccollections\nOrderedDict\n)R"
    return b"ctorch._utils\n_rebuild_tensor_v2\n(" + identifier + view + rest + b"tR"


def text(value: str) -> bytes:
    """The instruction that puts a text on the stack."""
    return b"X" + struct.pack("<I", len(value.encode())) + value.encode()


def number(value: int) -> bytes:
    """The instruction that puts a number on the stack."""
    size = value.bit_length() // 8 + 1
    return b"\x8a" + bytes([size]) + value.to_bytes(size, "little", signed=True)


def tuple_of(values: Sequence[int]) -> bytes:
    """The instructions that put a tuple of numbers on the stack."""
    return b"(" + b"".join(number(int(value)) for value in values) + b"t"


def steps(shape: Sequence[int]) -> list[int]:
    """The strides of an array that lies row by row."""
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
