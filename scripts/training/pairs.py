"""Pairs of premise and claim with their label, and the upstream sets that come as such pairs.

Licences: MNLI (OANC and others, free to use), SNLI CC BY-SA 4.0, SICK, SciTail and RTE as
collected in felipessalvatore/NLI_datasets (MIT), Watson's multilingual NLI sample (English rows,
MNLI), FEVER development claims with gold evidence CC BY-SA 3.0, FEVER-Symmetric MIT.
"""

import argparse
import csv
import gzip
import hashlib
import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SUPPORTED, NEUTRAL, CONTRADICTED, NOT_SUPPORTED = 0, 1, 2, 3
LABELS = ("supported", "neutral", "contradicted")
"""The classes in the order of the logits; NOT_SUPPORTED means one of the last two."""
_GIVEN = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
WORDS = {word: label for label, own in enumerate(_GIVEN["labels"].values()) for word in own}
"""What the sets call the labels."""
JOINT = " \u2026 "
"""Between sentences that stood apart."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim and what it is to be checked against."""

    set: str
    premise: str
    claim: str
    label: int


def options(about: str | None, *paths: str, **others: Any) -> argparse.Namespace:
    """Return what the command line says.

    Args:
        paths: Options that have to name a path, or with "+" behind them one or more.
        others: Options with what they usually are, or with a type where they have to be given.
    """
    parser = argparse.ArgumentParser(description=about)
    for name in paths:
        several = "+" if name.endswith("+") else None
        parser.add_argument(name.rstrip("+"), type=Path, nargs=several, required=True)
    for name, usual in others.items():
        if isinstance(usual, type):
            parser.add_argument(f"--{name}", type=usual, required=True)
        else:
            parser.add_argument(f"--{name}", type=type(usual), default=usual)
    return parser.parse_args()


def headed(heading: str, text: str) -> str:
    """Put a heading before a text, where there is one."""
    return f"{heading}: {text}" if heading else text


def read_text(path: Path) -> str:
    """Return a file's text, gzipped or not."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes()).decode("utf-8")
    return path.read_text(encoding="utf-8")


def read_lines(path: Path) -> list[str]:
    """Return a file's lines, split on newlines only."""
    return [line for line in read_text(path).split("\n") if line.strip()]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return a file's rows: of CSV by its header, else an object a line."""
    if ".csv" in path.suffixes:
        return list(csv.DictReader(io.StringIO(read_text(path))))
    return [json.loads(line) for line in read_lines(path)]


def read_pairs(path: Path) -> list[Pair]:
    """Return the pairs that ``write_pairs`` wrote."""
    return [Pair(**row) for row in read_rows(path)]


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as JSON lines."""
    lines = (json.dumps(asdict(pair), ensure_ascii=False) + "\n" for pair in pairs)
    path.write_text("".join(lines), encoding="utf-8")


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


def _another_scene(premise: str, claim: str) -> bool:
    """Tell whether a contradiction merely describes something else, as SNLI's often do."""
    shown, claimed = (
        {w for w in re.findall(r"\w+", text.lower()) if len(w) > 3} for text in (premise, claim)
    )
    return len(claimed & shown) < 0.5 * max(1, len(claimed))


def sets(data: Path) -> Iterator[Pair]:
    """Read the sets that ``pairs.toml`` names."""
    for name, files in _GIVEN["sets"].items():
        for row in (row for file in files for row in read_rows(data / "train" / file)):
            premise, claim, word = (
                str(next((row[field] for field in fields if row.get(field)), "")).strip()
                for fields in _GIVEN["fields"].values()
            )
            label = WORDS.get(word.lower())
            if not premise or not claim or label is None or row.get("lang_abv", "en") != "en":
                continue
            if name == "scitail" and label == NOT_SUPPORTED:
                label = NEUTRAL
            if name == "snli" and label == CONTRADICTED and _another_scene(premise, claim):
                label = NOT_SUPPORTED
            if name == "fever_symmetric":
                premise, claim = detokenise(premise), detokenise(claim)
            yield Pair(name, premise, claim, label)


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


def held_out(key: str, percent: float) -> bool:
    """Tell whether a claim (or a title) belongs to the part that never trains."""
    number = int.from_bytes(hashlib.md5(key.strip().lower().encode()).digest()[:4], "big")
    return number % 10_000 < percent * 100
