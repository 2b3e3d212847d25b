"""The JSON files of a Hugging Face folder, and sentence-transformers' description of its parts."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from veracite.models.errors import ModelError
from veracite.models.gguf_values import quoted

__all__ = ["Modules", "optional_json", "read_json", "read_modules", "unsupported"]

_MAX_JSON = 64 * 2**20
"""Bytes; tokenizers of 250,000 tokens take some 17 MB."""

_Kind = TypeVar("_Kind", dict[str, Any], list[Any])


@dataclass(frozen=True, slots=True)
class Modules:
    """Where the network is, and how a text's vector is made of its tokens'."""

    transformer: Path
    """Folder of config.json, the weights and the tokenizer."""
    pooling: str | None
    """mean or cls; None where the folder does not say."""


def read_modules(folder: Path) -> Modules:
    """What modules.json says; without it, that the network is in the folder itself.

    Raises:
        ModelError: the vectors are made in another way than by mean or first token.
    """
    if not (folder / "modules.json").exists():
        return Modules(folder, None)
    transformer, pooling = folder, None
    for module in read_json(folder / "modules.json", list):
        kind, part = _module(module)
        match kind:
            case "Transformer":
                transformer = folder / part
            case "Pooling":
                pooling = _pooling(read_json(folder / part / "config.json", dict))
            case "Normalize":
                pass  # ours always are
            case _:
                raise unsupported(f"it has a part of the kind {quoted(kind)}")
    return Modules(transformer, pooling)


def _module(module: Any) -> tuple[str, str]:
    """The last word of a module's type, and its folder, which must lie in the model's own."""
    match module:
        case {"type": str(kind), "path": str(part)} if part not in (".", "..") and not (
            set(part) & set("/\\\0")
        ):
            return kind.rpartition(".")[2], part
    raise ModelError("The model's modules.json is damaged.", "Copy or download the model again.")


def _pooling(config: dict[str, Any]) -> str:
    modes = {key.removeprefix("pooling_mode_") for key, value in config.items() if value is True}
    modes.discard("include_prompt")
    modes.add(str(config.get("pooling_mode", "")))
    match sorted(modes - {""}):
        case ["mean_tokens"] | ["mean"]:
            return "mean"
        case ["cls_token"] | ["cls"]:
            return "cls"
        case others:
            raise unsupported(f"its vectors are made by {quoted(', '.join(others) or 'nothing')}")


def read_json(path: Path, kind: type[_Kind]) -> _Kind:
    """The object or array in a JSON file.

    Raises:
        ModelError: there is none, or it is too large.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_JSON + 1)
        found = json.loads(content) if len(content) <= _MAX_JSON else None
    except OSError as error:
        raise ModelError(
            f"The model's {path.name} cannot be read ({error.strerror}).",
            "Give the whole folder, as it is published on Hugging Face.",
        ) from error
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, kind):
        raise ModelError(f"The model's {path.name} is damaged.", "Copy or download it once more.")
    return found


def optional_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file that need not exist."""
    return read_json(path, dict) if path.exists() else {}


def unsupported(reason: str) -> ModelError:
    """Says that a model, sound as far as is known, is none that can be converted."""
    return ModelError(
        f"This model cannot be converted: {reason}.",
        "Use a sentence encoder or reranker of the BERT, RoBERTa, MPNet or DistilBERT kind and of "
        "up to 2 GB.",
    )
