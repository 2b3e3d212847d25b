"""The models that ship inside the package, and such as take their place, verified before use."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from veracite.models.encoder import Encoder
from veracite.models.errors import ModelError
from veracite.models.onnx import read_manifest, read_network
from veracite.models.verifier import Scale, Verifier

_Network = TypeVar("_Network")

BUNDLED = Path(__file__).parent
"""Folder of the weights, the tokenizer, their manifests and the NOTICE of origin and licence."""


def bundled_encoder(threads: int | None = None, folder: Path = BUNDLED) -> Encoder:
    """Open the sentence encoder; takes some 0.3 seconds.

    Args:
        threads: Number of cores to use; all physical ones by default.
        folder: Where ``encoder.json`` and the files it names are.

    Raises:
        ModelError: a file is missing or its SHA-256 is not the manifest's.
    """
    return Encoder(*read_network(folder, "encoder"), threads)


def stored_encoder(folder: Path, threads: int | None = None) -> Encoder:
    """Open an encoder of the store.

    Raises:
        ModelError: A file is missing or is not what the manifest says.
    """
    return stored(Encoder, folder, "encoder", threads)


def stored(make: Callable[..., _Network], folder: Path, kind: str, threads: int | None) -> _Network:
    """Open a network of the store, by the class that reads it.

    Raises:
        ModelError: A file is missing or is not what the manifest says.
    """
    try:
        return make(*read_network(folder, kind), threads)
    except (ModelError, KeyError, TypeError, ValueError) as error:
        raise ModelError(
            f"The {kind} in {folder} is missing or damaged.",
            "Fetch or import it again, or choose another one with `veracite models use`.",
            "damaged in the store",
        ) from error


def bundled_id(kind: str) -> str:
    """The id of the bundled encoder or verifier, which is not opened for that.

    Raises:
        ModelError: Its manifest is missing or damaged.
    """
    return read_manifest(BUNDLED / f"{kind}.json", kind).id


def bundled_verifier(threads: int | None = None, folder: Path = BUNDLED) -> Verifier:
    """Open the verifier; as ``bundled_encoder``, with ``verifier.json``."""
    return Verifier(*read_network(folder, "verifier"), threads)


def stored_verifier(
    folder: Path, labels: Sequence[str], scale: Scale | None = None, threads: int | None = None
) -> Verifier:
    """Open a verifier of the store.

    Args:
        labels: Which of ours the network's numbers mean, in their order.
        scale: On which its probabilities are given, if not on its own.
        threads: Number of cores to use; all physical ones by default.

    Raises:
        ModelError: A file is missing or is not what the manifest says.
    """
    labelled = partial(Verifier, labels=labels, scale=scale)
    return stored(labelled, folder, "verifier", threads)
