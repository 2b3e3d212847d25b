"""Weights in a file: their shapes, and how each is read as float32."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veracite.models.errors import ModelError

__all__ = ["SIZES", "Floats", "Tensor", "Tensors", "as_floats", "damaged"]

Floats = NDArray[np.float32]

SIZES = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E5M2", "F8_E4M3"), 1),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 2),
    **dict.fromkeys(("U32", "I32", "F32"), 4),
    **dict.fromkeys(("U64", "I64", "F64"), 8),
}
"""Bytes of a number, by safetensors' names of their types."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array of weights, of which only the place is known until it is read."""

    shape: tuple[int, ...]
    read: Callable[[], Floats]
    """The numbers, in a new array of this shape; raises ``ModelError``."""


Tensors = Mapping[str, Tensor]


def damaged(path: Path, reason: str) -> ModelError:
    """Says that weights cannot be what their file says they are."""
    return ModelError(
        f"The weights {path} are damaged: {reason}.", "Copy or download them once more."
    )


def as_floats(path: Path, raw: bytes, kind: str) -> Floats:
    """The numbers of a type out of ``SIZES`` as float32, in one dimension.

    Raises:
        ModelError: they are no floating point numbers, or some are infinite or undefined.
    """
    if kind == "BF16":  # the upper half of a float32
        numbers = (np.frombuffer(raw, "<u2").astype(np.uint32) << 16).view(np.float32)
    elif kind in ("F16", "F32", "F64"):
        with np.errstate(over="ignore"):
            numbers = np.frombuffer(raw, f"<f{SIZES[kind]}").astype(np.float32)
    else:
        raise ModelError(
            f"The weights {path} are stored as {kind}, which is not supported.",
            "Use the version of the model that is stored as float32, float16 or bfloat16.",
        )
    if not np.isfinite(numbers).all():
        raise damaged(path, "they hold values that are no numbers")
    return numbers
