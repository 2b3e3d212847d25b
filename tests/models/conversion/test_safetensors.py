"""A safetensors file is read, or refused in words; its header is never taken at its word."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkpoints import write_header, write_safetensors

from veracite.models.conversion.weights import read_safetensors
from veracite.models.errors import ModelError

EIGHT = b"\0" * 8


def entry(shape: Any = (2,), offsets: Any = (0, 8), kind: Any = "F32") -> dict[str, Any]:
    return {"dtype": kind, "shape": shape, "data_offsets": offsets}


def test_numbers_come_back(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    arrays = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "none": np.zeros((0, 3), dtype=np.float32),
        "one": np.array(5, dtype=np.float32),
    }
    write_safetensors(path, arrays)
    found = read_safetensors(path)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)


def test_notes_and_an_order_of_its_own_are_allowed(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    data = np.array([1, 2, 3, 4], dtype=np.float32).tobytes()
    header = {"__metadata__": {"format": "pt"}, "b": entry(offsets=(8, 16)), "a": entry()}
    write_header(path, header, data)
    found = read_safetensors(path)
    assert [found[name].tolist() for name in "ab"] == [[1, 2], [3, 4]]


LIES: dict[str, tuple[Any, bytes]] = {
    "not JSON": (b"{", b""),
    "not UTF-8": (b'{"\xff": 1}', b""),
    "a list": ([], b""),
    "deep": (b"[" * 100_000, b""),
    "no shape": ({"a": {"dtype": "F32", "data_offsets": [0, 8]}}, EIGHT),
    "no object": ({"a": 1}, EIGHT),
    "an unknown type": ({"a": entry(kind="F31")}, EIGHT),
    "a type of lists": ({"a": entry(kind=["F32"])}, EIGHT),
    "a negative shape": ({"a": entry(shape=(-1, -2))}, EIGHT),
    "a fractional shape": ({"a": entry(shape=(2.0,))}, EIGHT),
    "a true shape": ({"a": entry(shape=(True, 2))}, EIGHT),
    "a shape of text": ({"a": entry(shape="2")}, EIGHT),
    "a huge shape": ({"a": entry(shape=(2**62, 4))}, EIGHT),
    "many dimensions": ({"a": entry(shape=(2, *(1,) * 5000))}, EIGHT),
    "another size": ({"a": entry(shape=(3,))}, EIGHT),
    "three offsets": ({"a": entry(offsets=(0, 8, 8))}, EIGHT),
    "offsets backwards": ({"a": entry(offsets=(8, 0))}, EIGHT),
    "offsets before the data": ({"a": entry(offsets=(-8, 0))}, EIGHT),
    "beyond the end": ({"a": entry()}, EIGHT[:7]),
    "bytes left over": ({"a": entry()}, EIGHT + b"\0"),
    "a hole": ({"a": entry(), "b": entry(offsets=(12, 20))}, EIGHT * 3),
    "overlap": ({"a": entry(), "b": entry(offsets=(4, 12))}, EIGHT * 2),
    "the same place": ({"a": entry(), "b": entry()}, EIGHT),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_is_refused(tmp_path: Path, lie: str) -> None:
    path = tmp_path / "model.safetensors"
    write_header(path, *LIES[lie])
    with pytest.raises(ModelError, match="are damaged"):
        read_safetensors(path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\1\0",
        b"\xff" * 8 + b"{}",
        (2**40).to_bytes(8, "little") + b"{}",
        (3).to_bytes(8, "little") + b"{}",
    ],
)
def test_a_file_that_ends_early_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(ModelError, match="are damaged"):
        read_safetensors(path)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        with pytest.raises(ModelError, match="cannot be read"):
            read_safetensors(path)
