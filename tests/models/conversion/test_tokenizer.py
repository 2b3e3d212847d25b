"""Older files give the same tokens as the tokenizer.json that belongs to them."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from veracite.models.bundled import BUNDLED
from veracite.models.conversion import tokenizer_definition
from veracite.models.errors import ModelError
from veracite.models.onnx import Tokenizer

ODD = [
    "",
    "naïve CAFÉ",
    "日本語 text",
    "a\x00b\tc",
    "don't stop-it!",
    "x" * 120,
    "[MASK] </s>",
    "🜚 ok",
]


def made(folder: Path, lowercase: bool = False) -> Tokenizer:
    settings = folder / "tokenizer_config.json"
    said = json.loads(settings.read_bytes()) if settings.exists() else {}
    return Tokenizer(tokenizer_definition(folder, said, lowercase=lowercase))


def write_vocabulary(folder: Path) -> None:
    """The bundled tokenizer's vocabulary as BERT's makers publish it."""
    bundled = json.loads((BUNDLED / "tokenizer.json").read_text(encoding="utf-8"))
    words = sorted(bundled["model"]["vocab"], key=bundled["model"]["vocab"].__getitem__)
    (folder / "vocab.txt").write_bytes("\n".join([*words, ""]).encode())


def test_a_vocabulary_gives_berts_tokens(tmp_path: Path, sentences: list[str]) -> None:
    write_vocabulary(tmp_path)
    ours, bundled = made(tmp_path), Tokenizer((BUNDLED / "tokenizer.json").read_bytes())
    for text in [*sentences, *ODD]:
        assert ours.ids(text, 300).tolist() == bundled.ids(text, 300).tolist()
    assert (ours.first, ours.last) == (101, 102)
    assert ours.largest() == bundled.largest() == 30521


def test_a_cased_vocabulary_keeps_capitals_unless_the_folder_lowers_them(tmp_path: Path) -> None:
    write_vocabulary(tmp_path)
    (tmp_path / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    cased, lowered = made(tmp_path), made(tmp_path, lowercase=True)
    assert cased.ids("Paris", 9).tolist() != cased.ids("paris", 9).tolist()
    assert lowered.ids("Paris", 9).tolist() == cased.ids("paris", 9).tolist()


BROKEN: dict[str, Callable[[Path], object]] = {
    "no files": lambda folder: None,
    "an empty vocabulary": lambda folder: (folder / "vocab.txt").write_bytes(b""),
    "no [CLS]": lambda folder: (folder / "vocab.txt").write_text("[PAD]\n[SEP]\na\n"),
    "no text": lambda folder: (folder / "vocab.txt").write_bytes(b"\xff\xfe\n"),
    "merges alone": lambda folder: (folder / "merges.txt").write_text("a b\n"),
    "no JSON": lambda folder: (folder / "tokenizer.json").write_text("{"),
    "a list": lambda folder: (folder / "tokenizer.json").write_text("[]"),
    "an empty object": lambda folder: (folder / "tokenizer.json").write_text("{}"),
    "no specials around": lambda folder: (folder / "tokenizer.json").write_text(
        json.dumps({"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}})
    ),
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_tokenizer_that_cannot_be_used_is_refused(tmp_path: Path, broken: str) -> None:
    BROKEN[broken](tmp_path)
    with pytest.raises(ModelError) as caught:
        made(tmp_path)
    assert caught.value.message.endswith(".")
    assert caught.value.advice.endswith(".")
