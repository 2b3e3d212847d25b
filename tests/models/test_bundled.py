"""What ships is verified before it is loaded, and nothing heavy is loaded before it is needed."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from veracite.models.bundled import BUNDLED, bundled_encoder, bundled_verifier
from veracite.models.errors import ModelError


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("encoder.onnx", "encoder.json", "tokenizer.json"):
        shutil.copy(BUNDLED / name, tmp_path / name)
    return tmp_path


def refusal(folder: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        bundled_encoder(folder=folder)
    return caught.value


@pytest.mark.parametrize("name", ["encoder.onnx", "encoder.json", "tokenizer.json"])
def test_a_missing_file_is_named_as_the_reason(copy: Path, name: str) -> None:
    (copy / name).unlink()
    error = refusal(copy)
    assert error.message == "The bundled encoder is missing or damaged."
    assert "Install Veracite again" in error.advice


@pytest.mark.parametrize("name", ["encoder.onnx", "tokenizer.json"])
def test_one_changed_bit_is_noticed(copy: Path, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    assert refusal(copy).message == "The bundled encoder is missing or damaged."


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"not json", b"\xff\xfe"])
def test_a_damaged_manifest_is_noticed(copy: Path, content: bytes) -> None:
    (copy / "encoder.json").write_bytes(content)
    assert refusal(copy).message == "The bundled encoder is missing or damaged."


def test_the_verifier_is_called_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="The bundled verifier is missing or damaged"):
        bundled_verifier(folder=tmp_path)


@pytest.mark.parametrize("manifest", sorted(BUNDLED.glob("*.json")), ids=lambda path: path.name)
def test_the_notice_names_every_weights_file(manifest: Path) -> None:
    details = json.loads(manifest.read_text(encoding="utf-8"))
    if "sha256" in details:
        assert details["file"] in (BUNDLED / "NOTICE").read_text(encoding="utf-8")


def test_importing_the_room_loads_nothing_heavy() -> None:
    modules = sorted(
        f"veracite.models.{path.stem}"
        for path in BUNDLED.parent.glob("*.py")
        if path.stem[0] != "_"
    )
    assert "veracite.models.onnx" in modules
    code = f"import sys, veracite.models.bundled, {', '.join(modules)}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"onnxruntime", "tokenizers", "huggingface_hub", "torch", "llama_cpp"} & set(
        done.stdout.split()
    )


def test_no_two_neighbouring_weights_overflow_sums_of_16_bits() -> None:
    network = onnx.load(str(BUNDLED / "verifier.onnx")).graph
    matrices = [
        numpy_helper.to_array(tensor).astype(int)
        for tensor in network.initializer
        if tensor.name.startswith("encoder.") and tensor.name.endswith(".int8")
    ]
    assert len(matrices) == 48
    for matrix in matrices:
        even = np.abs(matrix[: len(matrix) // 2 * 2])
        assert (even[0::2] + even[1::2]).max() * 255 < 2**15
