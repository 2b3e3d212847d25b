"""Write the files that ``train_verifier`` reads, and the checks that never train.

    python -m scripts.training.dataset --data DIR --out DIR

::

    written_pairs/*.txt -> written, renaming --+
    sets of pairs ------> pairs ---------------+
    claims with pages --> documents -----------+-> 01.jsonl ... -> train_verifier -> export_verifier
    Wikipedia ----------> articles, changes ---+-> checks.jsonl -------------------------^
    invented -----------> cases ---------------+
    questions ----------> questions -----------+
    written_folders/* --> folders -------------+
    all of these, beside texts of others: mining

The pairs stand in files of ``PART``, ``01.jsonl`` and so on; the first ``SHORT`` have pairs of at
most ``FIRST`` tokens, the others of up to ``SECOND``. ``checks.jsonl`` has the written blocks and
whole series that never train, and the held-out parts of the sets and articles, chosen by a hash of
the claim, the page or the title. Written premises come as they are, with their sentences set apart
as a search sets them, or among sentences of other premises; a share of the people is renamed. No
pair has a sentence of the texts that only measure (``NEVER``, ``DIR/eval``, the papers beside DIR
and ``--never``).

For a training that goes on: ``--recent`` names the sets that are new to the network and train
whole, written ones in two renderings; ``--share`` and ``--older`` are what is drawn of the others
so that they are not forgotten, and with ``--short 0`` all lengths are mixed.
"""

import argparse
import random
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from tokenizers import Tokenizer

from scripts.training import folders
from scripts.training.articles import Article, articles
from scripts.training.cases import cases
from scripts.training.changes import changes, neighbours
from scripts.training.documents import documents, renderings
from scripts.training.mining import Ground, strange
from scripts.training.pairs import (
    JOINT,
    SUPPORTED,
    Pair,
    fever,
    headed,
    held_out,
    sets,
    write_pairs,
)
from scripts.training.questions import questions
from scripts.training.renaming import Surnames
from scripts.training.set_apart import sentences, texts
from scripts.training.written import HELD_SERIES, Block, blocks, copies
from scripts.training.written import renderings as forms
from veracite.models.bundled import BUNDLED

ROOT = Path(__file__).parents[2]
NEVER = tuple(
    ROOT / place
    for place in ("engine/exam.jsonl", "scripts/blind", "scripts/mending", "scripts/near",
                  "scripts/samples", "scripts/strangers", "scripts/tables", "tests/samples",
                  "tests/changed_facts", "tests/data")
)  # fmt: skip
"""Texts that only measure."""
_GIVEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SHARE: dict[str, float] = _GIVEN["share"]
"""Per cent of each document set that never trains."""
LIMITS: dict[str, int] = _GIVEN["limits"]
"""The most pairs of each upstream set and generated kind."""
GOLD, PREMISES, TITLES = 11.5, 2.0, 5.0
"""Per cent of FEVER's claims, of the other sets' premises, of the articles that never train."""
FIRST, SECOND = 96, 160
"""The most tokens of a pair, in the first files and in the others."""
PART, SHORT = 8_000, 2
"""Pairs of a file; how many files are the first ones."""
RENAMED, APART, COPIES = 0.5, 0.35, 0.6
"""Shares of the written pairs whose people have other surnames, of the written premises whose
sentences stand apart, and of the written blocks that give a plain copy."""
STRANGE, CASES, MEASURED = 10_000, 6_000, 10.0
"""Claims beside texts of others; claims of other cases, and how many of these are of measures for
ten that are not."""
CHECKS = 150
"""Held-out pairs of each generated kind."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"\u201c])")


def kind(name: str) -> str:
    """Return what a pair's set counts as in ``LIMITS``."""
    return name if name in LIMITS else name.partition("_")[0]


def limited(pairs: Iterable[Pair], limits: dict[str, int], rng: random.Random) -> Iterator[Pair]:
    """Yield each pair once, up to the most of its kind, in random order."""
    every = list({(pair.premise, pair.claim): pair for pair in pairs}.values())
    rng.shuffle(every)
    counts: Counter[str] = Counter()
    for pair in every:
        counts[kind(pair.set)] += 1
        if counts[kind(pair.set)] <= limits.get(kind(pair.set), CHECKS):
            yield pair


def upstream(data: Path, rng: random.Random) -> tuple[list[Pair], list[Pair]]:
    """Return the sets' pairs, those that train and those that never do."""
    parts: tuple[list[Pair], list[Pair]] = ([], [])
    for pair in (*sets(data), *fever(data)):
        gold = pair.set.startswith("fever")
        away = held_out(pair.claim, GOLD) if gold else held_out(pair.premise, PREMISES)
        parts[away].append(pair)
    for example in documents(data):
        parts[held_out(example.key, SHARE[example.set])].extend(renderings(example, rng))
    return parts


def written(chosen: list[Block], rng: random.Random) -> Iterator[Pair]:
    """Yield the written pairs in the forms in which sentences are read."""
    said = [t for b in chosen for t in (b.heading, b.premise, *(claim for claim, _ in b.claims))]
    surnames = Surnames(said)
    others = [s for b in chosen for s in _SENTENCE.split(b.premise) if 5 <= len(s.split()) <= 30]
    copied = [block for block in copies(chosen, rng) if rng.random() < COPIES]
    for pair in (*forms(chosen, rng), *forms(copied, rng)):
        shown = apart(pair, others, rng) if rng.random() < APART else pair
        yield surnames.renamed(shown, rng) if rng.random() < RENAMED else shown


def apart(pair: Pair, others: Sequence[str], rng: random.Random) -> Pair:
    """Return the pair with the premise's sentences set apart, sometimes among two of others."""
    parts = [s for text in pair.premise.split(JOINT) for s in _SENTENCE.split(text)]
    if rng.random() < 0.35:
        for sentence in rng.sample(others, rng.randint(1, 2)):
            parts.insert(rng.choice((0, len(parts))), sentence)
    return replace(pair, premise=JOINT.join(parts))


def grounds(
    chosen: list[Block], known: list[Pair], pool: Sequence[Article], rng: random.Random
) -> Iterator[Ground]:
    """Yield texts with what was claimed of them: written blocks, FEVER's pairs, articles."""
    for block in chosen:
        parts = _SENTENCE.split(block.premise.replace(JOINT, " "))
        shown = [headed(block.heading, part) for part in parts if 5 <= len(part.split()) <= 45]
        yield shown, [claim for claim, _ in block.claims]
    for pair in known:
        if pair.set == "fever" and pair.label == SUPPORTED:
            yield [pair.premise], [pair.claim]
    for article in pool:
        k = rng.randrange(len(article.sentences))
        claims = [article.sentences[k]] if 6 <= len(article.sentences[k].split()) <= 32 else []
        yield [headed(article.heading, article.around(k, rng.choice((30, 60, 90))))], claims


def without(pairs: Iterable[Pair], never: Iterable[Path]) -> list[Pair]:
    """Return the pairs that have no sentence of the texts in some files."""
    measuring = {sentence for text in texts(never) for sentence in sentences(text)}
    return [
        pair
        for pair in pairs
        if measuring.isdisjoint((*sentences(pair.premise), *sentences(pair.claim)))
    ]


def in_files(pairs: Sequence[Pair], short: int) -> Iterator[list[Pair]]:
    """Yield the pairs of each file, the short ones first, without those that are too long."""
    tokens = Tokenizer.from_file(str(BUNDLED / "verifier_tokenizer.json"))
    encoded = tokens.encode_batch([(pair.premise, pair.claim) for pair in pairs])
    sizes = [len(e.ids) for e in encoded]
    first = [at for at, size in enumerate(sizes) if size <= FIRST][: PART * short]
    taken = set(first)
    rest = [at for at, size in enumerate(sizes) if size <= SECOND and at not in taken]
    order = [*first, *rest]
    for start in range(0, len(order), PART):
        yield [pairs[at] for at in order[start : start + PART]]


def build(given: argparse.Namespace) -> None:
    """Write all files."""
    data, out, rng = given.data, given.out, random.Random(given.seed)
    every = blocks()
    held = [block for block in every if block.held_out or block.set in HELD_SERIES]
    taught = [block for block in every if not (block.held_out or block.set in HELD_SERIES)]
    again = [block for block in taught if block.set in given.recent]
    taught = again + [b for b in taught if b.set not in given.recent and rng.random() < given.older]
    known, aside = upstream(data, rng)
    ground = articles(data)
    pool = [a for a in ground if not held_out(a.title, TITLES)]
    rest = [a for a in ground if held_out(a.title, TITLES)]
    new = (replace(pair, set=f"new_{pair.set}") for pair in limited(changes(rest, rng), {}, rng))
    write_pairs(out / "checks.jsonl", (*forms(held, random.Random(29)), *aside, *new))
    told = [*written([*taught, *again], rng), *folders.pairs(rng)]
    pairs = [
        *told,
        *strange([*grounds(taught, known, pool, rng)], STRANGE, rng),
        *cases(CASES, rng, MEASURED),
        *limited((*known, *changes(pool, rng), *changes(pool, rng)), LIMITS, rng),
        *limited(questions(data, rng), LIMITS, rng),
        *limited(neighbours((*told, *known), rng), LIMITS, rng),
    ]
    drawn = [pair for pair in pairs if pair.set in given.recent or rng.random() < given.share]
    rng.shuffle(drawn)
    pairs = without(drawn, (*NEVER, data / "eval", data.parent / "papers", *given.never))
    counts: Counter[str] = Counter()
    for number, part in enumerate(in_files(pairs, given.short), 1):
        write_pairs(out / f"{number:02}.jsonl", part)
        counts.update(kind(pair.set) for pair in part)
        print(f"{number:02}.jsonl", len(part), dict(Counter(pair.label for pair in part)))
    print(counts.total(), dict(counts))


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--never", type=Path, nargs="*", default=(), help="more texts that measure")
    parser.add_argument("--share", type=float, default=1.0, help="of the pairs that are drawn")
    parser.add_argument("--recent", nargs="*", default=(), help="sets of which none are left out")
    parser.add_argument("--older", type=float, default=1.0, help="of the other written blocks")
    parser.add_argument("--short", type=int, default=SHORT, help="files that have short pairs")
    parser.add_argument("--seed", type=int, default=41, help="another one draws other pairs")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    build(given)


if __name__ == "__main__":
    main()
