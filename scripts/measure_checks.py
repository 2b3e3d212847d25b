"""Prints what each check of the decision is worth, on the claims that choices are made on.

    python -m scripts.training.untrained --data DATA --out HELD
    python scripts/measure_checks.py --data DATA --held HELD [--limit 60]

For each check: for how many claims it says anything, how many labels are others without it (its
weight taken for 0, nothing fitted anew), and how many right less wrong labels that loses on each
set. A label is right, wrong, or neither: uncertain, or *not found* for what is there.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from development import Item, Set, development_sets

from veracite.engine.judge.checks import CHECKS
from veracite.engine.judge.decision import PREMISE, VETOES, Decision, Reading, bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.judge.verbatim import verbatim
from veracite.engine.retrieve import Search
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Label
from veracite.index.memory import Vectors
from veracite.models.bundled import bundled_encoder, bundled_verifier

BAR = CheckSettings().uncertain_below


def main() -> None:
    """Reads the sets once and decides them as often as there are checks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--held", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=60, help="claims of a set")
    given = parser.parse_args()
    vectors = Vectors(bundled_encoder().encode)
    sets = list(development_sets(given.data, given.held, vectors, given.limit))
    readings = {one.name: list(_readings(one)) for one in sets}
    decision = bundled_decision()
    whole = {one.name: _labels(decision, readings[one.name]) for one in sets}
    for one in sets:
        print(_table(one, whole[one.name]))
    print("\n| check | fires | changed | loss | where |\n|---|---|---|---|---|")
    for check in (*(check.id for check in CHECKS), *VETOES):
        without = decision.without([check])
        changed, loss, where = 0, 0, []
        for one in sets:
            labels = _labels(without, readings[one.name])
            differing = sum(a is not b for a, b in zip(labels, whole[one.name], strict=True))
            lost = _worth(one.items, whole[one.name]) - _worth(one.items, labels)
            changed, loss = changed + differing, loss + lost
            where += [f"{one.name} {lost:+d}"] if differing else []
        fires = _fires(check, [r for found in readings.values() for r in found if r is not None])
        print(f"| {check} | {fires} | {changed} | {loss:+d} | {', '.join(where)} |")


def _readings(one: Set) -> Iterator[Reading | None]:
    verifier = bundled_verifier()
    for item in one.items:
        library = item.library
        judge = Judge(verifier, bundled_decision(), BAR, library.sentences, library.raw_text)
        evidence = Search(library, None, None, "hybrid").gather([item.claim])
        yield dict(judge.read([item.claim], evidence)).get(0)


def _labels(decision: Decision, readings: Sequence[Reading | None]) -> list[Label]:
    return [
        Label.NOT_FOUND
        if reading is None
        else decision.decide(
            reading,
            BAR,
            verbatim=verbatim(reading.premises.claim, reading.premises.candidates),
        ).label
        for reading in readings
    ]


def _worth(items: Sequence[Item], labels: Sequence[Label]) -> int:
    """Right labels less wrong ones."""
    return sum(_right(item.label, label) for item, label in zip(items, labels, strict=True))


def _right(truth: str, label: Label) -> int:
    if truth in ("supported", "contradicted"):
        opposite = "contradicted" if truth == "supported" else "supported"
        return {truth: 1, opposite: -1}.get(label.value, 0)
    if label is Label.UNCERTAIN:
        return 0
    right = {Label.NOT_FOUND} | ({Label.CONTRADICTED} if truth == "unsupported" else set())
    return 1 if label in right else -1


def _fires(check: str, readings: Sequence[Reading]) -> int:
    if check in PREMISE:
        place = PREMISE.index(check)
        return sum(bool(reading.beside[:, place].any()) for reading in readings)
    if check == "verbatim":
        found = (verbatim(r.premises.claim, r.premises.candidates) for r in readings)
        return sum(one is not None for one in found)
    told = Reading.cannot_support if check == "not stated" else Reading.cannot_contradict
    column = 0 if check == "not stated" else 2
    return sum(bool(told(r, r.probabilities[:, column] >= 0.5).any()) for r in readings)


def _table(one: Set, labels: Sequence[Label]) -> str:
    """Labels against truth."""
    counts = [
        f"{truth} as {label.value} {count}"
        for truth in ("supported", "contradicted", "neutral", "unsupported")
        for label in Label
        if (count := sum(i.label == truth and x is label for i, x in zip(one.items, labels)))  # noqa: B905
    ]
    return f"{one.name} ({len(labels)}): {', '.join(counts)}"


if __name__ == "__main__":
    main()
