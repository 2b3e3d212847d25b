"""The bundled models, and small networks made on the spot whose answers can be foretold."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import pytest
import tiny_gguf
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from veracite.models.bundled import BUNDLED, bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.manifest import Manifest, read_manifest
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


def counting_network() -> bytes:
    """A cross-encoder whose logits are logarithms of (tokens of type 0, of type 1, one)."""
    nodes = [
        helper.make_node("Mul", ["token_type_ids", "attention_mask"], ["second"]),
        helper.make_node("Sub", ["attention_mask", "second"], ["first"]),
        helper.make_node("ReduceSum", ["first", "axis"], ["premise"], keepdims=1),
        helper.make_node("ReduceSum", ["second", "axis"], ["claim"], keepdims=1),
        helper.make_node("Sign", ["claim"], ["one"]),
        # The ids take part so that the network has the inputs of a real one.
        helper.make_node("ReduceMax", ["input_ids"], ["largest"], axes=[1], keepdims=1),
        helper.make_node("Sign", ["largest"], ["also_one"]),
        helper.make_node("Mul", ["one", "also_one"], ["last"]),
        helper.make_node("Concat", ["premise", "claim", "last"], ["counts"], axis=1),
        helper.make_node("Cast", ["counts"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("Log", ["floats"], ["logits"]),
    ]
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "counting",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 3])],
        [numpy_helper.from_array(np.array([1], dtype=np.int64), "axis")],
    )
    return as_bytes(graph)


def doubling_network(turns: int) -> bytes:
    body = helper.make_graph(
        [
            helper.make_node("Identity", ["go_on"], ["still"]),
            helper.make_node("Add", ["so_far", "so_far"], ["more"]),
        ],
        "body",
        [
            helper.make_tensor_value_info("turn", TensorProto.INT64, []),
            helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("so_far", TensorProto.INT64, [1, 1]),
        ],
        [
            helper.make_tensor_value_info("still", TensorProto.BOOL, []),
            helper.make_tensor_value_info("more", TensorProto.INT64, [1, 1]),
        ],
    )
    graph = helper.make_graph(
        [helper.make_node("Loop", ["turns", "", "input_ids"], ["sum"], body=body)],
        "doubling",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, 1])],
        [helper.make_tensor_value_info("sum", TensorProto.INT64, [1, 1])],
        [numpy_helper.from_array(np.array(turns, dtype=np.int64), "turns")],
    )
    return as_bytes(graph)


def as_bytes(graph: onnx.GraphProto) -> bytes:
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    content: bytes = model.SerializeToString()
    return content


@pytest.fixture
def doubling() -> Callable[[int], bytes]:
    """Makes networks that double their input ``turns`` times, one small step after the other."""
    return doubling_network
