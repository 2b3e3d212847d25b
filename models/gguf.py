"""What a GGUF file says of the language model in it, read without the runtime, and what it takes.

The package ``gguf`` knows the format and is imported when the first file is read. Nothing that a
file says is believed before it is checked against the bytes that are there, so damage costs no
memory and no time.
"""

import os
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from veracite.models.errors import ModelError
from veracite.models.files import open_file, quoted, size_in_words

MAX_ROWS = 32
"""At most so many rows of logits come out of one decoding."""

_MAX_HEADER = 64 * 2**20
"""Bytes; vocabularies of 260,000 tokens with their merges take some 17 MB."""
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
    context_length: int
    """Tokens that the model was trained for."""
    blocks: int
    embedding: int
    """Width of the hidden states."""
    feed_forward: int
    """Width of the widest feed-forward layer."""
    cache: int
    """Bytes of keys and values for each token in the context, two a number."""
    vocabulary: int
    """Number of tokens."""
    chat_template: str | None
    """In Jinja."""
    parameters: int
    tensor_bytes: int
    """Size of all weights."""


class Damaged(Exception):
    """Says in a few words what is wrong with the file: "it ends too early"."""


def read_header(path: Path) -> Header:
    """The model in a file, if it can write text.

    Raises:
        ModelError: the file cannot be read, is no GGUF file, is damaged or incomplete, or what
            is in it is no language model.
    """
    with open_file(path) as file:
        magic, version = file.read(4), int.from_bytes(file.read(4), "little")
    if magic != b"GGUF":
        what = "is no GGUF file" if magic else "is empty"
        raise ModelError(f"{path} {what}.", "Name the GGUF file of a language model.")
    try:
        if version and version & 0xFFFF == 0:
            raise Damaged("it was made for computers of the other byte order")
        if version not in (2, 3):
            raise Damaged(f"it is of version {version} of the format, not 2 or 3")
        contents = _reader()(path)
        values = {name: _value(field) for name, field in contents.fields.items()}
        return _header(path, values, contents.weights)
    except Damaged as error:
        raise ModelError(f"{path} is damaged: {error}.", "Download the model again.") from None
    except (ValueError, KeyError, IndexError, TypeError, ArithmeticError) as error:
        reason = _printable(error.args[0] if error.args else error)
        raise ModelError(
            f"{path} is damaged: it cannot be read ({reason}).", "Download the model again."
        ) from error


@cache
def _reader() -> Any:
    """gguf's reader, made fit for files that may say anything."""
    from gguf import GGML_QUANT_SIZES, GGMLQuantizationType, GGUFReader, GGUFValueType
    from gguf.gguf_reader import ReaderField

    class Reader(GGUFReader):
        def _get(self, offset: int, dtype: Any, count: Any = 1, override_order: Any = None) -> Any:
            end = int(offset) + int(count) * np.dtype(dtype).itemsize
            if end > min(len(self.data), _MAX_HEADER):
                raise Damaged("its header ends too early, or names an impossible length")
            return super()._get(offset, dtype, count, override_order)

        def _get_field_parts(self, orig_offs: int, raw_type: int) -> Any:
            """As gguf does it, but lists at once: that of a vocabulary takes it seconds."""
            if raw_type != GGUFValueType.ARRAY:
                return super()._get_field_parts(orig_offs, raw_type)
            kind = GGUFValueType(self._get(orig_offs, np.uint32)[0])
            count, start = int(self._get(orig_offs + 4, np.uint64)[0]), orig_offs + 12
            if kind == GGUFValueType.STRING:
                values, end = self._strings(start, count)
            else:
                values = self._get(start, self.gguf_scalar_to_np[kind], count)
                end = start + values.nbytes
            return end - orig_offs, [values], [0], [GGUFValueType.ARRAY, kind]

        def _strings(self, end: int, count: int) -> tuple[list[bytes], int]:
            found, data = [], self._header
            for _ in range(min(count, len(data))):
                start = end + 8
                end = (
                    start + struct.unpack_from("<Q", data, end)[0] if start <= len(data) else start
                )
                if end > len(data):
                    break
                found.append(data[start:end])
            if len(found) < count:
                raise Damaged(f"it promises {count:,} entries, more than it has room for")
            return found, end

        def _build_fields(self, offs: int, count: int) -> int:
            self._header = self.data[:_MAX_HEADER].tobytes()
            return super()._build_fields(offs, count)

        def _build_tensors(self, start_offs: int, fields: list[ReaderField]) -> None:
            """How many numbers each tensor has and how many bytes they take; all must be there."""
            self.weights: list[tuple[int, int]] = []
            end = 0
            for field in fields:
                _, _, _, dims, kind, offset = field.parts
                block, size = GGML_QUANT_SIZES[GGMLQuantizationType(kind[0])]
                if not (numbers := prod(dims.tolist())):
                    raise Damaged(f"the weights {quoted(field.name)} have an impossible shape")
                self.weights.append((numbers, numbers // block * size))
                end = max(end, int(offset[0]) + self.weights[-1][1])
            missing = int(start_offs) + end - len(self.data)
            if fields and missing > 0:
                raise Damaged(f"{missing:,} bytes are missing at its end")

    return Reader


def _value(field: Any) -> Any:
    """A number, a str, an array of numbers or a list of bytes."""
    value = field.parts[field.data[0]]
    kind = field.types[0].name
    if kind == "STRING":
        return bytes(value).decode("utf-8", "replace")
    return value if kind == "ARRAY" else value.tolist()[0]


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


def _header(path: Path, values: Mapping[str, Any], tensors: Sequence[tuple[int, int]]) -> Header:
    if values.get("split.count", 0) not in (0, 1):  # all but the first say little else
        raise ModelError(
            f"{path} is only a part of a model.",
            "Join the parts with llama-gguf-split --merge and name the file that it makes.",
        )
    architecture = _printable(_typed(values, "general.architecture", str))
    _check_kind(path, architecture, values)
    about = {
        key.removeprefix(f"{architecture}."): value
        for key, value in values.items()
        if key.startswith(f"{architecture}.")
    }
    blocks = _number(about, "block_count")
    if not 0 < blocks <= min(_MAX_BLOCKS, len(tensors)):
        raise Damaged(f"it names {blocks:,} layers, but holds {len(tensors):,} tensors")
    embedding = _number(about, "embedding_length")
    heads = max(_per_block(about, "attention.head_count", blocks, 0))
    width = embedding // heads if heads else 0
    lengths = (_number(about, f"attention.{kind}_length", width) for kind in ("key", "value"))
    tokens = values.get("tokenizer.ggml.tokens")
    if not isinstance(tokens, list):
        raise ModelError(
            f"{path} cannot read or write text: it holds no vocabulary.",
            "Name the GGUF file of a language model.",
        )
    return Header(
        path=path,
        name=_printable(values.get("general.name", "")) or path.stem,
        context_length=_number(about, "context_length"),
        blocks=blocks,
        embedding=embedding,
        feed_forward=max(_per_block(about, "feed_forward_length", blocks, 4 * embedding)),
        cache=2 * sum(_per_block(about, "attention.head_count_kv", blocks, heads)) * sum(lengths),
        vocabulary=len(tokens),
        chat_template=_typed(values, "tokenizer.chat_template", str, None),
        parameters=sum(numbers for numbers, _ in tensors),
        tensor_bytes=sum(size for _, size in tensors),
    )


def _check_kind(path: Path, architecture: str, values: Mapping[str, Any]) -> None:
    kind = values.get("general.type", "model")
    if architecture in _NOT_GENERATIVE or kind != "model":
        what = architecture if kind == "model" else _printable(kind)
        raise ModelError(
            f"{path} cannot write text: it holds a model of the kind {what}.",
            "Name a language model, such as an instruct model of the kind llama or qwen2.",
        )


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
    if not isinstance(value, np.ndarray):
        return (_number(about, key, default),) * blocks
    if len(value) != blocks or value.dtype.kind not in "iu" or min(value) < 0:
        raise Damaged(f"its list of {key} does not fit its {blocks} layers")
    return tuple(value.tolist())


def _printable(text: object) -> str:
    """What may be shown of a name from the file: one short line without control characters."""
    shown = "".join(c for c in str(text)[:80] if c.isprintable())
    return " ".join(shown.split())


_CHUNK = 512
"""Tokens that are decoded at once, at most."""

_RUNTIME = 64 * 2**20
"""Bytes that llama.cpp takes for itself and for the vocabulary."""

_GPU_MARGIN = 2**30
"""Bytes of a GPU that are left alone, as llama.cpp itself does when it fits a model."""

USUAL_CONTEXT = 8192
"""Tokens, where the user asks for no other number."""
_SHORTEST_CONTEXT = 2048
"""Tokens; less leaves no room for passages."""

_CGROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class Need:
    """What a loaded model takes of the main memory, in bytes."""

    weights: int
    cache: int
    """Keys and values of the tokens in the context, two bytes a number."""
    compute: int
    """What one decoding needs beside them, and the runtime."""

    @property
    def total(self) -> int:
        return self.weights + self.cache + self.compute


def needed(header: Header, context: int, gpu_layers: int = 0) -> Need:
    """The main memory for a context of so many tokens with so many layers on a GPU.

    All layers count the same: a block each, and one for the output.
    """
    layers = header.blocks + 1
    left = layers - min(gpu_layers, layers)
    # At most what llama.cpp reserves for one decoding: mask, activations, logits.
    mask = 2 * _CHUNK * context
    activations = 4 * _CHUNK * (2 * header.feed_forward + 9 * header.embedding)
    return Need(
        weights=header.tensor_bytes * left // layers,
        cache=header.cache * context * left // layers,
        compute=mask + activations + 4 * MAX_ROWS * header.vocabulary + _RUNTIME,
    )


def require_memory(header: Header, context: int, gpu_layers: int = 0) -> None:
    """Nothing, if the model fits into the memory that is free now.

    Raises:
        ModelError: it does not; the advice says which context would, if any.
    """
    need, free = needed(header, context, gpu_layers), available_memory()
    if need.total <= free:
        return
    fixed = needed(header, 0, gpu_layers).total
    fitting = (free - fixed) // (needed(header, 1, gpu_layers).total - fixed)
    fitting = min(fitting, header.context_length) // 1024 * 1024
    advice = ["Use a smaller model, or close other programs."]
    if fitting >= _SHORTEST_CONTEXT:
        advice = [f"Use --context {fitting} or less.", "context too large"]
    elif 8 * header.tensor_bytes > 5 * max(1, header.parameters):  # more than 5 bits a number
        advice = ["Use a smaller quantisation of it, such as Q4_K_M, or a smaller model."]
    raise ModelError(
        f"The model {header.name} needs {size_in_words(need.total)} of memory with a context of "
        f"{context:,} tokens, and {size_in_words(free)} are free.",
        *advice,
    )


def gpu_layers_that_fit(header: Header, context: int, free: int) -> int:
    """How many layers to keep on a GPU with ``free`` bytes: as many as fit, 0 if none does."""
    need, layers = needed(header, context), header.blocks + 1
    room = max(0, free - _GPU_MARGIN - need.compute)
    return min(layers, layers * room // (need.weights + need.cache))


def available_memory() -> int:
    """Bytes that can be used without swapping, within the limits of the control groups.

    Outside Linux, where the free part is not told without more ado, all that is built in.
    """
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        told = dict(line.split(":", 1) for line in lines)
        free = int(told["MemAvailable"].split()[0]) * 1024
    except (OSError, KeyError, ValueError):
        free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([free, *_left_by_groups()])


def _left_by_groups() -> Iterator[int]:
    """What each control group around this process still allows (version 2 of them)."""
    try:
        own = Path("/proc/self/cgroup").read_text(encoding="utf-8").rpartition("0::/")[2].strip()
    except OSError:
        return
    folder = _CGROUPS / own
    for group in (folder, *folder.parents):
        if not group.is_relative_to(_CGROUPS):
            return
        try:
            limit = int((group / "memory.max").read_text(encoding="ascii"))
            used = int((group / "memory.current").read_text(encoding="ascii"))
            detail = (group / "memory.stat").read_text(encoding="ascii").splitlines()
        except (OSError, ValueError):  # no limit, or none that is told
            continue
        reclaimable = sum(int(line.split()[1]) for line in detail if line.startswith("inactive_f"))
        yield max(0, limit - used + reclaimable)
