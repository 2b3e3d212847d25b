"""How fast claims are judged, and what each option that costs time brings.

    python scripts/measure_speed.py --data wikibio_gpt3_000-118.jsonl.gz --torch-python PYTHON

Throughput: pairs of a passage of about 100 words and a sentence, judged by the product (batches
sorted by length) and one pair at a time by transformers (``scripts/training/one_by_one.py``, run by
an interpreter that has torch), on the same weights and threads, round by round in turns.

Options: the evaluation's own statements under each option; milliseconds are of search, verifier,
decision and rules, accuracy is balanced with a threshold from the first half of the groups.
Figures are medians over the rounds. Run it on a machine that does nothing else.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from option_costs import Cost, costs

from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import claims_of, this_machine
from veracite.engine.judge.premises import passage_premise
from veracite.engine.retrieve import Search
from veracite.index.memory import MemoryLibrary, Text
from veracite.models.bundled import BUNDLED, bundled_verifier
from veracite.models.onnx import physical_cores
from veracite.models.verifier import Pair, Verifier

ROOT = Path(__file__).resolve().parents[1]
WORDS = range(80, 131)
"""Of the passages whose pairs are timed."""


@dataclass(frozen=True)
class Throughput:
    """The same pairs in batches and one at a time."""

    pairs: int
    words: float
    """Median of the premises."""
    threads: int
    batched: tuple[float, ...]
    """Pairs a second, round by round."""
    single: tuple[float, ...]
    difference: float
    """The largest between the two sides' probabilities: they compute the same."""

    @property
    def ratio(self) -> float:
        """How many times as many pairs the batches judge, by the medians."""
        return statistics.median(self.batched) / statistics.median(self.single)


def main() -> None:
    """Measures and prints the tables, or everything as JSON."""
    given = _options()
    measured: dict[str, Any] = {"machine": this_machine(), "throughput": None}
    if given.torch_python is not None:
        pairs = real_pairs(given.data, given.pairs)
        found = throughput(pairs, given.threads, given.rounds, given.torch_python)
        measured["throughput"] = asdict(found) | {"ratio": found.ratio}
    kept: Sequence[Cost] = ()
    if given.limit:
        kept = costs(given.data, given.limit, given.option_rounds, given.threads)
    measured["options"] = [asdict(cost) for cost in kept]
    print(json.dumps(measured, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="a set for `eval detect`")
    parser.add_argument("--torch-python", metavar="PYTHON", help="interpreter with torch, onnx and "
                        "transformers; without it the throughput is left out")  # fmt: skip
    parser.add_argument("--threads", type=int, default=physical_cores())
    parser.add_argument("--pairs", type=int, default=200, help="timed in each round")
    parser.add_argument("--rounds", type=int, default=7, help="of the throughput")
    parser.add_argument("--limit", type=int, default=120, help="statements; 0: no options")
    parser.add_argument("--option-rounds", type=int, default=3)
    return parser.parse_args()


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


def throughput(pairs: Sequence[Pair], threads: int, rounds: int, python: str) -> Throughput:
    """Both sides in turns, so that they meet the same machine."""
    verifier = bundled_verifier(threads=threads)
    batched, single = [], []
    with _one_by_one(pairs, threads, python, verifier.manifest.tokenizer) as (ask, answers):
        ours = verifier.score(pairs)
        for _ in range(rounds):
            started = time.perf_counter()
            verifier.score(pairs)
            batched.append(len(pairs) / (time.perf_counter() - started))
            ask.write("\n")
            ask.flush()
            answer = json.loads(answers.readline())
            single.append(len(pairs) / answer["seconds"])
    theirs = _tempered(np.array(answer["probabilities"]), verifier)
    return Throughput(
        pairs=len(pairs),
        words=statistics.median(len(premise.split()) for premise, _ in pairs),
        threads=threads,
        batched=tuple(batched),
        single=tuple(single),
        difference=float(np.abs(ours - theirs).max()),
    )


@contextmanager
def _one_by_one(
    pairs: Sequence[Pair], threads: int, python: str, tokenizer: str
) -> Iterator[tuple[IO[str], IO[str]]]:
    command = [
        python,
        *("-m", "scripts.training.one_by_one", "--threads", str(threads)),
        *("--model", str(BUNDLED / "verifier.onnx")),
        *("--tokenizer", str(BUNDLED / tokenizer)),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(json.dumps(list(pairs)) + "\n")
        yield running.stdin, running.stdout
        running.stdin.close()
    if running.returncode:
        sys.exit(running.returncode)


def _tempered(probabilities: Any, verifier: Verifier) -> Any:
    """With the manifest's temperature, as the product gives them."""
    scaled = np.log(probabilities) / float(verifier.manifest.details["temperature"])
    powers = np.exp(scaled)
    return powers / powers.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    main()
