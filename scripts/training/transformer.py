"""The trunk that training runs: MPNet's layers without what a processor is slow at.

Everything is in bfloat16, which AMX multiplies some twenty times as fast as floats; queries, keys
and values are one product; attention is two batched products and a softmax (PyTorch's fused one has
a backward pass on the processor that takes longer than all of the rest); dropout (Srivastava et
al., 2014) takes a byte of a random number for each value, since a number for each would take as
long as the layers, and leaves attention alone.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import cast

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

Weights = dict[str, Tensor]
Config = dict[str, float]

_NEVER = -1e4
"""What a masked place has added to its score; finite, so that a row of them stays a number."""
PARTS = {
    "out": "attention.output.dense",
    "first": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "second": "output.LayerNorm",
}
"""The parts of a layer, and what the exported network calls them, after BERT."""


class Layer(nn.Module):
    """Attention and two dense layers, each normalised behind its sum with what came in."""

    def __init__(self, width: int, inner: int, epsilon: float) -> None:
        super().__init__()
        self.dropout = 0.0
        self.attended = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.first = nn.LayerNorm(width, epsilon)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.second = nn.LayerNorm(width, epsilon)

    def forward(self, states: Tensor, added: Tensor, heads: int) -> Tensor:
        """Return the next states (batch, length, width); ``added`` goes to the attention scores."""
        batch, length, width = states.shape
        parts = self.attended(states).view(batch, length, 3, heads, width // heads)
        query, key, value = (
            part.reshape(batch * heads, length, -1) for part in parts.permute(2, 0, 3, 1, 4)
        )
        scores = torch.bmm(query * (width // heads) ** -0.5, key.transpose(1, 2))
        shares = torch.softmax(scores.view(batch, heads, length, length) + added, -1)
        seen = torch.bmm(shares.view(-1, length, length), value).view(batch, heads, length, -1)
        found = self.out(seen.transpose(1, 2).reshape(batch, length, width))
        states = self.first(states + _dropped(found, self.dropout))
        further = self.down(functional.gelu(self.up(states)))
        mixed: Tensor = self.second(states + _dropped(further, self.dropout))
        return mixed


class Transformer(nn.Module):
    """A trunk and the verifier's head on [CLS], the claim's mean and its maximum; three logits.

    Attention adds what depends on the distance of two tokens alone; places begin at 2. Word
    embeddings and distances are not trained.
    """

    def __init__(self, config: Config) -> None:
        super().__init__()
        width = int(config["hidden_size"])
        self.dropout = 0.0
        self.heads = int(config["num_attention_heads"])
        self.words = nn.Embedding(int(config["vocab_size"]), width)
        self.places = nn.Embedding(int(config["max_position_embeddings"]), width)
        self.norm = nn.LayerNorm(width, config["layer_norm_eps"])
        self.layers = nn.ModuleList(
            Layer(width, int(config["intermediate_size"]), config["layer_norm_eps"])
            for _ in range(int(config["num_hidden_layers"]))
        )
        self.head = nn.Linear(3 * width, 3)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)
        self.words.weight.requires_grad = False
        self.distances = nn.Embedding(int(config["relative_attention_num_buckets"]), self.heads)
        self.distances.weight.requires_grad = False

    def drop(self, share: float) -> None:
        """Leave out this share of what each layer adds, and of the embeddings, until set to 0."""
        self.dropout = share
        for layer in self.layers:
            layer.dropout = share

    def freeze(self, layers: int) -> None:
        """Keep the embeddings and the lowest layers as they are."""
        for part in (self.places, self.norm, *self.layers[:layers]):
            part.requires_grad_(False)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Return the logits (batch, 3) in floats: supported, neutral, contradicted.

        Args:
            ids: Token ids, shape (batch, length).
            mask: Where there is a token, bool.
            types: 1 where the claim stands, 0 elsewhere.
        """
        length = ids.shape[1]
        states = self.words(ids) + self.places.weight[2 : 2 + length]
        states = _dropped(self.norm(states), self.dropout)
        added = torch.zeros(mask.shape, dtype=states.dtype).masked_fill(~mask, _NEVER)
        added = added[:, None, None, :] + self.distances(buckets(length)).permute(2, 0, 1)[None]
        for layer in self.layers:
            states = layer(states, added, self.heads)
        states = states.float()
        claim = (mask & types.bool()).unsqueeze(-1)
        mean = (states * claim).sum(1) / claim.sum(1).clamp(min=1)
        highest = states.masked_fill(~claim, _NEVER).amax(1)
        pooled = torch.cat([states[:, 0], mean, highest], 1)
        return functional.linear(pooled, self.head.weight.float(), self.head.bias.float())


def _dropped(states: Tensor, share: float) -> Tensor:
    """Return the states with a share of them, in 256ths, set to 0 and the others made larger."""
    least = round(256 * share)
    if not least:
        return states
    numbers = torch.empty(-(-states.numel() // 8), dtype=torch.int64).random_(-(2**63), None)
    kept = numbers.view(torch.uint8)[: states.numel()].view(states.shape) >= least
    return states * (kept.to(states.dtype) * (256 / (256 - least)))


def buckets(length: int) -> Tensor:
    """Return the bucket of each pair of places: near distances one by one, far ones together."""
    places = torch.arange(length)
    ahead = places[None, :] - places[:, None]
    distance, half, exact = ahead.abs(), 16, 8
    far = torch.log(distance.clamp(min=1) / exact) / math.log(128 / exact) * (half - exact)
    bucket = torch.where(distance < exact, distance, (exact + far.long()).clamp(max=half - 1))
    return (ahead > 0).long() * half + bucket


def of_mpnet(folder: Path, layers: int) -> Transformer:
    """Return an untrained verifier on the lowest layers of MPNet's weights.

    The folder has ``config.json`` and ``model.safetensors``.
    """
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["num_hidden_layers"] = layers
    made = Transformer(config)
    given = load_file(str(folder / "model.safetensors"))
    made.load_state_dict(
        made.state_dict()
        | _layers(given, range(layers))
        | {
            "words.weight": given["embeddings.word_embeddings.weight"],
            "places.weight": given["embeddings.position_embeddings.weight"],
            "distances.weight": given["encoder.relative_attention_bias.weight"],
            "norm.weight": given["embeddings.LayerNorm.weight"],
            "norm.bias": given["embeddings.LayerNorm.bias"],
        }
    )
    return made


def take_over(model: Transformer, given: Weights, lowest: int) -> None:
    """Let the head and the layers from the given one on be those of weights under MPNet's names."""
    taken = _layers(given, range(lowest, len(model.layers)))
    head = {f"head.{kind}": given[f"head.{kind}"] for kind in ("weight", "bias")}
    model.load_state_dict(model.state_dict() | taken | head)


def _layers(given: Weights, which: range) -> Weights:
    """Return layers of weights under MPNet's names by the names of a ``Transformer``."""
    names = PARTS | {"out": "attention.attn.o", "first": "attention.LayerNorm"}
    found = {}
    for kind in ("weight", "bias"):
        for at in which:
            layer = f"encoder.layer.{at}."
            found[f"layers.{at}.attended.{kind}"] = torch.cat(
                [given[f"{layer}attention.attn.{name}.{kind}"] for name in "qkv"]
            )
            for part, name in names.items():
                found[f"layers.{at}.{part}.{kind}"] = given[f"{layer}{name}.{kind}"]
    return found


def of_checkpoint(folder: Path, checkpoint: Path) -> Transformer:
    """Return the verifier of a checkpoint's ``model.pt``, in floats; ``folder`` is MPNet's."""
    state = cast("Weights", torch.load(checkpoint / "model.pt", weights_only=True))
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["num_hidden_layers"] = sum(name.endswith("attended.weight") for name in state)
    config["vocab_size"] = len(state["words.weight"])
    made = Transformer(config)
    made.load_state_dict({name: value.float() for name, value in state.items()})
    return made.eval()


def stored(weights: Weights, longest: int) -> Weights:
    """Return the weights under MPNet's names, what depends on distance as a table of its own.

    Args:
        weights: Of a ``Transformer``.
        longest: Tokens of the longest pair.
    """
    found_at = buckets(longest)
    apart = torch.cat([found_at[1:, 0].flip(0), found_at[0]])
    found = {
        "embeddings.word_embeddings.weight": weights["words.weight"],
        "embeddings.position_embeddings.weight": weights["places.weight"][2 : longest + 2],
        "encoder.distances": weights["distances.weight"][apart].T.contiguous(),
    }
    for kind in ("weight", "bias"):
        found[f"embeddings.LayerNorm.{kind}"] = weights[f"norm.{kind}"]
        found[f"head.{kind}"] = weights[f"head.{kind}"]
        for at in range(sum(name.endswith("attended.weight") for name in weights)):
            start = f"encoder.layer.{at}."
            thirds = weights[f"layers.{at}.attended.{kind}"].chunk(3)
            for name, third in zip(("query", "key", "value"), thirds, strict=True):
                found[f"{start}attention.self.{name}.{kind}"] = third.clone()
            for part, name in PARTS.items():
                found[f"{start}{name}.{kind}"] = weights[f"layers.{at}.{part}.{kind}"]
    return found
