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
from transformers import PreTrainedTokenizerFast

from scripts.training.batches import MAX_LENGTH
from scripts.training.from_onnx import from_onnx
from scripts.training.model import Verifier

Pairs = list[tuple[str, str]]


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
    model = from_onnx(given.model)
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
