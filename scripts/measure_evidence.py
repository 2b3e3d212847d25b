"""Prints how often the sentence that a set names as evidence is among the premises of its claim.

    python -m scripts.measure_evidence --data DATA [--limit 200]

The documents of a set are one library. *Found*: the evidence is read in a premise that is composed
of the passages that a check gathers. *Of all*: in one that is composed of every passage of the
library. *Nearest*: it is among the eight of all the library's sentences that the encoder finds
nearest. Evidence is what the set names: sentences, of NQ those that hold an answer. It counts as
read where all of it, or one of the alternatives that are named, is. Of CitInt it is asked of what
never trains, and all the sentences that are named have to be read.
"""

import argparse
import csv
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.training.dataset import SHARE
from scripts.training.documents import citint
from scripts.training.pairs import SUPPORTED, fever, held_out, read_rows
from veracite.engine.judge.premises import compose
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.models.bundled import bundled_encoder, bundled_verifier

_NEAREST = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim or question, its document, and alternatives of evidence, each of some sentences."""

    text: str
    document: str
    evidence: list[list[str]]
    title: str | None = None


def main() -> None:
    """Reads each set, looks for its evidence both ways and prints a row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=200, help="claims of a set")
    given = parser.parse_args()
    print("| set | documents | claims | found | of all | found / of all | nearest |")
    print("|---|---|---|---|---|---|---|")
    for name, read in SETS.items():
        rows = list(read(given.data))
        documents = {one.document: Text(one.document, one.document, one.title) for one in rows}
        asked = [one for one in rows if one.evidence]
        asked = asked[:: max(1, len(asked) // given.limit)]
        found = np.array(_looked_for([*documents.values()], asked)).mean(0)
        figures = [*found[:2], found[0] / found[1], found[2]]
        row = [name, str(len(documents)), str(len(asked)), *(f"{one:.3f}" for one in figures)]
        print(f"| {' | '.join(row)} |", flush=True)


def _looked_for(documents: list[Text], asked: list[Asked]) -> list[tuple[bool, ...]]:
    vectors, verifier = Vectors(bundled_encoder().encode), bundled_verifier()
    library = MemoryLibrary(documents, vectors)
    everything = library.search_many([asked[0].text], k=10**6, threshold=None, mode="dense")[0]
    sentences: dict[str, list[str]] = defaultdict(list)
    for item in everything:
        own = [sentence.text for sentence in library.sentences(item.passage)]
        sentences[item.passage.document.path] += own
    texts = [text for own in sentences.values() for text in own]
    matrix = np.array(vectors.of(texts))
    rows = []
    for one in asked:
        claim = Claim(one.text, 0, len(one.text), one.text, one.text)
        read = []
        gathered = Search(library, None, None, "hybrid").gather([claim])[0]
        every = library.search_many([one.text], k=10**6, threshold=None, mode="dense")[0]
        for evidence in (gathered, every):
            laid = compose(claim, evidence, library.sentences, verifier.fits)
            read.append({_plain(c.sentence.text) for p in laid.premises for c in p.candidates})
        nearest = np.argsort(-(matrix @ vectors.of([one.text])[0]))[:_NEAREST]
        read.append({_plain(texts[place]) for place in nearest})
        document = [_plain(text) for text in sentences[one.document]]
        rows.append(tuple(_has(one, document, own) for own in read))
    return rows


def _has(one: Asked, document: Sequence[str], read: set[str]) -> bool:
    """Whether an alternative is read whole; the set and our reader may cut sentences otherwise."""

    def is_read(text: str) -> bool:
        whole = [sentence for sentence in document if _plain(text) in sentence]
        parts = [sentence for sentence in document if sentence in _plain(text)]
        return not read.isdisjoint(whole) if whole else bool(parts) and read.issuperset(parts)

    return any(all(map(is_read, group)) for group in one.evidence)


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _fever(data: Path) -> Iterator[Asked]:
    for pair in list(fever(data))[:6000]:
        yield Asked(pair.claim, pair.premise, [[pair.premise]] if pair.label == SUPPORTED else [])


def _wice(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "train/wice/dev.jsonl.gz"):
        own = row["evidence"]
        groups = [[own[i] for i in places] for places in row["supporting_sentences"] if places]
        evidence = groups if row["label"] == "supported" else []
        yield Asked(row["claim"], "\n\n".join(own), evidence)


def _scifact(data: Path) -> Iterator[Asked]:
    with zipfile.ZipFile(data / "eval/scifact/scifact.zip") as archive:
        held, corpus = (
            list(csv.DictReader(io.StringIO(archive.read(name).decode("utf-8"))))
            for name in ("claims_validation.csv", "corpus_train.csv")
        )
    quoted = r"""'((?:[^'\\]|\\.)*)'(?=[\s\]])|"((?:[^"\\]|\\.)*)"(?=[\s\]])"""
    cut = {r["doc_id"]: [a or b for a, b in re.findall(quoted, r["abstract"])] for r in corpus}
    titles = {r["doc_id"]: r["title"] for r in corpus}
    for name in list(cut)[::10]:
        yield Asked("", " ".join(cut[name]), [], titles[name])
    for row in held:
        own = cut.get(row["evidence_doc_id"], [])
        places = [int(n) for n in re.findall(r"\d+", row["evidence_sentences"])]
        if row["evidence_label"] == "SUPPORT" and places and max(places) < len(own):
            evidence = [[own[i] for i in places]]
            yield Asked(row["claim"], " ".join(own), evidence, titles[row["evidence_doc_id"]])


def _citint(data: Path) -> Iterator[Asked]:
    for one in citint(data):
        if one.label == SUPPORTED and one.evidence and held_out(one.key, SHARE[one.set]):
            text = " ".join(said for _, sentences in one.passages for said in sentences)
            yield Asked(one.claim, text, [[*one.evidence]])


def _qed(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "eval/qed/qed-dev.jsonlines.gz"):
        marked = row["annotation"].get("selected_sentence")
        evidence = [[marked["string"].strip()]] if marked else []
        yield Asked(row["question_text"], row["paragraph_text"], evidence, row["title_text"])


def _nq(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"):
        own = row["ctxs"][0]
        there = [[a] for a in row["answers"] if _plain(a) in _plain(own["text"])]
        yield Asked(row["question"], own["text"], there, own["title"])


SETS = {
    "FEVER": _fever, "WiCE": _wice, "SciFact": _scifact, "QED": _qed, "NQ": _nq, "CitInt": _citint,
}  # fmt: skip

if __name__ == "__main__":
    main()
