"""What config.json says about a network of BERT's kind (transformers' names)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracite.models.conversion.folder import read_json, unsupported
from veracite.models.gguf_values import quoted

__all__ = ["Configuration", "read_configuration"]

_FAMILIES = {
    "bert": "bert",
    "roberta": "roberta",
    "xlm-roberta": "roberta",
    "mpnet": "mpnet",
    "distilbert": "distilbert",
}

_CLASSIFIES = "ForSequenceClassification"
_ACTIVATIONS = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
"""The Gelus, with the name that ONNX has for their approximation."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """What the weights do not tell about a network."""

    family: str
    """bert, roberta, mpnet or distilbert."""
    layers: int
    heads: int
    approximation: str
    """Of the activation, a Gelu: none or tanh."""
    epsilon: float
    """Of the layer normalisations."""
    first_position: int
    """The row of the position embeddings that belongs to a text's first token."""
    classifies: bool
    """Whether there is a head that gives a whole text, or a pair of them, its numbers."""


def read_configuration(path: Path) -> Configuration:
    """The network that a config.json describes.

    Raises:
        ModelError: it is missing, damaged, or describes another kind of network.
    """
    config = read_json(path, dict)
    kind = str(config.get("model_type"))
    if kind not in _FAMILIES:
        raise unsupported(f"it is of the kind {quoted(kind)}")
    if config.get("position_embedding_type", "absolute") != "absolute" or config.get("is_decoder"):
        raise unsupported("its attention is not that of a plain encoder")
    family = _FAMILIES[kind]
    distil = family == "distilbert"
    activation = str(config.get("activation" if distil else "hidden_act", "gelu"))
    if activation not in _ACTIVATIONS:
        raise unsupported(f"its activation is {quoted(activation)}")
    return Configuration(
        family=family,
        layers=_count(config, "n_layers" if distil else "num_hidden_layers"),
        heads=_count(config, "n_heads" if distil else "num_attention_heads"),
        approximation=_ACTIVATIONS[activation],
        epsilon=1e-12 if distil else _epsilon(config),
        first_position=_first_position(family, config),
        classifies=_CLASSIFIES in str(config.get("architectures")),
    )


def _count(config: dict[str, Any], key: str) -> int:
    value = config.get(key)
    if type(value) is not int or not 0 < value <= 1024:
        raise unsupported(f"its config.json gives no sound {key}")
    return value


def _epsilon(config: dict[str, Any]) -> float:
    value = config.get("layer_norm_eps", 1e-12)
    if type(value) is not float or not 0 < value < 1:
        raise unsupported("its config.json gives no sound layer_norm_eps")
    return value


def _first_position(family: str, config: dict[str, Any]) -> int:
    """RoBERTa and MPNet count from behind the padding token's number, which MPNet fixes at 1."""
    padding = config.get("pad_token_id", 1) if family == "roberta" else 1
    if type(padding) is not int or not 0 <= padding < 16:
        raise unsupported("its config.json gives no sound pad_token_id")
    return padding + 1 if family in ("roberta", "mpnet") else 0
