"""Reads the weights that ``torch.save`` writes (since PyTorch 1.6): a zip of a pickle and numbers.

The zip's ``data.pkl`` describes the tensors and ``data/0``, ``data/1``, ... hold their numbers,
neither compressed. See torch/serialization.py and torch/_utils.py.
"""

from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from veracite.models.conversion.pickles import Forbidden, Function, Malformed, read_pickle
from veracite.models.conversion.tensors import SIZES, Floats, Tensor, as_floats, damaged
from veracite.models.errors import ModelError
from veracite.models.gguf_values import quoted

__all__ = ["read_pytorch"]

_MAX_PICKLE = 4 * 2**20
"""Bytes; a thousand tensors take some 200,000."""

_LEGACY = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""How files of before PyTorch 1.6 begin."""

_STORAGES = {
    "torch.FloatStorage": "F32",
    "torch.HalfStorage": "F16",
    "torch.BFloat16Storage": "BF16",
    "torch.DoubleStorage": "F64",
    "torch.LongStorage": "I64",
    "torch.IntStorage": "I32",
    "torch.ByteStorage": "U8",
    "torch.BoolStorage": "BOOL",
}


@dataclass(frozen=True, slots=True)
class _Storage:
    """A row of numbers in a file of the zip."""

    kind: str
    key: str
    count: int


@dataclass(frozen=True, slots=True)
class _View:
    """A tensor: which numbers of a storage, in which order."""

    storage: _Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]


def read_pytorch(path: Path) -> dict[str, Tensor]:
    """The tensors of a file by their names. Nothing in the file is ever run.

    Raises:
        ModelError: the file cannot be read, contradicts itself, or holds anything but tensors.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_LEGACY)) == _LEGACY:
                raise ModelError(
                    f"The weights {path} are in the format of PyTorch before version 1.6.",
                    "Use the model's model.safetensors instead, or save them with a newer PyTorch.",
                )
        with ZipFile(path) as archive:
            entries, pickle = _opened(path, archive)
        views = _views(path, pickle)
    except (OSError, BadZipFile, NotImplementedError, ValueError, EOFError) as error:
        raise damaged(path, "they are no file that PyTorch writes") from error
    return {name: _tensor(path, view, entries) for name, view in views.items()}


def _opened(path: Path, archive: ZipFile) -> tuple[dict[str, ZipInfo], bytes]:
    """The files of the zip by their names in its one folder, and the pickle."""
    infos = archive.infolist()
    entries = {info.filename.partition("/")[2]: info for info in infos}
    if len(entries) != len(infos) or "data.pkl" not in entries:
        raise damaged(path, "they are no file that PyTorch writes")
    if any(info.compress_type != ZIP_STORED or info.flag_bits & 1 for info in infos):
        raise damaged(path, "they are compressed, which PyTorch never does")
    if entries["data.pkl"].file_size > _MAX_PICKLE:
        raise damaged(path, "their table of contents is absurdly long")
    if "byteorder" in entries and archive.read(entries["byteorder"]) != b"little":
        raise damaged(path, "they were made for computers of the other byte order")
    return entries, archive.read(entries["data.pkl"])


def _views(path: Path, pickle: bytes) -> dict[str, _View]:
    names = {
        **_STORAGES,
        "collections.OrderedDict": Function(dict),
        "torch._utils._rebuild_tensor_v2": Function(_view),
        "torch._utils._rebuild_parameter": Function(lambda data, *_: data),
    }
    try:
        content = read_pickle(pickle, names, _storage)
    except Forbidden as error:
        raise ModelError(
            f"The weights {path} were not read: they ask for {quoted(str(error))}, which no "
            "weights need and which may run a program.",
            "Use the model's model.safetensors instead.",
        ) from error
    except Malformed as error:
        raise damaged(path, "their table of contents cannot be read") from error
    if not isinstance(content, dict):
        raise damaged(path, "they are no dictionary of tensors")
    return {
        name: value
        for name, value in content.items()
        if isinstance(name, str) and isinstance(value, _View)
    }


def _storage(identifier: Any) -> _Storage:
    match identifier:
        case ("storage", str(kind), str(key), str(), int(count)) if kind in SIZES:
            return _Storage(kind, key, count)
    raise Malformed("it names no storage")


def _view(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> _View:
    if not isinstance(storage, _Storage) or type(offset) is not int or offset < 0:
        raise Malformed("a tensor has no storage")
    if not _counts(shape) or not _counts(strides) or len(shape) != len(strides):
        raise Malformed("a tensor has no shape")
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    # A tensor that repeats its numbers could ask for any amount of memory.
    if prod(shape) > storage.count or (prod(shape) and offset + last >= storage.count):
        raise Malformed("a tensor reaches beyond its storage")
    return _View(storage, offset, tuple(shape), tuple(strides))


def _counts(values: Any) -> bool:
    return (
        isinstance(values, tuple)
        and len(values) <= 8
        and all(type(value) is int and value >= 0 for value in values)
    )


def _tensor(path: Path, view: _View, entries: dict[str, ZipInfo]) -> Tensor:
    storage = view.storage
    entry = entries.get(f"data/{storage.key}")
    if entry is None or entry.file_size != storage.count * SIZES[storage.kind]:
        raise damaged(path, f"the storage {quoted(storage.key)} is not of the size that is named")

    def read() -> Floats:
        try:
            with ZipFile(path) as archive:
                raw = archive.read(entry)
        except (OSError, BadZipFile, EOFError) as error:
            raise damaged(path, f"the storage {quoted(storage.key)} cannot be read") from error
        if len(raw) != entry.file_size:
            raise damaged(path, f"the storage {quoted(storage.key)} ends too early")
        numbers = as_floats(path, raw, storage.kind)
        steps = [stride * numbers.itemsize for stride in view.strides]
        start = view.offset * numbers.itemsize
        return np.ndarray(view.shape, np.float32, numbers.data, start, steps).copy()

    return Tensor(view.shape, read)
