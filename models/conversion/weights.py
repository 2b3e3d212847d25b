"""The weights of BERT's or MPNet's kind of network, from safetensors or PyTorch's own files.

A file of ``torch.save`` (since PyTorch 1.6) is a zip: ``data.pkl`` describes the tensors and
``data/0``, ``data/1``, ... hold their numbers. A pickle is a program whose instructions include
"import this" and "call that": here only those are known that a dictionary of tensors needs, and an
imported name is an entry in a table of ours. Whatever else a pickle asks for ends the reading.
"""

import io
import pickle
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, ClassVar
from zipfile import ZIP_STORED, ZipFile

import ml_dtypes  # noqa: F401  (teaches numpy, and so safetensors, what bfloat16 is)
import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import ModelError
from veracite.models.files import quoted

Floats = NDArray[np.float32]
_Array = NDArray[Any]

_MAX_PICKLE = 4 * 2**20
"""Bytes; a thousand tensors take some 200,000."""

_LEGACY = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""How files of before PyTorch 1.6 begin."""

_STORAGES = {
    "torch.FloatStorage": "float32",
    "torch.HalfStorage": "float16",
    "torch.BFloat16Storage": "bfloat16",
    "torch.DoubleStorage": "float64",
    "torch.LongStorage": "int64",
    "torch.IntStorage": "int32",
    "torch.ByteStorage": "uint8",
    "torch.BoolStorage": "bool",
}

_INSTRUCTIONS = (
    *(pickle.BININT, pickle.BININT1, pickle.BININT2, pickle.LONG1, pickle.BINFLOAT),
    *(pickle.BINUNICODE, pickle.NONE, pickle.NEWTRUE, pickle.NEWFALSE, pickle.EMPTY_TUPLE),
    *(pickle.EMPTY_DICT, pickle.EMPTY_LIST, pickle.TUPLE, pickle.TUPLE1, pickle.TUPLE2),
    *(pickle.TUPLE3, pickle.BINPUT, pickle.LONG_BINPUT, pickle.BINGET, pickle.LONG_BINGET),
    *(pickle.MARK, pickle.APPEND, pickle.APPENDS, pickle.SETITEM, pickle.SETITEMS, pickle.GLOBAL),
    *(pickle.BINPERSID, pickle.REDUCE, pickle.PROTO, pickle.STOP),
)

_WORDS = "embeddings.word_embeddings.weight"

_BERT = {
    "query": "encoder.layer.{}.attention.self.query",
    "key": "encoder.layer.{}.attention.self.key",
    "value": "encoder.layer.{}.attention.self.value",
    "attended": "encoder.layer.{}.attention.output.dense",
    "attended norm": "encoder.layer.{}.attention.output.LayerNorm",
    "inner": "encoder.layer.{}.intermediate.dense",
    "outer": "encoder.layer.{}.output.dense",
    "outer norm": "encoder.layer.{}.output.LayerNorm",
}
_MPNET = _BERT | {
    "query": "encoder.layer.{}.attention.attn.q",
    "key": "encoder.layer.{}.attention.attn.k",
    "value": "encoder.layer.{}.attention.attn.v",
    "attended": "encoder.layer.{}.attention.attn.o",
    "attended norm": "encoder.layer.{}.attention.LayerNorm",
}


def unsupported(reason: str) -> ModelError:
    """Says that a model, sound as far as is known, is none that can be converted."""
    return ModelError(
        f"This model cannot be converted: {reason}.",
        "Use a sentence encoder or reranker of the BERT or MPNet kind and of up to 2 GB, or an "
        "encoder that is published as ONNX.",
    )


def find_weights(folder: Path) -> Path | None:
    """The weights file of a folder, safetensors where there is a choice; None if there is none.

    Raises:
        ModelError: they are spread over several files.
    """
    for name in ("model.safetensors", "pytorch_model.bin"):
        if (folder / name).is_file():
            return folder / name
    if any(folder.glob("*.index.json")):
        raise unsupported("its weights are spread over several files")
    return None


class Weights:
    """The weights of a network of one family, under one set of names.

    A checkpoint may hold the encoder inside something larger ("bert.", "0.auto_model." and so on):
    the prefix is whatever stands before the word embeddings. The names of what is outside the
    encoder, such as "classifier", have none.

    Args:
        path: A file in the format of safetensors, or of PyTorch.
        family: bert or mpnet.

    Raises:
        ModelError: the file is damaged, or holds no encoder, or several. The methods raise it
            where an array is missing or of another shape than it must have.
    """

    def __init__(self, path: Path, family: str) -> None:
        self._path = path
        self._parts = _MPNET if family == "mpnet" else _BERT
        read = read_safetensors if path.suffix == ".safetensors" else read_pytorch
        self._tensors = read(path)
        found = [n for n in self._tensors if n == _WORDS or n.endswith(f".{_WORDS}")]
        if len(found) != 1:
            raise unsupported(f"its weights hold {len(found)} encoders")
        self._prefix = found[0].removesuffix(_WORDS)

    def part(self, part: str, layer: int) -> str:
        """What the family calls a part of a layer: query, key, value, attended, ..."""
        return self._parts[part].format(layer)

    def has(self, name: str) -> bool:
        """Whether there is an array of this name (the prefix always left out)."""
        return not {self._prefix + name, name}.isdisjoint(self._tensors)

    def shape(self, name: str) -> tuple[int, int]:
        """The shape of a table, nowhere 0."""
        match self._tensor(name).shape:
            case (rows, columns) if rows and columns:
                return rows, columns
        raise _damaged(self._path, f"{name} is no table")

    def array(self, name: str, *shape: int) -> Floats:
        """The numbers of an array that must have this shape, all of them finite."""
        values = self._tensor(name)
        if values.shape != shape:
            raise _damaged(self._path, f"{name} has the shape {values.shape}, not {shape}")
        if values.dtype.name not in ("float64", "float32", "float16", "bfloat16"):
            raise ModelError(
                f"The weights {self._path} are stored as {values.dtype}, which is not supported.",
                "Use the version of the model that is stored as float32, float16 or bfloat16.",
            )
        with np.errstate(over="ignore"):
            floats = np.ascontiguousarray(values, dtype=np.float32)
        if not np.isfinite(floats).all():
            raise _damaged(self._path, "they hold values that are no numbers")
        return floats

    def table(self, name: str, columns: int) -> Floats:
        """An array of two dimensions: shape (rows, columns)."""
        return self.array(f"{name}.weight", self.shape(f"{name}.weight")[0], columns)

    def dense(self, name: str, inputs: int, outputs: int) -> tuple[Floats, Floats]:
        """A dense layer: shapes (inputs, outputs), to multiply rows by, and (outputs,)."""
        weight = self.array(f"{name}.weight", outputs, inputs)
        return np.ascontiguousarray(weight.T), self.array(f"{name}.bias", outputs)

    def norm(self, name: str, width: int) -> tuple[Floats, Floats]:
        """Scale and shift of a layer normalisation, each of shape (width,).

        Checkpoints that come from TensorFlow call them gamma and beta.
        """
        old = self.has(f"{name}.gamma")
        scale, shift = ("gamma", "beta") if old else ("weight", "bias")
        return self.array(f"{name}.{scale}", width), self.array(f"{name}.{shift}", width)

    def _tensor(self, name: str) -> _Array:
        if not self.has(name):
            raise _damaged(self._path, f"{name} is missing")
        prefixed = self._prefix + name
        return self._tensors[prefixed if prefixed in self._tensors else name]


def _damaged(path: Path, reason: str) -> ModelError:
    """Says that weights cannot be what their file says they are."""
    return ModelError(
        f"The weights {path} are damaged: {reason}.", "Copy or download them once more."
    )


def read_safetensors(path: Path) -> dict[str, _Array]:
    """The tensors of a file by their names; raises ModelError where it cannot be read."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return load_file(path)
    except (SafetensorError, OSError, ValueError, TypeError, KeyError) as error:
        raise _damaged(path, f"they cannot be read ({quoted(str(error))})") from error


def read_pytorch(path: Path) -> dict[str, _Array]:
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
            content = _Unpickler(path, archive).load()
    except ModelError:
        raise
    except _Forbidden as error:
        raise ModelError(
            f"The weights {path} were not read: they ask for {quoted(str(error))}, which no "
            "weights need and which may run a program.",
            "Use the model's model.safetensors instead.",
        ) from error
    except Exception as error:  # whatever a contradiction leads to
        raise _damaged(path, "they are no file that PyTorch writes, or not all of it") from error
    if not isinstance(content, dict):
        raise _damaged(path, "they are no dictionary of tensors")
    return {str(n): value for n, value in content.items() if isinstance(value, np.ndarray)}


class _Forbidden(Exception):
    """Names what a pickle asked for and must not have."""


class _Function:
    """What a pickle may call, of which it can change nothing."""

    __slots__ = ("_run",)

    def __init__(self, run: Callable[..., Any]) -> None:
        self._run = run

    def __call__(self, *arguments: Any) -> Any:
        return self._run(*arguments)


def _rebuilt(storage: _Array, offset: int, shape: Any, strides: Any, *_: Any) -> _Array:
    """A tensor: which numbers of a storage, in which order."""
    numbers = (offset, *shape, *strides)
    if any(type(n) is not int or n < 0 for n in numbers) or not len(shape) == len(strides) <= 8:
        raise ValueError("a tensor has no shape")
    last = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    # A tensor that repeats its numbers could ask for any amount of memory.
    if prod(shape) > storage.size or (prod(shape) and offset + last >= storage.size):
        raise ValueError("a tensor reaches beyond its storage")
    steps = [stride * storage.itemsize for stride in strides]
    return np.lib.stride_tricks.as_strided(storage[offset:], shape, steps, writeable=False)


_NAMES: dict[str, Any] = {
    **_STORAGES,
    "collections.OrderedDict": _Function(dict),
    "torch._utils._rebuild_tensor_v2": _Function(_rebuilt),
    "torch._utils._rebuild_parameter": _Function(lambda data, *_: data),
}


class _Unpickler(pickle._Unpickler):
    """Python's own, which keeps its memory in a dictionary, with few instructions and names."""

    def __init__(self, path: Path, archive: ZipFile) -> None:
        infos = archive.infolist()
        self._path, self._archive = path, archive
        self._entries = {info.filename.partition("/")[2]: info for info in infos}
        self._storages: dict[str, _Array] = {}
        if len(self._entries) != len(infos) or "data.pkl" not in self._entries:
            raise _damaged(path, "they are no file that PyTorch writes")
        if any(info.compress_type != ZIP_STORED or info.flag_bits & 1 for info in infos):
            raise _damaged(path, "they are compressed, which PyTorch never does")
        if self._entries["data.pkl"].file_size > _MAX_PICKLE:
            raise _damaged(path, "their table of contents is absurdly long")
        if "byteorder" in self._entries and archive.read(self._entries["byteorder"]) != b"little":
            raise _damaged(path, "they were made for computers of the other byte order")
        super().__init__(io.BytesIO(archive.read(self._entries["data.pkl"])))

    def find_class(self, module: str, name: str) -> Any:
        if f"{module}.{name}" not in _NAMES:
            raise _Forbidden(f"{module}.{name}")
        return _NAMES[f"{module}.{name}"]

    def persistent_load(self, pid: Any) -> _Array:
        _, kind, key, _, count = pid
        if key not in self._storages:
            entry, numbers = self._entries[f"data/{key}"], np.dtype(kind)
            if entry.file_size != count * numbers.itemsize:
                raise _damaged(
                    self._path, f"the storage {quoted(key)} is not of the size that is named"
                )
            self._storages[key] = np.frombuffer(self._archive.read(entry), numbers)
        return self._storages[key]

    def _ignore(self: Any) -> None:
        """BUILD: what a dictionary of tensors says about itself beside them."""
        self.stack.pop()

    def _refuse(self) -> None:
        raise _Forbidden("an instruction that none of PyTorch's files holds")

    dispatch: ClassVar[dict[int, Any]] = {
        **dict.fromkeys(pickle._Unpickler.dispatch, _refuse),
        **{code[0]: pickle._Unpickler.dispatch[code[0]] for code in _INSTRUCTIONS},
        pickle.BUILD[0]: _ignore,
    }
