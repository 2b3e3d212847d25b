"""How well drafts are cut into claims, which claims are set aside, and whom pronouns are given to.

    python scripts/measure_claims.py --wikibio wikibio_gpt3_000-118.jsonl.gz \\
        --felm felm_wk_even.jsonl.gz --checkworthiness subtask2_claim_checkworthiness.jsonl

Rules were developed on one half of each set (WikiBio: passages 0 to 58; FELM and checkworthiness:
even positions); results are on the other, ``--half dev`` shows the first. ``--errors`` lists every
error. Intervals are 95 %, a bootstrap over texts.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from claim_boundaries import interval, segmentation
from sklearn.metrics import balanced_accuracy_score

from veracite.engine.claims.pronouns import pronoun_of
from veracite.engine.claims.segmentation import segment
from veracite.engine.evaluation.bootstrap import mcnemar

_WIKIBIO_DEVELOPMENT = 59


def main() -> None:
    """Prints a section for each file given."""
    options = _options()
    held = options.half == "test"
    if options.wikibio:
        rows = _rows(options.wikibio)
        chosen = [(i, r) for i, r in enumerate(rows) if (i >= _WIKIBIO_DEVELOPMENT) == held]
        print(f"WikiBio GPT-3, passages {chosen[0][0]} to {chosen[-1][0]}")
        pairs = [(i, r["gpt3_text"], r["gpt3_sentences"]) for i, r in chosen]
        segmentation(pairs, only_sentences=False, errors=options.errors)
        _coreference([(r["gpt3_text"], _about(r)) for _, r in chosen], errors=options.errors)
    if options.felm:
        chosen = [(i, r) for i, r in enumerate(_rows(options.felm)) if (i % 2 == 1) == held]
        print(f"FELM world knowledge, {'odd' if held else 'even'} positions")
        pairs = [(i, r["response"], r["segmented_response"]) for i, r in chosen]
        segmentation(pairs, only_sentences=True, errors=options.errors)
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


def _checkworthiness(rows: Sequence[dict[str, Any]], *, errors: bool) -> None:
    """Whether what is set aside is what the set calls no factual claim."""
    factual = np.array([row["checkworthy"] == "factual" for row in rows])
    reasons = [_why_set_aside(row["claim"]) for row in rows]
    kept = np.array([reason is None for reason in reasons])
    aside, other = ~kept, ~factual
    print(f"  checkworthiness: {len(rows)} claims, {other.sum()} not factual")
    for name, said in (("Veracite", kept), ("always checkable", np.ones_like(kept))):
        low, high = interval(lambda of, truth: balanced_accuracy_score(truth, of), said, factual)
        value = balanced_accuracy_score(factual, said)
        print(f"    {name:17s} balanced accuracy {value:.3f} ({low:.3f} to {high:.3f})")
    right = int((aside & other).sum())
    print(
        f"    not checkable: precision {right}/{aside.sum()}, recall {right}/{other.sum()};"
        f" factual claims set aside: {(aside & factual).sum()} of {factual.sum()}"
    )
    p = mcnemar(kept == factual, factual)
    print(f"    against always checkable: McNemar's exact p = {p:.3f}")
    if errors:
        for row, reason, is_factual in zip(rows, reasons, factual, strict=True):
            if (reason is None) != is_factual:
                print(f"      {row['checkworthy']}, said {reason or 'checkable'}: {row['claim']}")


def _why_set_aside(text: str) -> str | None:
    """Why every claim of a text is set aside; None if one is checked."""
    reasons = [claim.not_checkable for claim in segment(text)]
    return None if not reasons or None in reasons else reasons[0]


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
