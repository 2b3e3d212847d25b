"""Write the files that ``train_verifier`` reads: written pairs first, then what upstream sets have.

    python -m scripts.training.mix --base DIR --stage2 DIR --mpnet DIR --out DIR

``--base`` is what ``dataset`` wrote, ``--stage2`` what ``stage2`` wrote. The pairs stand in files
of ``PART``, ``01.jsonl`` and so on; the first ``SHORT`` have pairs of at most ``FIRST`` tokens, the
others of up to ``SECOND``. With ``--behind N`` the first N files stay as they are and what stands
there is not used again. ``checks.jsonl`` has the written blocks and whole series that never train,
and the held-out parts of the sets. Written premises come as they are, with their sentences set
apart as a search sets them, or among sentences of other premises; a share of the people is renamed.
A written claim beside sentences of other premises that share its words is neutral. No pair has a
sentence of the texts that only measure (``--never``).
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import tantivy
from tokenizers import Tokenizer

from scripts.training.cases import cases
from scripts.training.dataset import write
from scripts.training.mining import lacks
from scripts.training.pairs import JOINT, NEUTRAL, Pair, headed, read_lines
from scripts.training.renaming import Surnames
from scripts.training.rows import rows
from scripts.training.set_apart import sentences, texts
from scripts.training.written import HELD_SERIES, Block, blocks, copies, renderings

FIRST, SECOND = 96, 160
"""The most tokens of a pair, in the first files and in the others."""
PART, SHORT = 8_000, 2
"""Pairs of a file; how many files are the first ones."""
RENAMED = 0.5
"""Share of the written pairs whose people have other surnames."""
APART = 0.35
"""Share of the written premises whose sentences stand apart."""
COPIES = 0.6
"""Share of the written blocks that give a plain copy."""
STRANGE, ROWS, CASES = 4_000, 2_500, 2_900
"""Written claims beside premises of others; claims beside rows of tables; of other cases."""
LIMITS = {
    "fever": 7_000, "fever_neutral": 2_000, "fever_symmetric": 1_000, "foolmetwice": 3_500,
    "foolmetwice_without": 1_500, "wice": 1_500, "wice_chunks": 2_500, "contract_nli": 1_000,
    "citint": 700, "factcheck_gpt": 3_500, "expertqa": 1_800, "mnli": 8_000, "watson": 3_000,
    "snli": 2_000, "scitail": 1_500, "sick": 1_000, "rte": 500, "fracas": 100,
    "commitment_bank": 150,
}  # fmt: skip
"""The most pairs of each upstream set."""
FAMILIES = {
    "changed": 4_500, "equal": 2_000, "hedge": 900, "other_time": 700, "other_party": 700,
    "long": 4_000, "deeds": 1_200, "kinds": 700, "world_deeds": 1_300, "world_two": 600,
    "world_kinds": 300, "table": 2_400, "mined": 4_500, "person": 2_400, "reworded": 2_400,
    "bridge": 1_800, "made": 6_000,
}  # fmt: skip
"""The most pairs of each generated kind."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"\u201c])")


def family(name: str) -> str:
    """Return the kind to which a generated set's name belongs."""
    bare = name.removeprefix("tok_").removeprefix("aside_").removeprefix("exchanged_")
    return next((kind for kind in FAMILIES if bare.startswith(kind)), "changed")


def limited(rows: Iterable[Pair], rng: random.Random) -> Iterator[Pair]:
    """Yield each pair of the sets once, up to the most of its kind, in random order."""
    every = list({(pair.premise, pair.claim): pair for pair in rows}.values())
    rng.shuffle(every)
    counts: Counter[str] = Counter()
    for pair in every:
        kind = pair.set if pair.set in LIMITS else family(pair.set)
        counts[kind] += 1
        if counts[kind] <= LIMITS.get(kind, FAMILIES.get(kind, 0)):
            yield pair


def rows_of(path: Path) -> Iterator[Pair]:
    """Read pairs in JSON lines, SummEdits' left out."""
    for line in read_lines(path):
        row = json.loads(line)
        if not row["set"].endswith("summedits"):
            yield Pair(row["set"], row["premise"], row["claim"], row["label"])


def apart(pair: Pair, others: Sequence[str], rng: random.Random) -> Pair:
    """Return the pair with the premise's sentences set apart, sometimes among two of others."""
    parts = [s for text in pair.premise.split(JOINT) for s in _SENTENCE.split(text)]
    if rng.random() < 0.35:
        for sentence in rng.sample(others, rng.randint(1, 2)):
            parts.insert(rng.choice((0, len(parts))), sentence)
    return Pair(pair.set, JOINT.join(parts), pair.claim, pair.label)


def strange(chosen: Sequence[Block], count: int, rng: random.Random) -> Iterator[Pair]:
    """Yield claims beside the sentences of other blocks that share most words with them."""
    every = [
        (block, headed(block.heading, sentence) if block.heading else sentence)
        for block in chosen
        for sentence in _SENTENCE.split(block.premise.replace(JOINT, " "))
        if 5 <= len(sentence.split()) <= 45
    ]
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    builder.add_integer_field("place", stored=True, indexed=False)
    index = tantivy.Index(builder.build())
    writer = index.writer(100_000_000, 1)
    for place, (_, sentence) in enumerate(every):
        writer.add_document(tantivy.Document(text=sentence, place=place))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    for block in rng.choices(chosen, k=count):
        claim, _ = rng.choice(block.claims)
        query = index.parse_query(" ".join(re.findall(r"\w+", claim.lower())), ["text"])
        hits = searcher.search(query, 9).hits
        found = [every[searcher.doc(at)["place"][0]] for _, at in hits]
        some = [text for other, text in found if other is not block and lacks(claim, text, 0.7)]
        some = some[: rng.choice((1, 1, 2, 3))]
        if some:
            yield Pair("strange", JOINT.join(some), claim, NEUTRAL)


def written(chosen: list[Block], rng: random.Random) -> Iterator[Pair]:
    """Yield the written pairs in the forms in which sentences are read."""
    texts = [t for b in chosen for t in (b.heading, b.premise, *(claim for claim, _ in b.claims))]
    surnames = Surnames(texts)
    others = [s for b in chosen for s in _SENTENCE.split(b.premise) if 5 <= len(s.split()) <= 30]
    copied = [block for block in copies(chosen, rng) if rng.random() < COPIES]
    for pair in (*renderings(chosen, rng), *renderings(copied, rng)):
        shown = apart(pair, others, rng) if rng.random() < APART else pair
        yield surnames.renamed(shown, rng) if rng.random() < RENAMED else shown


def put(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as JSON lines."""
    with path.open("w", encoding="utf-8") as file:
        for pair in pairs:
            write(file, pair.set, pair.premise, pair.claim, pair.label)


def lengths(pairs: Sequence[Pair], mpnet: Path) -> list[int]:
    """Return how many tokens each pair has."""
    tokens = Tokenizer.from_file(str(mpnet / "tokenizer.json"))
    tokens.no_padding()
    tokens.no_truncation()
    encoded = tokens.encode_batch([(pair.premise, pair.claim) for pair in pairs])
    return [len(e.ids) for e in encoded]


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--stage2", type=Path)
    parser.add_argument("--mpnet", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--never", type=Path, nargs="*", default=(), help="texts that measure")
    parser.add_argument("--first", nargs="*", default=(), help="sets whose pairs come first")
    parser.add_argument("--behind", type=int, default=0, help="files that stay as they are")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    rng = random.Random(41)
    every = blocks()
    held = [block for block in every if block.held_out or block.set in HELD_SERIES]
    taught = [block for block in every if not (block.held_out or block.set in HELD_SERIES)]
    checks = list(renderings(held, random.Random(29)))
    other = (given.stage2 or given.base) / "checks.jsonl"
    put(given.out / "checks.jsonl", [*checks, *rows_of(other)])
    paths = [given.base / "short.jsonl", given.base / "long.jsonl"]
    paths += [given.stage2 / "stage2.jsonl"] if given.stage2 else []
    known = list(limited((pair for path in paths for pair in rows_of(path)), rng))
    used = {
        (pair.premise, pair.claim) if pair.set in LIMITS else (pair.set, pair.claim)
        for number in range(1, given.behind + 1)
        for pair in rows_of(given.out / f"{number:02}.jsonl")
    }
    pairs = [
        pair
        for pair in (
            *written(taught, rng),
            *strange(taught, STRANGE, rng),
            *rows(ROWS, rng),
            *cases(CASES, rng),
            *known,
        )
        if not used & {(pair.premise, pair.claim), (pair.set, pair.claim)}
    ]
    rng.shuffle(pairs)
    measuring = {sentence for text in texts(given.never) for sentence in sentences(text)}
    pairs = [
        pair
        for pair in pairs
        if measuring.isdisjoint((*sentences(pair.premise), *sentences(pair.claim)))
    ]
    pairs.sort(key=lambda pair: pair.set not in given.first)
    sizes = dict(zip(map(id, pairs), lengths(pairs, given.mpnet), strict=True))
    first = [pair for pair in pairs if sizes[id(pair)] <= FIRST]
    first = first[: PART * max(0, SHORT - given.behind)]
    taken = set(map(id, first))
    rest = [pair for pair in pairs if sizes[id(pair)] <= SECOND and id(pair) not in taken]
    every = [*first, *rest]
    # Each file is read in an order of its own.
    for number, start in enumerate(range(0, len(every), PART), given.behind + 1):
        part = every[start : start + PART]
        put(given.out / f"{number:02}.jsonl", part)
        print(number, len(part), dict(Counter(pair.label for pair in part)))
    print(dict(Counter(pair.set for pair in every)))


if __name__ == "__main__":
    main()
