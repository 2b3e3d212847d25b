"""Weights are read from both formats, or refused in words; nothing in a pickle is run."""

import io
import os
import pickle
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkpoints import write_header
from torch_files import dictionary, tensor, write_archive

from veracite.models.conversion import read_pytorch, read_safetensors
from veracite.models.errors import ModelError

SIX = np.arange(6, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pytorch_model.bin"


def refusal(path: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        read_pytorch(path)
    return caught.value


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "expected"),
    [
        ((3, 2), (1, 3), 0, [[0, 3], [1, 4], [2, 5]]),
        ((2,), (3,), 2, [2, 5]),
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
        ((2, 3), (4, 1), 0),
        ((2,), (2**40,), 0),
        ((2**31, 2**31), (0, 0), 0),
        ((0,), (1,), -1),
        ((-1, -6), (1, 1), 0),
        ((6,), (-1,), 5),
        ((6,), (1, 1), 0),
        ((1,) * 64, (1,) * 64, 0),
    ],
)
def test_a_tensor_beyond_its_storage(path: Path, shape: Any, strides: Any, offset: int) -> None:
    content = dictionary([("a", tensor("0", 6, shape, strides, offset))])
    write_archive(path, content, {"0": SIX.tobytes()})
    assert "are damaged" in refusal(path).message


def archive(compression: int = zipfile.ZIP_STORED, **files: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as made:
        for name, content in files.items():
            made.writestr(f"model/{name.replace('_', '.')}", content)
    return stream.getvalue()


OTHER, DAMAGED = "no file that PyTorch writes", "are damaged"


def pickled(content: bytes) -> bytes:
    """Weights of this pickle."""
    return archive(data_pkl=content, byteorder=b"little", **{"data/0": SIX.tobytes()})


REFUSED = {
    "text": (b"weights", OTHER),
    "another zip": (archive(readme_md=b"hello"), OTHER),
    "compressed": (archive(zipfile.ZIP_DEFLATED, data_pkl=b"\x80\x02}."), OTHER),
    "a bomb": (archive(data_pkl=b"0" * 5_000_000), OTHER),
    "big-endian": (archive(data_pkl=b"\x80\x02}.", byteorder=b"big"), OTHER),
    "before 1.6": (pickle.dumps(0x1950A86A20F9469CFC6C, 2) + pickle.dumps(1001, 2), OTHER),
    "empty": (pickled(b""), DAMAGED),
    "no end": (pickled(b"\x80\x02}"), DAMAGED),
    "calls a storage": (pickled(b"\x80\x02ctorch\nFloatStorage\n)R."), DAMAGED),
    "an endless text": (pickled(b"\x80\x02X\xff\xff\xff\x7f"), DAMAGED),
    "an endless array": (pickled(b"\x80\x05\x96\0\0\0\0\0\1\0\0."), DAMAGED),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_and_damaged_files_are_refused(path: Path, name: str) -> None:
    content, reason = REFUSED[name]
    path.write_bytes(content)
    assert reason in refusal(path).message


class Payload:
    """Runs something when it is unpickled."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._run = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._run


PAYLOADS: dict[str, Callable[[str], object]] = {
    "os.system": lambda mark: Payload(os.system, f"touch {mark}"),
    "builtins.eval": lambda mark: Payload(eval, f"open({mark!r}, 'w')"),
    "subprocess": lambda mark: Payload(subprocess.call, ["touch", mark]),
    "getattr": lambda mark: Payload(getattr, Payload(__import__, "os"), "system"),
    "in a tensor's place": lambda mark: {"a": Payload(os.mkdir, mark)},
    "in a list in a key": lambda mark: {("a", Payload(os.mkdir, mark)): [1]},
    "a class": lambda mark: {"a": Path(mark)},
}


@pytest.mark.parametrize("protocol", [0, 5])
@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_in_a_pickle_is_run(
    path: Path, tmp_path: Path, payload: str, protocol: int
) -> None:
    mark = tmp_path / "ran"
    content = pickle.dumps(PAYLOADS[payload](str(mark)), protocol)
    write_archive(path, content, {})
    error = refusal(path)
    assert not mark.exists()
    assert "may run a program" in error.message
    assert "model.safetensors" in error.advice


GLOBALS = [
    "os system",
    "torch._utils _rebuild_tensor_v2.__globals__",
    "collections OrderedDict.fromkeys",
    "\x1b[31m \x07",
]


@pytest.mark.parametrize("name", GLOBALS)
def test_a_name_that_tensors_do_not_need_is_refused_and_said(path: Path, name: str) -> None:
    module, _, attribute = name.partition(" ")
    write_archive(path, b"\x80\x02c%s\n%s\n." % (module.encode(), attribute.encode()), {})
    error = refusal(path)
    assert ascii(f"{module}.{attribute}") in error.message
    assert error.message.isprintable()


EIGHT = b"\0" * 8


def entry(shape: Any = (2,), offsets: Any = (0, 8), kind: Any = "F32") -> dict[str, Any]:
    return {"dtype": kind, "shape": shape, "data_offsets": offsets}


LIES: dict[str, tuple[Any, bytes]] = {
    "not JSON": (b"{", b""),
    "a huge shape": ({"a": entry(shape=(2**62, 4))}, EIGHT),
    "another size": ({"a": entry(shape=(3,))}, EIGHT),
    "beyond the end": ({"a": entry()}, EIGHT[:7]),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_is_refused(tmp_path: Path, lie: str) -> None:
    path = tmp_path / "model.safetensors"
    write_header(path, *LIES[lie])
    with pytest.raises(ModelError, match="are damaged"):
        read_safetensors(path)
