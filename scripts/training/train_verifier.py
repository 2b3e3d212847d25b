"""Train the verifier for a given number of minutes on pairs in JSON lines.

The learning rate warms up and then falls linearly with the *clock*, so that a slow machine gives a
shorter training and not an unfinished one. Word embeddings stay frozen. Checkpoints are written
every few minutes and ``--resume`` continues from the last one.

    python -m scripts.training.train_verifier --pairs short.jsonl --weights DIR --out DIR \\
        --minutes 25 --lr 2e-4

On a busy machine two processes of one thread each, which meet once a step, are faster than one
process of two threads, which meet at every operation: start the command twice, with ``--threads 1``
and with RANK=0 and RANK=1, WORLD_SIZE=2 and the same MEETING=/new/file in the environment.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score
from tokenizers import Tokenizer
from torch import Tensor, nn

from scripts.training.model import MAX_LENGTH, Verifier, fresh, trained

Row = dict[str, object]
Batch = tuple[dict[str, Tensor], Tensor, list[str]]


def tokenizer(weights: Path) -> Tokenizer:
    """Return the tokenizer: pairs up to MAX_LENGTH tokens, only the premise is cut."""
    made = Tokenizer.from_file(str(weights / "tokenizer.json"))
    made.no_padding()
    made.enable_truncation(MAX_LENGTH, strategy="only_first")
    return made


class Pairs:
    """Encoded pairs of a JSON lines file, handed out in batches of similar length."""

    def __init__(self, path: Path, tokens: Tokenizer, limit: int = 0) -> None:
        rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
        if limit and len(rows) > limit:
            rows = random.Random(0).sample(rows, limit)
        self.labels = [int(row["label"]) for row in rows]
        self.sets = [str(row["set"]) for row in rows]
        self.ids: list[list[int]] = []
        self.types: list[list[int]] = []
        for start in range(0, len(rows), 4096):
            part = rows[start : start + 4096]
            for e in tokens.encode_batch([(r["premise"], r["claim"][:700]) for r in part]):
                self.ids.append(e.ids)
                self.types.append(e.type_ids)

    def batch(self, chosen: list[int]) -> Batch:
        """Pad the chosen pairs to the longest of them, rounded up to a multiple of eight."""
        width = -(-max(len(self.ids[i]) for i in chosen) // 8) * 8
        ids = torch.zeros(len(chosen), width, dtype=torch.long)
        mask, types = torch.zeros_like(ids), torch.zeros_like(ids)
        for row, i in enumerate(chosen):
            n = len(self.ids[i])
            ids[row, :n] = torch.tensor(self.ids[i])
            types[row, :n] = torch.tensor(self.types[i])
            mask[row, :n] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
        labels = torch.tensor([self.labels[i] for i in chosen])
        return inputs, labels, [self.sets[i] for i in chosen]

    def epoch(self, size: int, rng: random.Random, rank: int, ranks: int) -> Iterator[Batch]:
        """Yield all pairs once, in random batches of similar length, shared among the ranks."""
        order = list(range(len(self.ids)))
        rng.shuffle(order)
        for start in range(0, len(order), 64 * size):
            pool = sorted(order[start : start + 64 * size], key=lambda i: len(self.ids[i]))
            groups = [pool[i : i + size] for i in range(0, len(pool), size)]
            rng.shuffle(groups)
            for group in groups:
                if len(group) >= ranks:
                    yield self.batch(group[rank::ranks])


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy; the label 3 asks only that the claim be not supported."""
    logs = torch.log_softmax(logits.float(), dim=1)
    unsupported = torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)
    chosen = torch.cat([logs, unsupported], dim=1).gather(1, labels.unsqueeze(1)).squeeze(1)
    smooth = 0.97 * chosen + 0.01 * logs.sum(1)
    return -smooth.mean()


def meet(parameters: list[nn.Parameter], ranks: int) -> None:
    """Average the gradients of all ranks."""
    gradients = [p.grad for p in parameters if p.grad is not None]
    flat = torch.cat([g.flatten() for g in gradients])
    dist.all_reduce(flat)
    flat /= ranks
    at = 0
    for gradient in gradients:
        gradient.copy_(flat[at : at + gradient.numel()].view_as(gradient))
        at += gradient.numel()


def clock(spent: float, ranks: int) -> float:
    """Return the first rank's clock, so that all have the same learning rate and end together."""
    if ranks == 1:
        return spent
    shown = torch.tensor([spent])
    dist.broadcast(shown, 0)
    return float(shown[0])


@torch.no_grad()
def measure(model: Verifier, pairs: Pairs) -> dict[str, str]:
    """Return accuracy (three-way, or two-way for label 3) and AUC of support for each set."""
    model.eval()
    seen: dict[str, list[tuple[bool, int, float]]] = defaultdict(list)
    order = sorted(range(len(pairs.ids)), key=lambda i: len(pairs.ids[i]))
    for start in range(0, len(order), 64):
        inputs, labels, sets = pairs.batch(order[start : start + 64])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            chances = torch.softmax(model(**inputs).float(), dim=1)
        for chance, label, name in zip(chances, labels.tolist(), sets, strict=True):
            best = int(chance.argmax())
            right = best == label or (label == 3 and best != 0)
            seen[name].append((right, int(label == 0), float(chance[0])))
    model.train()
    found: dict[str, str] = {}
    for name, rows in sorted(seen.items()):
        truth, scores = [r[1] for r in rows], [r[2] for r in rows]
        auc = roc_auc_score(truth, scores) if 0 < sum(truth) < len(truth) else float("nan")
        found[name] = f"{sum(r[0] for r in rows) / len(rows):.3f}/{auc:.3f} ({len(rows)})"
    return found


def save(folder: Path, model: Verifier, optimiser: torch.optim.Optimizer, spent: float) -> None:
    """Write a checkpoint so that an interruption leaves the previous one."""
    folder.mkdir(parents=True, exist_ok=True)
    state = {"model": model.state_dict(), "optimiser": optimiser.state_dict(), "spent": spent}
    torch.save(state, folder / "state.tmp")
    (folder / "state.tmp").replace(folder / "state.pt")


def train(given: argparse.Namespace) -> None:
    """Train until the minutes are spent."""
    torch.set_num_threads(given.threads)
    rank, ranks = int(os.environ.get("RANK", "0")), int(os.environ.get("WORLD_SIZE", "1"))
    if ranks > 1:
        meeting = f"file://{os.environ['MEETING']}"
        dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=ranks)
    torch.manual_seed(given.seed)
    rng = random.Random(given.seed)
    tokens = tokenizer(given.weights)
    pairs = Pairs(given.pairs, tokens)
    checks = Pairs(given.checks, tokens, given.check_limit) if given.checks and rank == 0 else None
    start_from = given.out if given.resume else given.init
    model = trained(given.weights, start_from) if start_from else fresh(given.weights)
    model.trunk.embeddings.word_embeddings.weight.requires_grad = False
    trunk = [p for p in model.trunk.parameters() if p.requires_grad]
    groups = [
        {"params": trunk, "weight_decay": 0.01, "times": 1.0},
        {"params": list(model.head.parameters()), "weight_decay": 0.0, "times": given.head_times},
    ]
    optimiser = torch.optim.AdamW(groups, lr=given.lr)
    spent, total = 0.0, given.minutes * 60.0
    if given.resume:
        state = torch.load(given.out / "state.pt", weights_only=True)
        optimiser.load_state_dict(state["optimiser"])
        spent = float(state["spent"])
        rng.seed(given.seed + int(spent))
    torch.manual_seed(given.seed + rank + int(spent))
    learnt = [*trunk, *model.head.parameters()]
    begun, saved, told, steps, running = time.monotonic() - spent, spent, spent, 0, 0.0
    print(f"{len(pairs.ids)} pairs, {given.minutes} minutes", flush=True)
    model.train()
    checked = spent / 60 + given.check_minutes
    while spent < total:
        for inputs, labels, _ in pairs.epoch(given.batch, rng, rank, ranks):
            spent = clock(time.monotonic() - begun, ranks)
            if spent >= total:
                break
            share = spent / total
            rise = min(1.0, (share + 0.002) / given.warm_up)
            rate = rise * (given.lr + (given.last_lr - given.lr) * share)
            for group in optimiser.param_groups:
                group["lr"] = rate * group["times"]
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=not given.float32):
                logits = model(**inputs)
            loss = loss_of(logits, labels)
            loss.backward()
            if ranks > 1:
                meet(learnt, ranks)
            nn.utils.clip_grad_norm_(trunk, 1.0)
            optimiser.step()
            optimiser.zero_grad()
            steps += 1
            now = float(loss.detach())
            running = 0.98 * running + 0.02 * now if running else now
            if rank:
                continue
            if spent - told > 30:
                told = spent
                print(f"{spent:6.0f}s step {steps} loss {running:.3f} lr {rate:.1e}", flush=True)
            if spent - saved > given.save_minutes * 60:
                saved = spent
                save(given.out, model, optimiser, spent)
            if checks and spent > checked * 60:
                checked += given.check_minutes
                print(json.dumps(measure(model, checks)), flush=True)
    if rank == 0:
        save(given.out, model, optimiser, spent)
    if checks:
        print("end", json.dumps(measure(model, checks), indent=1), flush=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--checks", type=Path)
    parser.add_argument("--check-limit", type=int, default=1200)
    parser.add_argument("--check-minutes", type=float, default=10.0)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="a checkpoint to start from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--lr", type=float, default=2e-4)
    parser.add_argument("--last-lr", type=float, default=0.0)
    parser.add_argument("--head-times", type=float, default=5.0)
    parser.add_argument("--warm-up", type=float, default=0.05)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--save-minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--float32", action="store_true", help="no bfloat16 autocast")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
