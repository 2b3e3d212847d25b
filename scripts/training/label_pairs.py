"""Write a teacher's logits of pairs, for ``train_verifier --teacher``.

    python -m scripts.training.label_pairs --pairs PAIRS.jsonl --mpnet DIR --checkpoint DIR \\
        --out LOGITS.npy
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from scripts.training.batches import Pairs
from scripts.training.train_verifier import logits_of
from scripts.training.transformer import of_mpnet


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--mpnet", type=Path, required=True)
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    model = of_mpnet(given.mpnet)
    state = torch.load(given.checkpoint / "state.pt", map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"])
    np.save(given.out, logits_of(model.bfloat16(), Pairs(given.pairs, given.mpnet)))


if __name__ == "__main__":
    main()
