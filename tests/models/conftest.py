"""The bundled models, and small networks made on the spot whose answers can be foretold."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import tiny_gguf
from networks import counting_network, doubling_network
from numpy.typing import NDArray

from veracite.models.bundled import BUNDLED, bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.generator import Generator
from veracite.models.llama import Model
from veracite.models.onnx import Manifest, read_manifest
from veracite.models.verifier import Verifier

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def encoder() -> Iterator[Encoder]:
    opened = bundled_encoder()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def verifier() -> Iterator[Verifier]:
    opened = bundled_verifier()
    yield opened
    opened.close()


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
    with Generator(model, tiny_gguf.CHATML, "tiny@0") as opened:
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
def counting_verifier() -> Iterator[Callable[..., Verifier]]:
    """Makes verifiers that count: supported : neutral : contradicted are in proportion to
    premise tokens : claim tokens : 1, each with the special tokens that belong to it."""
    opened = []

    def make(
        labels: tuple[str, ...] = ("supported", "neutral", "contradicted"),
        temperature: float = 1.0,
    ) -> Verifier:
        manifest = verifier_manifest(labels, temperature)
        tokenizer = (BUNDLED / "tokenizer.json").read_bytes()
        opened.append(Verifier(counting_network(), tokenizer, manifest))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def verifier_manifest(labels: tuple[str, ...], temperature: float) -> Manifest:
    base = read_manifest(BUNDLED / "encoder.json", "encoder")
    return Manifest(
        name="counting",
        version="1",
        file="",
        sha256="0" * 64,
        tokenizer=base.tokenizer,
        tokenizer_sha256=base.tokenizer_sha256,
        licence="Apache-2.0",
        origin="made on the spot",
        max_length=256,
        details={
            "labels": list(labels),
            "temperature": temperature,
            "inputs": ["input_ids", "attention_mask", "token_type_ids"],
        },
    )


@pytest.fixture
def doubling() -> Callable[[int], bytes]:
    """Makes networks that double their input ``turns`` times, one small step after the other."""
    return doubling_network
