"""What a GGUF file says of the language model in it, read without the runtime."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from veracite.models.errors import ModelError
from veracite.models.gguf_file import Contents, Tensor, read_contents
from veracite.models.gguf_values import Damaged

__all__ = ["Header", "chat_template", "read_header"]

_MAX_BLOCKS = 512
"""llama.cpp's own limit (LLAMA_MAX_LAYERS), beyond which it ends the process."""

_NOT_GENERATIVE = frozenset(
    "bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert "
    "gemma-embedding llama-embed pangu-embedded t5 t5encoder clip wavtokenizer-dec "
    "dream llada llada-moe rnd1".split()
)
"""Architectures that do not write one token after the other: encoders, parts, diffusion."""


@dataclass(frozen=True, slots=True)
class Header:
    """One language model in one file."""

    path: Path
    name: str
    """As the file gives it, printable; the file's own name where it gives none."""
    architecture: str
    context_length: int
    """Tokens that the model was trained for."""
    blocks: int
    embedding: int
    """Width of the hidden states."""
    feed_forward: int
    """Width of the widest feed-forward layer."""
    kv_heads: tuple[int, ...]
    """Of each block, 0 for a block without attention."""
    key_length: int
    """Numbers in one head's key."""
    value_length: int
    vocabulary: int
    """Number of tokens."""
    chat_template: str | None
    """In Jinja."""
    parameters: int
    block_bytes: tuple[int, ...]
    """Size of each block's weights."""
    output_bytes: int
    """Size of the weights that turn the last hidden state into logits."""
    tensor_bytes: int
    """Size of all weights."""


def read_header(path: Path) -> Header:
    """The model in a file, if it can write text.

    Raises:
        ModelError: the file cannot be read, is no GGUF file, is damaged or incomplete, or what
            is in it is no language model.
    """
    try:
        return _header(path, read_contents(path))
    except Damaged as error:
        raise ModelError(f"{path} is damaged: {error}.", "Download the model again.") from None


def chat_template(header: Header) -> str:
    """What wraps the messages to a model.

    Raises:
        ModelError: It has none, as base models have, which only go on with a text.
    """
    if header.chat_template:
        return header.chat_template
    raise ModelError(
        f"The model {header.path} has no chat template, so it cannot be asked anything.",
        "Use an instruct or chat version of it.",
    )


def _header(path: Path, contents: Contents) -> Header:
    values = contents.values
    architecture = _printable(_typed(values, "general.architecture", str))
    _check_kind(path, architecture, values)
    about = {
        key.removeprefix(f"{architecture}."): value
        for key, value in values.items()
        if key.startswith(f"{architecture}.")
    }
    blocks = _number(about, "block_count")
    if not 0 < blocks <= min(_MAX_BLOCKS, len(contents.tensors)):
        raise Damaged(f"it names {blocks:,} layers, but holds {len(contents.tensors):,} tensors")
    embedding = _number(about, "embedding_length")
    heads = max(_per_block(about, "attention.head_count", blocks, 0))
    head_width = embedding // heads if heads else 0
    sizes = _sizes(contents.tensors, blocks)
    return Header(
        path=path,
        name=_printable(values.get("general.name", "")) or path.stem,
        architecture=architecture,
        context_length=_number(about, "context_length"),
        blocks=blocks,
        embedding=embedding,
        feed_forward=max(_per_block(about, "feed_forward_length", blocks, 4 * embedding)),
        kv_heads=_per_block(about, "attention.head_count_kv", blocks, heads),
        key_length=_number(about, "attention.key_length", head_width),
        value_length=_number(about, "attention.value_length", head_width),
        vocabulary=_vocabulary(path, values),
        chat_template=_typed(values, "tokenizer.chat_template", str, None),
        parameters=sum(prod(tensor.shape) for tensor in contents.tensors),
        block_bytes=sizes,
        output_bytes=_output_bytes(contents.tensors),
        tensor_bytes=sum(tensor.size for tensor in contents.tensors),
    )


def _check_kind(path: Path, architecture: str, values: Mapping[str, Any]) -> None:
    kind = values.get("general.type", "model")
    if architecture in _NOT_GENERATIVE or kind != "model":
        what = architecture if kind == "model" else _printable(kind)
        raise ModelError(
            f"{path} cannot write text: it holds a model of the kind {what}.",
            "Name a language model, such as an instruct model of the kind llama or qwen2.",
        )
    if values.get("split.count", 0) not in (0, 1):
        raise ModelError(
            f"{path} is only a part of a model.",
            "Join the parts with llama-gguf-split --merge and name the file that it makes.",
        )


def _vocabulary(path: Path, values: Mapping[str, Any]) -> int:
    """How many tokens there are; llama.cpp does not survive one that is there twice."""
    tokens = values.get("tokenizer.ggml.tokens")
    if tokens is None:
        raise ModelError(
            f"{path} cannot read or write text: it holds no vocabulary.",
            "Name the GGUF file of a language model.",
        )
    if not isinstance(tokens, list) or not tokens:
        raise Damaged("its vocabulary is empty")
    if len(set(tokens)) < len(tokens):
        raise Damaged("a token is in its vocabulary twice")
    for name, letter in (("scores", "f"), ("token_type", "i")):
        column = values.get(f"tokenizer.ggml.{name}", memoryview(b""))
        if column and not (
            isinstance(column, memoryview)
            and column.format == letter
            and len(column) == len(tokens)
        ):
            raise Damaged(f"its list of {name} does not fit its vocabulary")
    return len(tokens)


def _typed(values: Mapping[str, Any], key: str, kind: type, default: Any = Damaged) -> Any:
    """A value of a Python type; an int is no bool here."""
    value = values.get(key, default)
    if value is Damaged:
        raise Damaged(f"it does not say its {key}")
    if value is not default and type(value) is not kind:
        raise Damaged(f"its {key} is of the wrong type")
    return value


def _number(about: Mapping[str, Any], key: str, default: Any = Damaged) -> int:
    number: int = _typed(about, key, int, default)
    if number < 0 or (number == 0 and default is Damaged):
        raise Damaged(f"its {key} is {number}")
    return number


def _per_block(about: Mapping[str, Any], key: str, blocks: int, default: int) -> tuple[int, ...]:
    """A value that is one number for all blocks or a list of one for each."""
    value = about.get(key, default)
    if not isinstance(value, memoryview):
        return (_number(about, key, default),) * blocks
    if len(value) != blocks or value.format not in "IiQq" or min(value) < 0:
        raise Damaged(f"its list of {key} does not fit its {blocks} layers")
    return tuple(value)


def _sizes(tensors: Sequence[Tensor], blocks: int) -> tuple[int, ...]:
    """Bytes of each block's weights: those called ``blk.<number of the block>.<...>``."""
    sizes = [0] * blocks
    for tensor in tensors:
        kind, _, rest = tensor.name.partition(".")
        number = rest.partition(".")[0]
        if kind == "blk" and number.isdecimal() and int(number) < blocks:
            sizes[int(number)] += tensor.size
    return tuple(sizes)


def _output_bytes(tensors: Sequence[Tensor]) -> int:
    """Of the output matrix, or of the embedding that many models use as one."""
    sizes = {tensor.name: tensor.size for tensor in tensors}
    return sizes.get("output.weight") or sizes.get("token_embd.weight", 0)


def _printable(text: object) -> str:
    """What may be shown of a name from the file: one short line without control characters."""
    shown = "".join(c for c in str(text)[:80] if c.isprintable())
    return " ".join(shown.split())
