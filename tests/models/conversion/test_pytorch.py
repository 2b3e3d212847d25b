"""A PyTorch file gives its tensors, and none that reaches beyond what the file holds."""

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from torch_files import dictionary, number, tensor, write_archive, write_pytorch

from veracite.models.conversion.weights import read_pytorch
from veracite.models.errors import ModelError

SIX = np.arange(6, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pytorch_model.bin"


def refusal(path: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        read_pytorch(path)
    return caught.value


def test_numbers_come_back(path: Path) -> None:
    arrays = {"a": SIX.reshape(2, 3), "one": np.array(5, dtype=np.float32)}
    write_pytorch(path, arrays)
    found = read_pytorch(path)
    assert found.keys() == arrays.keys()
    for name, array in arrays.items():
        assert found[name].shape == array.shape
        np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "expected"),
    [
        ((3, 2), (1, 3), 0, [[0, 3], [1, 4], [2, 5]]),
        ((2,), (3,), 2, [2, 5]),
        ((2, 0), (1, 1), 5, [[], []]),
        ((), (), 5, 5),
    ],
)
def test_a_tensor_may_be_any_view_of_its_storage(
    path: Path, shape: Any, strides: Any, offset: int, expected: Any
) -> None:
    content = dictionary([("a", tensor("0", 6, shape, strides, offset))])
    write_archive(path, content, {"0": SIX.tobytes()})
    assert read_pytorch(path)["a"].tolist() == expected


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [
        ((7,), (1,), 0),
        ((6,), (1,), 1),
        ((2, 3), (4, 1), 0),
        ((2,), (2**40,), 0),
        ((2**31, 2**31), (0, 0), 0),
        ((7,), (0,), 0),
        ((0,), (1,), -1),
        ((-1, -6), (1, 1), 0),
        ((6,), (-1,), 5),
        ((6,), (1, 1), 0),
        ((1,) * 64, (1,) * 64, 0),
    ],
)
def test_a_tensor_that_reaches_beyond_its_storage_is_refused(
    path: Path, shape: Any, strides: Any, offset: int
) -> None:
    content = dictionary([("a", tensor("0", 6, shape, strides, offset))])
    write_archive(path, content, {"0": SIX.tobytes()})
    assert "are damaged" in refusal(path).message


def test_a_storage_of_another_size_than_is_named_is_refused(path: Path) -> None:
    for count, content in ((2**50, SIX.tobytes()), (6, SIX.tobytes()[:-4]), (6, b"")):
        write_archive(path, dictionary([("a", tensor("0", count, (6,), (1,)))]), {"0": content})
        assert "is not of the size that is named" in refusal(path).message
    write_archive(path, dictionary([("a", tensor("0", 6, (6,), (1,)))]), {})
    assert "are damaged" in refusal(path).message


def test_a_zip_that_lies_about_a_size_is_refused(path: Path) -> None:
    write_archive(path, dictionary([("a", tensor("0", 10**6, (10**6,), (1,)))]), {"0": b"1234"})
    content = bytearray(path.read_bytes())
    place = content.rindex(b"model/data/0") - 46  # its entry in the zip's directory
    content[place + 24 : place + 28] = (4 * 10**6).to_bytes(4, "little")
    path.write_bytes(content)
    assert "are damaged" in refusal(path).message


def test_what_is_beside_the_tensors_is_left_out(path: Path) -> None:
    parts = [("epoch", number(3)), ("a", tensor("0", 6, (6,), (1,))), ("notes", b"]")]
    write_archive(path, dictionary(parts), {"0": SIX.tobytes()})
    assert read_pytorch(path).keys() == {"a"}


def archive(compression: int = zipfile.ZIP_STORED, **files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name, content in files.items():
            made.writestr(f"model/{name.replace('_', '.')}", content)
    return stream.getvalue()


FILES = {
    "empty": (b"", "no file that PyTorch writes"),
    "text": (b"weights", "no file that PyTorch writes"),
    "another zip": (archive(readme_md=b"hello"), "no file that PyTorch writes"),
    "compressed": (archive(zipfile.ZIP_DEFLATED, data_pkl=b"\x80\x02}."), "are compressed"),
    "a bomb": (archive(data_pkl=b"0" * 5_000_000), "absurdly long"),
    "big-endian": (archive(data_pkl=b"\x80\x02}.", byteorder=b"big"), "other byte order"),
    "legacy": (
        pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2),
        "before version 1.6",
    ),
}


@pytest.mark.parametrize("file", FILES)
def test_files_of_another_kind_are_refused_by_name(path: Path, file: str) -> None:
    content, reason = FILES[file]
    path.write_bytes(content)
    assert reason in refusal(path).message


def test_two_files_of_one_name_are_refused(path: Path) -> None:
    write_archive(path, dictionary([]), {})
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as twice:
        twice.writestr("model/data.pkl", b"\x80\x02}.")
    assert "no file that PyTorch writes" in refusal(path).message


def test_a_changed_number_is_noticed(path: Path) -> None:
    write_pytorch(path, {"a": SIX})
    content = path.read_bytes()
    place = content.index(SIX.tobytes())
    path.write_bytes(content[: place + 6] + b"\x01" + content[place + 7 :])
    assert "are damaged" in refusal(path).message


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing"):
        assert refusal(path)
