"""Claims about folders of documents such as people keep, with the sentences that decide them.

Each folder of ``written_folders`` has ``documents`` and ``claims.jsonl``: a claim, its label by
all of the folder, and *evidence*, the sentences or rows that decide it as they stand in a document.
The folders of ``HELD`` never train; the decision is fitted on them. A premise is what the engine
composes of the passages that its search finds.
"""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.training.pairs import (
    CONTRADICTED,
    JOINT,
    NEUTRAL,
    NOT_SUPPORTED,
    SUPPORTED,
    Pair,
    headed,
    read_rows,
)
from veracite.engine.claims.segmentation import segment
from veracite.engine.judge.premises import Premise, compose
from veracite.engine.retrieve import Search
from veracite.engine.types import Claim
from veracite.engine.wording.quantities import grouped_as
from veracite.index.documents import Evidence
from veracite.index.library import Library
from veracite.models.bundled import bundled_encoder, bundled_verifier

FOLDER = Path(__file__).with_name("written_folders")
HELD = frozenset("fgh")
"""Folders that never train."""
LABELS = {"supported": SUPPORTED, "neither": NEUTRAL, "contradicted": CONTRADICTED}
_EACH = 3
"""Pairs of a claim, at most; and how many sentences without its evidence one is drawn of."""
_ROWS = 2
"""Other rows beside a claim that a row decides, at most."""
_HEADED = 0.7
"""The share of the premises of evidence alone that stand under their heading."""


@dataclass(frozen=True)
class Told:
    """A claim with what is found for it."""

    folder: str
    claim: Claim
    label: int
    proof: tuple[str, ...]
    """What decides it, as the document has it."""
    evidence: tuple[Evidence, ...]
    premises: tuple[Premise, ...]


def told(names: Iterable[str]) -> Iterator[Told]:
    """Yield the claims of some folders, each folder one library."""
    encoder, fits = bundled_encoder(), bundled_verifier().fits
    for name in sorted(names):
        with (
            TemporaryDirectory() as scratch,
            Library(Path(scratch), encode=encoder.encode, encoder_id=encoder.id) as library,
        ):
            library.add([FOLDER / name / "documents"])
            list(library.sync())
            search = Search(library, None, None, "hybrid")
            for row in read_rows(FOLDER / name / "claims.jsonl"):
                (claim, *_) = segment(row["claim"], markdown=False)
                (evidence,) = search.gather([claim])
                laid = compose(claim, evidence, library.sentences, fits) if evidence else None
                premises = laid.premises if laid else ()
                yield Told(
                    name, claim, LABELS[row["label"]], tuple(row["evidence"]), evidence, premises
                )


def pairs(rng: random.Random) -> Iterator[Pair]:
    """Yield the pairs of the folders that train: premises that hold all of a claim's evidence, by
    the claim's label; beside a false one a sentence that does not hold it; beside what is left
    open the nearest premises."""
    for one in told({folder.name for folder in FOLDER.iterdir()} - HELD):
        said = one.claim.hypothesis
        for text, label in _premises(one, rng):
            yield Pair(f"folders_{one.folder}", grouped_as(said, text), said, label)


def _premises(one: Told, rng: random.Random) -> Iterator[tuple[str, int]]:
    holding = [p for p in one.premises if one.proof and all(_holds(p, t) for t in one.proof)]
    others = [p for p in one.premises if p not in holding]
    if one.label == NEUTRAL:
        near = [p.text for p in rng.sample(holding, min(2, len(holding)))]
        rest = [p.text for p in others[: 2 * _EACH]]
        near += rng.sample(rest, min(len(rest), _EACH - len(near)))
        yield from ((text, NEUTRAL) for text in near)
        return
    in_rows = any(map(_is_row, one.proof))
    by_kind = {p.kind: p.text for p in rng.sample(holding, len(holding))}
    texts = [*dict.fromkeys((*([] if in_rows else [_alone(one, rng)]), *by_kind.values()))]
    yield from ((text, one.label) for text in rng.sample(texts, min(len(texts), _EACH)))
    lacking = [p for p in others if p.kind == "sentence"]
    most = int(one.label == CONTRADICTED and len(one.proof) == 1)
    if in_rows:  # the claim's figure may stand in another row
        lacking, most = [p for p in lacking if "|" in p.candidates[-1].sentence.text], _ROWS
    chosen = rng.sample(lacking, min(most, len(lacking)))
    yield from ((p.text, NOT_SUPPORTED) for p in chosen)


def _is_row(text: str) -> bool:
    """Whether a text is a row of a table."""
    return text.count("|") > 1


def _holds(premise: Premise, proof: str) -> bool:
    """Whether a premise has a sentence, or all cells of a row, whose columns it may name."""
    if not _is_row(proof):
        return letters(proof) in letters(premise.text)
    cells = [letters(cell) for cell in proof.split("|")]
    rows = [letters(c.sentence.text) for c in premise.candidates if "|" in c.text]
    return any(all(cell in row for cell in cells) for row in rows)


def _alone(one: Told, rng: random.Random) -> str:
    """The evidence as a person would quote it, mostly under its heading."""
    text = JOINT.join(" ".join(part.split()) for part in one.proof)
    first = letters(one.proof[0]) if one.proof else ""
    own = (i.passage for i in one.evidence if first and first in letters(i.passage.text))
    passage = next(own, None)
    shown = passage.heading if passage and rng.random() < _HEADED else None
    return headed(shown or "", text)


def letters(text: str) -> str:
    """Return the letters and digits of a text alone, in small letters."""
    return re.sub(r"\W+", "", text).lower()
