"""Write a teacher's logits of pairs, for ``train_verifier --teacher``; goes on after a stop.

    python -m scripts.training.label_pairs --pairs PAIRS.jsonl --mpnet DIR --checkpoint DIR \\
        --out LOGITS.npy

With ``--network VERIFIER.onnx --weights DIR`` in the place of MPNet the teacher is what an exported
network said: it then forgets less of that while it learns something else.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
import torch

from scripts.training.batches import Pairs
from scripts.training.from_onnx import weights_of
from scripts.training.train_verifier import logits_of
from scripts.training.transformer import Transformer, of_mpnet, of_network

PART = 8192
"""Pairs that are lost at most when it is stopped."""


def _teacher(given: argparse.Namespace) -> Transformer:
    if given.network:
        config = json.loads((given.weights / "config.json").read_text("utf-8"))
        return of_network(config, weights_of(given.network))
    model = of_mpnet(given.mpnet)
    state = torch.load(given.checkpoint / "state.pt", map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    return model.bfloat16()


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    teacher = parser.add_mutually_exclusive_group(required=True)
    teacher.add_argument("--mpnet", type=Path, help="its weights, of a teacher on MPNet")
    teacher.add_argument("--network", type=Path, help="an exported network, to be the teacher")
    parser.add_argument("--checkpoint", type=Path, help="beside --mpnet: what was trained on it")
    parser.add_argument("--weights", type=Path, help="beside --network: its sentence encoder's")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    model = _teacher(given)
    pairs = Pairs(given.pairs, given.weights if given.network else given.mpnet)
    parts = given.out.with_suffix(".parts")
    parts.mkdir(exist_ok=True)
    files = []
    for start in range(0, len(pairs), PART):
        files.append(parts / f"{start:07d}.npy")
        if not files[-1].exists():
            logits = logits_of(model, pairs, range(start, min(start + PART, len(pairs))))
            np.save(parts / "unfinished.npy", logits)
            (parts / "unfinished.npy").replace(files[-1])
            print(f"{start + len(logits)} of {len(pairs)} pairs", flush=True)
    np.save(given.out, np.concatenate([np.load(file) for file in files]))


if __name__ == "__main__":
    main()
