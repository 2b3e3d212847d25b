"""A GGUF file is opened with what its header says, or refused in words."""

from pathlib import Path

import llama_cpp
import pytest
import tiny_gguf
from writing import generate

from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Generator

MESSAGES = [Message("user", ("Which year did the mill burn down?",))]


def test_a_file_is_opened_with_what_its_header_says(
    tiny_model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Generator.open(tiny_model, threads=1, verified=tmp_path) as generator:
        assert generator.context == 512
        assert generator.id.startswith("tiny@")
        assert len(generator.id) == len("tiny@") + 12
        assert generate(generator, MESSAGES, limit=3).text
    assert capfd.readouterr() == ("", "")


def test_a_context_longer_than_the_model_knows_is_refused(tiny_model: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="trained on 512") as caught:
        Generator.open(tiny_model, context=4096, verified=tmp_path)
    assert caught.value.advice == "Use --context 512 or less."


def test_a_model_that_was_trained_on_too_short_texts_is_refused(tmp_path: Path) -> None:
    short = tiny_gguf.make(tmp_path / "short.gguf", context=511)
    for wanted in (None, 511):
        with pytest.raises(ModelError, match="tiny reads 511 tokens at most, which") as caught:
            Generator.open(short, context=wanted, verified=tmp_path)
        assert caught.value.advice.endswith("trained on a context of 512 tokens or more.")


def test_gpu_layers_without_a_gpu_are_refused(tiny_model: Path, tmp_path: Path) -> None:
    if llama_cpp.llama_supports_gpu_offload():
        pytest.skip("this llama.cpp can use a GPU")
    with pytest.raises(ModelError, match="no GPU"):
        Generator.open(tiny_model, gpu_layers=5, verified=tmp_path)
