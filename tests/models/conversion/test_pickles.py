"""Nothing that a pickle asks for is run, and no damage to one does any harm."""

import os
import pickle
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from torch_files import dictionary, number, steps, tensor, text, tuple_of, write_archive

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


class Payload:
    """Runs something when it is unpickled."""

    def __init__(self, function: Callable[..., object], *arguments: object) -> None:
        self._run = function, arguments

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return self._run


PAYLOADS: dict[str, Callable[[str], object]] = {
    "os.system": lambda mark: Payload(os.system, f"touch {mark}"),
    "builtins.eval": lambda mark: Payload(eval, f"open({mark!r}, 'w')"),
    "builtins.exec": lambda mark: Payload(exec, f"open({mark!r}, 'w')"),
    "builtins.open": lambda mark: Payload(open, mark, "w"),
    "subprocess": lambda mark: Payload(subprocess.call, ["touch", mark]),
    "getattr": lambda mark: Payload(getattr, Payload(__import__, "os"), "system"),
    "in a tensor's place": lambda mark: {"a": Payload(os.mkdir, mark)},
    "in a list in a key": lambda mark: {("a", Payload(os.mkdir, mark)): [1]},
    "a class": lambda mark: {"a": Path(mark)},
}


@pytest.mark.parametrize("protocol", [0, 1, 2, 4, 5])
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
    "torch.hub load",
    "torch load",
    "torch._utils _rebuild_tensor_v2.__globals__",
    "collections OrderedDict.fromkeys",
    "collections Counter",
    "copyreg _reconstructor",
    "builtins getattr",
    "__builtin__ apply",
    "veracite.models.onnx os",
    "\x1b[31m \x07",
]


@pytest.mark.parametrize("name", GLOBALS)
def test_a_name_that_tensors_do_not_need_is_refused_and_said(path: Path, name: str) -> None:
    module, _, attribute = name.partition(" ")
    write_archive(path, b"\x80\x02c%s\n%s\n." % (module.encode(), attribute.encode()), {})
    error = refusal(path)
    assert ascii(f"{module}.{attribute}") in error.message
    assert error.message.isprintable()


DAMAGES = {
    "empty": b"",
    "no end": b"\x80\x02}",
    "nothing on the stack": b"\x80\x02.",
    "a list": b"\x80\x02].",
    "no such memory": b"\x80\x02h\x05.",
    "far memory": b"\x80\x02}r\xff\xff\xff\x7fj\xff\xff\xff\x7eq.",
    "no mark": b"\x80\x02}u.",
    "half an entry": b"\x80\x02}(K\x01u.",
    "below its mark": b"\x80\x02}(\x86.",
    "a key that is a list": b"\x80\x02}(]K\x01u.",
    "calls a text": b"\x80\x02" + text("os.system") + b")R.",
    "calls a storage": b"\x80\x02ctorch\nFloatStorage\n)R.",
    "calls with too much": b"\x80\x02ccollections\nOrderedDict\n(K\x01K\x02tR.",
    "no storage": b"\x80\x02" + text("0") + b"Q.",
    "a storage of text": dictionary([("a", tensor("0", 6, (6,), (1,), storage=text("F31")))]),
    "a tensor of numbers": b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(K\x01K\x02)tR.",
    "a tensor without arguments": b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.",
    "a tensor with a shape of text": b"\x80\x02}"
    + text("a")
    + b"ctorch._utils\n_rebuild_tensor_v2\n("
    + (b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu"))
    + (number(6) + b"tQ" + number(0) + b"(" + text("6") + b"t" + tuple_of([1]) + b"tRs."),
    "an endless text": b"\x80\x02X\xff\xff\xff\x7f",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_pickle_is_refused(path: Path, damage: str) -> None:
    write_archive(path, DAMAGES[damage], {"0": SIX.tobytes()})
    assert "are damaged" in refusal(path).message


def test_every_cut_and_every_changed_byte_is_survived(path: Path) -> None:
    content = dictionary([("a", tensor("0", 6, (2, 3), steps((2, 3))))])
    storages = {"0": SIX.tobytes()}
    cuts = [content[:end] for end in range(len(content))]
    changes = [
        content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]
        for place in range(len(content))
        for bit in (1, 32, 128)
    ]
    refused = 0
    for changed in cuts + changes:
        write_archive(path, changed, storages)
        try:
            assert all(found.size <= 6 for found in read_pytorch(path).values())
        except ModelError:
            refused += 1
    assert refused > len(cuts)
