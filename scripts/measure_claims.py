"""How well drafts are cut into claims, which claims are set aside, and whom pronouns are given to.

    python scripts/measure_claims.py --wikibio wikibio_gpt3_000-118.jsonl.gz \\
        --felm felm_wk_even.jsonl.gz --checkworthiness subtask2_claim_checkworthiness.jsonl

Rules were developed on one half of each set (WikiBio: passages 0 to 58; FELM and checkworthiness:
even positions); results are on the other. Intervals are 95 %, a bootstrap over texts.

A boundary is where a sentence starts, but for the first, counted in the letters and digits before
it; a list's mark ("2.", "-") belongs to neither side. The last, cut off sentence of a WikiBio text,
which the set leaves out, does not count. FELM texts count if their segments are sentences: each
starts with a capital, a digit or a letter that has no case, and ends with a stop or where its line
does. A set's own boundaries are a program's: some errors are theirs.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import balanced_accuracy_score

from veracite.engine.claims.coreference import pronoun_of
from veracite.engine.claims.segmentation import segment

_WIKIBIO_DEVELOPMENT = 59
_MARK = re.compile(r"\s*(?:(?:\(?\d{1,3}[.)]|[-*•–])\s+)?")
_STOPPED = re.compile(r"[.!?…:][\"'”’)\]]*$")


def main() -> None:
    """Prints a section for each set."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("--wikibio", "--felm", "--checkworthiness"):
        parser.add_argument(name, type=Path, metavar="FILE", required=True, help="JSON lines")
    options = parser.parse_args()
    rows = _rows(options.wikibio)[_WIKIBIO_DEVELOPMENT:]
    print(f"WikiBio GPT-3, passages from {_WIKIBIO_DEVELOPMENT} on")
    _segmentation([(r["gpt3_text"], r["gpt3_sentences"]) for r in rows], only_sentences=False)
    _coreference([(r["gpt3_text"], _about(r)) for r in rows])
    rows = _rows(options.felm)[1::2]
    print("FELM world knowledge, odd positions")
    _segmentation([(r["response"], r["segmented_response"]) for r in rows], only_sentences=True)
    print("Factcheck-GPT, subtask 2, odd positions")
    _checkworthiness(_rows(options.checkworthiness)[1::2])


def _rows(path: Path) -> list[dict[str, Any]]:
    """JSON lines; only "\\n" ends one, FELM's texts hold other line separators."""
    raw = path.read_bytes()
    raw = gzip.decompress(raw) if path.suffix == ".gz" else raw
    return [json.loads(line) for line in raw.decode("utf-8").split("\n") if line.strip()]


def _segmentation(pairs: Iterable[tuple[str, list[str]]], *, only_sentences: bool) -> None:
    """How the boundaries found compare with a set's own."""
    counts, lost, others = [], 0, 0
    for text, segments in pairs:
        starts = _locate(text, segments)
        if starts is None:
            lost += 1
        elif only_sentences and not _are_sentences(text, segments, starts):
            others += 1
        else:
            whole = text[: starts[-1]]
            known = _boundaries(whole, starts[:-1])
            found = _boundaries(whole, [claim.start for claim in segment(whole)])
            counts.append((len(known & found), len(found - known), len(known - found)))
    print(f"  segmentation: {len(counts)} texts; left out: {others} whose segments are not all")
    print(f"  sentences, {lost} whose segments do not follow each other in the text")
    right, wrong, missed = np.array(counts).T
    low, high = _interval(_f1, right, wrong, missed)
    print(
        f"    Veracite     precision {right.sum() / (right + wrong).sum():.4f}"
        f"  recall {right.sum() / (right + missed).sum():.4f}"
        f"  F1 {_f1(right, wrong, missed):.4f} ({low:.4f} to {high:.4f})"
        f"  {wrong.sum()} wrong, {missed.sum()} missed of {(right + missed).sum()}"
    )


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


def _boundaries(text: str, starts: Iterable[int]) -> frozenset[int]:
    before = np.concatenate([[0], np.cumsum([character.isalnum() for character in text])])
    after_marks = (match.end() for start in starts if (match := _MARK.match(text, start)))
    first = _MARK.match(text)
    outside = {0, int(before[-1]), int(before[first.end()]) if first else 0}
    return frozenset(int(before[start]) for start in after_marks) - outside


def _f1(right: Any, wrong: Any, missed: Any) -> float:
    total = 2 * right.sum() + wrong.sum() + missed.sum()
    return float(2 * right.sum() / total) if total else 1.0


def _interval(of: Callable[..., float], *values: Any, rounds: int = 2000) -> tuple[float, float]:
    """95 % of the values that a figure takes on items drawn with replacement."""
    random = np.random.default_rng(0)
    count = len(values[0])
    drawn = (random.integers(count, size=count) for _ in range(rounds))
    low, high = np.nanquantile([of(*(value[d] for value in values)) for d in drawn], [0.025, 0.975])
    return float(low), float(high)


def _checkworthiness(rows: Sequence[dict[str, Any]]) -> None:
    """Whether what is set aside is what the set calls no factual claim."""
    factual = np.array([row["checkworthy"] == "factual" for row in rows])
    kept = np.array([_is_checked(row["claim"]) for row in rows])
    aside, other = ~kept, ~factual
    print(f"  checkworthiness: {len(rows)} claims, {other.sum()} not factual")
    low, high = _interval(lambda of, truth: balanced_accuracy_score(truth, of), kept, factual)
    value = balanced_accuracy_score(factual, kept)
    print(f"    Veracite          balanced accuracy {value:.3f} ({low:.3f} to {high:.3f})")
    right = int((aside & other).sum())
    print(
        f"    not checkable: precision {right}/{aside.sum()}, recall {right}/{other.sum()};"
        f" factual claims set aside: {(aside & factual).sum()} of {factual.sum()}"
    )


def _is_checked(text: str) -> bool:
    """Whether any claim of a text is; a text without claims counts."""
    reasons = [claim.not_checkable for claim in segment(text)]
    return not reasons or None in reasons


def _about(row: dict[str, Any]) -> frozenset[str]:
    """The words of the name that a WikiBio passage is about."""
    return frozenset(_words(re.sub(r"\(.*?\)", "", row["question"].partition(" about ")[2])))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _coreference(texts: Sequence[tuple[str, frozenset[str]]]) -> None:
    """How often a sentence that starts with "he" or "she" gets a name, and the right one.

    A WikiBio text is about one person, so a name is right if it shares a word with that one's.
    """
    counts: Counter[str] = Counter()
    for text, about in texts:
        for claim in segment(text):
            if pronoun_of(claim.statement) in ("he", "she"):
                given = claim.query.removesuffix(claim.statement)
                named = not about.isdisjoint(_words(given or claim.statement))
                inserted = Counter(_words(claim.resolved or "")) - Counter(_words(claim.statement))
                counts["all"] += 1
                counts["query"] += bool(given) or named
                counts["query right"] += named
                counts["resolved"] += claim.resolved is not None
                counts["resolved right"] += not about.isdisjoint(inserted)
    print(
        f"  coreference: of {counts['all']} sentences about he or she {counts['query']} get a name"
        f" in the query ({counts['query right']} rightly), {counts['resolved']} in the pronoun's"
        f" place ({counts['resolved right']} rightly)"
    )


if __name__ == "__main__":
    main()
