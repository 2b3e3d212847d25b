"""Write the rows that the decision is fitted on: claims with what a search finds for them.

    python -m scripts.training.decision_rows --data DIR --held HELD --checks FILE --out ROWS.jsonl

``--held`` is what ``untrained`` writes, ``--checks`` what ``dataset`` writes. No row trained the
verifier (the same hash as there), and none is one that ``scripts/results_page.py`` takes figures
from: what ``veracite eval`` draws and holds back for results is left out by group. Each claim is
searched for by the engine's own search at its own settings: in its documents, or among those of
the whole set as one library.
"""

import hashlib
import json
import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from scripts.results_page import ENTRIES
from scripts.training import folders
from scripts.training.cases import cases
from scripts.training.dataset import SHARE
from scripts.training.documents import citint, expertqa, factcheck_gpt, wice
from scripts.training.moved import altered, moved
from scripts.training.pairs import JOINT, LABELS, WORDS, fever, held_out, options, read_rows
from scripts.training.written import HELD_SERIES, blocks
from veracite.engine.evaluation.figures import split
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Source, Statement
from veracite.engine.evaluation.predict import apart, claims_of
from veracite.engine.retrieve import KEPT, Search
from veracite.engine.types import Claim
from veracite.engine.wording.overlap import content_words, coverage, stems
from veracite.engine.wording.quantities import extract
from veracite.index.documents import Evidence, Passage
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import bundled_encoder
from veracite.models.encoder import Encoder

SEED = 0
"""As ``veracite eval`` draws by default."""
AT_MOST = {
    "wice": 60, "wicechunks": 120, "contract": 120, "citint": 90, "expertqa": 100,
    "factcheck": 110, "foolmetwice": 200, "fever": 200, "unrelated": 450, "shifted": 300,
    "made": 100, "new": 130, "written": 700, "retold": 280, "cases": 270, "moved": 600,
}  # fmt: skip
"""Rows of each set."""
SHARED = 0.5
"""A passage that has this share of a claim's words may decide it."""
FILLED = (0, 3, 11, 11)
"""Passages of other documents beside a row's own, in turn: small libraries and large ones."""
VERDICTS = (*LABELS, "unsupported")
"""What the pairs' labels are called here."""


@dataclass(frozen=True)
class Asked:
    """A claim to be looked up."""

    set: str
    claim: Claim
    label: str
    """supported, neutral, contradicted; unsupported where it is not known which of the two."""
    sources: tuple[Source, ...]


def _plain(text: str) -> Claim:
    return Claim(text, 0, len(text), statement=text, query=text)


def _statements(held: Path) -> list[Statement]:
    return [i for i in load("attribute", [held]).items if isinstance(i, Statement)]


def _kept(held: Path, limit: int | None) -> list[Statement]:
    """The statements of a held-out file whose group gives no figure."""
    every = _statements(held)
    drawn = every
    if limit is not None and limit < len(every):
        drawn = [every[i] for i in sorted(random.Random(SEED).sample(range(len(every)), limit))]
    truth = np.array([s.truth for s in drawn])
    parts = split([s.group for s in drawn], [s.part for s in drawn], truth)
    measured = {s.group for s, is_held in zip(drawn, parts.held, strict=True) if is_held}
    return [s for s in every if s.group not in measured]


def _labelled(statements: Iterable[Statement], name: str) -> Iterator[Asked]:
    """Statements of one sentence, with their documents."""
    for s in statements:
        claims = claims_of(s)
        if len(claims) == 1:
            yield Asked(name, claims[0], _verdict(s), s.sources)


def _verdict(statement: Statement) -> str:
    return VERDICTS[WORDS[statement.label.lower()]]


def _examples(data: Path, left_out: Collection[str]) -> Iterator[Asked]:
    """Claims with whole documents of the sets that ``veracite eval`` takes no figures from."""
    for loader in (wice, citint, factcheck_gpt, expertqa):
        for example in loader(data):
            wanted = example.set != "wice" and example.key not in left_out
            if not wanted or not held_out(example.key, SHARE[example.set]):
                continue
            texts: dict[str, list[str]] = {}
            for heading, sentences in example.passages:
                texts.setdefault(heading, []).append(" ".join(sentences))
            sources = tuple(
                Source(str(number), "\n\n".join(parts), heading or None)
                for number, (heading, parts) in enumerate(texts.items())
            )
            label = VERDICTS[example.label]
            if example.set in ("citint", "expertqa") and label == "neutral":
                label = "unsupported"
            name = example.set.replace("_", "").removesuffix("gpt")
            yield Asked(name, _plain(example.claim), label, sources)


def _pages(held: Path, kept: Sequence[Statement]) -> Iterator[Asked]:
    """Fool Me Twice's claims, each with all that its file holds of the page."""
    pages: dict[str, dict[str, None]] = {}
    for row in read_rows(held):
        found = [e["text"] for e in (*row["gold_evidence"], *row["retrieved_evidence"])]
        pages.setdefault(row["wikipedia_page"], {}).update(dict.fromkeys(found))
    for s in kept:
        whole = Source(s.group, " ".join(pages[s.group]), s.group)
        yield Asked("foolmetwice", _plain(s.text), _verdict(s), (whole,))


def _gold(data: Path) -> Iterator[Asked]:
    for pair in fever(data):
        if held_out(pair.claim, 11.5):
            yield from _of_one("fever", "", pair.premise, (pair.claim, pair.label))


def _generated(checks: Path) -> Iterator[Asked]:
    for row in read_rows(checks):
        name = row["set"].split("_")[0]
        if name in ("made", "new"):
            yield from _of_one(name, "", row["premise"], (row["claim"], row["label"]))


def _written() -> Iterator[Asked]:
    for block in blocks():
        if block.held_out or block.set in HELD_SERIES:
            name = "written" if block.held_out else "retold"
            yield from _of_one(name, block.heading, block.premise, *block.claims)


def _denied(data: Path, rng: random.Random) -> Iterator[Asked]:
    """Claims that differ from their passage in one thing, or in what makes it another case."""
    yield from (one for one in _written() if one.set == "retold")
    for pair in cases(600, rng):
        yield from _of_one("cases", "", pair.premise.replace(JOINT, " "), (pair.claim, pair.label))
    for heading, passage, claim, label in moved(data):
        yield from _of_one("moved", heading, passage, (claim, label))


def _of_one(name: str, heading: str, premise: str, *claims: tuple[str, int]) -> Iterator[Asked]:
    """Claims about a text that is a document of its own."""
    source = Source(premise, premise, heading or None)
    for claim, label in claims:
        yield Asked(name, _plain(claim), VERDICTS[label], (source,))


def _sample(asked: Iterable[Asked], rng: random.Random) -> list[Asked]:
    """At most so many of each set, as many of each label as there are."""
    shelves: dict[str, dict[str, list[Asked]]] = {}
    for one in asked:
        shelves.setdefault(one.set, {}).setdefault(one.label, []).append(one)
    chosen: list[Asked] = []
    for name, by_label in shelves.items():
        for place, rows in enumerate(sorted(by_label.values(), key=len)):
            rng.shuffle(rows)
            room = AT_MOST[name] - sum(one.set == name for one in chosen)
            chosen += rows[: room // (len(by_label) - place)]
    return chosen


def _found(
    one: Asked, place: int, library: MemoryLibrary, paths: Collection[str]
) -> tuple[Evidence, ...]:
    """A claim's own passages and near ones of others, as a search of one library returns them.

    None of another document that may decide the claim after all.
    """
    (ranked,) = Search(library, 3 * KEPT, None, "hybrid").gather([one.claim])
    said = content_words(one.claim.statement)
    own = [e for e in ranked if e.passage.document.path in paths][:KEPT]
    rest = [
        e
        for e in ranked
        if e.passage.document.path not in paths and coverage(said, stems(e.passage.text)) < SHARED
    ]
    room = KEPT if not paths else min(FILLED[place % len(FILLED)], KEPT - len(own))
    return tuple(sorted([*own, *rest[:room]], key=lambda e: e.rank))


def _row(name: str, claim: Claim, label: str, evidence: Sequence[Evidence]) -> str:
    passages = [
        {"document": _named(p), "heading": p.heading, "text": p.text, "cosine": e.cosine}
        for e in evidence
        for p in [e.passage]
    ]
    names = ("set", "claim", "query", "resolved", "label", "passages")
    told = (name, claim.statement, claim.query, claim.resolved, label, passages)
    return json.dumps(dict(zip(names, told, strict=True)), ensure_ascii=False) + "\n"


def _named(passage: Passage) -> str:
    """A document's name, which has no words of its text."""
    return hashlib.sha256(passage.document.path.encode()).hexdigest()[:12]


def _alone(data: Path, held: Path, limits: dict[str, int | None]) -> list[Asked]:
    """Claims that come with whole documents."""
    known = _kept(held / "wice.jsonl", limits["wice"])
    measured = {s.group for s in _statements(held / "wice.jsonl")} - {s.group for s in known}
    return [
        *_labelled(_kept(held / "contract_nli.json", limits["contract-nli"]), "contract"),
        *_labelled(known, "wice"),
        *_examples(data, measured),
    ]


def _together(
    data: Path, held: Path, checks: Path, limit: int | None, rng: random.Random
) -> list[Asked]:
    """Claims whose evidence is looked for among that of all, and some that have none there."""
    pages = _pages(held / "foolmetwice.jsonl", _kept(held / "foolmetwice.jsonl", limit))
    gold, written = [*_gold(data), *pages], [one for one in _written() if one.set == "written"]
    strangers = [
        replace(one, set="unrelated", label="neutral", sources=())
        for of_one in (gold, written)
        for one in rng.sample(of_one, AT_MOST["unrelated"] // 2)
    ]
    shifted = [moved for one in [*gold, *written] for moved in _shifted(one, rng)]
    return [*gold, *_generated(checks), *strangers, *written, *shifted]


def _shifted(one: Asked, rng: random.Random) -> Iterator[Asked]:
    """A supported claim with another figure: contradicted; in another year as well: neutral."""
    if one.label != "supported":
        return
    said = one.claim.statement
    found = [q for q in extract(said) if any(map(str.isdigit, q.text)) and q.kind != "ordinal"]
    years = [q for q in found if q.kind == "date" and q.text == str(q.date[0])]
    others = [q for q in found if q.kind in ("number", "money", "percent") and q.value > 1]
    if not others:
        return
    figure = rng.choice(others)
    changed = altered(said, figure, rng)
    yield replace(one, set="shifted", claim=_plain(changed), label="contradicted")
    if years and years[0].start != figure.start:
        for quantity in sorted((figure, years[0]), key=lambda q: -q.start):
            said = altered(said, quantity, rng)
        yield replace(one, set="shifted", claim=_plain(said), label="neutral")


def build(data: Path, held: Path, checks: Path) -> Iterator[str]:
    """Yield the rows as lines of JSON."""
    rng = random.Random(5)
    drawn = {name: re.search(r"--limit (\d+)", command) for name, command in ENTRIES.items()}
    limits = {name: found and int(found[1]) for name, found in drawn.items()}
    encoder = bundled_encoder()
    alone = _sample(_alone(data, held, limits), rng)
    for one, library in zip(alone, apart([one.sources for one in alone], encoder), strict=True):
        (evidence,) = Search(library, None, None, "hybrid").gather([one.claim])
        yield _row(one.set, one.claim, one.label, evidence)
    together = _sample(_together(data, held, checks, limits["foolmetwice"], rng), rng)
    yield from _in_one_library(together, encoder)
    denied = random.Random(97)
    yield from _in_one_library(_sample(_denied(data, denied), denied), encoder)
    for one in folders.told(folders.HELD):
        yield _row("folders", one.claim, VERDICTS[one.label], one.evidence)


def _in_one_library(asked: Sequence[Asked], encoder: Encoder) -> Iterator[str]:
    titles = {s.text: s.title for one in asked for s in one.sources}
    texts = [Text(text, text, title) for text, title in titles.items()]
    library = MemoryLibrary(texts, Vectors(encoder.encode))
    for place, one in enumerate(asked):
        own = {s.text for s in one.sources}
        evidence = _found(one, place, library, own)
        if evidence and (not own or any(e.passage.document.path in own for e in evidence)):
            yield _row(one.set, one.claim, one.label, evidence)


def main() -> None:
    """Run from the command line."""
    given = options(__doc__, "--data", "--held", "--checks", "--out")
    with given.out.open("w", encoding="utf-8") as file:
        file.writelines(build(given.data, given.held, given.checks))


if __name__ == "__main__":
    main()
