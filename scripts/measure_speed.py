"""How fast claims are judged: the product beside transformers, on the same weights and threads.

    python -m scripts.measure_speed --data wikibio_gpt3_000-118.jsonl.gz

Pairs of a passage of about 100 words and a sentence, judged by the product (batches sorted by
length) and one pair at a time by transformers, round by round in turns, so that both meet the same
machine. It needs the extra ``train``; run it on a machine that does nothing else.
"""

import argparse
import json
import statistics
import time
from pathlib import Path

import numpy as np
import torch
from scipy.special import softmax

from scripts.training import pairs as training
from scripts.training.network import logits_of, opened
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import claims_of, this_machine
from veracite.engine.judge.premises import passage_premise
from veracite.engine.retrieve import Search
from veracite.index.memory import MemoryLibrary, Text
from veracite.models.bundled import BUNDLED, bundled_verifier
from veracite.models.onnx import physical_cores
from veracite.models.verifier import Pair

WORDS = range(80, 131)
"""Of the passages whose pairs are timed."""


def real_pairs(path: Path, count: int) -> list[Pair]:
    """Sentences of a set beside passages of about 100 words that word search finds for them."""
    pairs: list[Pair] = []
    for item in load("detect", [path]).items:
        assert isinstance(item, Statement)
        texts = [Text(s.id, s.text, s.title) for s in item.sources]
        claims = claims_of(item)
        found = Search(MemoryLibrary(texts, None), 3, None, "lexical").gather(claims)
        pairs += [
            (passage_premise(evidence.passage), claim.hypothesis)
            for claim, passages in zip(claims, found, strict=True)
            for evidence in passages
            if len(evidence.passage.text.split()) in WORDS
        ]
        if len(pairs) >= count:
            break
    return pairs[:count]


def main() -> None:
    """Measures and prints everything as JSON.

    ``words`` is the premises' median, ``difference`` the largest between the two sides'
    probabilities: they compute the same.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a set for `eval detect`")
    parser.add_argument("--threads", type=int, default=physical_cores())
    parser.add_argument("--pairs", type=int, default=96, help="timed in each round")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    pairs = real_pairs(given.data, given.pairs)
    plain = [training.Pair("", premise, claim, 0) for premise, claim in pairs]
    torch.set_num_threads(given.threads)
    verifier, model = bundled_verifier(threads=given.threads), opened(BUNDLED / "verifier.onnx")
    ours, theirs = verifier.score(pairs), logits_of(model, plain)
    batched, single = [], []
    for _ in range(given.rounds):
        started = time.perf_counter()
        verifier.score(pairs)
        between = time.perf_counter()
        logits_of(model, plain)
        batched.append(len(pairs) / (between - started))
        single.append(len(pairs) / (time.perf_counter() - between))
    cooled = softmax(theirs / float(verifier.manifest.details["temperature"]), axis=1)
    throughput = {
        "pairs": len(pairs),
        "words": statistics.median(len(premise.split()) for premise, _ in pairs),
        "threads": given.threads,
        "batched": batched,
        "single": single,
        "difference": float(np.abs(ours - cooled).max()),
        "ratio": statistics.median(batched) / statistics.median(single),
    }
    print(json.dumps({"machine": this_machine(), "throughput": throughput}, indent=1))


if __name__ == "__main__":
    main()
