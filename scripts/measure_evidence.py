"""Prints how often the sentence that a set names as evidence is among the premises of its claim.

    python -m scripts.measure_evidence --data DATA [--limit 200]

The documents of a set are one library. *Found*: the evidence is read in a premise that is composed
of the passages that a check gathers. *Of all*: in one that is composed of every passage of the
library. *Hybrid*, *dense* and *lexical* are recall@6: the claim's document has one of the first
six passages that such a search finds. Evidence is what the set names: sentences, of NQ those that
hold an answer. It counts as read where all of it, or one of the alternatives that are named, is. Of
CitInt it is asked of what never trains, and all the sentences that are named have to be read.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from scripts.training.dataset import SHARE
from scripts.training.documents import citint
from scripts.training.folders import letters
from scripts.training.pairs import SUPPORTED, fever, held_out, options, read_rows
from veracite.engine.evaluation.formats import read_files
from veracite.engine.judge.premises import compose
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.retrieval import Mode
from veracite.models.bundled import bundled_encoder, bundled_verifier

_MODES: tuple[Mode, ...] = ("hybrid", "dense", "lexical")
_COLUMNS = ("set", "documents", "claims", "found", "of all", "found / of all", *_MODES)
_QUOTED = re.compile(r"""'((?:[^'\\]|\\.)*)'(?=[\s\]])|"((?:[^"\\]|\\.)*)"(?=[\s\]])""")
Asked = tuple[str, Text, list[list[str]]]
"""A claim or question, its document, and alternatives of evidence, each of some sentences."""


def main() -> None:
    """Reads each set, looks for its evidence both ways and prints a row."""
    given = options(__doc__, "--data", limit=200)
    print(f"| {' | '.join(_COLUMNS)} |\n|{'---|' * len(_COLUMNS)}")
    for name, read in SETS.items():
        rows = list(read(given.data))
        documents = {text.path: text for _, text, _ in rows}
        asked = [one for one in rows if one[2]]
        asked = asked[:: -(-len(asked) // given.limit)]
        found, of_all, *rest = np.mean(list(_looked_for([*documents.values()], asked)), axis=0)
        figures = (f"{one:.3f}" for one in (found, of_all, found / of_all, *rest))
        print(f"| {name} | {len(documents)} | {len(asked)} | {' | '.join(figures)} |", flush=True)


def _looked_for(documents: Sequence[Text], asked: Sequence[Asked]) -> Iterator[list[bool]]:
    library = MemoryLibrary(documents, Vectors(bundled_encoder().encode))
    search, cut = Search(library, None, None, "hybrid"), cache(library.sentences)
    fits = bundled_verifier().fits
    for said, document, evidence in asked:
        claim = Claim(said, 0, len(said), said, said)
        (every,) = library.search_many([said], k=10**6, mode="dense")
        whole = [item.passage for item in every if item.passage.document.path == document.path]
        own = [_plain(sentence.text) for passage in whole for sentence in cut(passage)]
        laid = [compose(claim, e, cut, fits).premises for e in (*search.gather([claim]), every)]
        read = [{_plain(c.sentence.text) for p in one for c in p.candidates} for one in laid]
        ranked = [library.search_many([said], k=6, mode=mode)[0] for mode in _MODES]
        paths = [{item.passage.document.path for item in one} for one in ranked]
        yield [_has(evidence, own, one) for one in read] + [document.path in one for one in paths]


def _has(evidence: list[list[str]], document: list[str], read: set[str]) -> bool:
    """Whether an alternative is read whole; the set and our reader may cut sentences otherwise."""

    def is_read(text: str) -> bool:
        whole = [sentence for sentence in document if _plain(text) in sentence]
        parts = [sentence for sentence in document if sentence in _plain(text)]
        return not read.isdisjoint(whole) if whole else bool(parts) and read.issuperset(parts)

    return any(all(map(is_read, group)) for group in evidence)


_plain = cache(letters)


def _fever(data: Path) -> Iterator[Asked]:
    for claim, text, label in ((p.claim, p.premise, p.label) for p in [*fever(data)][:6000]):
        yield claim, Text(text, text), [[text]] * (label == SUPPORTED)


def _wice(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "train/wice/dev.jsonl.gz"):
        own, text = row["evidence"], "\n\n".join(row["evidence"])
        groups = [[own[i] for i in places] for places in row["supporting_sentences"] if places]
        yield row["claim"], Text(text, text), groups * (row["label"] == "supported")


def _scifact(data: Path) -> Iterator[Asked]:
    files = {file.name: file.rows for file in read_files(data / "eval/scifact/scifact.zip")}
    corpus = {row.fields["doc_id"]: row.fields for row in files["corpus_train.csv"]}
    cut = {n: [a or b for a, b in _QUOTED.findall(r["abstract"])] for n, r in corpus.items()}
    texts = {n: Text(" ".join(own), " ".join(own), corpus[n]["title"]) for n, own in cut.items()}
    yield from (("", text, []) for text in [*texts.values()][::10])
    for row in (row.fields for row in files["claims_validation.csv"]):
        number, places = row["evidence_doc_id"], re.findall(r"\d+", row["evidence_sentences"])
        own = dict(enumerate(cut.get(number, ())))
        named = [own.get(int(place), "") for place in places]
        if row["evidence_label"] == "SUPPORT" and all(named) and named:
            yield row["claim"], texts[number], [named]


def _citint(data: Path) -> Iterator[Asked]:
    for one in citint(data):
        if one.label == SUPPORTED and one.evidence and held_out(one.key, SHARE[one.set]):
            text = " ".join(said for _, sentences in one.passages for said in sentences)
            yield one.claim, Text(text, text), [[*one.evidence]]


def _qed(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "eval/qed/qed-dev.jsonlines.gz"):
        text, marked = row["paragraph_text"], row["annotation"].get("selected_sentence")
        evidence = [[marked["string"].strip()]] if marked else []
        yield row["question_text"], Text(text, text, row["title_text"]), evidence


def _nq(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"):
        text, title = row["ctxs"][0]["text"], row["ctxs"][0]["title"]
        there = [[a] for a in row["answers"] if _plain(a) in _plain(text)]
        yield row["question"], Text(text, text, title), there


SETS = {
    "FEVER": _fever, "WiCE": _wice, "SciFact": _scifact, "QED": _qed, "NQ": _nq, "CitInt": _citint,
}  # fmt: skip

if __name__ == "__main__":
    main()
