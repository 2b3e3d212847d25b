"""A sentence encoder from a Hugging Face folder into the three files that ``Encoder`` opens."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from veracite.models.conversion.configuration import Configuration, read_configuration
from veracite.models.conversion.folder import optional_json, read_modules, unsupported
from veracite.models.conversion.network import Size, build, size
from veracite.models.conversion.simcse import ceg_threshold, simcse_pooling
from veracite.models.conversion.tensors import Floats
from veracite.models.conversion.threshold import matched_threshold, sample_texts
from veracite.models.conversion.tokenizer import tokenizer_definition
from veracite.models.conversion.weights import Weights, find_weights
from veracite.models.encoder import Encoder
from veracite.models.manifest import Manifest, read_manifest
from veracite.models.tokens import Tokenizer

__all__ = ["convert"]

_LONGEST = 512
"""Tokens; the index makes no longer passages."""

_LEAST_COSINE = 0.99
"""Weights are stored as int8 unless that turns some sample text's vector further than this."""


@dataclass(frozen=True, slots=True)
class _Source:
    """What was found in the folder."""

    configuration: Configuration
    weights: Weights
    size: Size
    tokenizer: bytes
    pooling: str
    """mean, cls, or pooler."""
    max_length: int


def convert(folder: Path, out: Path, name: str, licence: str) -> Manifest:
    """Write encoder.onnx, tokenizer.json and encoder.json, and return what the last one says.

    Nothing that the folder holds is run.

    Args:
        folder: config.json, the tokenizer, and the weights in the format of safetensors or PyTorch,
            as published on Hugging Face, with sentence-transformers' files if there are any.
        out: An empty folder. What is in it after an error is of no use.
        name: What the encoder is to be called; SimCSE's models are known by theirs.
        licence: An SPDX expression.

    Raises:
        ModelError: a file is missing or damaged, or describes a model of another kind.
        OSError: ``out`` cannot be written.
    """
    modules = read_modules(folder)
    weights_file = find_weights(modules.transformer)
    source = _read(modules.transformer, weights_file, modules.pooling or simcse_pooling(name))
    network, precision, vectors = _network(source)
    threshold, threshold_origin = ceg_threshold(name), "CEG's own, for this encoder"
    if threshold is None:
        threshold, threshold_origin = matched_threshold(vectors)
    (out / "encoder.onnx").write_bytes(network)
    (out / "tokenizer.json").write_bytes(source.tokenizer)
    manifest = {
        "name": name,
        "version": "1",
        "file": "encoder.onnx",
        "sha256": hashlib.sha256(network).hexdigest(),
        "tokenizer": "tokenizer.json",
        "tokenizer_sha256": hashlib.sha256(source.tokenizer).hexdigest(),
        "licence": licence,
        "origin": f"{name}, converted from {weights_file.name}",
        "origin_sha256": _sha256(weights_file),
        **_reading(source),
        "quantisation": precision,
        "threshold": threshold,
        "threshold_origin": threshold_origin,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (out / "encoder.json").write_text(text, encoding="utf-8")
    return read_manifest(out / "encoder.json", "encoder")


def _read(folder: Path, weights_file: Path, pooling: str | None) -> _Source:
    configuration = read_configuration(folder / "config.json")
    weights = Weights(weights_file, configuration.family)
    sizes = size(weights, configuration)
    sentence = optional_json(folder / "sentence_bert_config.json")
    definition = tokenizer_definition(folder, lowercase=sentence.get("do_lower_case") is True)
    tokenizer = (json.dumps(definition, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
    if Tokenizer(tokenizer).largest() >= sizes.vocabulary:
        raise unsupported("its tokenizer knows more tokens than its weights")
    told = (
        sentence.get("max_seq_length"),
        optional_json(folder / "tokenizer_config.json").get("model_max_length"),
    )
    limits = [limit for limit in told if type(limit) is int and limit > 2]
    return _Source(
        configuration=configuration,
        weights=weights,
        size=sizes,
        tokenizer=tokenizer,
        # What sentence-transformers does with a folder that does not say.
        pooling=pooling or "mean",
        max_length=min(*limits, _LONGEST, sizes.tokens),
    )


def _network(source: _Source) -> tuple[bytes, str, Floats]:
    """The ONNX file, how its weights are stored, and its vectors of the sample texts."""
    exact = _built(source, int8=False)
    expected = _vectors(source, exact)
    if not np.isfinite(expected).all():
        raise unsupported("its vectors are no numbers")
    small = _built(source, int8=True)
    vectors = _vectors(source, small)
    cosine = float((vectors * expected).sum(axis=1).min())
    if cosine >= _LEAST_COSINE:
        return (
            small,
            f"int8 weights, float32 arithmetic; cosine to float32 >= {cosine:.4f}",
            vectors,
        )
    return exact, f"float32, since int8 weights gave a cosine of {cosine:.4f}", expected


def _built(source: _Source, *, int8: bool) -> bytes:
    return build(
        source.weights,
        source.configuration,
        pooler=source.pooling == "pooler",
        int8=int8,
        # An encoder's id is made from this file's hash: who reads otherwise needs another id.
        note=json.dumps(_reading(source), sort_keys=True),
    )


def _vectors(source: _Source, network: bytes) -> Floats:
    manifest = Manifest(
        name="converted",
        version="1",
        file="",
        sha256="",
        tokenizer="",
        tokenizer_sha256="",
        licence="",
        origin="",
        max_length=source.max_length,
        details={**_reading(source), "threshold": 0},
    )
    encoder = Encoder(network, source.tokenizer, manifest)
    try:
        with np.errstate(invalid="ignore"):  # what comes of it is looked at
            return encoder.encode(sample_texts())
    finally:
        encoder.close()


def _reading(source: _Source) -> Mapping[str, Any]:
    """The manifest's facts that decide about vectors, beside the weights and the tokenizer."""
    return {
        "max_length": source.max_length,
        "dimension": source.size.width,
        # The pooler is in the network.
        "pooling": "mean" if source.pooling == "mean" else "cls",
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
