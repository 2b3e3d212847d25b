"""The bundled models, and small networks made on the spot whose answers can be foretold."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tiny_gguf
from networks import counting_network
from numpy.typing import NDArray

from veracite.models.bundled import BUNDLED
from veracite.models.generator import Generator
from veracite.models.llama import Model
from veracite.models.onnx import read_manifest
from veracite.models.verifier import LABELS, Verifier

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GGUF language model of two layers; not to be written to."""
    return tiny_gguf.make(tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="session")
def model(tiny_model: Path) -> Iterator[Model]:
    opened = Model(tiny_model, context=256, chunk=64, threads=1, gpu_layers=0)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def generator(tiny_model: Path) -> Iterator[Generator]:
    model = Model(tiny_model, context=256, chunk=64, threads=1, gpu_layers=0)
    with Generator(model, tiny_gguf.CHATML, "tiny", "0" * 64) as opened:
        yield opened


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    return (HERE / "sentences.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="session")
def reference_vectors() -> NDArray[np.float32]:
    """What the original network says in PyTorch (scripts/export_encoder.py)."""
    with np.load(HERE / "reference_vectors.npz") as stored:
        vectors: NDArray[np.float32] = stored["vectors"]
    return vectors


@pytest.fixture
def counting_verifier() -> Iterator[Verifier]:
    """A verifier that counts: supported : neutral : contradicted are in proportion to premise
    tokens : claim tokens : 1, each with the special tokens that belong to it."""
    base = read_manifest(BUNDLED / "verifier.json", "verifier")
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    details = {"labels": LABELS, "temperature": 1.0, "inputs": inputs}
    manifest = replace(base, name="counting", max_length=256, details=details)
    opened = Verifier(counting_network(), (BUNDLED / "tokenizer.json").read_bytes(), manifest)
    yield opened
    opened.close()
