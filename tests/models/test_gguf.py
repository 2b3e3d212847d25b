"""What is read of a GGUF file before anything is loaded, and the memory that a model needs."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_gguf
from gguf import GGUFWriter

from veracite.models import gguf
from veracite.models.errors import ModelError
from veracite.models.llama import Model


def write(path: Path, architecture: str, **values: int | str) -> Path:
    """A file of values alone."""
    writer = GGUFWriter(path, architecture)
    for key, value in values.items():
        name = key.replace("__", ".")
        writer.add_string(name, value) if isinstance(value, str) else writer.add_uint32(name, value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_ti_data_to_file()
    writer.close()
    return path


def test_the_header_tells_the_model_s_shape(tiny_model: Path) -> None:
    header = gguf.read_header(tiny_model)
    matrices = 2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 128
    assert header == gguf.Header(
        path=tiny_model,
        name="tiny",
        context_length=512,
        blocks=2,
        embedding=64,
        feed_forward=128,
        cache=2 * (2 + 2) * (16 + 16),
        vocabulary=512,
        chat_template=tiny_gguf.CHATML,
        parameters=2 * (matrices + 2 * 64) + 64 + 2 * 512 * 64,
        tensor_bytes=4 * (2 * (matrices + 2 * 64) + 64 + 2 * 512 * 64),
    )


def test_each_block_may_have_its_own_number_of_heads(tmp_path: Path, tiny_model: Path) -> None:
    name = b"llama.attention.head_count_kv"
    one = name + (4).to_bytes(4, "little") + (2).to_bytes(4, "little")
    several = name + b"".join(
        number.to_bytes(size, "little") for number, size in ((9, 4), (4, 4), (2, 8), (2, 4), (0, 4))
    )
    content = tiny_model.read_bytes().replace(one, several)
    path = tmp_path / "m.gguf"
    path.write_bytes(content + bytes(64))
    assert gguf.read_header(path).cache == 2 * (2 + 0) * (16 + 16)


def test_a_name_cannot_steer_the_terminal(tmp_path: Path, tiny_model: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(tiny_model.read_bytes().replace(b"tiny", b"\x1b[2J", 1))
    assert gguf.read_header(path).name == "[2J"


@pytest.mark.parametrize(
    ("architecture", "values", "message"),
    [
        ("bert", {}, "cannot write text: it holds a model of the kind bert"),
        ("t5encoder", {}, "it holds a model of the kind t5encoder"),
        ("llama", {"general__type": "adapter"}, "it holds a model of the kind adapter"),
        ("llama", {"split__count": 3}, "only a part of a model"),
        ("", {"split__count": 3}, "only a part of a model"),
        ("llama", {}, "it does not say its block_count"),
    ],
)
def test_what_cannot_write_is_refused(
    tmp_path: Path, architecture: str, values: dict[str, int | str], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        gguf.read_header(write(tmp_path / "m.gguf", architecture, **values))


def test_any_damage_to_the_header_is_a_model_error(tmp_path: Path, tiny_model: Path) -> None:
    content = tiny_model.read_bytes()
    end = content.index(b"output.weight") + 64
    random_ = random.Random(4)
    path = tmp_path / "m.gguf"
    refused = 0
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(random_.choice((1, 1, 2, 8))):
            damaged[random_.randrange(end)] ^= 1 << random_.randrange(8)
        path.write_bytes(damaged[: random_.choice((len(damaged), random_.randrange(end)))])
        try:
            gguf.read_header(path)
        except ModelError:
            refused += 1
    assert 75 < refused < 150


MIB = 2**20


@pytest.fixture
def header(tiny_model: Path) -> gguf.Header:
    return replace(gguf.read_header(tiny_model), context_length=32768)


def reserved(path: Path, context: int, log: pytest.CaptureFixture[str]) -> dict[str, float]:
    """Bytes of each buffer by the kind that llama.cpp's log gives it."""
    Model(path, context=context, chunk=512, threads=1, gpu_layers=0, verbose=True).close()
    told = re.findall(r"CPU\S* +(\w+) buffer size = +([\d.]+) MiB", log.readouterr().err)
    return {kind: float(size) * MIB for kind, size in told}


@pytest.mark.parametrize(
    ("shape", "context"),
    [({}, 8192), ({"vocabulary": 4000, "embedding": 128, "feed_forward": 512, "layers": 3}, 1024)],
)
def test_the_estimate_covers_what_llama_cpp_reserves(
    tmp_path: Path, shape: dict[str, int], context: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tiny_gguf.make(tmp_path / "m.gguf", **shape)  # type: ignore[arg-type]
    need = gguf.needed(gguf.read_header(path), context)
    taken = reserved(path, context, capsys)
    assert need.weights == pytest.approx(taken["model"], rel=0.02)
    assert need.cache == pytest.approx(taken["KV"], rel=0.01)
    compute = need.compute - gguf._RUNTIME
    assert taken["compute"] + taken["output"] < compute < 3 * taken["compute"]


def test_too_long_a_context_names_the_best(
    header: gguf.Header, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gguf, "available_memory", lambda: gguf.needed(header, 10_000).total)
    with pytest.raises(ModelError, match=r"needs .* MB .* 20,000 tokens, and .* MB") as caught:
        gguf.require_memory(header, 20_000)
    assert caught.value.advice == "Use --context 9216 or less."
    gguf.require_memory(header, 9216)


@pytest.mark.parametrize(("bits", "advice"), [(8, "smaller quantisation"), (4, "smaller model")])
def test_too_large_a_model_is_refused(header: gguf.Header, bits: int, advice: str) -> None:
    giant = replace(header, tensor_bytes=10**15, parameters=8 * 10**15 // bits)
    with pytest.raises(ModelError, match=r"needs 1000000\.1 GB") as caught:
        gguf.require_memory(giant, 4096)
    assert advice in caught.value.advice
    assert "--context" not in caught.value.advice


def test_layers_go_to_the_gpu_as_far_as_they_fit(header: gguf.Header) -> None:
    every, need = header.blocks + 1, gguf.needed(header, 4096)
    room = gguf._GPU_MARGIN + need.compute
    assert gguf.gpu_layers_that_fit(header, 4096, 2**20) == 0
    half = room + (need.weights + need.cache) // 2
    assert gguf.gpu_layers_that_fit(header, 4096, half) == every // 2
    assert gguf.gpu_layers_that_fit(header, 4096, 2**40) == every
    there = gguf.needed(header, 4096, every)
    assert (there.weights, there.cache, there.compute) == (0, 0, need.compute)


def test_a_control_group_s_limit_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    free = gguf.available_memory()
    assert free > 0
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text("anon 5\ninactive_file 400000\n")
    monkeypatch.setattr(gguf, "_CGROUPS", tmp_path)
    (tmp_path / "memory.max").write_text("1000000\n")
    assert gguf.available_memory() == 500_000
    (tmp_path / "memory.max").write_text("max\n")
    assert gguf.available_memory() > 500_000
