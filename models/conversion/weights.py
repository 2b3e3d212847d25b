"""A network's weights under one set of names, whatever its family calls them."""

from pathlib import Path

import numpy as np

from veracite.models.conversion.folder import unsupported
from veracite.models.conversion.pytorch import read_pytorch
from veracite.models.conversion.safetensors import read_safetensors
from veracite.models.conversion.tensors import Floats, Tensor, Tensors, damaged
from veracite.models.errors import ModelError

__all__ = ["Weights", "find_weights"]

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
_DISTILBERT = {
    "query": "transformer.layer.{}.attention.q_lin",
    "key": "transformer.layer.{}.attention.k_lin",
    "value": "transformer.layer.{}.attention.v_lin",
    "attended": "transformer.layer.{}.attention.out_lin",
    "attended norm": "transformer.layer.{}.sa_layer_norm",
    "inner": "transformer.layer.{}.ffn.lin1",
    "outer": "transformer.layer.{}.ffn.lin2",
    "outer norm": "transformer.layer.{}.output_layer_norm",
}
_FAMILIES = {"bert": _BERT, "roberta": _BERT, "mpnet": _MPNET, "distilbert": _DISTILBERT}


def find_weights(folder: Path) -> Path:
    """The weights file of a folder; safetensors where there is a choice.

    Raises:
        ModelError: there is none, or they are spread over several files.
    """
    for name in ("model.safetensors", "pytorch_model.bin"):
        if (folder / name).is_file():
            return folder / name
    if any(folder.glob("*.index.json")):
        raise unsupported("its weights are spread over several files")
    raise ModelError(
        f"The folder {folder} holds no model.safetensors and no pytorch_model.bin.",
        "Give the whole folder, as it is published on Hugging Face.",
    )


class Weights:
    """The weights of a network of one family.

    A checkpoint may hold the encoder inside something larger ("bert.", "roberta.", "0.auto_model."
    and so on): the prefix is whatever stands before the word embeddings. The names of what is
    outside the encoder, such as "classifier", have none.

    Args:
        path: A file in the format of safetensors, or of PyTorch.
        family: bert, roberta, mpnet or distilbert.

    Raises:
        ModelError: the file is damaged, or holds no encoder, or several. The methods raise it
            where an array is missing or of another shape than it must have.
    """

    def __init__(self, path: Path, family: str) -> None:
        read = read_safetensors if path.suffix == ".safetensors" else read_pytorch
        self._path = path
        self._tensors: Tensors = read(path)
        self._parts = _FAMILIES[family]
        prefixes = [
            name.removesuffix(_WORDS)
            for name in self._tensors
            if name == _WORDS or name.endswith(f".{_WORDS}")
        ]
        if len(prefixes) != 1:
            raise unsupported(f"its weights hold {len(prefixes)} encoders")
        self._prefix = prefixes[0]

    def part(self, part: str, layer: int) -> str:
        """What the family calls a part of a layer: query, key, value, attended, ..."""
        return self._parts[part].format(layer)

    def has(self, name: str) -> bool:
        """Whether there is an array of this name (the prefix always left out)."""
        return not {self._prefix + name, name}.isdisjoint(self._tensors)

    def rows(self, name: str) -> int:
        """The first of an array's dimensions."""
        shape = self._tensor(name).shape
        if not shape or 0 in shape:
            raise damaged(self._path, f"{name} is empty")
        return shape[0]

    def width(self) -> int:
        """Numbers in a token's vector."""
        shape = self._tensor(_WORDS).shape
        if len(shape) != 2 or 0 in shape:
            raise damaged(self._path, f"{_WORDS} is no table")
        return shape[1]

    def table(self, name: str, columns: int) -> Floats:
        """An array of two dimensions: shape (rows, columns)."""
        return self._array(f"{name}.weight", self.rows(f"{name}.weight"), columns)

    def dense(self, name: str, inputs: int, outputs: int) -> tuple[Floats, Floats]:
        """A dense layer: shapes (inputs, outputs), to multiply rows by, and (outputs,)."""
        weight = self._array(f"{name}.weight", outputs, inputs)
        return np.ascontiguousarray(weight.T), self._array(f"{name}.bias", outputs)

    def norm(self, name: str, width: int) -> tuple[Floats, Floats]:
        """Scale and shift of a layer normalisation, each of shape (width,).

        Checkpoints that come from TensorFlow call them gamma and beta.
        """
        old = self.has(f"{name}.gamma")
        scale, shift = ("gamma", "beta") if old else ("weight", "bias")
        return self._array(f"{name}.{scale}", width), self._array(f"{name}.{shift}", width)

    def _array(self, name: str, *shape: int) -> Floats:
        tensor = self._tensor(name)
        if tensor.shape != shape:
            raise damaged(self._path, f"{name} has the shape {tensor.shape}, not {shape}")
        return tensor.read()

    def _tensor(self, name: str) -> Tensor:
        if not self.has(name):
            raise damaged(self._path, f"{name} is missing")
        return self._tensors.get(self._prefix + name) or self._tensors[name]
