"""How well drafts are cut into claims, which claims are set aside, and whom pronouns are given to.

    python scripts/measure_claims.py --wikibio wikibio_gpt3_000-118.jsonl.gz \\
        --felm felm_wk_even.jsonl.gz --checkworthiness subtask2_claim_checkworthiness.jsonl

Rules were developed on one half of each set (WikiBio: passages 0 to 58; FELM and checkworthiness:
even positions); results are on the other, ``--half dev`` shows the first. ``--errors`` lists every
error. Intervals are 95 %, a bootstrap over texts.

Segmentation: a boundary is where a sentence starts, but for the first, counted in the letters and
digits before it; a list's mark ("2.", "-") belongs to neither side. The last, cut off sentence of a
WikiBio text, which the set leaves out, does not count. FELM texts count if their segments are
sentences: each starts with a capital, a digit or a letter that has no case, and ends with a stop
or where its line does. A set's own boundaries are a program's: some errors are theirs.
"""

import argparse
import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from veracite.engine.claims import segment
from veracite.engine.subjects import pronoun_of

Splitter = Callable[[str], list[int]]
"""A text to where its sentences start."""

_MARK = re.compile(r"\s*(?:(?:\(?\d{1,3}[.)]|[-*•–])\s+)?")
_STOPPED = re.compile(r"[.!?…:][\"'”’)\]]*$")
_WIKIBIO_DEVELOPMENT = 59


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


def main() -> None:
    """Prints a section for each file given."""
    options = _options()
    held = options.half == "test"
    if options.wikibio:
        rows = _rows(options.wikibio)
        chosen = [(i, r) for i, r in enumerate(rows) if (i >= _WIKIBIO_DEVELOPMENT) == held]
        print(f"WikiBio GPT-3, passages {chosen[0][0]} to {chosen[-1][0]}")
        pairs = [(i, r["gpt3_text"], r["gpt3_sentences"]) for i, r in chosen]
        _segmentation(pairs, only_sentences=False, errors=options.errors)
        _coreference([(r["gpt3_text"], _about(r)) for _, r in chosen], errors=options.errors)
    if options.felm:
        chosen = [(i, r) for i, r in enumerate(_rows(options.felm)) if (i % 2 == 1) == held]
        print(f"FELM world knowledge, {'odd' if held else 'even'} positions")
        pairs = [(i, r["response"], r["segmented_response"]) for i, r in chosen]
        _segmentation(pairs, only_sentences=True, errors=options.errors)
        _coreference([(r["response"], None) for _, r in chosen], errors=options.errors)
    if options.checkworthiness:
        rows = [r for i, r in enumerate(_rows(options.checkworthiness)) if (i % 2 == 1) == held]
        print(f"Factcheck-GPT, subtask 2, {'odd' if held else 'even'} positions")
        _checkworthiness(rows, errors=options.errors)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("--wikibio", "--felm", "--checkworthiness"):
        parser.add_argument(name, type=Path, metavar="FILE", help="jsonl, gzipped or not")
    parser.add_argument("--half", choices=("dev", "test"), default="test")
    parser.add_argument("--errors", action="store_true", help="list every error")
    return parser.parse_args()


def _rows(path: Path) -> list[dict[str, Any]]:
    """JSON lines; only "\\n" ends one, FELM's texts hold other line separators."""
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    return [json.loads(line) for line in raw.decode("utf-8").split("\n") if line.strip()]


def _about(row: dict[str, Any]) -> frozenset[str]:
    """The words of the name that a WikiBio passage is about."""
    name = re.sub(r"\(.*?\)", "", row["question"].partition(" about ")[2])
    return frozenset(re.findall(r"\w+", name.lower()))


def _segmentation(
    pairs: Iterable[tuple[int, str, list[str]]], *, only_sentences: bool, errors: bool
) -> None:
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
    low, high = _interval(_f1, right, wrong, missed)
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


def _interval(of: Callable[..., float], *values: Any, rounds: int = 2000) -> tuple[float, float]:
    """95 % of the values that a figure takes on items drawn with replacement."""
    random = np.random.default_rng(0)
    count = len(values[0])
    figures = []
    for _ in range(rounds):
        drawn = random.integers(count, size=count)
        figures.append(of(*(value[drawn] for value in values)))
    low, high = np.nanquantile(figures, [0.025, 0.975])
    return float(low), float(high)


def _checkworthiness(rows: Sequence[dict[str, Any]], *, errors: bool) -> None:
    """Whether what is set aside is what the set calls no factual claim."""
    factual = np.array([row["checkworthy"] == "factual" for row in rows])
    reasons = [_why_set_aside(row["claim"]) for row in rows]
    kept = np.array([reason is None for reason in reasons])
    aside, other = ~kept, ~factual
    print(f"  checkworthiness: {len(rows)} claims, {other.sum()} not factual")
    for name, said in (("Veracite", kept), ("always checkable", np.ones_like(kept))):
        low, high = _interval(_balanced, said, factual)
        value = _balanced(said, factual)
        print(f"    {name:17s} balanced accuracy {value:.3f} ({low:.3f} to {high:.3f})")
    right = int((aside & other).sum())
    print(
        f"    not checkable: precision {right}/{aside.sum()}, recall {right}/{other.sum()};"
        f" factual claims set aside: {(aside & factual).sum()} of {factual.sum()}"
    )
    gained, lost = int((aside & other).sum()), int((aside & factual).sum())
    print(f"    against always checkable: McNemar's exact p = {_mcnemar(gained, lost):.3f}")
    if errors:
        for row, reason, is_factual in zip(rows, reasons, factual, strict=True):
            if (reason is None) != is_factual:
                print(f"      {row['checkworthy']}, said {reason or 'checkable'}: {row['claim']}")


def _why_set_aside(text: str) -> str | None:
    """Why every claim of a text is set aside; None if one is checked."""
    reasons = [claim.not_checkable for claim in segment(text)]
    return None if not reasons or None in reasons else reasons[0]


def _balanced(said: Any, truth: Any) -> float:
    if truth.all() or not truth.any():
        return math.nan
    return float((said[truth].mean() + (~said[~truth]).mean()) / 2)


def _mcnemar(one: int, other: int) -> float:
    """The two-sided exact p of McNemar's test on the items that only one method has right."""
    count = one + other
    tail = sum(math.comb(count, k) for k in range(min(one, other) + 1))
    return min(1.0, float(2 * tail / 2**count))


def _coreference(texts: Sequence[tuple[str, frozenset[str] | None]], *, errors: bool) -> None:
    """How often a sentence that starts with a pronoun or a role gets a name, and the right one.

    A WikiBio text is about one person, so a name given for "he" or "she" is right if it shares a
    word with that one's: every "he" is taken to mean that person. Nothing tells for the others.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for text, about in texts:
        for claim in segment(text):
            resolved = claim.resolved
            pronoun = pronoun_of(claim.statement)
            if pronoun is None:
                continue
            kind: str = "he, she" if pronoun in ("he", "she") else pronoun
            given = claim.query.removesuffix(claim.statement)
            shown = given or claim.statement if about else given
            counts[kind, "all"] += 1
            counts[kind, "query"] += bool(given) or _names(about, shown)
            counts[kind, "query right"] += _names(about, shown)
            counts[kind, "resolved"] += resolved is not None
            counts[kind, "resolved right"] += _names(about, _inserted(claim.statement, resolved))
            if errors:
                print(f"      {kind}: {claim.query[:70]!r} -> {resolved and resolved[:90]!r}")
    print("  coreference: sentences whose subject is a pronoun or a role; how many get a name in")
    print("  the query, how many in the pronoun's place (of these the right one, where known)")
    for kind in sorted({key for key, _ in counts}):
        known = kind == "he, she" and all(about for _, about in texts)
        query, resolved = (
            f"{counts[kind, name]}" + (f" ({counts[kind, f'{name} right']})" if known else "")
            for name in ("query", "resolved")
        )
        print(f"    {kind:8s} {counts[kind, 'all']:4d}   query {query:10s} resolved {resolved}")


def _names(about: frozenset[str] | None, text: str) -> bool:
    return about is not None and not about.isdisjoint(re.findall(r"\w+", text.lower()))


def _inserted(statement: str, resolved: str | None) -> str:
    """What ``resolved`` holds in place of the pronoun."""
    if resolved is None:
        return ""
    pairs = zip(statement, resolved, strict=False)
    start = next((i for i, (one, other) in enumerate(pairs) if one != other), 0)
    return resolved[start : start + max(len(resolved) - len(statement), 0) + len("they")]


if __name__ == "__main__":
    main()
