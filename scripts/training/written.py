"""Pairs that were written by hand for what no upstream set has, each premise with several claims.

The texts stand in ``scripts/training/written_pairs/*.txt``, blocks between blank lines:
``# heading`` (not always), ``P: premise``, and claims, ``S:`` supported, ``C:`` contradicted,
``N:`` neither. They show what a network reads in documents of one's own (minutes, manuals, rules,
reports, lives) and what makes claims go wrong there: exchanged roles, exceptions, plans told as
done, one figure for another.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.training.pairs import JOINT, Pair, headed, held_out

FOLDER = Path(__file__).with_name("written_pairs")
LETTERS = "SNC"
"""Of the labels, in the order of the logits."""
SHARE = 8.0
"""Per cent of the blocks that never train."""
HELD_SERIES = frozenset({
    "written_retold_clubs", "written_retold_science", "written_sentences", "written_misread_again",
    "written_retold_once_more", "written_misread_a_third_time",
})  # fmt: skip
"""Series that never train, to see whether what is learnt holds beyond the others."""
_MARK = re.compile(rf"([{LETTERS}P]): (.+)")
_BARE, _LAST, _JOINED = 0.45, 0.25, 0.15
"""Shares of the pairs without their heading, with its last part alone, and with other sentences."""
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_REST = re.compile(r";\s|,\s(?:which|who|whose|whom|where)\s")
"""Behind it a sentence goes on about something of its own."""
_ASIDE = re.compile(r"\s\([^()]*\)")
_LEANS = re.compile(
    r"(?:he|she|it|they|we|i|you|his|her|its|their|our|my|this|these|that|those|such|here|there|"
    r"but|and|or|so|yet|then|however|both|neither|none|another|one|other|if|unless)\b",
    re.IGNORECASE,
)
"""How sentences begin that cannot stand alone."""
_SHORTEST = 5
"""Words of a claim that is copied, at least."""
_WORDS = 150
"""Of two premises in one: longer ones would be cut."""


@dataclass(frozen=True)
class Block:
    """A premise with its claims and their labels."""

    set: str
    heading: str
    premise: str
    claims: tuple[tuple[str, int], ...]

    @property
    def held_out(self) -> bool:
        """Whether it is kept for checks."""
        return held_out(self.premise, SHARE)


def blocks(folder: Path = FOLDER) -> list[Block]:
    """Return every block of the folder's files.

    Raises:
        ValueError: a line is none of a block's; the message says which.
    """
    return [block for path in sorted(folder.glob("*.txt")) for block in _of_file(path)]


def _of_file(path: Path) -> Iterator[Block]:
    name = f"written_{path.stem.rstrip('0123456789')}"
    for part in path.read_text(encoding="utf-8").split("\n\n"):
        heading, premise, claims = "", "", []
        for line in filter(None, map(str.strip, part.split("\n"))):
            if line.startswith("# "):
                heading = line[2:].strip()
                continue
            found = _MARK.fullmatch(line)
            if found is None or (found[1] == "P") == bool(premise):
                raise ValueError(f"{path.name}: no line of a block: {line[:80]!r}")
            if found[1] == "P":
                premise = found[2]
            else:
                claims.append((found[2], LETTERS.index(found[1])))
        if premise:
            yield Block(name, heading, premise, tuple(claims))


def renderings(chosen: list[Block], rng: random.Random) -> Iterator[Pair]:
    """Yield each claim once, its premise in one of the forms in which sentences are read."""
    for block in chosen:
        for claim, label in block.claims:
            shown = headed(_heading(block, claim, rng), block.premise)
            other = rng.choice(chosen)
            further = headed(other.heading, other.premise)
            together = len(shown.split()) + len(further.split())
            if rng.random() < _JOINED and other is not block and together <= _WORDS:
                parts = [shown, further]
                rng.shuffle(parts)
                shown = JOINT.join(parts)
            yield Pair(block.set, shown, claim, label)


def copies(chosen: list[Block], rng: random.Random) -> Iterator[Block]:
    """Yield blocks whose claim is a sentence of their premise, or its first part: supported.

    Beside claims that turn one word of a sentence, these keep a plain copy from looking like one.
    """
    for block in chosen:
        apart = (s for text in block.premise.split(JOINT) for s in SENTENCE.split(text))
        parts = [part for sentence in apart for part in _alone(sentence)]
        if parts:
            yield Block("written_copies", block.heading, block.premise, ((rng.choice(parts), 0),))


def _alone(sentence: str) -> Iterator[str]:
    """Yield what can stand for itself: the sentence, without asides, and as far as it is one."""
    if _LEANS.match(sentence) or not sentence.endswith("."):
        return
    whole = _ASIDE.sub("", sentence)
    short = _REST.split(whole)[0].rstrip(".,;: ") + "."
    for part in dict.fromkeys((sentence, whole, short)):
        if len(part.split()) >= _SHORTEST and part.count("(") == part.count(")"):
            yield part


def _heading(block: Block, claim: str, rng: random.Random) -> str:
    """The heading, or as little of it as says what the claim needs of it."""
    needed = _words(block.heading) & _words(claim) - _words(block.premise)
    if not needed and rng.random() < _BARE:
        return ""
    last = block.heading.split(" > ")[-1]
    return last if needed <= _words(last) and rng.random() < _LAST else block.heading


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{3,}", text.lower()))
