"""Write the second stage's training pairs, made against known weaknesses, and their checks.

    python -m scripts.training.stage2 --data DIR --base DIR --out DIR

``--base`` is what ``scripts.training.dataset`` wrote. Writes ``stage2.jsonl`` to train on, and
``checks.jsonl``: the base's checks and about 150 rows of each new kind from held-out articles.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.training import changes, lengthy, paraphrases, people, relations, worlds
from scripts.training.articles import Article, articles
from scripts.training.asides import with_asides
from scripts.training.dataset import SHARE, TITLES, write
from scripts.training.documents import documents
from scripts.training.mining import Miner, encoded
from scripts.training.pairs import Pair, held_out, read_lines
from scripts.training.shapes import renderings
from scripts.training.synthesis import Maker
from scripts.training.tables import tables

LIMITS: dict[str, int] = {
    "changed": 17_000, "equal": 4_500, "hedge": 2_500, "other_time": 900, "other_party": 2_000,
    "long": 12_000, "deeds": 3_500, "kinds": 2_500, "world_deeds": 6_500, "world_two": 1_200,
    "world_kinds": 900, "table": 4_500, "mined": 8_500, "person": 7_500, "reworded": 4_000,
    "bridge": 3_000, "document": 17_000, "made": 15_000, "short": 16_000,
}  # fmt: skip
"""The most pairs of each family in the mix."""
ASIDES, TOKENISED = 0.12, 0.08
"""Shares of the generated pairs that get an aside, and whose premise is written as WikiBio's."""
_GROUPS = (
    ("exchanged_", "changed"), ("changed_", "changed"), ("equal", "equal"), ("hedge", "hedge"),
    ("long", "long"), ("table", "table"), ("mined", "mined"), ("person", "person"),
    ("reworded", "reworded"), ("bridge", "bridge"),
)  # fmt: skip


def family(name: str) -> str:
    """Return the family to which a set's name belongs."""
    return next((group for start, group in _GROUPS if name.startswith(start)), name)


def from_articles(maker: Maker, rng: random.Random, times: int) -> Iterator[Pair]:
    """Yield every new kind that is made from real articles."""
    everybody = [i for i, a in enumerate(maker.pool) if people.is_person(a)]
    persons = set(everybody)
    for i, article in enumerate(maker.pool):
        usable = [k for k, s in enumerate(article.sentences) if 6 <= len(s.split()) <= 45]
        if not usable:
            continue
        figured = [k for k in usable if re.search(r"\d", article.sentences[k])]
        for _ in range(times):
            yield from changes.changed_facts(maker, i, rng.choice(figured or usable), rng)
            yield from changes.changed_facts(maker, i, rng.choice(usable), rng)
            yield from lengthy.long_claims(maker, i, rng)
        for k in usable:
            yield from changes.qualified(maker, i, k, rng)
            yield from paraphrases.rewordings(maker, i, k, rng)
        yield from changes.equal_facts(maker, i, rng.choice(usable), rng)
        yield from relations.deeds(article, rng)
        yield from relations.kinds(article, rng)
        yield from paraphrases.bridges(maker, i, rng)
        for _ in range(4 if i in persons else 0):
            yield from people.strangers(maker, i, everybody, rng)
            yield from people.invented(article, rng)
            yield from people.stated(article, rng)


def from_nothing(count: int, rng: random.Random) -> Iterator[Pair]:
    """Yield the kinds whose passages are invented."""
    makers: tuple[Callable[[random.Random], Iterator[Pair]], ...] = (
        worlds.deeds_of, worlds.deeds_of, tables, worlds.kinds_of,
    )  # fmt: skip
    for n in range(count):
        yield from makers[n % len(makers)](rng)


def limited(pairs: list[Pair], rng: random.Random, limits: dict[str, int]) -> list[Pair]:
    """Return at most the allowed number of each family, in random order, without repetitions."""
    counts: Counter[str] = Counter()
    kept: list[Pair] = []
    seen: set[tuple[str, str]] = set()
    rng.shuffle(pairs)
    for pair in pairs:
        group = family(pair.set)
        key = (pair.premise, pair.claim)
        broken = pair.claim.count("(") != pair.claim.count(")") or pair.claim.count('"') % 2
        if counts[group] < limits.get(group, 1_000_000) and key not in seen and not broken:
            seen.add(key)
            counts[group] += 1
            kept.append(pair)
    return kept


def dressed(pairs: list[Pair], rng: random.Random) -> list[Pair]:
    """Give some pairs an aside, and write some premises as WikiBio writes its texts."""
    made: list[Pair] = []
    for pair in pairs:
        new = pair
        if rng.random() < ASIDES and (changed := with_asides(pair, rng)):
            made += [pair] if rng.random() < 0.35 else []
            new = changed
        share = 3 * TOKENISED if pair.set.startswith("person") else 0.7 * TOKENISED
        if rng.random() < share:
            new = Pair(f"tok_{new.set}", people.tokenised(new.premise), new.claim, new.label)
        made.append(new)
    return made


def _base(folder: Path, rng: random.Random) -> list[Pair]:
    """Return the first stage's generated pairs and sentence pairs that stay in the mix."""
    made, short = [], []
    for line in read_lines(folder / "long.jsonl"):
        row = json.loads(line)
        if row["set"].startswith("made_"):
            made.append(Pair(row["set"], row["premise"], row["claim"], row["label"]))
    for line in read_lines(folder / "short.jsonl"):
        row = json.loads(line)
        short.append(Pair(row["set"], row["premise"], row["claim"], row["label"]))
    return [
        *rng.sample(made, min(LIMITS["made"], len(made))),
        *rng.sample(short, min(LIMITS["short"], len(short))),
    ]


def _generated(
    pool: list[Article], cache: Path, rng: random.Random, times: int, invented: int
) -> list[Pair]:
    maker = Maker(pool, rng)
    miner = Miner(maker, encoded(pool, cache))
    pairs = [*from_articles(maker, rng, times), *from_nothing(invented, rng)]
    return [*pairs, *miner.pairs(7_000, rng)]


def build(data: Path, base: Path, out: Path) -> None:
    """Write both files."""
    rng = random.Random(23)
    every = articles(data)
    pool = [a for a in every if not held_out(a.title, TITLES)]
    rest = [a for a in every if held_out(a.title, TITLES)]
    new = limited(_generated(pool, out / "pool.npy", rng, 2, 9_000), rng, LIMITS)
    examples = [e for e in documents(data) if not held_out(e.key, SHARE[e.set])]
    read = limited(
        [p for e in examples for p in renderings(e, rng)], rng, {"citint": 800, "contract_nli": 900}
    )
    mix = [*dressed(new, rng), *rng.sample(read, min(LIMITS["document"], len(read)))]
    mix += _base(base, rng)
    rng.shuffle(mix)
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    with (out / "stage2.tmp").open("w", encoding="utf-8") as file:
        for pair in mix:
            write(file, pair.set, pair.premise, pair.claim, pair.label)
            counts[pair.set][pair.label] += 1
    (out / "stage2.tmp").replace(out / "stage2.jsonl")
    for name, labels in sorted(counts.items()):
        print(name, dict(sorted(labels.items())))
    print(len(mix), "pairs")
    held = dressed(limited(_generated(rest, out / "rest.npy", rng, 2, 900), rng, {}), rng)
    _checks(base, out, held)


def _checks(base: Path, out: Path, held: list[Pair]) -> None:
    """Write the base's checks, and some of each new kind."""
    taken: Counter[str] = Counter()
    with (out / "checks.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in read_lines(base / "checks.jsonl"))
        for pair in held:
            name = "aside" if pair.set.startswith("aside_") else pair.set
            name = "tokenised" if name.startswith("tok_") else name
            taken[name] += 1
            if taken[name] <= 150:
                write(file, f"new_{name}", pair.premise, pair.claim, pair.label)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    build(given.data, given.base, given.out)


if __name__ == "__main__":
    main()
