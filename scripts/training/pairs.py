"""Sentence pairs of the upstream sets: premise, claim, label, from files in upstream format.

Licences: MNLI (OANC and others, free to use), SNLI CC BY-SA 4.0, SICK and SciTail and RTE as
collected in felipessalvatore/NLI_datasets (MIT), Watson's multilingual NLI sample (English rows,
MNLI), FEVER development claims with gold evidence CC BY-SA 3.0, FEVER-Symmetric MIT.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SUPPORTED, NEUTRAL, CONTRADICTED, NOT_SUPPORTED = 0, 1, 2, 3
LABELS = ("supported", "neutral", "contradicted")
"""The classes in the order of the logits; NOT_SUPPORTED means one of the last two."""

WORDS = {
    "entailment": SUPPORTED,
    "neutral": NEUTRAL,
    "contradiction": CONTRADICTED,
    "not_entailment": NOT_SUPPORTED,
}


JOINT = " \u2026 "
"""Between sentences that stood apart."""


def headed(heading: str, text: str) -> str:
    """Put a heading before a text, where there is one."""
    return f"{heading}: {text}" if heading else text


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and what it is to be checked against."""

    set: str
    premise: str
    claim: str
    label: int


def read_text(path: Path) -> str:
    """Return a file's text, gzipped or not."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes()).decode("utf-8")
    return path.read_text(encoding="utf-8")


def read_lines(path: Path) -> list[str]:
    """Return a file's lines, split on newlines only."""
    return [line for line in read_text(path).split("\n") if line.strip()]


def detokenise(text: str) -> str:
    """Undo treebank tokenisation: brackets, quotes, and spaces before punctuation."""
    for token, mark in (("-LRB-", "("), ("-RRB-", ")"), ("-LSB-", "["), ("-RSB-", "]")):
        text = text.replace(token, mark)
    text = text.replace("``", '"').replace("''", '"').replace(" -- ", " \u2013 ")
    text = re.sub(r" @([-,.])@ ", r"\1", text)
    text = re.sub(r"\s+([,.;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[$])\s+", r"\1", text)
    text = re.sub(r" ('s|'re|'ve|'ll|'d|'m|n't)\b", r"\1", text)
    text = re.sub(r'"\s+([^"]*?)\s+"', r'"\1"', text)
    return re.sub(r"\s+", " ", text).strip()


def _csv(path: Path) -> Iterator[tuple[str, str, int]]:
    for row in csv.DictReader(io.StringIO(read_text(path))):
        label = WORDS.get(row["label"])
        if label is not None and row["premise"] and row["hypothesis"]:
            yield row["premise"].strip(), row["hypothesis"].strip(), label


def _content(text: str) -> set[str]:
    return {w for w in re.findall(r"\w+", text.lower()) if len(w) > 3}


def _another_scene(premise: str, claim: str) -> bool:
    """Tell whether a contradiction merely describes something else, as SNLI's often do."""
    claimed = _content(claim)
    return len(claimed & _content(premise)) < 0.5 * max(1, len(claimed))


def collected(data: Path) -> Iterator[Pair]:
    """Read MNLI, SNLI, SICK, SciTail, RTE, FraCaS and CommitmentBank from the csv collection."""
    folder = data / "train" / "nli_datasets_csv"
    for name, files in {
        "mnli": ["mnli_dev.csv.gz"],
        "snli": ["snli_dev.csv.gz"],
        "sick": ["sick_train.csv.gz", "sick_dev.csv"],
        "scitail": ["scitail_dev.csv.gz"],
        "rte": ["rte_train.csv.gz", "rte_dev.csv"],
        "fracas": ["fracas_train.csv", "fracas_dev.csv"],
        "commitment_bank": ["commitment_bank_train.csv", "commitment_bank_dev.csv"],
    }.items():
        for file in files:
            for premise, claim, label in _csv(folder / file):
                if name == "scitail" and label == NOT_SUPPORTED:
                    label = NEUTRAL
                if name == "snli" and label == CONTRADICTED and _another_scene(premise, claim):
                    label = NOT_SUPPORTED
                yield Pair(name, premise, claim, label)


def snli_test(data: Path) -> Iterator[Pair]:
    """Read SNLI's test part (its development part is in the csv collection)."""
    for line in read_lines(data / "train" / "snli_dev_test" / "snli_1.0_test.jsonl.gz"):
        row = json.loads(line)
        label = WORDS.get(row["gold_label"])
        if label is None:
            continue
        premise, claim = row["sentence1"], row["sentence2"]
        if label == CONTRADICTED and _another_scene(premise, claim):
            label = NOT_SUPPORTED
        yield Pair("snli", premise, claim, label)


def watson(data: Path) -> Iterator[Pair]:
    """Read the English rows of the multilingual MNLI sample."""
    text = read_text(data / "train" / "watson_nli" / "train.csv.gz")
    for row in csv.DictReader(io.StringIO(text)):
        if row["lang_abv"] == "en":
            yield Pair("watson", row["premise"].strip(), row["hypothesis"], int(row["label"]))


def fever(data: Path) -> Iterator[Pair]:
    """Read FEVER's development claims with their gold evidence, supported or refuted."""
    folder = data / "train" / "covidfact"
    columns = [
        read_lines(folder / f"rte_fever_dev.{part}.gz")
        for part in ("raw.input0", "raw.input1", "label")
    ]
    for premise, claim, word in zip(*columns, strict=True):
        label = SUPPORTED if word.strip() == "entailment" else CONTRADICTED
        yield Pair("fever", detokenise(premise), detokenise(claim), label)


def fever_symmetric(data: Path) -> Iterator[Pair]:
    """Read FEVER-Symmetric: each claim and each evidence in a supporting and a refuting pair."""
    for part in ("dev", "test", "full"):
        path = data / "train" / "fever_symmetric" / f"fever_symmetric_{part}.jsonl.gz"
        for line in read_lines(path):
            row = json.loads(line)
            word = row.get("gold_label") or row["label"]
            if word not in ("SUPPORTS", "REFUTES"):
                continue
            evidence = row.get("evidence_sentence") or row["evidence"]
            label = SUPPORTED if word == "SUPPORTS" else CONTRADICTED
            yield Pair("fever_symmetric", detokenise(evidence), detokenise(row["claim"]), label)


def neutral_fever(pairs: list[Pair], rng: random.Random) -> Iterator[Pair]:
    """Pair claims with other claims' evidence that names the same thing but says little of it."""
    by_word: dict[str, list[int]] = {}
    for i, pair in enumerate(pairs):
        for word in set(re.findall(r"\b[A-Z]\w{4,}", pair.premise)):
            by_word.setdefault(word, []).append(i)
    for pair in pairs:
        words = [w for w in re.findall(r"\b[A-Z]\w{4,}", pair.claim) if len(by_word.get(w, ())) > 1]
        if not words:
            continue
        other = pairs[rng.choice(by_word[rng.choice(words)])]
        claimed = _content(pair.claim)
        shared = len(claimed & _content(other.premise)) / max(1, len(claimed))
        if other.premise != pair.premise and 0.2 <= shared <= 0.55:
            label = NEUTRAL if pair.label == SUPPORTED else NOT_SUPPORTED
            yield Pair("fever_neutral", other.premise, pair.claim, label)


def held_out(claim: str, percent: float) -> bool:
    """Tell whether a claim (or a title) belongs to the part that never trains."""
    number = int.from_bytes(hashlib.md5(claim.strip().lower().encode()).digest()[:4], "big")
    return number % 10_000 < percent * 100


def short_pairs(data: Path, rng: random.Random) -> list[Pair]:
    """Return every sentence pair there is."""
    gold = [*fever(data), *fever_symmetric(data)]
    return [*collected(data), *snli_test(data), *watson(data), *gold, *neutral_fever(gold, rng)]
