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
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np

from veracite.engine.evaluation.figures import sum_up
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Answered, Asked, Predicting, Statement
from veracite.engine.evaluation.models import Models
from veracite.engine.evaluation.predict import ask, claims_of, this_machine
from veracite.engine.judge.premises import passage_premise
from veracite.engine.retrieve import Search
from veracite.index.memory import MemoryLibrary, Text
from veracite.models.bundled import BUNDLED, bundled_verifier
from veracite.models.onnx import physical_cores
from veracite.models.verifier import Pair, Verifier

ROOT = Path(__file__).resolve().parents[1]
WORDS = range(80, 131)
"""Of the passages whose pairs are timed."""


_SHIPPED = Predicting(scope="all")
OPTIONS: dict[str, tuple[Predicting, int | None]] = {
    "as shipped: 6 passages by words and meaning": (_SHIPPED, None),
    "4 passages": (replace(_SHIPPED, k=4), None),
    "2 passages": (replace(_SHIPPED, k=2), None),
    "1 passage": (replace(_SHIPPED, k=1), None),
    "6 passages by words only": (replace(_SHIPPED, retrieval="lexical"), None),
    "as shipped, one thread": (_SHIPPED, 1),
}
"""Ways to run a check: the settings, and the threads where they are not those of the command."""


def main() -> None:
    """Measures and prints the tables, or everything as JSON."""
    given = _options()
    measured: dict[str, Any] = {"machine": this_machine(), "throughput": None}
    if given.torch_python is not None:
        pairs = real_pairs(given.data, given.pairs)
        measured["throughput"] = throughput(pairs, given.threads, given.rounds, given.torch_python)
    costs = given.limit and _costs(given.data, given.limit, given.option_rounds, given.threads)
    measured["options"] = costs or []
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


def throughput(pairs: Sequence[Pair], threads: int, rounds: int, python: str) -> dict[str, Any]:
    """Pairs a second of both sides in turns, so that they meet the same machine.

    ``words`` is the premises' median, ``difference`` the largest between the two sides'
    probabilities: they compute the same.
    """
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
    return {
        "pairs": len(pairs),
        "words": statistics.median(len(premise.split()) for premise, _ in pairs),
        "threads": threads,
        "batched": batched,
        "single": single,
        "difference": float(np.abs(ours - theirs).max()),
        "ratio": statistics.median(batched) / statistics.median(single),
    }


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


def _costs(data: Path, limit: int, rounds: int, threads: int) -> list[dict[str, Any]]:
    """What each option reaches and takes for a claim, the options in turns, round by round."""
    found: dict[str, dict[str, Any]] = {}
    opened = {n: Models(n) for n in {1, threads}}
    for _ in range(rounds):
        for option, (settings, own) in OPTIONS.items():
            asked = Asked("detect", (data,), limit=limit, predicting=settings)
            models = opened[own or threads]
            with tempfile.TemporaryDirectory() as folder:
                answered = [e for e in ask(asked, models, Path(folder)) if isinstance(e, Answered)]
                result = sum_up(answered[-1])
            (ours,) = (row for row in result.methods if row.method == "veracite")
            accuracy = ours.figure("balanced accuracy")
            assert accuracy is not None
            items = [i for i in answered[-1].loaded.items if isinstance(i, Statement)]
            seconds = sum(said.seconds for said in answered[-1].said["veracite"].values())
            cost = found.setdefault(option, {"option": option, "milliseconds": []})
            cost["milliseconds"].append(1000 * seconds / sum(len(claims_of(i)) for i in items))
            cost |= {"threads": own or threads, "items": len(items), "accuracy": accuracy.value}
            cost |= {"low": accuracy.low, "high": accuracy.high}
    for models in opened.values():
        models.close()
    return list(found.values())


if __name__ == "__main__":
    main()
