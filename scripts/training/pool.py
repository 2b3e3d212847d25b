"""Write the pairs that train a teacher, and those that it then labels for the verifier.

    python -m scripts.training.pool --base DIR --stage2 DIR --out DIR

``--base`` is what ``dataset`` wrote, ``--stage2`` what ``stage2`` wrote. In ``pool.jsonl``, beside
pairs of both, claims stand with premises that belong to other claims and that a search by words
finds for them: what the verifier meets in a library, and nobody labelled. ``teacher.jsonl`` has the
labelled pairs alone, and more of those that people wrote.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import tantivy

from scripts.training.batches import UNLABELLED

Row = dict[str, Any]

DOCUMENTS = frozenset(
    "citint contract_nli expertqa factcheck_gpt fever fever_neutral fever_symmetric foolmetwice "
    "foolmetwice_without summedits wice wice_chunks".split()
)
"""Sets of claims and documents that people wrote."""
OF_SENTENCES = {
    "mnli": 12_000, "watson": 6_000, "fever": 6_000, "snli": 4_000, "scitail": 1_500, "sick": 1_000,
    "rte": 400,
}  # fmt: skip
"""How many more pairs of single sentences train the teacher."""
TAUGHT = 34_000
"""Generated pairs that train the teacher."""
REAL, MADE, SENTENCES, FOUND = 22_000, 40_000, 30_000, 40_000
"""The pool: pairs of documents, generated pairs, pairs of sentences, pairs that a search found."""
NEAREST = 5
"""A claim's premise is drawn from so many that a search ranks first."""


def rows_of(path: Path) -> list[Row]:
    """Read JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def found(rows: Sequence[Row], rng: random.Random) -> Iterator[Row]:
    """Yield claims with premises of other claims that share their words."""
    own: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        own[row["claim"]].add(row["premise"])
    premises = sorted({row["premise"] for row in rows if len(row["premise"].split()) >= 12})
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=False, tokenizer_name="en_stem")
    builder.add_integer_field("place", stored=True, indexed=False)
    index = tantivy.Index(builder.build())
    writer = index.writer(200_000_000, 1)
    for place, premise in enumerate(premises):
        writer.add_document(tantivy.Document(text=premise, place=place))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()
    claims = sorted(claim for claim in own if 4 <= len(claim.split()) <= 60)
    rng.shuffle(claims)
    for claim in claims:
        words = re.findall(r"\w+", claim.lower())
        query = index.parse_query(" ".join(words), ["text"])
        hits = searcher.search(query, NEAREST + 3).hits
        others = [premises[searcher.doc(at)["place"][0]] for _, at in hits]
        others = [p for p in others if p not in own[claim] and p != claim][:NEAREST]
        if others:
            premise = rng.choice(others)
            yield {"set": "found", "premise": premise, "claim": claim, "label": UNLABELLED}


def teacher_rows(stage2: Sequence[Row], short: Sequence[Row], rng: random.Random) -> list[Row]:
    """Return the labelled pairs that train the teacher."""
    written = DOCUMENTS | OF_SENTENCES.keys()
    made = [row for row in stage2 if row["set"] not in written]
    chosen = [row for row in stage2 if row["set"] in written]
    known = {(row["premise"], row["claim"]) for row in stage2}
    left = Counter(OF_SENTENCES)
    for row in rng.sample(short, len(short)):
        if left[row["set"]] > 0 and (row["premise"], row["claim"]) not in known:
            left[row["set"]] -= 1
            chosen.append(row)
    chosen += rng.sample(made, min(TAUGHT, len(made)))
    rng.shuffle(chosen)
    return chosen


def pool_rows(
    stage2: Sequence[Row], short: Sequence[Row], long: Sequence[Row], rng: random.Random
) -> list[Row]:
    """Return the pairs that the teacher labels, each once."""
    documents = [row for row in stage2 if row["set"] in DOCUMENTS]
    made = [row for row in stage2 if row["set"] not in DOCUMENTS]
    chosen: dict[tuple[str, str], Row] = {}
    for rows, most in ((documents, REAL), (made, MADE), (short, SENTENCES)):
        for row in rng.sample(rows, min(most, len(rows))):
            chosen.setdefault((row["premise"], row["claim"]), row)
    for row in islice(found([*stage2, *long], rng), FOUND):
        chosen.setdefault((row["premise"], row["claim"]), row)
    return rng.sample(list(chosen.values()), len(chosen))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--stage2", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    stage2 = rows_of(given.stage2 / "stage2.jsonl")
    short, long = (rows_of(given.base / f"{name}.jsonl") for name in ("short", "long"))
    for name, rows in (
        ("teacher", teacher_rows(stage2, short, random.Random(5))),
        ("pool", pool_rows(stage2, short, long, random.Random(3))),
    ):
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (given.out / f"{name}.jsonl").write_text("".join(lines), "utf-8")
        print(name, len(rows), dict(Counter(row["label"] for row in rows)))


if __name__ == "__main__":
    main()
