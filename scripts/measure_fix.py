"""How much `veracite fix` puts right: drafts of real sentences, one to three of them made wrong.

    python scripts/measure_fix.py --data DATA [--each 3] [--seed 0] [--cache FOLDER]

DATA is laid out as its README says; of each folder in ``FOLDERS``, sentences are drawn at random.
Of every kind of fact ``--each`` of them get one changed, as in tests/changed_facts; as many stay
true. Half of the sentences of either sort are worded otherwise than in their document. Every
draft is mended by the bundled models against the whole folder. Intervals are 95 %, a bootstrap
over drafts.
"""

import argparse
import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fix_drafts import TRUE, Sentence, drafts, sentences
from results_page import table

from veracite.engine.evaluation.bootstrap import bootstrap, mean
from veracite.engine.events import Finished
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Fix
from veracite.engine.workbench import Workbench

FOLDERS = (
    "docs/kreuzberg/text",
    "docs/kreuzberg/web",
    "docs/kreuzberg/pdfs",
    "docs/docling/pdf",
    "docs/kgrag/ntsb-aviation-incident-accident-reports",
)
OUTCOMES = ("repaired", "made otherwise", "left", "not noticed")
"""Of a wrong claim: it states the right fact now; something else took its place; it was found to
be unsupported and stays; it was not."""


@dataclass(frozen=True)
class Outcome:
    """What became of a sentence."""

    sentence: Sentence
    draft: str
    """Which one it is of."""
    became: str
    """One of ``OUTCOMES``; "left" or "changed" for a true one."""
    text: str
    """What stands there now, or was tried."""
    reason: str


def main() -> None:
    """Mends the drafts and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--each", type=int, default=3, help="wrong claims of a kind and folder")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="keeps the indexes from run to run")
    parser.add_argument("--show", action="store_true", help="what did not go well, claim by claim")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        home = given.cache or Path(scratch)
        paths = Paths(home / "data", home / "cache", home / "config.toml")
        with Workbench(CheckSettings(), paths) as bench:
            found = [
                outcome
                for name in FOLDERS
                for outcome in _of_folder(bench, given.data / name, name, given.each, given.seed)
            ]
    for one in found if given.show else ():
        if one.became != ("left" if one.sentence.kind == TRUE else "repaired"):
            print(f"{one.became} ({one.sentence.kind}): {one.sentence.text}")
            print(f"    right: {one.sentence.right}\n    now: {one.text}\n    {one.reason}")
    print(report(found))


def report(found: Sequence[Outcome]) -> str:
    """The table: a row for each kind of fact, one for all, one for each wording; then the rest."""
    wrong = [one for one in found if one.sentence.kind != TRUE]
    kinds = sorted({one.sentence.kind for one in wrong})
    groups = {
        "all": wrong,
        **{kind: [o for o in wrong if o.sentence.kind == kind] for kind in kinds},
        "worded as the document": [o for o in wrong if o.sentence.right == o.sentence.source],
        "worded otherwise": [o for o in wrong if o.sentence.right != o.sentence.source],
    }
    rows = [
        [name, str(len(group)), *(_share(group, outcome) for outcome in OUTCOMES)]
        for name, group in groups.items()
        if group
    ]
    became = Counter(one.became for one in wrong)
    made = became["repaired"] + became["made otherwise"]
    true = [one for one in found if one.sentence.kind == TRUE]
    changed = sum(one.became == "changed" for one in true)
    return "\n".join(
        (
            table(["wrong claims", "number", *OUTCOMES], rows),
            f"Of {made} changes of wrong claims, {became['repaired']} state the right fact. "
            f"Of {len(true)} true claims, {changed} were changed.",
        )
    )


def _share(group: Sequence[Outcome], became: str) -> str:
    marks = np.array([one.became == became for one in group], np.float64)
    found = bootstrap(mean(marks), [one.draft for one in group])
    return f"{found.estimate:.0%} ({found.low:.0%} to {found.high:.0%})"


def _of_folder(
    bench: Workbench, folder: Path, name: str, each: int, seed: int
) -> Iterator[Outcome]:
    """What becomes of every sentence of the drafts that are made of a folder's documents."""
    with bench.library((folder,)) as library:
        for _ in library.sync():
            pass
        texts = [library.raw_text(document) for document in library.documents()]
    rng = random.Random(f"{seed}{name}")
    for number, draft in enumerate(drafts(sentences(texts), each, rng)):
        text = "\n\n".join(sentence.text for sentence in draft)
        events = bench.fix(f"{text}\n", against=(folder,), skills="extractive")
        fixes = [e.report.fix for e in events if isinstance(e, Finished) and e.report.fix]
        yield from _outcomes(draft, fixes[0], f"{name} {number}")


def _outcomes(draft: Sequence[Sentence], fix: Fix, name: str) -> Iterator[Outcome]:
    start = 0
    for sentence in draft:
        end = start + len(sentence.text)
        own = [c for c in fix.changes if start <= c.before.claim.start < end]
        start = end + 2
        kept = next((change for change in own if change.kept), None)
        text = sentence.text
        if kept:
            text = sentence.text.replace(kept.before.claim.text, kept.text)
        told = kept or next(iter(own), None)
        if sentence.kind == TRUE:
            became = "changed" if kept else "left"
        elif kept:
            became = "repaired" if _is_right(sentence, text) else "made otherwise"
        else:
            became = "left" if own else "not noticed"
        shown = told.text if told else text
        label = f"{told.before.label}: {told.reason}" if told else ""
        yield Outcome(sentence, name, became, text if kept else shown, label)


def _is_right(sentence: Sentence, text: str) -> bool:
    """Whether a text is the right sentence, or has the words that the wrong one lacks, none that
    it has too many, and most of the rest."""
    now, right, wrong = (_words(one) for one in (text, sentence.right, sentence.text))
    if now in (right, _words(sentence.source)):
        return True
    same = Counter(right) & Counter(wrong)
    kept = (same & Counter(now)).total() / same.total()
    added, lost = Counter(wrong) - Counter(right), Counter(right) - Counter(wrong)
    return lost <= Counter(now) and not any(word in now for word in added) and kept >= 0.5


def _words(text: str) -> list[str]:
    return re.findall(r"[\w'’]+", text.lower())


if __name__ == "__main__":
    main()
