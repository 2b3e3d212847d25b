"""Train the verifier further, on pairs in JSON lines, from an exported network.

    python -m scripts.training.train_verifier --pairs 01.jsonl 02.jsonl ... --total N --out DIR

``--start`` is the checkpoint: an exported network, by default the shipped one. Each file is read
once, one behind the other. The learning rate depends on the number of pairs seen alone: it rises,
stays, and falls over the last of ``--total``. What is exported is an exponential average of the
weights. ``state.pt`` in ``--out`` holds all that learns, its average and the optimiser; it is
written every few minutes, and the same command goes on from it. ``export_verifier`` makes a network
of it.

An accelerator is used where there is one. What has to be carried to a lent one: the repository
(``pip install --no-deps -e .``), whose largest file may go in pieces (``split -b 15M
models/bundled/verifier.onnx``), and the pairs, which may be gzipped (``*.jsonl.gz``, some 15 MB). A
command that the clock stops is given again as it was. Export there too and take ``verifier.onnx``
back in pieces: it is an eighth of ``state.pt``. The order of the pairs and the learning rate are
the same on every machine, the last bits are not.
"""

import argparse
import random
import time
from typing import Any

import torch
from torch import Tensor
from torch.optim.swa_utils import AveragedModel

from scripts.training.network import Encoded, Verifier, opened
from scripts.training.pairs import options, read_pairs
from veracite.models.bundled import BUNDLED

LABELS_KEPT, LABELS_SPREAD = 0.97, 0.01
"""Label smoothing: the weight of a pair's label, and of each class."""
WARM_UP, FALLING = 0.04, 0.6
"""Shares of all pairs in which the learning rate rises, and falls."""
FALL, HEAD_TIMES = 0.9, 5.0
"""What a layer's learning rate is of that of the layer above it, and the head's of the highest."""
AVERAGE, DROPOUT = 0.997, 0.1
"""What a step leaves of the average, and the share of activations that is left out."""
FROZEN, SAVED = 3, 180
"""Lowest layers that are kept as they are; seconds after which the state is written again."""


def loss_of(logits: Tensor, labels: Tensor) -> Tensor:
    """Return the mean cross entropy of pairs.

    The label 3 asks only that the claim be not supported: neutral or contradicted.
    """
    logs = torch.log_softmax(logits, dim=1)
    unsupported = torch.logsumexp(logs[:, 1:], dim=1, keepdim=True)
    chosen = torch.cat([logs, unsupported], dim=1).gather(1, labels.unsqueeze(1)).squeeze(1)
    return -(LABELS_KEPT * chosen + LABELS_SPREAD * logs.sum(1)).mean()


def rate_at(seen: int, given: argparse.Namespace) -> float:
    """Return the highest layer's learning rate behind so many pairs."""
    rising = (seen + given.batch) / (WARM_UP * given.total)
    falling = (given.total - seen) / (FALLING * given.total)
    return float(given.lr * min(1.0, rising, max(0.05, falling)))


def groups(model: Verifier, given: argparse.Namespace) -> list[dict[str, Any]]:
    """Return what learns, by its learning rate: the lower a layer, the less."""
    found: list[dict[str, Any]] = [{"params": [*model.head.parameters()], "times": HEAD_TIMES}]
    for above, layer in enumerate(reversed(model.trunk.encoder.layer[FROZEN:])):
        for decay, of_kind in ((0.01, lambda p: p.ndim > 1), (0.0, lambda p: p.ndim == 1)):
            chosen = [*filter(of_kind, layer.parameters())]
            found.append({"params": chosen, "times": FALL**above, "weight_decay": decay})
    return found


class Run:
    """A training that can be stopped and continued."""

    def __init__(self, given: argparse.Namespace) -> None:
        torch.manual_seed(given.seed)
        self._given = given
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        # A processor that does not compute in 16 bits emulates it, many times slower.
        self._short = self._device == "cuda" or torch.ops.mkldnn._is_mkldnn_bf16_supported()
        self.model = opened(given.start, DROPOUT).to(self._device).train()
        self.model.freeze(FROZEN)
        self._optimiser = torch.optim.AdamW(
            groups(self.model, given), betas=(0.9, 0.98), weight_decay=0.0
        )
        self.average = AveragedModel(
            self.model,
            avg_fn=lambda mean, new, steps: mean.lerp(
                new, 1 - min(AVERAGE, (1 + float(steps)) / (6 + float(steps)))
            ),
        )
        self._file, self._batch, self.seen = 0, 0, 0
        if (given.out / "state.pt").exists():
            self._go_on(torch.load(given.out / "state.pt", map_location=self._device))

    def _go_on(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"], strict=False)
        self.average.module.load_state_dict(state["average"], strict=False)
        self.average.n_averaged.fill_(state["steps"])
        self._optimiser.load_state_dict(state["optimiser"])
        self._file, self._batch, self.seen = state["place"]
        if state["read"] != [path.name for path in self._given.pairs[: self._file]]:
            raise SystemExit(f"It has read {state['read']}; name these first, and in this order.")
        print(f"goes on at file {self._file + 1}, {self.seen} pairs seen", flush=True)

    def save(self) -> None:
        """Write the state so that an interruption leaves the previous one."""
        learnt = {name for name, p in self.model.named_parameters() if p.requires_grad}
        model, average = (
            {name: value for name, value in one.state_dict().items() if name in learnt}
            for one in (self.model, self.average.module)
        )
        state = {
            "model": model,
            "average": average,
            "steps": int(self.average.n_averaged),
            "optimiser": self._optimiser.state_dict(),
            "place": (self._file, self._batch, self.seen),
            "read": [path.name for path in self._given.pairs[: self._file]],
        }
        torch.save(state, self._given.out / "state.tmp")
        (self._given.out / "state.tmp").replace(self._given.out / "state.pt")

    def _step(self, pairs: Encoded, chosen: list[int]) -> float:
        # By what was seen, so that a training that goes on draws what it would have drawn.
        torch.manual_seed((self._given.seed << 32) + self.seen)
        for group in self._optimiser.param_groups:
            group["lr"] = group["times"] * rate_at(self.seen, self._given)
        with torch.autocast(self._device, torch.bfloat16, enabled=self._short):
            logits = self.model(*(given.to(self._device) for given in pairs.batch(chosen)))
        loss = loss_of(logits, pairs.labels[chosen].to(self._device))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self._optimiser.step()
        self._optimiser.zero_grad()
        self.average.update_parameters(self.model)
        return float(loss.detach())

    def run(self) -> None:
        """Train on what is left of the files."""
        saved, before, running = time.monotonic(), self.seen, 0.0
        while self._file < len(self._given.pairs):
            pairs = Encoded(read_pairs(self._given.pairs[self._file]))
            order = random.Random(f"{self._given.seed}-{self._file}")
            for chosen in list(pairs.epoch(self._given.batch, order))[self._batch :]:
                lost = self._step(pairs, chosen)
                self._batch += 1
                self.seen += len(chosen)
                running = 0.98 * running + 0.02 * lost if running else lost
                if (passed := time.monotonic() - saved) > SAVED:
                    speed = (self.seen - before) / passed
                    print(f"{self.seen} pairs, {speed:.1f}/s, loss {running:.3f}", flush=True)
                    self.save()
                    saved, before = time.monotonic(), self.seen
            self._file, self._batch = self._file + 1, 0
        self.save()


def main() -> None:
    """Run from the command line."""
    usual = {"start": BUNDLED / "verifier.onnx", "lr": 4e-5, "batch": 32, "seed": 7}
    given = options(__doc__, "--pairs+", "--out", total=int, **usual)
    given.out.mkdir(parents=True, exist_ok=True)
    Run(given).run()


if __name__ == "__main__":
    main()
