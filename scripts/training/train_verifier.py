"""Train the verifier on MPNet's lowest layers, on pairs in JSON lines.

    python -m scripts.training.train_verifier --pairs FIRST.jsonl SECOND.jsonl --mpnet DIR --out DIR

Each file is read once, one behind the other; the training ends at the first that is not there, so
that later ones may be written meanwhile. The learning rate depends on the number of pairs seen
alone: it rises, stays, and falls over the last of ``--total``. What is evaluated and exported is an
exponential average of the weights. Everything that is needed to go on is written every few minutes
(``state.pt``), so that the same command continues a training that was stopped; ``model.pt`` is the
average alone, in bfloat16. Processes of one thread each share the parts of a batch, since the
threads of one process would wait for each other at every product.

Start it with a memory allocator that keeps what it has (jemalloc, ``MALLOC_CONF=dirty_decay_ms:-1,
muzzy_decay_ms:-1``) and ``ONEDNN_PRIMITIVE_CACHE_CAPACITY=8192``: half of the time goes otherwise
into asking for memory and into compiling products.
"""

from __future__ import annotations

import argparse
import random
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, multiprocessing

from scripts.training.batches import Pairs
from scripts.training.from_onnx import weights_of
from scripts.training.master import Master, Places, tie
from scripts.training.transformer import Transformer, of_mpnet, take_over

LABELS_KEPT, LABELS_SPREAD = 0.97, 0.01
"""Label smoothing: the weight of a pair's label, and of each class."""


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the cross entropy of each pair, shape (batch,).

    The label 3 asks only that the claim be not supported: neutral or contradicted.
    """
    logs = torch.log_softmax(logits, dim=1)
    unsupported = torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)
    chosen = torch.cat([logs, unsupported], dim=1).gather(1, labels.unsqueeze(1)).squeeze(1)
    return -(LABELS_KEPT * chosen + LABELS_SPREAD * logs.sum(1))


def rate_at(seen: int, given: argparse.Namespace) -> float:
    """Return the learning rate behind so many pairs."""
    rising = (seen + given.batch) / given.warm_up
    falling = (given.total - seen) / given.falling
    return float(given.lr * min(1.0, rising, max(0.05, falling)))


class Worker:
    """Computes gradients of parts of batches; several processes share the parts of one batch."""

    def __init__(self, given: argparse.Namespace, taken: Any) -> None:
        self._given, self._taken, self._file = given, taken, -1
        self.model = of_mpnet(given.mpnet, given.layers)
        if given.start:
            take_over(self.model, weights_of(given.start), given.freeze)
        self.model.freeze(given.freeze)
        self.model.drop(given.dropout)

    def read(self, file: int) -> Pairs:
        """Read a file of pairs, if it is another than before."""
        if file != self._file:
            self._file = file
            self._pairs = Pairs(self._given.pairs[file], self._given.mpnet)
            self._labels = torch.tensor(self._pairs.labels)
        return self._pairs

    def work(self, chosen: list[int], seen: int) -> float:
        """Add the gradients of the parts that no other process has taken; return their loss."""
        lost, size = 0.0, self._given.part
        while True:
            with self._taken.get_lock():
                at = self._taken.value
                self._taken.value += size
            if at >= len(chosen):
                return lost
            part = chosen[at : at + size]
            torch.manual_seed((self._given.seed << 32) + seen + at)
            logits = self.model(*self._pairs.batch(part))
            loss = loss_of(logits, self._labels[part]).sum() / len(chosen)
            loss.backward()
            lost += float(loss.detach())


def help_along(
    given: argparse.Namespace, taken: Any, places: Places, low: Tensor, gradient: Tensor, pipe: Any
) -> None:
    """Work on the batches that come through the pipe until it is closed."""
    torch.set_num_threads(1)
    worker = Worker(given, taken)
    tie(worker.model, places, low, gradient)
    with suppress(EOFError):
        while True:
            file, chosen, seen = pipe.recv()
            worker.read(file)
            pipe.send(worker.work(chosen, seen))


class Run:
    """A training that can be stopped and continued."""

    def __init__(self, given: argparse.Namespace) -> None:
        torch.manual_seed(given.seed)
        torch.set_num_threads(1)
        self._given = given
        apart = multiprocessing.get_context("spawn")
        self._taken = apart.Value("l", 0)
        self._worker = Worker(given, self._taken)
        self._master = Master(
            self._worker.model,
            head_times=given.head_times,
            fall=given.fall,
            average=given.average,
            workers=given.workers,
            kind=torch.float32 if given.floats else torch.bfloat16,
        )
        self._pipes = []
        for gradient in self._master.gradients[1:]:
            own, other = apart.Pipe()
            shared = (given, self._taken, self._master.places, self._master.low, gradient, other)
            apart.Process(target=help_along, args=shared, daemon=True).start()
            other.close()
            self._pipes.append(own)
        self._file, self._batch, self._seen = 0, 0, 0
        if (given.out / "state.pt").exists():
            self._go_on(torch.load(given.out / "state.pt", weights_only=True))

    def _go_on(self, state: dict[str, Any]) -> None:
        self._master.go_on(state["master"])
        self._file, self._batch, self._seen = state["place"]
        print(f"goes on at file {self._file + 1}, {self._seen} pairs seen", flush=True)

    def save(self) -> None:
        """Write the state and the average so that an interruption leaves the previous ones."""
        out = self._given.out
        state = {
            "master": self._master.state(),
            "place": (self._file, self._batch, self._seen),
        }
        put(state, out / "state.pt")
        put(averaged(self._worker.model, self._master), out / "model.pt")
        if self._given.copy:
            self._given.copy.mkdir(parents=True, exist_ok=True)
            for name in ("state.pt", "model.pt"):
                shutil.copy(out / name, self._given.copy / f"{name}.tmp")
                (self._given.copy / f"{name}.tmp").replace(self._given.copy / name)

    def _step(self, chosen: list[int]) -> float:
        self._taken.value = 0
        for pipe in self._pipes:
            pipe.send((self._file, chosen, self._seen))
        lost = self._worker.work(chosen, self._seen)
        lost += sum(pipe.recv() for pipe in self._pipes)
        self._master.step(rate_at(self._seen, self._given))
        return lost

    def run(self) -> None:
        """Train on what is left of the files."""
        told = saved = time.monotonic()
        running, before = 0.0, self._seen
        files = self._given.pairs
        while self._file < len(files) and files[self._file].exists():
            pairs = self._worker.read(self._file)
            order = random.Random(f"{self._given.seed}-{self._file}")
            batches = list(pairs.epoch(self._given.batch, order))
            print(f"file {self._file + 1}: {len(pairs)} pairs", flush=True)
            for chosen in batches[self._batch :]:
                lost = self._step(chosen)
                self._batch += 1
                self._seen += len(chosen)
                running = 0.98 * running + 0.02 * lost if running else lost
                now = time.monotonic()
                if now - told > 30:
                    speed = (self._seen - before) / (now - told)
                    print(f"{self._seen} pairs, {speed:.1f}/s, loss {running:.3f}", flush=True)
                    told, before = now, self._seen
                if now - saved > self._given.save_minutes * 60:
                    saved = now
                    self.save()
            self._file, self._batch = self._file + 1, 0
            self.save()


def averaged(model: Transformer, master: Master) -> dict[str, Tensor]:
    """Return all weights, the trained ones averaged, in bfloat16."""
    found = {**model.state_dict(), **master.weights(averaged=True)}
    return {name: value.to(torch.bfloat16) for name, value in found.items()}


def put(state: dict[str, Any], path: Path) -> None:
    """Write a file so that an interruption leaves the previous one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(state, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    parser.add_argument("--mpnet", type=Path, required=True, help="its weights and tokenizer")
    parser.add_argument("--layers", type=int, default=8, help="how many of its lowest layers")
    parser.add_argument("--freeze", type=int, default=3, help="lowest layers to keep as they are")
    parser.add_argument("--start", type=Path, help="an exported verifier to train further")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--copy", type=Path, help="a second folder for what is written")
    parser.add_argument("--lr", type=float, default=5e-5, help="of the highest layer")
    parser.add_argument("--fall", type=float, default=0.9, help="from layer to layer below")
    parser.add_argument("--head-times", type=float, default=5.0)
    parser.add_argument("--total", type=int, required=True, help="pairs behind which the rate is 0")
    parser.add_argument("--warm-up", type=int, default=4000, help="pairs while the rate rises")
    parser.add_argument("--falling", type=int, default=30_000, help="pairs while the rate falls")
    parser.add_argument("--average", type=float, default=0.997, help="left of the average a step")
    parser.add_argument("--dropout", type=float, default=0.1, help="share that is left out")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--part", type=int, default=8, help="pairs that a process takes at a time")
    parser.add_argument("--workers", type=int, default=2, help="processes of one thread each")
    parser.add_argument("--save-minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--floats", action="store_true", help="no bfloat16, for want of avx512_bf16"
    )
    Run(parser.parse_args()).run()


if __name__ == "__main__":
    main()
