"""A model from a Hugging Face folder into the three files that ours are made of."""

import hashlib
import json
from pathlib import Path

from veracite.models.conversion.as_encoder import as_encoder
from veracite.models.conversion.as_reranker import as_reranker
from veracite.models.conversion.source import read_source
from veracite.models.manifest import Manifest, read_manifest

__all__ = ["convert"]


def convert(folder: Path, out: Path, name: str, licence: str) -> Manifest:
    """Write encoder.onnx, tokenizer.json and encoder.json, and return what the last one says.

    Of a cross-encoder, reranker.onnx and reranker.json. Nothing that the folder holds is run.

    Args:
        folder: config.json, the tokenizer, and the weights in the format of safetensors or PyTorch,
            as published on Hugging Face, with sentence-transformers' files if there are any.
        out: An empty folder. What is in it after an error is of no use.
        name: What the model is to be called; SimCSE's encoders are known by theirs.
        licence: An SPDX expression.

    Raises:
        ModelError: a file is missing or damaged, or describes a model of another kind.
        OSError: ``out`` cannot be written.
    """
    source = read_source(folder)
    kind = "reranker" if source.reranks else "encoder"
    network, facts = as_reranker(source) if source.reranks else as_encoder(source, name)
    (out / f"{kind}.onnx").write_bytes(network)
    (out / "tokenizer.json").write_bytes(source.tokenizer)
    manifest = {
        "name": name,
        "version": "1",
        "file": f"{kind}.onnx",
        "sha256": hashlib.sha256(network).hexdigest(),
        "tokenizer": "tokenizer.json",
        "tokenizer_sha256": hashlib.sha256(source.tokenizer).hexdigest(),
        "licence": licence,
        "origin": f"{name}, converted from {source.weights_file.name}",
        "origin_sha256": source.weights_sha256(),
        **facts,
    }
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (out / f"{kind}.json").write_text(text, encoding="utf-8")
    return read_manifest(out / f"{kind}.json", kind)
