"""Claims with documents of the upstream sets, as examples with passages, and as pairs.

WiCE ODC-BY, FoolMeTwice CC BY-SA 3.0, ContractNLI Apache-2.0, CitInt (citation integrity) MIT,
Factcheck-GPT Apache-2.0, ExpertQA MIT.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.training.articles import cut, split_sentences
from scripts.training.pairs import (
    JOINT,
    NEUTRAL,
    NOT_SUPPORTED,
    SUPPORTED,
    WORDS,
    Pair,
    headed,
    read_rows,
    read_text,
)

LONGEST = 1500
"""Characters of sentences that are joined."""
Passages = tuple[tuple[str, tuple[str, ...]], ...]
"""Each with its heading or nothing, and its sentences."""


@dataclass(frozen=True, slots=True)
class Example:
    """A claim, passages, and the verdict over all of them."""

    set: str
    claim: str
    passages: Passages
    label: int
    key: str
    """What decides whether it trains."""
    evidence: tuple[str, ...] = ()
    """The sentences that decide the claim, where the set names them."""


def _passages(heading: str, sentences: Sequence[str]) -> Passages:
    return tuple((heading, tuple(group)) for group in cut(list(sentences)))


def wice(data: Path) -> Iterator[Example]:
    """Read claims against whole cited pages, and against the chunks that matter."""
    folder = data / "train" / "wice"
    for name in ("dev", "oracle_chunks_claim_dev"):
        for row in read_rows(folder / f"{name}.jsonl.gz"):
            sentences = [s.strip() for s in row["evidence"] if s.strip()]
            title = ""
            if sentences and sentences[0].startswith("(meta data) TITLE:"):
                title = sentences.pop(0).removeprefix("(meta data) TITLE:").strip()
            best = max(row.get("supporting_sentences") or [()], key=len)
            yield Example(
                "wice" if name == "dev" else "wice_chunks",
                row["claim"],
                _passages(title, sentences),
                WORDS[row["label"]],
                str(row["meta"].get("claim_title", row["claim"])),
                tuple(row["evidence"][i] for i in sorted(best)),
            )


def foolmetwice(data: Path) -> Iterator[Example]:
    """Read claims written to fool, with gold and retrieved sentences of one Wikipedia page."""
    for name in ("dev", "test"):
        for row in read_rows(data / "train" / "foolmetwice" / f"{name}.jsonl.gz"):
            label = WORDS[row["label"].lower()]
            page = row["wikipedia_page"]
            gold = tuple(e["text"] for e in row["gold_evidence"])
            header = row["gold_evidence"][0]["section_header"].replace(" | ", " > ")
            found = [e["text"] for e in row["retrieved_evidence"] if e["text"] not in gold]
            passages = [(f"{page} > {header}", gold)]
            passages += [(page, tuple(g)) for g in cut(found[:6])][:2]
            yield Example("foolmetwice", row["text"], tuple(passages), label, page, gold)
            if found:
                without = _passages(page, found)[:1]
                yield Example("foolmetwice_without", row["text"], without, NEUTRAL, page)


def contract_nli(data: Path) -> Iterator[Example]:
    """Read hypotheses about contracts, each with its evidence spans."""
    loaded = json.loads(read_text(data / "train" / "contract_nli" / "dev.json.gz"))
    for document in loaded["documents"]:
        text = document["text"]
        spans = [re.sub(r"\s+", " ", text[a:b]).strip() for a, b in document["spans"]]
        for name, judged in document["annotation_sets"][0]["annotations"].items():
            claim = loaded["labels"][name]["hypothesis"]
            marked = judged["spans"]
            if not marked:
                third = (len(claim) * 7 + document["id"]) % max(1, len(spans) - 6)
                passages = _passages("", spans[third : third + 6])[:2]
                if passages:
                    yield Example("contract_nli", claim, passages, NEUTRAL, document["file_name"])
                continue
            near = sorted({j for i in marked[:3] for j in (i - 1, i, i + 1) if 0 <= j < len(spans)})
            chosen = tuple(spans[i] for i in marked[:4])
            passages = _passages("", [spans[i] for i in near])
            label = WORDS[judged["choice"].lower()]
            yield Example("contract_nli", claim, passages, label, document["file_name"], chosen)


def citint(data: Path) -> Iterator[Example]:
    """Read citing sentences against the cited abstracts' sentences."""
    folder = data / "train" / "citint"
    corpus = {row["doc_id"]: row for row in read_rows(folder / "corpus.jsonl.gz")}
    for name in ("train", "dev"):
        for row in read_rows(folder / f"claims_{name}.jsonl.gz"):
            claim = re.sub(r"\s*[\[(]?<\|[^>]*\|>[^\])]{0,30}[\])]?", "", row["claim"]).strip()
            for number in row["cited_doc_ids"]:
                source = corpus.get(number)
                if source is None:
                    continue
                given = row["evidence"].get(str(number))
                # A citation that does not fit need not contradict.
                refuted = given and given[0]["label"] == "REFUTE"
                label = NOT_SUPPORTED if refuted else SUPPORTED if given else NEUTRAL
                abstract = source["abstract"]
                named = (i for e in given or () for i in e["sentences"])
                chosen = tuple(abstract[i] for i in named if i < len(abstract))
                passages = _passages(source["title"], abstract)
                yield Example("citint", claim, passages[:4], label, claim, chosen)


def factcheck_gpt(data: Path) -> Iterator[Example]:
    """Read claims of a chatbot's answers with web evidence and its stance."""
    for row in read_rows(data / "train/factcheck_gpt/subtask3_claim_evidence_stance.jsonl.gz"):
        label = WORDS.get(str(row["stance"]).replace("-", " ").lower())
        text = re.sub(r"\s+", " ", row["evidence"])
        if label is not None and len(text) > 60:
            passages = _passages("", split_sentences(text))[:3]
            yield Example("factcheck_gpt", row["claim"].strip(), passages, label, row["claim"])


def expertqa(data: Path) -> Iterator[Example]:
    """Read a chatbot's sentences to experts' questions, judged against the pages they cite."""
    for name in ("r1_data_anon", "rand_val"):
        for row in read_rows(data / "train" / "expertqa" / f"{name}.jsonl.gz"):
            for answer in row["answers"].values():
                for judged in answer.get("claims", ()):
                    label = WORDS.get(str(judged["support"]).lower())
                    if label is None or not judged["evidence"]:
                        continue
                    claim = re.sub(r"\s*\[\d+\]", "", judged["claim_string"]).strip()
                    pages = [text for text in judged["evidence"] if isinstance(text, str)]
                    texts = (re.sub(r"^\[\d+\] \S+\s*", "", page) for page in pages)
                    cuts = [p for t in texts for p in _passages("", split_sentences(t))[:3]]
                    if cuts and len(claim.split()) > 3:
                        yield Example("expertqa", claim, tuple(cuts[:5]), label, row["question"])


def documents(data: Path) -> Iterator[Example]:
    """Yield every example there is."""
    for loader in (wice, foolmetwice, contract_nli, citint, factcheck_gpt, expertqa):
        yield from loader(data)


def renderings(example: Example, rng: random.Random) -> list[Pair]:
    """Return up to four pairs of the claim and what is shown of its documents.

    A passage alone where it has what decides, or where nothing does; the deciding sentences among
    others; of a set that does not name them the sentences that share most words with the claim.
    """
    nothing = example.label in (NEUTRAL, NOT_SUPPORTED) or len(example.passages) == 1
    shown = [
        headed(heading if rng.random() < 0.65 else "", " ".join(sentences))
        for heading, sentences in example.passages
        if (set(example.evidence) <= set(sentences) if example.evidence else nothing)
    ]
    every = [s for _, sentences in example.passages for s in sentences]
    if example.evidence:
        others = [s for s in every if s not in example.evidence]
        for _ in range(2):
            some = rng.sample(others, min(len(others), rng.randint(0, 3)))
            joined = [*example.evidence, *some]
            if example.set != "contract_nli":
                rng.shuffle(joined)
            shown.append(JOINT.join(joined)[:LONGEST])
    elif 1 < len(example.passages) < 12:
        for count in rng.sample((2, 3, 4, 5, 7), 2):
            shown.append(JOINT.join(_nearest(example.claim, every, count))[:LONGEST])
    chosen = rng.sample(shown, min(4, len(shown)))
    return [Pair(example.set, premise, example.claim, example.label) for premise in chosen]


def _nearest(claim: str, sentences: list[str], count: int) -> list[str]:
    """Return the sentences with most of the claim's words, in the order of the text."""
    words = set(re.findall(r"\w{3,}", claim.lower()))
    shared = [len(words & set(re.findall(r"\w{3,}", s.lower()))) for s in sentences]
    ranked = sorted(range(len(sentences)), key=lambda i: -shared[i])
    return [sentences[i] for i in sorted(ranked[:count])]
