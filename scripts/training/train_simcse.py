"""Train the sentence encoder further with SimCSE's supervised objective, and measure retrieval.

Gao, Yao and Chen (2021), section 4: for a premise, its entailed hypothesis is the positive, its
contradicted one a hard negative, all others of the batch negatives; temperature 0.05. Premises
with both come from SNLI and MNLI (``pairs``). Retrieval before and after, by cosine alone, on
SciFact (nDCG@10, recall@5) and on NQ questions with their gold passages (recall@1, recall@5).

    python -m scripts.training.train_simcse --data DIR --weights DIR --out DIR --lr 2e-5
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import random
import re
import time
import zipfile
from collections import defaultdict
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import BertModel

from scripts.training.pairs import CONTRADICTED, SUPPORTED, collected, read_lines, snli_test

TEMPERATURE = 0.05
Triplet = tuple[str, str, str]


def triplets(data: Path) -> list[Triplet]:
    """Return (premise, entailed, contradicted) of every premise that has both."""
    by_premise: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for pair in [*collected(data), *snli_test(data)]:
        if pair.set in ("snli", "mnli"):
            label = CONTRADICTED if pair.label > CONTRADICTED else pair.label
            by_premise[pair.premise][label].append(pair.claim)
    return [
        (premise, positive, negative)
        for premise, found in by_premise.items()
        for positive, negative in zip(found[SUPPORTED], found[CONTRADICTED], strict=False)
    ]


class Encoder(nn.Module):
    """MiniLM with mean pooling and unit length, as it ships."""

    def __init__(self, weights: Path, tokens: int) -> None:
        super().__init__()
        self.trunk = BertModel.from_pretrained(str(weights), add_pooling_layer=False)
        self.tokenizer = Tokenizer.from_file(str(weights / "tokenizer.json"))
        self.tokenizer.enable_truncation(tokens)
        self.tokenizer.enable_padding()

    def forward(self, texts: list[str]) -> Tensor:
        """Return unit vectors, shape (len(texts), 384)."""
        encoded = self.tokenizer.encode_batch(texts)
        ids = torch.tensor([e.ids for e in encoded])
        mask = torch.tensor([e.attention_mask for e in encoded])
        states = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        weight = mask.unsqueeze(-1).float()
        return nn.functional.normalize((states * weight).sum(1) / weight.sum(1), dim=1)


@torch.no_grad()
def encode(model: Encoder, texts: list[str]) -> Tensor:
    """Encode in length-sorted batches."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found = torch.zeros(len(texts), 384)
    for start in range(0, len(order), 32):
        part = order[start : start + 32]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found[part] = model([texts[i] for i in part])
    return found


def scifact(model: Encoder, path: Path) -> dict[str, float]:
    """nDCG@10 and recall@5 of SciFact's validation claims (BEIR's test queries)."""
    with zipfile.ZipFile(path) as archive:

        def rows(name: str) -> list[dict[str, str]]:
            with io.TextIOWrapper(archive.open(name), "utf-8", newline="") as file:
                return list(csv.DictReader(file))

        corpus = rows("corpus_train.csv")
        queries: dict[str, str] = {}
        wanted: dict[str, set[str]] = defaultdict(set)
        for row in rows("claims_validation.csv"):
            queries[row["id"]] = row["claim"]
            wanted[row["id"]] |= set(re.findall(r"\d+", row["cited_doc_ids"]))
    vectors = encode(model, [f"{d['title']}. {d['abstract'][1:-1]}" for d in corpus])
    names = [d["doc_id"] for d in corpus]
    asked = sorted(wanted)
    near = (encode(model, [queries[q] for q in asked]) @ vectors.T).topk(10).indices.tolist()
    gains, recalls = [], []
    for query, places in zip(asked, near, strict=True):
        hits = [names[p] in wanted[query] for p in places]
        gain = sum(hit / math.log2(i + 2) for i, hit in enumerate(hits))
        best = sum(1 / math.log2(i + 2) for i in range(min(10, len(wanted[query]))))
        gains.append(gain / best)
        recalls.append(sum(hits[:5]) / len(wanted[query]))
    return {"nDCG@10": sum(gains) / len(gains), "recall@5": sum(recalls) / len(recalls)}


def questions(model: Encoder, path: Path) -> dict[str, float]:
    """Recall@1 and @5 of the gold passages of NQ-open among all of them."""
    rows = [json.loads(line) for line in read_lines(path)]
    texts = [f"{r['ctxs'][0]['title']}. {r['ctxs'][0]['text']}" for r in rows]
    distinct = list(dict.fromkeys(texts))
    scores = encode(model, [r["question"] for r in rows]) @ encode(model, distinct).T
    near = scores.topk(5).indices.tolist()
    hits = [[distinct[p] == t for p in places] for places, t in zip(near, texts, strict=True)]
    return {f"recall@{k}": sum(any(h[:k]) for h in hits) / len(hits) for k in (1, 5)}


def report(model: Encoder, data: Path) -> str:
    """Measure retrieval with the model as it is."""
    model.eval()
    found = {
        "SciFact": scifact(model, data / "eval/scifact/scifact.zip"),
        "NQ": questions(model, data / "eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"),
    }
    model.train()
    return json.dumps({s: {k: round(v, 4) for k, v in f.items()} for s, f in found.items()})


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("data", "weights", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--lr", type=float, default=2e-5)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--triplets", type=int, help="so many of them, drawn at random")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    torch.manual_seed(7)
    model = Encoder(given.weights, 256)
    print("before", report(model, given.data), flush=True)
    rows = triplets(given.data)
    random.Random(0).shuffle(rows)
    rows = rows[: given.triplets]
    model.tokenizer.enable_truncation(48)
    optimiser = torch.optim.AdamW(model.parameters(), lr=given.lr)
    rng, began = random.Random(7), time.monotonic()
    steps = given.epochs * (len(rows) // given.batch)
    print(f"{len(rows)} triplets, {steps} steps", flush=True)
    done = 0
    for _ in range(given.epochs):
        rng.shuffle(rows)
        for start in range(0, len(rows) - given.batch + 1, given.batch):
            part = rows[start : start + given.batch]
            with torch.autocast("cpu", dtype=torch.bfloat16):
                vectors = model([row[side] for side in range(3) for row in part])
            own, positive, negative = vectors.float().split(len(part))
            scores = own @ torch.cat([positive, negative]).T / TEMPERATURE
            loss = nn.functional.cross_entropy(scores, torch.arange(len(part)))
            loss.backward()
            rate = given.lr * (1 - done / steps)
            for group in optimiser.param_groups:
                group["lr"] = rate
            optimiser.step()
            optimiser.zero_grad()
            done += 1
            if done % 10 == 0:
                spent = time.monotonic() - began
                print(f"step {done} loss {float(loss.detach()):.3f} {spent:.0f}s", flush=True)
    model.tokenizer.enable_truncation(256)
    given.out.mkdir(parents=True, exist_ok=True)
    torch.save(model.trunk.state_dict(), given.out / "encoder.pt")
    print("after", report(model, given.data), flush=True)


if __name__ == "__main__":
    main()
