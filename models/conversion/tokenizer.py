"""The tokenizer.json of an encoder, made from older files where there is none.

transformers makes the same from them: see BertConverter and RobertaConverter in its
convert_slow_tokenizer.py.
"""

from pathlib import Path
from typing import Any

from veracite.models.conversion.folder import optional_json, read_json
from veracite.models.errors import ModelError

__all__ = ["tokenizer_definition"]

_MAX_VOCABULARY = 64 * 2**20
"""Bytes."""


def tokenizer_definition(folder: Path, lowercase: bool) -> dict[str, Any]:
    """What is to be written to tokenizer.json: no truncation, no padding.

    Args:
        folder: Has a tokenizer.json, BERT's vocab.txt, or RoBERTa's vocab.json and merges.txt.
        lowercase: Lowercase every text first, whatever the tokenizer does.

    Raises:
        ModelError: there is no tokenizer, or it is damaged or of another kind.
    """
    if (folder / "tokenizer.json").exists():
        definition = read_json(folder / "tokenizer.json", dict)
    elif (folder / "vocab.txt").exists():
        definition = _wordpiece(folder)
    elif (folder / "merges.txt").exists():
        definition = _byte_pairs(folder)
    else:
        raise ModelError(
            f"The folder {folder} holds no tokenizer.json.",
            "Take it from the model's own page, or from the model that it was made from.",
        )
    definition |= {"truncation": None, "padding": None}
    if lowercase:
        rest = [definition["normalizer"]] if definition.get("normalizer") else []
        steps = [{"type": "Lowercase"}, *rest]
        definition["normalizer"] = {"type": "Sequence", "normalizers": steps}
    return definition


def _wordpiece(folder: Path) -> dict[str, Any]:
    """BERT's tokenizer, whose vocabulary has one token a line."""
    settings = optional_json(folder / "tokenizer_config.json")
    words = _lines(folder / "vocab.txt")
    if words and not words[-1]:
        words.pop()
    vocabulary = {word: number for number, word in enumerate(words)}
    return _definition(
        vocabulary,
        special=("[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]"),
        normalizer={
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": settings.get("tokenize_chinese_chars", True),
            "strip_accents": settings.get("strip_accents"),
            "lowercase": settings.get("do_lower_case", True),
        },
        pre_tokenizer={"type": "BertPreTokenizer"},
        model={
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary,
        },
    )


def _byte_pairs(folder: Path) -> dict[str, Any]:
    """RoBERTa's tokenizer: byte pairs, in the order in which they are to be merged."""
    settings = optional_json(folder / "tokenizer_config.json")
    vocabulary = read_json(folder / "vocab.json", dict)
    lines = _lines(folder / "merges.txt")
    byte_level = {
        "type": "ByteLevel",
        "add_prefix_space": settings.get("add_prefix_space", False),
        "trim_offsets": True,
        "use_regex": True,
    }
    return _definition(
        vocabulary,
        special=("<s>", "</s>", "<pad>", "<unk>", "<mask>"),
        normalizer=None,
        pre_tokenizer=byte_level,
        model={
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "vocab": vocabulary,
            "merges": [line for line in lines if line and not line.startswith("#version")],
        },
    )


def _definition(
    vocabulary: dict[str, Any],
    *,
    special: tuple[str, ...],
    normalizer: dict[str, Any] | None,
    pre_tokenizer: dict[str, Any],
    model: dict[str, Any],
) -> dict[str, Any]:
    """A tokenizer that puts the first special token before a text and the second behind it."""
    first, last = special[:2]
    missing = [token for token in special if type(vocabulary.get(token)) is not int]
    if missing:
        raise ModelError(
            f"The model's vocabulary has no {missing[0]}.", "Copy or download the model once more."
        )
    return {
        "version": "1.0",
        "added_tokens": [
            {
                "id": vocabulary[token],
                "content": token,
                "single_word": False,
                "lstrip": token == "<mask>",
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for token in sorted(special, key=lambda token: int(vocabulary[token]))
        ],
        "normalizer": normalizer,
        "pre_tokenizer": pre_tokenizer,
        "post_processor": {
            "type": "BertProcessing",
            "sep": [last, vocabulary[last]],
            "cls": [first, vocabulary[first]],
        },
        "decoder": None,
        "model": model,
    }


def _lines(path: Path) -> list[str]:
    """The lines of a vocabulary; they end at "\\n" only (tokens may be other line separators)."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_VOCABULARY + 1)
        if len(content) > _MAX_VOCABULARY:
            raise ValueError
        return [line.removesuffix("\r") for line in content.decode("utf-8").split("\n")]
    except (OSError, ValueError) as error:
        raise ModelError(
            f"The model's {path.name} is damaged.", "Copy or download it once more."
        ) from error
