"""A model from a Hugging Face folder into the three files that ours are made of, without PyTorch.

Networks of BERT's and MPNet's kind are built anew from their weights. An encoder of another kind is
taken as the ONNX file that its makers publish, if it has one, and probed: what it takes, how a
text's vector comes of what it gives. It runs singly, since company might change its vectors.
"""

import hashlib
import json
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np

from veracite.models.bundled import bundled_encoder
from veracite.models.conversion.network import (
    SEPARATORS,
    Floats,
    Network,
    Weights,
    find_weights,
    unsupported,
)
from veracite.models.encoder import (
    Encoder,
    dropped_share,
    matched_threshold,
    sample_pairs,
    sample_texts,
)
from veracite.models.errors import ModelError
from veracite.models.files import quoted, stays_inside
from veracite.models.onnx import Manifest, Tokenizer, read_manifest, read_network
from veracite.models.reranker import Reranker

_MAX_JSON = 64 * 2**20
"""Bytes; tokenizers of 250,000 tokens take some 17 MB."""
_LONGEST = 512
"""Tokens; the index makes no longer passages."""
_CEG = "sup-simcse-bert-base-uncased"
"""The encoder that CEG retrieves with, at t = 0.5."""

_Kind = TypeVar("_Kind")


@dataclass(frozen=True, slots=True)
class _Module:
    """An entry of sentence-transformers' modules.json."""

    type: str
    path: str


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
    ours = weights and source.config.get("model_type") in SEPARATORS
    if weights and (ours or source.reranks or not published.is_file()):
        network, facts = _built(source, weights)
    elif published.is_file() and not source.reranks:
        weights = published
        network, facts = published.read_bytes(), _published(source)
    else:
        raise ModelError(
            f"The folder {place} holds no model.safetensors and no pytorch_model.bin.",
            "Give the whole folder, as it is published on Hugging Face.",
        )
    kind = "reranker" if source.reranks else "encoder"
    with weights.open("rb") as file:
        origin = hashlib.file_digest(file, "sha256").hexdigest()
    said = {
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
    # An encoder opens with any dimension and threshold, and shows then what these are.
    _save({"dimension": 0, "threshold": 0, **said}, out / f"{kind}.json")
    found = _scores(out) if source.reranks else _vectors(out)
    if not np.isfinite(found).all():
        raise unsupported("its vectors are no numbers")
    if source.reranks and found.std() == 0:
        raise unsupported("its scores do not tell texts from each other")
    if not source.reranks:
        measured = name.lower().rpartition("/")[2] == _CEG
        known = (0.5, "CEG's own, for this encoder") if measured else _matched(found)
        said |= {"dimension": found.shape[1], "threshold": known[0], "threshold_origin": known[1]}
    return _save(said, out / f"{kind}.json")


def _save(said: dict[str, Any], path: Path) -> Manifest:
    text = json.dumps(said, indent=2, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    return read_manifest(path, path.stem)


def _scores(out: Path) -> Floats:
    """What a reranker makes of the sample's pairs."""
    with closing(Reranker(*read_network(out, "reranker"))) as reranker:
        return reranker.score(sample_pairs())


def _vectors(out: Path) -> Floats:
    """What an encoder makes of the sample's texts, of whatever dimension.

    Raises:
        ModelError: it takes or gives something else than an encoder does.
    """
    texts = sample_texts()
    rows: dict[int, Floats] = {}
    with closing(Encoder(*read_network(out, "encoder"))) as encoder:
        try:
            with np.errstate(invalid="ignore"):
                for places, batch in encoder.stream(texts):
                    rows.update(zip(places, batch, strict=True))
            return np.stack([rows[place] for place in range(len(texts))])
        except (KeyError, IndexError, ValueError) as error:
            told = quoted(str(error))
            raise unsupported(f"its ONNX file is none of an encoder ({told})") from error


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
    for module in _read_json(folder / "modules.json", list[_Module]):
        if module.path and ("/" in module.path or not stays_inside(module.path)):
            raise _damaged("modules.json")
        match module.type.rpartition(".")[2]:
            case "Transformer":
                transformer = folder / module.path
            case "Pooling":
                said = _read_json(folder / module.path / "config.json", dict[str, Any])
                pooling = _pooling(said)
            case "Normalize":  # ours always are
                pass
            case kind:
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
    config = _read_json(place / "config.json", dict[str, Any])
    sentence, settings = (
        _read_json(place / file, dict[str, Any]) if (place / file).exists() else {}
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


def _built(source: _Source, path: Path) -> tuple[bytes, dict[str, Any]]:
    """A network that is built anew from its weights, and what is to be known of it.

    Raises:
        ModelError: the weights are damaged, or the network is of another kind.
    """
    network = Network(Weights(path), source.config)
    if Tokenizer(source.tokenizer).largest() >= network.vocabulary:
        raise unsupported("its tokenizer knows more tokens than its weights")
    length = min(*source.limits, network.tokens)
    facts: dict[str, Any] = {"max_length": length, "quantisation": "float32"}
    if source.reranks:
        output, facts["separators"] = "score", SEPARATORS[source.config["model_type"]]
    else:
        output = "pooler" if source.pooling == "pooler" else "hidden"
        pooling = "mean" if source.pooling == "mean" else "cls"  # the pooler is in the network
        facts |= {"dimension": network.width, "pooling": pooling}
    # A model's id is made from this file's hash: who reads otherwise needs another id.
    return network.built(output, note=json.dumps(facts, sort_keys=True)), facts


def _published(source: _Source) -> dict[str, Any]:
    """What is to be known of an encoder in its makers' own ONNX file.

    Raises:
        ModelError: its vectors are made by a pooler, which that file does not show.
    """
    if source.pooling == "pooler":
        raise unsupported("its vectors are made by a pooler, which its ONNX file does not show")
    # Some families leave two positions to padding, and a longer text would end the run.
    positions = source.config.get("max_position_embeddings", _LONGEST + 2)
    limits = (*source.limits, positions - 2 if type(positions) is int else _LONGEST)
    return {
        "max_length": max(3, min(limits)),
        "pooling": source.pooling,
        "quantisation": "as published",
        "batch": 1,  # what company would change is not known
    }


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
        definition = _read_json(folder / "tokenizer.json", dict[str, Any])
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
    return json.dumps(definition, ensure_ascii=False).encode() + b"\n"


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
    except Exception as error:
        raise _damaged("vocab.txt") from error
    definition: dict[str, Any] = json.loads(tokenizer.to_str())
    return definition


def _read_json(path: Path, kind: type[_Kind]) -> _Kind:
    """What is in a JSON file.

    Raises:
        ModelError: there is none, it is too large, or it holds something else.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_JSON + 1)
        return msgspec.json.decode(content if len(content) <= _MAX_JSON else b"", type=kind)
    except OSError as error:
        raise ModelError(
            f"The model's {path.name} cannot be read ({error.strerror}).",
            "Give the whole folder, as it is published on Hugging Face.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path.name) from error


def _damaged(file: str) -> ModelError:
    return ModelError(f"The model's {file} is damaged.", "Copy or download the model once more.")
