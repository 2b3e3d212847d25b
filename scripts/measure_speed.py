"""How fast claims are judged and passages encoded, beside PyTorch on the same weights and threads.

    python -m scripts.measure_speed --data wikibio_gpt3_000-118.jsonl.gz --weights WEIGHTS

Pairs of a passage of about 100 words and a sentence, judged by the product (batches sorted by
length) and one pair at a time by transformers; and the passages, encoded by the product and by
sentence-transformers with its defaults (``--weights``: see ``export_encoder``). Round by round in
turns, so that both meet the same machine. Then single claims with search, ranking and network,
models loaded, nothing remembered: of the sample draft, and of the set with all its articles as one
library. It needs the extra ``train``;
run it on a machine that does nothing else.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from scipy.special import softmax
from sentence_transformers import SentenceTransformer

from scripts.training import pairs as training
from scripts.training.network import logits_of, opened
from veracite.engine.claims.segmentation import segment
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import claims_of, this_machine
from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.premises import passage_premise
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import BUNDLED, bundled_encoder, bundled_verifier
from veracite.models.encoder import Encoder
from veracite.models.onnx import physical_cores
from veracite.models.verifier import Pair, Verifier

SAMPLES = Path(__file__).resolve().parents[1] / "tests" / "samples"
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


def claim_seconds(
    texts: Sequence[Text], claims: Sequence[Claim], encoder: Encoder, verifier: Verifier
) -> float:
    """The median time that one claim takes, from its search to its verdict."""
    library = MemoryLibrary(texts, Vectors(encoder.encode))
    search = Search(library, None, None, "hybrid")
    judge = Judge(verifier, bundled_decision(), 0.5, library.sentences, library.raw_text)
    search.gather(claims[:1])  # encodes the passages
    took = []
    for claim in claims:
        started = time.perf_counter()
        for _ in judge.judge([claim], search.gather([claim])):
            pass
        took.append(time.perf_counter() - started)
    return statistics.median(took)


def rates(rounds: int, count: int, *ways: Callable[[], object]) -> list[list[float]]:
    """How many of so many things each way does in a second, in each round."""
    found: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, rate in zip(ways, found, strict=True):
            started = time.perf_counter()
            way()
            rate.append(count / (time.perf_counter() - started))
    return found


def encoding(passages: list[str], weights: str, threads: int, rounds: int) -> dict[str, object]:
    """The encoder beside sentence-transformers; ``cosine`` is the least between their vectors."""
    encoder = bundled_encoder(threads=threads)
    original = SentenceTransformer(weights, device="cpu")
    cosines = (encoder.encode(passages) * original.encode(passages)).sum(axis=1)
    ways = (lambda: encoder.encode(passages), lambda: original.encode(passages))
    ours, theirs = rates(rounds, len(passages), *ways)
    return {
        "passages": len(passages),
        "ours": ours,
        "theirs": theirs,
        "cosine": float(cosines.min()),
        "ratio": statistics.median(ours) / statistics.median(theirs),
    }


def main() -> None:
    """Measures and prints everything as JSON.

    ``words`` is the premises' median, ``difference`` the largest between the two sides'
    probabilities: they compute the same.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a set for `eval detect`")
    parser.add_argument("--weights", help="folder of the encoder's original; without, no encoding")
    parser.add_argument("--threads", type=int, default=physical_cores())
    parser.add_argument("--pairs", type=int, default=96, help="timed in each round")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    pairs = real_pairs(given.data, given.pairs)
    plain = [training.Pair("", premise, claim, 0) for premise, claim in pairs]
    torch.set_num_threads(given.threads)
    verifier, model = bundled_verifier(threads=given.threads), opened(BUNDLED / "verifier.onnx")
    difference = verifier.score(pairs) - softmax(
        logits_of(model, plain) / float(verifier.manifest.details["temperature"]), axis=1
    )
    batched, single = rates(
        given.rounds, len(pairs), lambda: verifier.score(pairs), lambda: logits_of(model, plain)
    )
    throughput = {
        "pairs": len(pairs),
        "words": statistics.median(len(premise.split()) for premise, _ in pairs),
        "threads": given.threads,
        "batched": batched,
        "single": single,
        "difference": float(np.abs(difference).max()),
        "ratio": statistics.median(batched) / statistics.median(single),
    }
    encoder = bundled_encoder(threads=given.threads)
    items = [item for item in load("detect", [given.data]).items if isinstance(item, Statement)]
    of_set = {s.id: Text(s.id, s.text, s.title) for item in items for s in item.sources}
    of_samples = [Text(p.name, p.read_text(encoding="utf-8")) for p in SAMPLES.glob("library/*.md")]
    draft = segment((SAMPLES / "draft.md").read_text(encoding="utf-8"), markdown=True)
    claim = {
        name: round(claim_seconds(texts, claims[:60], encoder, verifier), 3)
        for name, texts, claims in (
            ("samples", of_samples, [one for one in draft if one.not_checkable is None]),
            ("set", [*of_set.values()], [one for item in items[:60] for one in claims_of(item)]),
        )
    }
    processor = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    has = [flag for flag in ("avx2", "avx512f", "avx512_vnni", "avx_vnni") if flag in processor]
    told = {"machine": this_machine(), "processor_has": has, "seconds_a_claim": claim}
    told |= {"throughput": throughput}
    if given.weights:
        passages = list(dict.fromkeys(premise for premise, _ in pairs))
        told["encoding"] = encoding(passages, given.weights, given.threads, given.rounds)
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
