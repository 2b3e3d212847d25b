"""What ships is verified before it is loaded, and nothing heavy is loaded before it is needed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import pytest
from damage import flip
from onnx import numpy_helper

from veracite.models.bundled import BUNDLED, bundled_encoder
from veracite.models.errors import ModelError

DAMAGES: dict[str, Callable[[Path], object]] = {
    "no network": lambda folder: (folder / "encoder.onnx").unlink(),
    "no manifest": lambda folder: (folder / "encoder.json").unlink(),
    "a bit of the network": lambda folder: flip(folder / "encoder.onnx"),
    "a bit of the tokenizer": lambda folder: flip(folder / "tokenizer.json"),
    "an empty manifest": lambda folder: (folder / "encoder.json").write_bytes(b"{}"),
    "a manifest of no text": lambda folder: (folder / "encoder.json").write_bytes(b"\xff\xfe"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_missing_or_damaged_is_noticed(tmp_path: Path, damage: str) -> None:
    for name in ("encoder.onnx", "encoder.json", "tokenizer.json"):
        shutil.copy(BUNDLED / name, tmp_path / name)
    DAMAGES[damage](tmp_path)
    with pytest.raises(ModelError) as caught:
        bundled_encoder(folder=tmp_path)
    assert caught.value.message == "The bundled encoder is missing or damaged."
    assert "Install Veracite again" in caught.value.advice


@pytest.mark.parametrize("manifest", sorted(BUNDLED.glob("*.json")), ids=lambda path: path.name)
def test_the_notice_names_every_weights_file(manifest: Path) -> None:
    details = json.loads(manifest.read_text(encoding="utf-8"))
    if "sha256" in details:
        assert details["file"] in (BUNDLED / "NOTICE").read_text(encoding="utf-8")


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
