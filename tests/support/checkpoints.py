"""Small random networks as their makers publish them, without torch, and what they compute.

The forward pass here is written after the papers in plain numpy and shares nothing with
``veracite.models.conversion``, which it is there to check.
"""

import json
import math
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from scipy.special import erf

Floats = NDArray[np.float32]
Arrays = dict[str, Floats]

WIDTH, HEADS, LAYERS, INNER, POSITIONS = 32, 4, 2, 48, 40
LETTERS = [chr(code) for code in range(ord("a"), ord("z") + 1)]
VOCABULARY = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
    *LETTERS,
    *(f"##{letter}" for letter in LETTERS),
]
BUCKETS = 32
"""MPNet's distances, in ranges."""

FAMILIES = ("bert", "mpnet")

_ATTENTION = {
    "bert": (
        ("attention.self.query", "attention.self.key", "attention.self.value"),
        ("attention.output.dense", "attention.output.LayerNorm"),
    ),
    "mpnet": (
        ("attention.attn.q", "attention.attn.k", "attention.attn.v"),
        ("attention.attn.o", "attention.LayerNorm"),
    ),
}
_HEAD = {
    "bert": ("bert.pooler.dense", "classifier"),
    "mpnet": ("classifier.dense", "classifier.out_proj"),
}


def config(family: str) -> dict[str, Any]:
    """A config.json, with transformers' names."""
    return {
        "model_type": family,
        "hidden_act": "gelu",
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": HEADS,
        "intermediate_size": INNER,
        "layer_norm_eps": 1e-5,
        "pad_token_id": 1 if family == "mpnet" else 0,
    }


def random_weights(family: str) -> Arrays:
    """Weights under the family's names, none of them zero or one."""
    random = np.random.default_rng(11)

    def some(*shape: int) -> Floats:
        return random.normal(0, 0.3, shape).astype(np.float32)

    found = {
        "embeddings.word_embeddings.weight": some(len(VOCABULARY), WIDTH),
        "embeddings.position_embeddings.weight": some(POSITIONS, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    dense = {}
    if family == "bert":
        found["embeddings.token_type_embeddings.weight"] = some(2, WIDTH)
        dense["pooler.dense"] = (WIDTH, WIDTH)
    if family == "mpnet":
        found["encoder.relative_attention_bias.weight"] = some(BUCKETS, HEADS) * 3
    heads, (mixed, norm) = _ATTENTION[family]
    for layer in range(LAYERS):
        place = f"encoder.layer.{layer}"
        dense |= {f"{place}.{name}": (WIDTH, WIDTH) for name in (*heads, mixed)}
        dense[f"{place}.intermediate.dense"] = (INNER, WIDTH)
        dense[f"{place}.output.dense"] = (WIDTH, INNER)
        norms += [f"{place}.{norm}", f"{place}.output.LayerNorm"]
    for name, shape in dense.items():
        found |= {f"{name}.weight": some(*shape), f"{name}.bias": some(shape[0])}
    for name in norms:
        found |= {f"{name}.weight": 1 + some(WIDTH), f"{name}.bias": some(WIDTH)}
    return found


def reranking_weights(family: str, numbers: int = 1) -> Arrays:
    """Those of a cross-encoder: an encoder inside, and a head that gives so many numbers."""
    random = np.random.default_rng(5)
    inner, outer = _HEAD[family]
    found = {f"{family}.{name}": array for name, array in random_weights(family).items()}
    for name, rows in ((inner, WIDTH), (outer, numbers)):
        found[f"{name}.weight"] = random.normal(0, 0.3, (rows, WIDTH)).astype(np.float32)
        found[f"{name}.bias"] = random.normal(0, 0.3, rows).astype(np.float32)
    return found


def scores(
    family: str, weights: Arrays, ids: Sequence[int], types: Sequence[int]
) -> NDArray[np.float64]:
    """The numbers that the cross-encoder gives one pair of texts."""
    arrays = {name.removeprefix(f"{family}."): array for name, array in weights.items()}
    first = hidden_states(family, arrays, ids, types)[0]
    inner, outer = _HEAD[family]
    raised = np.tanh(weights[f"{inner}.weight"] @ first + weights[f"{inner}.bias"])
    numbers: NDArray[np.float64] = weights[f"{outer}.weight"] @ raised + weights[f"{outer}.bias"]
    return numbers


def hidden_states(
    family: str, weights: Arrays, ids: Sequence[int], types: Sequence[int] = ()
) -> NDArray[np.float64]:
    """What the encoder makes of one text, or of a pair: shape (tokens, width)."""
    heads, (joined, norm) = _ATTENTION[family]
    epsilon = 1e-5
    arrays = {name: array.astype(np.float64) for name, array in weights.items()}

    def dense(name: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return rows @ arrays[f"{name}.weight"].T + arrays[f"{name}.bias"]

    def normed(name: str, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        centred = rows - rows.mean(axis=1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(axis=1, keepdims=True) + epsilon)
        scaled: NDArray[np.float64] = centred / deviation * arrays[f"{name}.weight"]
        return scaled + arrays[f"{name}.bias"]

    first = 2 if family == "mpnet" else 0
    hidden = arrays["embeddings.word_embeddings.weight"][list(ids)]
    hidden = hidden + arrays["embeddings.position_embeddings.weight"][first : first + len(ids)]
    if family == "bert":
        segments = types or [0] * len(ids)
        hidden = hidden + arrays["embeddings.token_type_embeddings.weight"][segments]
    hidden = normed("embeddings.LayerNorm", hidden)
    for layer in range(LAYERS):
        place, mixed = f"encoder.layer.{layer}", []
        query, key, value = (dense(f"{place}.{name}", hidden) for name in heads)
        for head in range(HEADS):
            columns = slice(head * WIDTH // HEADS, (head + 1) * WIDTH // HEADS)
            scores = query[:, columns] @ key[:, columns].T / math.sqrt(WIDTH / HEADS)
            if family == "mpnet":
                table = arrays["encoder.relative_attention_bias.weight"]
                scores = scores + [
                    [table[_bucket(there - here), head] for there in range(len(ids))]
                    for here in range(len(ids))
                ]
            powers = np.exp(scores - scores.max(axis=1, keepdims=True))
            mixed.append(powers / powers.sum(axis=1, keepdims=True) @ value[:, columns])
        rest = dense(f"{place}.{joined}", np.hstack(mixed))
        hidden = normed(f"{place}.{norm}", hidden + rest)
        raised = dense(f"{place}.intermediate.dense", hidden)
        gelu = raised * (1 + erf(raised / math.sqrt(2))) / 2
        hidden = normed(f"{place}.output.LayerNorm", hidden + dense(f"{place}.output.dense", gelu))
    return hidden


def _bucket(distance: int) -> int:
    """T5's ranges of distances (Raffel et al. 2020, section 2.1), as MPNet has them."""
    later, far = BUCKETS // 2 if distance > 0 else 0, abs(distance)
    if far < 8:
        return later + far
    return later + min(8 + int(math.log(far / 8) / math.log(128 / 8) * 8), 15)


def write_header(path: Path, header: Any, data: bytes = b"") -> None:
    """Write a safetensors file that says what it likes."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def write_folder(folder: Path, family: str = "bert", weights: Arrays | None = None) -> Arrays:
    """Write a whole Hugging Face folder of an encoder; returns its weights."""
    folder.mkdir(exist_ok=True)
    found = random_weights(family) if weights is None else weights
    (folder / "config.json").write_text(json.dumps(config(family)))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    save_file(found, folder / "model.safetensors")
    return found


def write_reranker(
    folder: Path, family: str = "bert", numbers: int = 1, labels: Sequence[str] = ()
) -> Arrays:
    """Write a whole Hugging Face folder of a cross-encoder; returns its weights."""
    weights = write_folder(folder, family, reranking_weights(family, numbers))
    said = config(family) | {"architectures": ["XForSequenceClassification"]}
    if numbers != 2 or labels:  # two that were given no names transformers leave out
        named = labels or [f"LABEL_{place}" for place in range(numbers)]
        said["id2label"] = {str(place): label for place, label in enumerate(named)}
    (folder / "config.json").write_text(json.dumps(said))
    return weights


def write_modules(folder: Path, pooling: str, *more: str) -> None:
    """Write sentence-transformers' description: a pooling mode, and kinds of parts behind it."""
    kinds = {"": "Transformer", "1_Pooling": "Pooling"} | {f"2_{kind}": kind for kind in more}
    listed = [
        {"idx": number, "path": path, "type": f"sentence_transformers.models.{kind}"}
        for number, (path, kind) in enumerate(kinds.items())
    ]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    flags = {"pooling_mode_max_tokens": False, f"pooling_mode_{pooling}": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(flags | {"include_prompt": True}))
