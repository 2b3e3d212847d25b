"""Judge pairs one at a time with transformers: what ``scripts/measure_speed.py`` compares with.

    python -m scripts.training.one_by_one --model verifier.onnx --tokenizer tokenizer.json \\
        --threads 2

The first line on standard input is a JSON list of (premise, claim). Each further line asks for one
round over all of them; a JSON object with its seconds and the probabilities answers it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import MPNetConfig, MPNetModel, PreTrainedTokenizerFast

from scripts.training.batches import MAX_LENGTH
from scripts.training.from_onnx import weights_of
from scripts.training.integer import EPSILON

Pairs = list[tuple[str, str]]


class Verifier(nn.Module):
    """MPNet over (premise, claim); [CLS], the claim's mean and its maximum give three logits.

    The claim's tokens have seen the premise: the maximum over them can say that one word of the
    claim has no support, which a mean over everything blurs.
    """

    def __init__(self, config: MPNetConfig) -> None:
        super().__init__()
        self.trunk = MPNetModel(config, add_pooling_layer=False)
        self.head = nn.Linear(3 * config.hidden_size, 3)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Return the logits (batch, 3): supported, neutral, contradicted."""
        states = self.trunk(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        claim = (attention_mask * token_type_ids).unsqueeze(-1).to(states.dtype)
        mean = (states * claim).sum(1) / claim.sum(1).clamp(min=1.0)
        highest = (states * claim - 1e4 * (1.0 - claim)).max(1).values
        logits: Tensor = self.head(torch.cat([states[:, 0], mean, highest], dim=1))
        return logits


def verifier(path: Path) -> Verifier:
    """Return the verifier of an ONNX file that ``export_verifier`` wrote, ready to judge."""
    weights = {
        name if name.startswith("head.") else f"trunk.{name}": value
        for name, value in weights_of(path).items()
    }
    words, width = weights["trunk.embeddings.word_embeddings.weight"].shape
    bias = weights["trunk.encoder.relative_attention_bias.weight"]
    config = MPNetConfig(
        vocab_size=words,
        hidden_size=width,
        max_position_embeddings=len(weights["trunk.embeddings.position_embeddings.weight"]),
        num_hidden_layers=sum(name.endswith("attn.q.weight") for name in weights),
        num_attention_heads=bias.shape[1],
        relative_attention_num_buckets=len(bias),
        intermediate_size=len(weights["trunk.encoder.layer.0.intermediate.dense.weight"]),
        layer_norm_eps=EPSILON,
    )
    model = Verifier(config)
    model.load_state_dict(weights)
    return model.eval()


@torch.inference_mode()
def judge(model: Verifier, tokens: PreTrainedTokenizerFast, pairs: Pairs) -> list[list[float]]:
    """Return the probabilities of each pair, tokenised and run by itself."""
    found = []
    for premise, claim in pairs:
        batch = tokens(
            premise, claim, truncation="only_first", max_length=MAX_LENGTH, return_tensors="pt"
        )
        start = batch.sequence_ids(0).index(1)
        types = (torch.arange(batch["input_ids"].shape[1]) >= start).long()[None]
        logits = model(batch["input_ids"], batch["attention_mask"], types)
        found.append(torch.softmax(logits[0], dim=0).tolist())
    return found


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    model = verifier(given.model)
    tokens = PreTrainedTokenizerFast(
        tokenizer_file=str(given.tokenizer),
        model_input_names=["input_ids", "attention_mask"],
    )
    pairs: Pairs = [(premise, claim) for premise, claim in json.loads(sys.stdin.readline())]
    judge(model, tokens, pairs[:8])
    while sys.stdin.readline():
        started = time.perf_counter()
        probabilities = judge(model, tokens, pairs)
        seconds = time.perf_counter() - started
        print(json.dumps({"seconds": seconds, "probabilities": probabilities}), flush=True)


if __name__ == "__main__":
    main()
