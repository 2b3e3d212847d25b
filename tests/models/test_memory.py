"""The memory that a model needs, against what llama.cpp takes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import tiny_gguf

from veracite.models import gguf as memory
from veracite.models.errors import ModelError
from veracite.models.gguf import (
    Header,
    available_memory,
    gpu_layers_that_fit,
    needed,
    read_header,
    require_memory,
)
from veracite.models.llama import Model

MIB = 2**20


@pytest.fixture
def header(tiny_model: Path) -> Header:
    return replace(read_header(tiny_model), context_length=32768)


def reserved(path: Path, context: int, log: pytest.CaptureFixture[str]) -> dict[str, float]:
    """Bytes of each buffer by the kind that llama.cpp's log gives it."""
    Model(path, context=context, chunk=512, threads=1, gpu_layers=0, verbose=True).close()
    told = re.findall(r"CPU\S* +(\w+) buffer size = +([\d.]+) MiB", log.readouterr().err)
    return {kind: float(size) * MIB for kind, size in told}


@pytest.mark.parametrize(
    ("shape", "context"),
    [
        ({}, 8192),
        ({"vocabulary": 4000, "embedding": 128, "feed_forward": 512, "layers": 3}, 1024),
    ],
)
def test_the_estimate_covers_what_llama_cpp_reserves(
    tmp_path: Path, shape: dict[str, int], context: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tiny_gguf.make(tmp_path / "m.gguf", **shape)  # type: ignore[arg-type]
    need = needed(read_header(path), context)
    taken = reserved(path, context, capsys)
    assert need.weights == pytest.approx(taken["model"], rel=0.02)
    assert need.cache == pytest.approx(taken["KV"], rel=0.01)
    compute = need.compute - memory._RUNTIME
    assert taken["compute"] + taken["output"] < compute < 3 * taken["compute"]


def test_too_long_a_context_names_the_best(header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: needed(header, 10_000).total)
    with pytest.raises(ModelError, match=r"needs .* MB .* 20,000 tokens, and .* MB") as caught:
        require_memory(header, 20_000)
    assert caught.value.advice == "Use --context 9216 or less."
    require_memory(header, 9216)


@pytest.mark.parametrize(("bits", "advice"), [(8, "smaller quantisation"), (4, "smaller model")])
def test_too_large_a_model_is_refused(header: Header, bits: int, advice: str) -> None:
    giant = replace(header, tensor_bytes=10**15, parameters=8 * 10**15 // bits)
    with pytest.raises(ModelError, match=r"needs 1000000\.1 GB") as caught:
        require_memory(giant, 4096)
    assert advice in caught.value.advice
    assert "--context" not in caught.value.advice


def test_layers_go_to_the_gpu_as_far_as_they_fit(header: Header) -> None:
    every, need = header.blocks + 1, needed(header, 4096)
    room = memory._GPU_MARGIN + need.compute
    assert gpu_layers_that_fit(header, 4096, 2**20) == 0
    assert gpu_layers_that_fit(header, 4096, room + (need.weights + need.cache) // 2) == every // 2
    assert gpu_layers_that_fit(header, 4096, 2**40) == every
    there = needed(header, 4096, every)
    assert (there.weights, there.cache, there.compute) == (0, 0, need.compute)


def test_a_control_group_s_limit_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    free = available_memory()
    assert free > 0
    (tmp_path / "memory.current").write_text("900000\n")
    (tmp_path / "memory.stat").write_text("anon 5\ninactive_file 400000\n")
    monkeypatch.setattr(memory, "_CGROUPS", tmp_path)
    (tmp_path / "memory.max").write_text("1000000\n")
    assert available_memory() == 500_000
    (tmp_path / "memory.max").write_text("max\n")
    assert available_memory() > 500_000
