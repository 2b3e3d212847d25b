"""How well drafts are cut into claims, beside NLTK's Punkt.

A boundary is where a sentence starts, but for the first, counted in the letters and digits before
it; a list's mark ("2.", "-") belongs to neither side. The last, cut off sentence of a WikiBio text,
which the set leaves out, does not count. FELM texts count if their segments are sentences: each
starts with a capital, a digit or a letter that has no case, and ends with a stop or where its line
does. A set's own boundaries are a program's: some errors are theirs.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from veracite.engine.claims.segmentation import segment

Splitter = Callable[[str], list[int]]
"""A text to where its sentences start."""

_MARK = re.compile(r"\s*(?:(?:\(?\d{1,3}[.)]|[-*•–])\s+)?")
_STOPPED = re.compile(r"[.!?…:][\"'”’)\]]*$")


@dataclass(frozen=True)
class Text:
    """A text and where its own sentences start, in characters."""

    number: int
    text: str
    starts: tuple[int, ...]


@dataclass(frozen=True)
class Cut:
    """One text's boundaries, in letters and digits before them."""

    text: Text
    right: frozenset[int]
    wrong: frozenset[int]
    missed: frozenset[int]


def segmentation(
    pairs: Iterable[tuple[int, str, list[str]]], *, only_sentences: bool, errors: bool
) -> None:
    """Print how the boundaries found compare with a set's own.

    Args:
        pairs: Number, text and segments of each text.
        only_sentences: Leave out texts with segments that are no sentences.
        errors: List every error.
    """
    texts, lost, others = [], 0, 0
    for number, text, segments in pairs:
        starts = _locate(text, segments)
        if starts is None:
            lost += 1
        elif only_sentences and not _are_sentences(text, segments, starts):
            others += 1
        else:
            texts.append(Text(number, text[: starts[-1]], tuple(starts[:-1])))
    print(f"  segmentation: {len(texts)} texts; left out: {others} whose segments are not all")
    print(f"  sentences, {lost} whose segments do not follow each other in the text")
    for name, splitter in (("Veracite", _ours), ("Punkt alone", _punkt())):
        _print_cuts(name, [_cut(text, splitter) for text in texts], errors=errors)


def _print_cuts(name: str, cuts: Sequence[Cut], *, errors: bool) -> None:
    right = np.array([len(cut.right) for cut in cuts])
    wrong = np.array([len(cut.wrong) for cut in cuts])
    missed = np.array([len(cut.missed) for cut in cuts])
    low, high = interval(_f1, right, wrong, missed)
    print(
        f"    {name:12s} precision {right.sum() / (right + wrong).sum():.4f}"
        f"  recall {right.sum() / (right + missed).sum():.4f}"
        f"  F1 {_f1(right, wrong, missed):.4f} ({low:.4f} to {high:.4f})"
        f"  {wrong.sum()} wrong, {missed.sum()} missed of {(right + missed).sum()}"
    )
    found = [(cut.text.number, *error) for cut in cuts for error in _errors(cut)]
    for kind, count in Counter(kind for _, kind, _ in found).most_common():
        print(f"      {count:3d} {kind}")
    if errors:
        for number, kind, shown in found:
            print(f"      [{number}] {kind}: {shown}")


def _locate(text: str, segments: Sequence[str]) -> list[int] | None:
    """Where segments start, and where the last ends; None if one is not found in its turn."""
    starts, position = [], 0
    for part in segments:
        words = part.split()
        match = re.compile(r"\s+".join(map(re.escape, words))).search(text, position)
        if match is None or text[position : match.start()].strip():
            return None
        starts.append(match.start())
        position = match.end()
    return [*starts, position]


def _are_sentences(text: str, segments: Sequence[str], starts: Sequence[int]) -> bool:
    for part, following in zip(segments, starts[1:], strict=True):
        rest = text[following:].lstrip(" \t")
        first = next(filter(str.isalnum, part), "")
        if not (_STOPPED.search(part.strip()) or not rest or rest[0] in "\r\n"):
            return False
        if not first or first.islower():
            return False
    return True


def _cut(text: Text, splitter: Splitter) -> Cut:
    known = _boundaries(text.text, text.starts)
    found = _boundaries(text.text, splitter(text.text))
    return Cut(text, known & found, found - known, known - found)


def _boundaries(text: str, starts: Iterable[int]) -> frozenset[int]:
    before = np.concatenate([[0], np.cumsum([character.isalnum() for character in text])])
    after_marks = (match.end() for start in starts if (match := _MARK.match(text, start)))
    first = _MARK.match(text)
    outside = {0, int(before[-1]), int(before[first.end()]) if first else 0}
    return frozenset(int(before[start]) for start in after_marks) - outside


def _ours(text: str) -> list[int]:
    return [claim.start for claim in segment(text)]


def _punkt() -> Splitter:
    """NLTK's Punkt with the bundled parameters as trained: none of our words and rules."""
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    stored = json.loads(files("veracite.index").joinpath("punkt.json").read_text("utf-8"))
    parameters = PunktParameters()
    parameters.abbrev_types = set(stored["abbrev_types"])
    parameters.collocations = {(first, second) for first, second in stored["collocations"]}
    parameters.sent_starters = set(stored["sent_starters"])
    parameters.ortho_context.update(stored["ortho_context"])
    tokenizer = PunktSentenceTokenizer(parameters)
    return lambda text: [start for start, _ in tokenizer.span_tokenize(text)]


_KINDS = (
    ("line or list", r"\n\s*\S{0,5}\s*$|^\s*$"),
    ("citation mark", r"\[[^\[\]]{1,12}\][.\s]*$|[.!?]\(\d+\)\s*$"),
    ("quotation", r"[.!?]\\?[\"'”’]+\s*$|[\"“‘]\s*$"),
    ("ellipsis", r"(?:\.\.|…)\S{0,2}\s*$"),
    ("initial", r"\b[A-Z]\.\s*$"),
    ("number", r"\d\.\s*$|\b[Nn]o\.\s*$"),
    ("abbreviation", r"\b(?:\w\.\w|\w+\.\w|[A-Z][a-z]{0,3}|[a-z]{1,3})\.\s*$"),
    ("no space", r"[.!?]$"),
    ("colon", r":\s*$"),
)


def _errors(cut: Cut) -> Iterator[tuple[str, str]]:
    """Each wrong or missed boundary: its kind, and the text around it."""
    text = cut.text.text
    places = [i for i, character in enumerate(text) if character.isalnum()]
    for boundary in sorted(cut.wrong | cut.missed):
        at = places[boundary]
        before = re.sub(r"[\"“‘(\[*_]+$", "", text[:at])
        kind = next((name for name, pattern in _KINDS if re.search(pattern, before)), "other")
        found = "wrong" if boundary in cut.wrong else "missed"
        yield f"{found}: {kind}", repr(f"{text[max(0, at - 50) : at]}|{text[at : at + 30]}")


def _f1(right: Any, wrong: Any, missed: Any) -> float:
    total = 2 * right.sum() + wrong.sum() + missed.sum()
    return float(2 * right.sum() / total) if total else 1.0


def interval(of: Callable[..., float], *values: Any, rounds: int = 2000) -> tuple[float, float]:
    """95 % of the values that a figure takes on items drawn with replacement."""
    random = np.random.default_rng(0)
    count = len(values[0])
    figures = []
    for _ in range(rounds):
        drawn = random.integers(count, size=count)
        figures.append(of(*(value[drawn] for value in values)))
    low, high = np.nanquantile(figures, [0.025, 0.975])
    return float(low), float(high)
