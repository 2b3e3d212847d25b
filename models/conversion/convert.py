"""A model from a Hugging Face folder into the three files that ours are made of, without PyTorch.

Networks of BERT's and MPNet's kind are built anew from their weights. An encoder of another kind is
taken as the ONNX file that its makers publish, if it has one, and probed: what it takes, how a
text's vector comes of what it gives, whether company changes a vector.
"""

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from veracite.models.bundled import bundled_encoder
from veracite.models.conversion.network import Configuration, build, size
from veracite.models.conversion.weights import Floats, Weights, find_weights, unsupported
from veracite.models.encoder import (
    Encoder,
    dropped_share,
    matched_threshold,
    sample_pairs,
    sample_texts,
)
from veracite.models.errors import ModelError
from veracite.models.files import quoted
from veracite.models.manifest import Manifest, read_manifest
from veracite.models.reranker import Reranker
from veracite.models.tokens import Tokenizer

_MAX_JSON = 64 * 2**20
"""Bytes; tokenizers of 250,000 tokens take some 17 MB."""
_LONGEST = 512
"""Tokens; the index makes no longer passages."""
_ACTIVATIONS = {"gelu": "none", "gelu_new": "tanh", "gelu_pytorch_tanh": "tanh"}
"""The Gelus, with the name that ONNX has for their approximation."""
_LEAST_LIKENESS = 0.99
"""Weights are stored as int8 unless that turns some sample text's vector further than this cosine,
or the sample pairs' scores then correlate less than this with the exact ones."""
_FAMILIES = ("bert", "mpnet")
_COMPANY = 8
"""Rows of a batch in which an encoder as published has to give the bits that it gives alone."""
_CEG = "sup-simcse-bert-base-uncased"
"""The encoder that CEG retrieves with, at t = 0.5."""

_Kind = TypeVar("_Kind", dict[str, Any], list[Any])


@dataclass(frozen=True, slots=True)
class _Source:
    """What a folder holds of a network beside its weights."""

    config: dict[str, Any]
    tokenizer: bytes
    limits: tuple[int, ...]
    """Tokens that it is said to read at most."""
    pooling: str
    """mean, cls or pooler; as sentence-transformers does, the mean where nothing is said."""
    reranks: bool
    """Whether it has transformers' head for classification, and nothing says how vectors come."""


_Made = tuple[bytes, dict[str, Any], Floats]
"""An ONNX file, what its manifest says of it, and what it makes of the sample."""


def convert(folder: Path, out: Path, name: str, licence: str) -> Manifest:
    """Write encoder.onnx, tokenizer.json and encoder.json, and return what the last one says.

    Of a cross-encoder, reranker.onnx and reranker.json. Nothing that the folder holds is run.

    Args:
        folder: config.json, the tokenizer, and the weights in the format of safetensors, PyTorch or
            ONNX, as published on Hugging Face, with sentence-transformers' files if there are any.
        out: An empty folder. What is in it after an error is of no use.
        name: What the model is to be called; SimCSE's encoders are known by theirs.
        licence: An SPDX expression.

    Raises:
        ModelError: a file is missing or damaged, or describes a model of another kind.
        OSError: ``out`` cannot be written.
    """
    place, pooling = read_modules(folder)
    source = _source(place, pooling, name)
    weights, published = find_weights(place), folder / "onnx" / "model.onnx"
    ours = weights and source.config.get("model_type") in _FAMILIES
    if weights and (ours or source.reranks or not published.is_file()):
        network, facts, vectors = _built(source, weights)
    elif published.is_file() and not source.reranks:
        weights = published
        network, facts, vectors = _probed(source, published.read_bytes())
    else:
        raise ModelError(
            f"The folder {place} holds no model.safetensors and no pytorch_model.bin.",
            "Give the whole folder, as it is published on Hugging Face.",
        )
    kind = "reranker" if source.reranks else "encoder"
    if not source.reranks:
        measured = name.lower().rpartition("/")[2] == _CEG
        known = (0.5, "CEG's own, for this encoder") if measured else _matched(vectors)
        facts |= dict(zip(("threshold", "threshold_origin"), known, strict=True))
    with weights.open("rb") as file:
        origin = hashlib.file_digest(file, "sha256").hexdigest()
    manifest = {
        "name": name,
        "version": "1",
        "file": f"{kind}.onnx",
        "sha256": hashlib.sha256(network).hexdigest(),
        "tokenizer": "tokenizer.json",
        "tokenizer_sha256": hashlib.sha256(source.tokenizer).hexdigest(),
        "licence": licence,
        "origin": f"{name}, converted from {weights.name}",
        "origin_sha256": origin,
        **facts,
    }
    (out / f"{kind}.onnx").write_bytes(network)
    (out / "tokenizer.json").write_bytes(source.tokenizer)
    text = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    (out / f"{kind}.json").write_text(text, encoding="utf-8")
    return read_manifest(out / f"{kind}.json", kind)


def _matched(vectors: Floats) -> tuple[float, str]:
    """The threshold of the encoder that gives these vectors to the sample texts, and its origin."""
    name, threshold, share = _bundled()
    passages = len(sample_pairs())
    pairs = (len(sample_texts()) - passages) * passages
    return matched_threshold(vectors, share), (
        f"drops as large a share ({share:.0%}) of {pairs} pairs of short texts as {name} at "
        f"{threshold} (models/similarity.json)"
    )


@cache
def _bundled() -> tuple[str, float, float]:
    """The bundled encoder's name, its threshold, and the share of the sample's pairs under it."""
    with closing(bundled_encoder()) as known:
        return known.manifest.name, known.threshold, dropped_share(known)


def read_modules(folder: Path) -> tuple[Path, str | None]:
    """Where the network is, and how a text's vector is made of its tokens': mean, cls, or None
    where modules.json does not say.

    Raises:
        ModelError: the vectors are made in another way than by mean or first token.
    """
    if not (folder / "modules.json").exists():
        return folder, None
    transformer, pooling = folder, None
    for module in _read_json(folder / "modules.json", list):
        match module:
            case {"type": str(kind), "path": str(part)} if part not in (".", "..") and not set(
                part
            ) & set("/\\\0"):
                kind = kind.rpartition(".")[2]
            case _:
                raise ModelError(
                    "The model's modules.json is damaged.", "Copy or download the model again."
                )
        if kind == "Transformer":
            transformer = folder / part
        elif kind == "Pooling":
            pooling = _pooling(_read_json(folder / part / "config.json", dict))
        elif kind != "Normalize":  # ours always are
            raise unsupported(f"it has a part of the kind {quoted(kind)}")
    return transformer, pooling


def _pooling(config: dict[str, Any]) -> str:
    modes = {key.removeprefix("pooling_mode_") for key, value in config.items() if value is True}
    modes.add(str(config.get("pooling_mode", "")))
    found = sorted(mode.removesuffix("_tokens").removesuffix("_token") for mode in modes)
    match [mode for mode in found if mode not in ("", "include_prompt")]:
        case ["mean" | "cls" as mode]:
            return mode
        case others:
            raise unsupported(f"its vectors are made by {quoted(', '.join(others) or 'nothing')}")


def _simcse_pooling(name: str) -> str:
    """How the vectors of a model without sentence-transformers' files are made.

    SimCSE's own package (princeton-nlp/SimCSE, simcse/tool.py) takes ``pooler_output``; for models
    that were trained without supervision its README takes the first token's vector before that.
    """
    name = name.lower().rpartition("/")[2]
    if "simcse" not in name:
        return "mean"
    return "cls" if name.startswith("unsup") else "pooler"


def _source(place: Path, pooling: str | None, name: str) -> _Source:
    """Look into the folder of a network."""
    config = _read_json(place / "config.json", dict)
    sentence, settings = (
        _read_json(place / file, dict) if (place / file).exists() else {}
        for file in ("sentence_bert_config.json", "tokenizer_config.json")
    )
    told = (sentence.get("max_seq_length"), settings.get("model_max_length"), _LONGEST)
    return _Source(
        config,
        tokenizer_definition(place, settings, lowercase=sentence.get("do_lower_case") is True),
        tuple(limit for limit in told if type(limit) is int and limit > 2),
        pooling or _simcse_pooling(name),
        pooling is None and "ForSequenceClassification" in str(config.get("architectures")),
    )


def _built(source: _Source, path: Path) -> _Made:
    """A network that is built anew from its weights.

    Raises:
        ModelError: the weights are damaged, or the network is of another kind.
    """
    configuration = read_configuration(source.config)
    weights = Weights(path, configuration.family)
    sizes = size(weights, configuration)
    if Tokenizer(source.tokenizer).largest() >= sizes.vocabulary:
        raise unsupported("its tokenizer knows more tokens than its weights")
    facts: dict[str, Any] = {"max_length": min(*source.limits, sizes.tokens)}
    if source.reranks:
        facts["separators"] = 2 if configuration.family == "mpnet" else 1
        output = "score"
    else:
        # The pooler is in the network.
        pooling = "mean" if source.pooling == "mean" else "cls"
        facts |= {"dimension": sizes.width, "pooling": pooling}
        output = "pooler" if source.pooling == "pooler" else "hidden"
    # A model's id is made from this file's hash: who reads otherwise needs another id.
    note = json.dumps(facts, sort_keys=True)
    exact, small = (
        build(weights, configuration, output, int8=int8, note=note) for int8 in (False, True)
    )
    expected, found = (_sampled(source, network, facts) for network in (exact, small))
    if source.reranks:
        if not (np.isfinite(expected).all() and expected.std() > 0):
            raise unsupported("its scores do not tell texts from each other")
        likeness = float(np.corrcoef(found, expected)[0, 1])
        measured, told = "correlation", f"correlation to float32 {likeness:.4f}"
    else:
        if not np.isfinite(expected).all():
            raise unsupported("its vectors are no numbers")
        likeness = float((found * expected).sum(axis=1).min())
        measured, told = "cosine", f"cosine to float32 >= {likeness:.4f}"
    if likeness >= _LEAST_LIKENESS:
        return small, {**facts, "quantisation": f"int8 weights, float32 arithmetic; {told}"}, found
    told = f"float32, since int8 weights gave a {measured} of {likeness:.4f}"
    return exact, {**facts, "quantisation": told}, expected


def _probed(source: _Source, network: bytes) -> _Made:
    """An encoder's own ONNX file, if it gives vectors that can be used.

    Raises:
        ModelError: it takes or gives something else, or no vectors.
    """
    if source.pooling == "pooler":
        raise unsupported("its vectors are made by a pooler, which its ONNX file does not show")
    # Some families leave two positions to padding, and a longer text would end the run.
    positions = source.config.get("max_position_embeddings", _LONGEST + 2)
    limits = (*source.limits, positions - 2 if type(positions) is int else _LONGEST)
    facts: dict[str, Any] = {
        "max_length": max(3, min(limits)),
        "dimension": 0,
        "pooling": source.pooling,
        "quantisation": "as published",
        "batch": _COMPANY,
    }
    with closing(_opened(source, network, facts)) as encoder:
        try:
            ((_, vectors),) = encoder.stream(["a"])
            facts["dimension"] = vectors.shape[1]
        except (KeyError, IndexError, ValueError) as error:
            raise unsupported(
                f"its ONNX file is none of an encoder ({quoted(str(error))})"
            ) from error
    texts = sample_texts()
    long = [" ".join(texts)[: 40 * length] for length in range(1, _COMPANY)]
    with closing(_opened(source, network, facts)) as encoder:
        together = encoder.encode([*texts, *long])
        alone = np.concatenate([encoder.encode([text]) for text in (*texts, *long)])
    if not np.isfinite(alone).all():
        raise unsupported("its vectors are no numbers")
    if together.tobytes() != alone.tobytes():
        facts["batch"] = 1
    return network, facts, alone[: len(texts)]


def _opened(source: _Source, network: bytes, facts: dict[str, Any]) -> Encoder:
    manifest = Manifest.unsaved(facts["max_length"], {**facts, "threshold": 0})
    return Encoder(network, source.tokenizer, manifest)


def _sampled(source: _Source, network: bytes, facts: dict[str, Any]) -> Floats:
    """The vectors of the sample texts, or the scores of the sample pairs."""
    if source.reranks:
        manifest = Manifest.unsaved(facts["max_length"], facts)
        with closing(Reranker(network, source.tokenizer, manifest)) as reranker:
            return reranker.score(sample_pairs())
    with closing(_opened(source, network, facts)) as encoder, np.errstate(invalid="ignore"):
        return encoder.encode(sample_texts())


def read_configuration(config: dict[str, Any]) -> Configuration:
    """The network that a config.json describes (transformers' names)."""
    kind, activation = str(config.get("model_type")), str(config.get("hidden_act", "gelu"))
    if kind not in _FAMILIES:
        raise unsupported(f"it is of the kind {quoted(kind)}")
    if config.get("position_embedding_type", "absolute") != "absolute" or config.get("is_decoder"):
        raise unsupported("its attention is not that of a plain encoder")
    if activation not in _ACTIVATIONS:
        raise unsupported(f"its activation is {quoted(activation)}")
    counts = []
    for key in ("num_hidden_layers", "num_attention_heads"):
        if type(count := config.get(key)) is not int or not 0 < count <= 1024:
            raise unsupported(f"its config.json gives no sound {key}")
        counts.append(count)
    epsilon = config.get("layer_norm_eps", 1e-12)
    if type(epsilon) is not float or not 0 < epsilon < 1:
        raise unsupported("its config.json gives no sound layer_norm_eps")
    return Configuration(kind, counts[0], counts[1], _ACTIVATIONS[activation], epsilon)


def tokenizer_definition(folder: Path, settings: dict[str, Any], *, lowercase: bool) -> bytes:
    """What is to be written to tokenizer.json: no truncation, no padding.

    Args:
        folder: Has a tokenizer.json or BERT's vocab.txt.
        settings: What its tokenizer_config.json says.
        lowercase: Lowercase every text first, whatever the tokenizer does.

    Raises:
        ModelError: there is no tokenizer, or it is damaged or of another kind.
    """
    if (folder / "tokenizer.json").exists():
        definition = _read_json(folder / "tokenizer.json", dict)
    elif (folder / "vocab.txt").exists():
        definition = _wordpiece(folder / "vocab.txt", settings)
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
    text = json.dumps(definition, ensure_ascii=False) + "\n"
    return text.encode("utf-8", "surrogatepass")


def _wordpiece(path: Path, settings: dict[str, Any]) -> dict[str, Any]:
    """BERT's tokenizer, whose vocabulary has one token a line."""
    from tokenizers import BertWordPieceTokenizer

    try:
        tokenizer = BertWordPieceTokenizer(
            str(path),
            handle_chinese_chars=settings.get("tokenize_chinese_chars", True),
            strip_accents=settings.get("strip_accents"),
            lowercase=settings.get("do_lower_case", True),
        )
        definition: dict[str, Any] = json.loads(tokenizer.to_str())
    except Exception as error:
        raise ModelError(
            "The model's vocab.txt is damaged.", "Copy or download it anew."
        ) from error
    return definition


def _read_json(path: Path, kind: type[_Kind]) -> _Kind:
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
