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
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from scripts.training.dataset import SHARE
from scripts.training.documents import citint
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
    library, verifier = (
        MemoryLibrary(documents, Vectors(bundled_encoder().encode)),
        bundled_verifier(),
    )
    search, cut = Search(library, None, None, "hybrid"), cache(library.sentences)
    own = defaultdict[str, list[str]](list)
    for item in library.search_many([asked[0][0]], k=10**6, mode="dense")[0]:
        own[item.passage.document.path] += [_plain(one.text) for one in cut(item.passage)]
    for said, document, evidence in asked:
        claim = Claim(said, 0, len(said), said, said)
        every = library.search_many([said], k=10**6, mode="dense")
        ranked = [library.search_many([said], k=6, mode=mode)[0] for mode in _MODES]
        composed = [
            compose(claim, e, cut, verifier.fits) for e in (*search.gather([claim]), *every)
        ]
        read = [
            {_plain(c.sentence.text) for p in o.premises for c in p.candidates} for o in composed
        ]
        yield [
            *(_has(evidence, own[document.path], one) for one in read),
            *(any(i.passage.document.path == document.path for i in one) for one in ranked),
        ]


def _has(evidence: list[list[str]], document: list[str], read: set[str]) -> bool:
    """Whether an alternative is read whole; the set and our reader may cut sentences otherwise."""

    def is_read(text: str) -> bool:
        whole = [sentence for sentence in document if _plain(text) in sentence]
        parts = [sentence for sentence in document if sentence in _plain(text)]
        return not read.isdisjoint(whole) if whole else bool(parts) and read.issuperset(parts)

    return any(all(map(is_read, group)) for group in evidence)


@cache
def _plain(text: str) -> str:
    return re.sub(r"\W+", "", text).lower()


def _text(text: str, title: str | None = None) -> Text:
    return Text(text, text, title)


def _fever(data: Path) -> Iterator[Asked]:
    for pair in list(fever(data))[:6000]:
        yield pair.claim, _text(pair.premise), [[pair.premise]] * (pair.label == SUPPORTED)


def _wice(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "train/wice/dev.jsonl.gz"):
        own = row["evidence"]
        groups = [[own[i] for i in places] for places in row["supporting_sentences"] if places]
        yield row["claim"], _text("\n\n".join(own)), groups * (row["label"] == "supported")


def _scifact(data: Path) -> Iterator[Asked]:
    files = {file.name: file.rows for file in read_files(data / "eval/scifact/scifact.zip")}
    corpus = {row.fields["doc_id"]: row.fields for row in files["corpus_train.csv"]}
    cut = {n: [a or b for a, b in _QUOTED.findall(r["abstract"])] for n, r in corpus.items()}
    texts = {number: _text(" ".join(cut[number]), corpus[number]["title"]) for number in corpus}
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
            yield one.claim, _text(text), [[*one.evidence]]


def _qed(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "eval/qed/qed-dev.jsonlines.gz"):
        marked = row["annotation"].get("selected_sentence")
        evidence = [[marked["string"].strip()]] if marked else []
        yield row["question_text"], _text(row["paragraph_text"], row["title_text"]), evidence


def _nq(data: Path) -> Iterator[Asked]:
    for row in read_rows(data / "eval/nq_oracle/nq-open-oracle_0-1299.jsonl.gz"):
        own = row["ctxs"][0]
        there = [[a] for a in row["answers"] if _plain(a) in _plain(own["text"])]
        yield row["question"], _text(own["text"], own["title"]), there


SETS = {
    "FEVER": _fever, "WiCE": _wice, "SciFact": _scifact, "QED": _qed, "NQ": _nq, "CitInt": _citint,
}  # fmt: skip

if __name__ == "__main__":
    main()
