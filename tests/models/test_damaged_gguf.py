"""A GGUF file is opened with what its header says, or refused in words; none ends the program."""

import os
import struct
import sys
from collections.abc import Callable
from pathlib import Path

import llama_cpp
import pytest
import tiny_gguf
from writing import generate

from veracite.models.chat import Message
from veracite.models.errors import ModelError
from veracite.models.generator import Generator

Damage = Callable[[bytes], bytes]

HUGE = 2**62
TOKENS = "tokenizer.ggml.tokens"
TYPES = "tokenizer.ggml.token_type"
TENSOR = "blk.0.attn_q.weight"
EPSILON = "llama.attention.layer_norm_rms_epsilon"


def behind(content: bytes, name: str) -> int:
    """The place after a name: a value's type there, or a tensor's number of dimensions."""
    stored = struct.pack("<Q", len(name)) + name.encode()
    return content.index(stored) + len(stored)


def put(place: int, letter: str, value: float) -> Damage:
    return lambda content: overwritten(content, place, letter, value)


def put_behind(name: str, distance: int, letter: str, value: float) -> Damage:
    """Write a number so many bytes behind a name."""
    return lambda content: overwritten(content, behind(content, name) + distance, letter, value)


def overwritten(content: bytes, place: int, letter: str, value: float) -> bytes:
    new = struct.pack("<" + letter, value)
    return content[:place] + new + content[place + len(new) :]


def value(name: str, letter: str, new: float) -> Damage:
    """Give a value of the header another number, of the type it has."""
    return put_behind(name, 4, letter, new)


def replaced(old: bytes, new: bytes) -> Damage:
    assert len(old) == len(new)

    def damage(content: bytes) -> bytes:
        assert old in content
        return content.replace(old, new, 1)

    return damage


def cut(size: int) -> Damage:
    """Only the first bytes, or without the last where negative."""
    return lambda content: content[:size]


def cut_behind(name: str, distance: int = 0) -> Damage:
    return lambda content: content[: behind(content, name) + distance]


REFUSED_BY_THE_HEADER: dict[str, tuple[Damage, str]] = {
    "empty": (cut(0), "is empty"),
    "text": (lambda _: b"A model, or so it says.\n" * 99, "is no GGUF file"),
    "cut in the vocabulary": (cut_behind(TOKENS, 3000), "512 entries, more than it has"),
    "cut in the weights": (cut(-300_000), "300,000 bytes are missing at its end"),
    "version 1": (put(4, "I", 1), "of version 1 of the format"),
    "the other byte order": (put(4, "I", 3 << 24), "the other byte order"),
    "absurd length of a name": (put(24, "Q", HUGE), "names an impossible length"),
    "absurd length of a token": (put_behind(TOKENS, 16, "Q", HUGE), "more than it has room for"),
    "tokens under another name": (replaced(TOKENS.encode(), b"t" * 21), "holds no vocabulary"),
    "unknown type of value": (put_behind("general.name", 0, "I", 77), "77) is not a valid"),
    "absurd number of layers": (value("llama.block_count", "I", 2**31), "2,147,483,648 layers"),
    "no context": (replaced(b"context_length", b"kontext_length"), "not say its context_length"),
    "no chat template": (replaced(b"chat_template", b"chat_tempalte"), "no chat template"),
    "absurd dimensions": (put_behind(TENSOR, 0, "I", 2**31), "its header ends too early"),
    "impossible shape": (put_behind(TENSOR, 4, "Q", 0), "an impossible shape"),
    "weights elsewhere": (put_behind(TENSOR, 24, "Q", HUGE), "bytes are missing at its end"),
}

REFUSED_BY_THE_TRIAL: dict[str, tuple[Damage, str]] = {
    "token types that are fractions": (put_behind(TYPES, 4, "I", 6), "cannot be loaded"),
    "unknown architecture": (
        lambda content: content.replace(b"llama", b"lamla"),
        "unknown model architecture: 'lamla'",
    ),
    "missing layer": (value("llama.block_count", "I", 3), "'blk.2.attn_norm.weight' not found"),
    "wrong number of heads": (value("llama.attention.head_count", "I", 5), "cannot be loaded"),
    "a norm that ends the process": (value(EPSILON, "f", -1.0), "GGML_ASSERT(eps"),
    "weights of no numbers": (lambda c: c[:-4096] + b"\xff" * 4096, "cannot read a plain sentence"),
}


def refusal(path: Path, folder: Path) -> ModelError:
    with pytest.raises(ModelError) as caught:
        Generator.open(path, context=256, verified=folder / "verified")
    assert str(path) in caught.value.message or "no chat template" in caught.value.message
    assert caught.value.message.endswith(".")
    assert caught.value.advice.endswith(".")
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("name", [*REFUSED_BY_THE_HEADER, *REFUSED_BY_THE_TRIAL])
def test_a_damaged_file_is_refused(
    name: str,
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if name in REFUSED_BY_THE_HEADER:  # before it is tried
        monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    damage, message = (REFUSED_BY_THE_HEADER | REFUSED_BY_THE_TRIAL)[name]
    path = tmp_path / "model.gguf"
    path.write_bytes(damage(tiny_model.read_bytes()))
    assert message in refusal(path, tmp_path).message
    assert not (tmp_path / "verified").exists(), "nothing is remembered of it"
    assert capfd.readouterr() == ("", "")


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refusal(tmp_path, tmp_path)
    for name in ("pipe", "loop", "missing", "missing/below"):
        refusal(tmp_path / name, tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.touch(mode=0o000)
    assert "cannot be read (Permission denied)" in refusal(path, tmp_path).message


def test_a_file_is_opened_with_what_its_header_says(
    tiny_model: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Generator.open(tiny_model, threads=1, verified=tmp_path) as generator:
        assert generator.context == 512
        assert generator.id.startswith("tiny@")
        assert len(generator.id) == len("tiny@") + 12
        assert generate(generator, [Message("user", ("Which year?",))], limit=3).text
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
