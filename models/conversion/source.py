"""What a Hugging Face folder holds of a network: its weights, its tokenizer, how it reads."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from veracite.models.conversion.configuration import Configuration, read_configuration
from veracite.models.conversion.folder import optional_json, read_modules, unsupported
from veracite.models.conversion.network import Size, size
from veracite.models.conversion.tokenizer import tokenizer_definition
from veracite.models.conversion.weights import Weights, find_weights
from veracite.models.tokens import Tokenizer

__all__ = ["Source", "read_source"]

_LONGEST = 512
"""Tokens; the index makes no longer passages."""


@dataclass(frozen=True, slots=True)
class Source:
    """What was found in a folder."""

    configuration: Configuration
    weights: Weights
    weights_file: Path
    size: Size
    tokenizer: bytes
    pooling: str | None
    """mean or cls; None where the folder does not say."""
    max_length: int
    reranks: bool
    """Whether it is a cross-encoder: it has transformers' head for classification, and nothing says
    how vectors are made."""

    def weights_sha256(self) -> str:
        """Of the file that the weights came in."""
        with self.weights_file.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


def read_source(folder: Path) -> Source:
    """Look into a folder: config.json, the tokenizer, and the weights' shapes.

    Raises:
        ModelError: a file is missing or damaged, or describes a network of another kind.
    """
    modules = read_modules(folder)
    place = modules.transformer
    weights_file = find_weights(place)
    configuration = read_configuration(place / "config.json")
    weights = Weights(weights_file, configuration.family)
    sizes = size(weights, configuration)
    sentence = optional_json(place / "sentence_bert_config.json")
    definition = tokenizer_definition(place, lowercase=sentence.get("do_lower_case") is True)
    tokenizer = (json.dumps(definition, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
    if Tokenizer(tokenizer).largest() >= sizes.vocabulary:
        raise unsupported("its tokenizer knows more tokens than its weights")
    told = (
        sentence.get("max_seq_length"),
        optional_json(place / "tokenizer_config.json").get("model_max_length"),
    )
    limits = [limit for limit in told if type(limit) is int and limit > 2]
    return Source(
        configuration=configuration,
        weights=weights,
        weights_file=weights_file,
        size=sizes,
        tokenizer=tokenizer,
        pooling=modules.pooling,
        max_length=min(*limits, _LONGEST, sizes.tokens),
        reranks=configuration.classifies and modules.pooling is None,
    )
