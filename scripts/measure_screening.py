"""What a language model loses and is spared by screening (engine/judging/screening.py).

    python -m scripts.measure_screening --data DATA --held HELD

HELD is what ``scripts/training/untrained.py`` writes: no claim trained the verifier. Each claim is
looked up among the documents of its whole set, as a check does. A passage
decides a claim if it holds all sentences of the gold evidence, whatever the verdict is. Half of the
claims, by a hash, choose the bar: the largest by which at most 2 % of the deciding passages are
passed over. The other half, and all of WikiRetr, is reported on.
"""

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from scripts.training.pairs import fever, held_out, read_lines, read_text
from veracite.engine.judge.decision import bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judging.screening import weights
from veracite.engine.retrieve import Search
from veracite.engine.words import Claim
from veracite.index.documents import Evidence
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import bundled_encoder, bundled_verifier

K = 5
"""Passages of each claim."""
MOST_LOST = 0.02
BARS = tuple(step / 20 for step in range(1, 11))
NEVER_CHOOSES = "WikiRetr"
SET_ASIDE = 11.5
"""Per cent of FEVER's claims that never trained (``scripts/training/dataset.py``)."""
OTHERS = 600
"""Passages of WikiRetr that no person judged, as company for those of the claims."""


@dataclass(frozen=True)
class Asked:
    """A claim, the document that its gold evidence stands in, and that evidence."""

    claim: str
    group: str
    path: str
    gold: tuple[str, ...]

    def is_decided_by(self, item: Evidence) -> bool:
        """Whether a passage holds all of the gold evidence."""
        text = _squeezed(item.passage.text)
        return item.passage.document.path == self.path and all(
            _squeezed(sentence) in text for sentence in self.gold
        )


@dataclass(frozen=True)
class Pair:
    """A claim's passage after screening."""

    set: str
    chooses: bool
    share: float
    """Of the weight of the claim's best passage."""
    decides: bool


def main() -> None:
    """Read, screen, choose and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--claims", type=int, default=200, help="of each set")
    given = parser.parse_args()
    rng = random.Random(1)
    pairs: list[Pair] = []
    for name, texts, asked in (
        ("FEVER", *_fever(given.data)),
        ("Fool Me Twice", *_fool_me_twice(given.held)),
        (NEVER_CHOOSES, *_wikiretr(given.data)),
    ):
        pairs += _screened(name, texts, rng.sample(asked, min(given.claims, len(asked))))
    print(_page(pairs))


def _fever(data: Path) -> tuple[list[Text], list[Asked]]:
    rows = [pair for pair in fever(data) if held_out(pair.claim, SET_ASIDE)]
    texts = {row.premise: Text(row.premise, row.premise) for row in rows}
    asked = [Asked(r.claim, r.claim, r.premise, (r.premise,)) for r in rows]
    return list(texts.values()), asked


def _fool_me_twice(held: Path) -> tuple[list[Text], list[Asked]]:
    pages: dict[str, dict[str, None]] = {}
    asked = []
    for row in map(json.loads, read_lines(held / "foolmetwice.jsonl")):
        page = row["wikipedia_page"]
        gold = tuple(e["text"] for e in row["gold_evidence"])
        found = (e["text"] for e in row["retrieved_evidence"])
        pages.setdefault(page, {}).update(dict.fromkeys((*gold, *found)))
        asked.append(Asked(row["text"], page, page, gold))
    return [Text(page, " ".join(said), page) for page, said in pages.items()], asked


def _wikiretr(data: Path) -> tuple[list[Text], list[Asked]]:
    folder = data / "eval" / "wikiretr"
    judged = json.loads(read_text(folder / "wikiretr-gpt3-subset-chinese.json.gz"))
    others = json.loads(read_text(folder / "wikiretr-gpt3.json.gz"))[:OTHERS]
    texts = {r["content"]: Text(r["content"], r["content"], r["title"]) for r in judged + others}
    asked = [
        Asked(r["claim"], r["claim"], r["content"], (r["content"],))
        for r in judged
        if r["human_eval"] == 1
    ]
    return list(texts.values()), asked


def _screened(name: str, texts: Sequence[Text], asked: Sequence[Asked]) -> Iterator[Pair]:
    library = MemoryLibrary(texts, Vectors(bundled_encoder().encode))
    judge = Judge(bundled_verifier(), bundled_decision(), 0.6, library.sentences, library.raw_text)
    claims = [Claim(a.claim, 0, len(a.claim), a.claim, a.claim) for a in asked]
    evidence = Search(library, K, None, "hybrid").gather(claims)
    for place, reading in judge.read(claims, evidence):
        one, found = asked[place], weights(reading)
        chooses = name != NEVER_CHOOSES and crc32(one.group.encode()) % 2 == 0
        for item, weight in zip(reading.premises.evidence, found, strict=True):
            share = weight / max(found) if max(found) else 1.0
            yield Pair(name, chooses, share, one.is_decided_by(item))


def _squeezed(text: str) -> str:
    return " ".join(text.split())


def _passed(pairs: Iterable[Pair], bar: float) -> tuple[int, int, float]:
    """How many pairs there are, how many of them a bar passes over, and their share."""
    shares = [pair.share for pair in pairs]
    passed = sum(share < bar for share in shares)
    return len(shares), passed, passed / len(shares)


def _line(name: str, pairs: Sequence[Pair], bar: float) -> str:
    """How many are passed over of the passages that decide a claim, and of the others."""
    parts = [name]
    for kind, decides in (("deciding", True), ("others", False)):
        number, passed, share = _passed([p for p in pairs if p.decides is decides], bar)
        parts.append(f"{kind} {passed:4} of {number:4} ({share:6.1%})")
    return "  ".join(parts)


def _page(pairs: Sequence[Pair]) -> str:
    first = [pair for pair in pairs if pair.chooses]
    rest = [pair for pair in pairs if not pair.chooses]
    deciding = [pair for pair in first if pair.decides]
    bar = max(b for b in BARS if _passed(deciding, b)[2] <= MOST_LOST)
    lines = ["Passed over on the half that chooses:"]
    lines += [_line(f"{b:<16.2f}", first, b) for b in BARS]
    lines += [f"At {bar:.2f} on the rest:", _line(f"{'all':16}", rest, bar)]
    for name in dict.fromkeys(pair.set for pair in rest):
        lines.append(_line(f"{name:16}", [pair for pair in rest if pair.set == name], bar))
    return "\n".join(lines)


if __name__ == "__main__":
    main()
