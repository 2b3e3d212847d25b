"""Train a verifier for a given number of minutes on pairs in JSON lines.

The learning rate warms up and then falls linearly with the *clock*, so that a slow machine gives a
shorter training and not an unfinished one. Word embeddings stay as they are. Checkpoints are
written every few minutes.

    python -m scripts.training.train_verifier --pairs PAIRS.jsonl --weights DIR --init DIR --out DIR

With ``--mpnet DIR`` it trains a teacher on MPNet's weights. ``--teacher LOGITS.npy`` are a
teacher's logits of the pairs (``label_pairs``): the verifier then learns its probabilities as well.

Start it with a memory allocator that keeps what it has (jemalloc, ``MALLOC_CONF=dirty_decay_ms:-1,
muzzy_decay_ms:-1``) and ``ONEDNN_PRIMITIVE_CACHE_CAPACITY=8192``: half of the time goes otherwise
into asking for memory and into compiling products.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor

from scripts.training.batches import UNLABELLED, Pairs
from scripts.training.from_onnx import weights_of
from scripts.training.master import Master
from scripts.training.transformer import (
    Transformer,
    of_checkpoint,
    of_mpnet,
    of_network,
    stored,
)

Logits = npt.NDArray[np.float32]

NOT_SUPPORTED = 3
"""The label that asks only that the claim be not supported: neutral or contradicted."""
TOKENS = 8192
"""Tokens that are judged at a time."""
WARM_UP = 0.06
"""Share of the time in which the learning rate rises."""


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the cross entropy of each pair, shape (batch,)."""
    logs = torch.log_softmax(logits, dim=1)
    unsupported = torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)
    chosen = torch.cat([logs, unsupported], dim=1).gather(1, labels.unsqueeze(1)).squeeze(1)
    return -(0.97 * chosen + 0.01 * logs.sum(1))


def distilled(logits: Tensor, labels: Tensor, taught: Tensor, own: float, heat: float) -> Tensor:
    """Return the loss of each pair: the teacher's probabilities, and its own label's share.

    Args:
        logits: Of the student, shape (batch, 3).
        labels: Shape (batch,); ``UNLABELLED`` learns from the teacher alone.
        taught: Logits of the teacher, shape (batch, 3); where they are no numbers, the label alone
            teaches.
        own: The share of the label.
        heat: Temperature of both probabilities.
    """
    untaught = taught.isnan().any(1)
    wanted = torch.softmax(taught.nan_to_num() / heat, 1)
    soft = -(wanted * torch.log_softmax(logits / heat, 1)).sum(1) * heat**2
    share = torch.where(untaught, 1.0, own * (labels != UNLABELLED))
    return share * loss_of(logits, labels.clamp(min=0)) + (1 - share) * soft


@torch.no_grad()
def logits_of(model: Transformer, pairs: Pairs, places: range) -> Logits:
    """Return the logits of the pairs at these places, shape (len(places), 3), longest first."""
    found = np.zeros((len(places), 3), np.float32)
    order, at = pairs.by_length(places), 0
    while at < len(order):
        chosen = order[at : at + max(16, TOKENS // pairs.width(order[at]) // 16 * 16)]
        found[[place - places.start for place in chosen]] = model(*pairs.batch(chosen)).numpy()
        at += len(chosen)
    return found


def table(logits: Logits, pairs: Pairs) -> dict[str, str]:
    """Return accuracy (three-way, or two-way for label 3) and AUC of support for each set."""
    seen: dict[str, list[tuple[bool, bool, float]]] = defaultdict(list)
    chances = torch.softmax(torch.from_numpy(logits), 1).numpy()
    for chance, label, name in zip(chances, pairs.labels, pairs.sets, strict=True):
        best = int(chance.argmax())
        right = best == label or (label == NOT_SUPPORTED and best != 0)
        seen[name].append((right, label == 0, float(chance[0])))
    found: dict[str, str] = {}
    for name, rows in sorted(seen.items()):
        truth, scores = [row[1] for row in rows], [row[2] for row in rows]
        auc = roc_auc_score(truth, scores) if 0 < sum(truth) < len(truth) else float("nan")
        found[name] = f"{np.mean([row[0] for row in rows]):.3f}/{auc:.3f} ({len(rows)})"
    return found


def save(folder: Path, model: Transformer, master: Master) -> None:
    """Write a checkpoint so that an interruption leaves the previous one.

    BERT's weights get the names that ``model.Verifier`` has for them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: value.float() for name, value in model.state_dict().items()}
    weights |= master.weights()
    if model.distances is None:
        weights = stored(weights)
    torch.save({"model": weights}, folder / "state.tmp")
    (folder / "state.tmp").replace(folder / "state.pt")


def train(given: argparse.Namespace) -> None:
    """Train until the minutes are spent."""
    torch.manual_seed(given.seed)
    rng = random.Random(given.seed)
    source = given.mpnet or given.weights
    model = _start(given)
    model.drop(given.dropout)
    pairs = Pairs(given.pairs, source)
    labels = torch.tensor(pairs.labels)
    taught = _taught(given.teacher, len(pairs)) if given.teacher else None
    kind = torch.float32 if given.floats else torch.bfloat16
    master = Master(model, given.lr, head_times=given.head_times, kind=kind)

    def loss(chosen: list[int]) -> Tensor:
        logits = model(*pairs.batch(chosen))
        if taught is None:
            return loss_of(logits, labels[chosen]).mean()
        return distilled(logits, labels[chosen], taught[chosen], given.own, given.heat).mean()

    print(f"{len(pairs)} pairs, {given.minutes} minutes", flush=True)
    _steps(given, rng, pairs, master, loss, lambda: save(given.out, model, master))
    save(given.out, model, master)
    model.drop(0.0)
    if given.checks:
        checks = Pairs(given.checks, source, given.check_limit)
        logits = logits_of(model, checks, range(len(checks)))
        print(json.dumps(table(logits, checks), indent=1), flush=True)


def _taught(path: Path, count: int) -> Tensor:
    """Return the teacher's logits, shape (count, 3); pairs behind its own have none."""
    given = torch.from_numpy(np.load(path))
    rest = torch.full((count - len(given), 3), torch.nan)
    return torch.cat([given, rest])


def _start(given: argparse.Namespace) -> Transformer:
    if given.mpnet is None:
        if given.init.suffix == ".onnx":
            config = json.loads((given.weights / "config.json").read_text("utf-8"))
            return of_network(config, weights_of(given.init))
        return of_checkpoint(given.weights, given.init)
    model = of_mpnet(given.mpnet)
    if given.init:
        state = torch.load(given.init / "state.pt", map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
    model.freeze(given.freeze)
    return model


def _steps(
    given: argparse.Namespace,
    rng: random.Random,
    pairs: Pairs,
    master: Master,
    loss: Callable[[list[int]], Tensor],
    keep: Callable[[], None],
) -> None:
    total, steps, running = given.minutes * 60.0, 0, 0.0
    begun = told = saved = time.monotonic()
    while True:
        for chosen in pairs.epoch(given.batch, rng):
            now = time.monotonic()
            share = (now - begun) / total
            if share >= 1:
                return
            rate = given.lr * min(1.0, (share + 0.002) / WARM_UP) * (1 - share)
            value = loss(chosen)
            value.backward()
            master.step(rate)
            steps += 1
            now_lost = float(value.detach())
            running = 0.98 * running + 0.02 * now_lost if running else now_lost
            if now - told > 30:
                told = now
                print(
                    f"{now - begun:6.0f}s step {steps} loss {running:.3f} lr {rate:.1e}", flush=True
                )
            if now - saved > given.save_minutes * 60:
                saved = now
                keep()


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, help="a teacher's logits of the pairs")
    parser.add_argument("--own", type=float, default=0.3, help="share of a pair's own label")
    parser.add_argument("--heat", type=float, default=2.0, help="temperature of distillation")
    parser.add_argument("--checks", type=Path)
    parser.add_argument("--check-limit", type=int, default=1500)
    parser.add_argument("--weights", type=Path, help="the sentence encoder's, with its tokenizer")
    parser.add_argument("--mpnet", type=Path, help="train a teacher on these weights instead")
    parser.add_argument("--freeze", type=int, default=4, help="lowest layers of MPNet to keep")
    parser.add_argument("--init", type=Path, help="a checkpoint or a network to start from")
    parser.add_argument(
        "--floats", action="store_true", help="no bfloat16, for want of avx512_bf16"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--lr", type=float, default=1e-4)
    parser.add_argument("--head-times", type=float, default=5.0)
    parser.add_argument("--dropout", type=float, default=0.0, help="share that is left out")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--save-minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=7)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
