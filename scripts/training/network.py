"""The verifier in PyTorch: transformers' MPNet under our head, and its pairs as batches.

It starts from an exported network (``integer.stored``): the module computes in floats, with the
same weights, what that network computes with integers.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import MPNetConfig, MPNetModel
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

from scripts.training.integer import EPSILON, Floats, Weights, stored
from scripts.training.pairs import Pair
from veracite.models.bundled import BUNDLED

MAX_LENGTH = 256
"""Tokens of a pair; of longer ones the premise is cut."""
LONGEST_CLAIM = 700
"""Characters of a claim that trains."""
_POOL = 48
"""Batches that are cut from as many pairs in the order of their lengths."""
_NAMES = {
    "attention.self.query": "attention.attn.q",
    "attention.self.key": "attention.attn.k",
    "attention.self.value": "attention.attn.v",
    "attention.output.dense": "attention.attn.o",
    "attention.output.LayerNorm": "attention.LayerNorm",
}
"""What the exported network calls after BERT, and transformers otherwise."""
_DISTANCES = "encoder.relative_attention_bias.weight"
_WORDS, _PLACES = "embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight"

Batch = tuple[Tensor, Tensor, Tensor]
"""Ids, mask and types (1 where the claim stands), each of shape (pairs, length)."""


class Verifier(nn.Module):  # type: ignore[misc, unused-ignore]
    """MPNet over (premise, claim); [CLS], the claim's mean and its maximum give three logits.

    The claim's tokens have seen the premise: the maximum over them can say that one word of the
    claim has no support, which a mean over everything blurs.
    """

    def __init__(self, config: MPNetConfig) -> None:
        super().__init__()
        self.trunk = MPNetModel(config, add_pooling_layer=False)
        self.head = nn.Linear(3 * config.hidden_size, 3)

    def forward(self, ids: Tensor, mask: Tensor, types: Tensor) -> Tensor:
        """Return the logits (batch, 3) in floats: supported, neutral, contradicted."""
        states = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        claim = (mask * types).unsqueeze(-1).to(states.dtype)
        mean = (states * claim).sum(1) / claim.sum(1).clamp(min=1.0)
        highest = (states * claim - 1e4 * (1.0 - claim)).amax(1)
        pooled = torch.cat([states[:, 0], mean, highest], dim=1)
        with torch.autocast(pooled.device.type, enabled=False):
            logits: Tensor = self.head(pooled)
        return logits

    def freeze(self, layers: int) -> None:
        """Keep the embeddings, the distances and the lowest layers as they are."""
        encoder = self.trunk.encoder
        below = self.trunk.embeddings, encoder.relative_attention_bias
        for part in (*below, *encoder.layer[:layers]):
            part.requires_grad_(False)


def _distances() -> Tensor:
    """Return the bucket of each distance from -(MAX_LENGTH - 1) to MAX_LENGTH - 1."""
    ahead = torch.arange(1 - MAX_LENGTH, MAX_LENGTH)
    buckets: Tensor = MPNetEncoder.relative_position_bucket(ahead)
    return buckets


def opened(path: Path, dropout: float = 0.0) -> Verifier:
    """Return the verifier of an exported network."""
    weights = {name: torch.tensor(value) for name, value in stored(path).items()}
    head = {kind: weights.pop(f"head.{kind}") for kind in ("weight", "bias")}
    table = weights.pop("encoder.distances")
    weights[_DISTANCES] = torch.zeros(32, len(table))
    weights[_DISTANCES][_distances()] = table.T
    # transformers counts the places of tokens from 2 on.
    weights[_PLACES] = nn.functional.pad(weights[_PLACES], (0, 0, 2, 0))
    for ours, theirs in _NAMES.items():
        weights = {name.replace(ours, theirs): value for name, value in weights.items()}
    words, width = weights[_WORDS].shape
    config = MPNetConfig(
        vocab_size=words,
        hidden_size=width,
        max_position_embeddings=len(weights[_PLACES]),
        num_hidden_layers=sum(name.endswith("attn.q.weight") for name in weights),
        num_attention_heads=len(table),
        intermediate_size=len(weights["encoder.layer.0.intermediate.dense.weight"]),
        layer_norm_eps=EPSILON,
        hidden_dropout_prob=dropout,
        attention_probs_dropout_prob=0.0,
    )
    model = Verifier(config)
    model.trunk.load_state_dict(weights)
    model.head.load_state_dict(head)
    model.eval()
    return model


def exported_name(name: str) -> str:
    """What the exported network calls a part that transformers names so."""
    for ours, theirs in _NAMES.items():
        name = name.replace(theirs, ours)
    return name


def arrays(model: Verifier) -> Weights:
    """Return the weights as ``integer.network`` takes them: what ``opened`` has read."""
    weights = {name: value.detach().float() for name, value in model.trunk.state_dict().items()}
    weights["encoder.distances"] = weights.pop(_DISTANCES)[_distances()].T
    weights[_PLACES] = weights[_PLACES][2:]
    weights = {exported_name(name): value for name, value in weights.items()}
    weights |= {f"head.{kind}": value.detach() for kind, value in model.head.state_dict().items()}
    return {name: value.cpu().numpy().copy() for name, value in weights.items()}


def tokenizer() -> Tokenizer:
    """Return the shipped tokenizer: pairs up to MAX_LENGTH tokens, only the premise is cut."""
    made = Tokenizer.from_file(str(BUNDLED / "verifier_tokenizer.json"))
    made.enable_truncation(MAX_LENGTH, strategy="only_first")
    return made


class Encoded:
    """Pairs as tokens."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        tokens = tokenizer()
        self.labels = torch.tensor([pair.label for pair in pairs])
        texts = [(pair.premise, pair.claim[:LONGEST_CLAIM]) for pair in pairs]
        encoded = tokens.encode_batch(texts)
        self._padding = tokens.token_to_id("<pad>")
        self._ids = [np.array(e.ids, np.int64) for e in encoded]
        self._claims = [e.sequence_ids.index(1) for e in encoded]

    def batch(self, chosen: Sequence[int]) -> Batch:
        """Return some pairs."""
        width = max(len(self._ids[place]) for place in chosen)
        ids = torch.full((len(chosen), width), self._padding)
        mask, types = torch.zeros_like(ids), torch.zeros_like(ids)
        for row, place in enumerate(chosen):
            length = len(self._ids[place])
            ids[row, :length] = torch.from_numpy(self._ids[place])
            mask[row, :length] = 1
            types[row, self._claims[place] : length] = 1
        return ids, mask, types

    def epoch(self, size: int, rng: random.Random) -> Iterator[list[int]]:
        """Yield all pairs in random batches of this size and of similar length."""
        order = list(range(len(self._ids)))
        rng.shuffle(order)
        for start in range(0, len(order), _POOL * size):
            pool = sorted(order[start : start + _POOL * size], key=lambda i: len(self._ids[i]))
            groups = [pool[i : i + size] for i in range(0, len(pool), size)]
            rng.shuffle(groups)
            yield from groups


@torch.inference_mode()  # type: ignore[untyped-decorator, unused-ignore]
def logits_of(model: Verifier, pairs: Sequence[Pair]) -> Floats:
    """Judge pairs one at a time, in floats: logits of shape (pairs, 3)."""
    encoded = Encoded(pairs)
    return np.concatenate([model(*encoded.batch([place])).numpy() for place in range(len(pairs))])
