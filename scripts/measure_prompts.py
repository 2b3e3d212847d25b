"""Prints what a language model reads of labelled claims by each way of asking it.

    python -m scripts.measure_prompts --model MODEL.gguf [--premises 20] [--threads 1]

The claims are of the written series that never train (``HELD_SERIES`` of
``scripts/training/written.py``): premises with a claim of each label. Each is judged as in a check,
less what the model says of it beside an empty passage. *For* is the AUC of its log odds that a
claim is supported; *against* that it is contradicted, among those not supported; tokens are those
read for a claim. *Each* and *joint* have a second premise beside the claim's own.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from scripts.training.pairs import options
from scripts.training.written import HELD_SERIES, LETTERS, Block, blocks
from veracite.engine.bootstrap import bootstrap, roc_auc
from veracite.engine.events import Asked, Steps
from veracite.engine.judge.cascade import _BLANK, _leaning
from veracite.engine.skills.prompted import PromptedSkills
from veracite.engine.skills.prompts import Prompts
from veracite.engine.types import Claim, Judgement, Scores, Task
from veracite.index.documents import Document, Passage
from veracite.models.generator import Generator

WAYS = {
    "three options, passage first": "veracite",
    "three options, claim first and last": "claim-twice",
    "two options, passage first": "yes-or-no",
    "two options, claim first and last": "yes-or-no-claim-twice",
    **{f"wording {name}": name for name in ("ceg-direct", "wikibio", "wikiretr")},
}
"""Each way of asking, and the wording of its prompt: one that ships, or of ``scripts/prompts``."""


def chosen(most: int) -> list[Block]:
    """Blocks with a claim of each label, spread over the series that never train."""
    held = [b for b in blocks() if b.set in HELD_SERIES and len({y for _, y in b.claims}) == 3]
    places = np.linspace(0, len(held) - 1, min(most, len(held))).astype(int)
    return [held[place] for place in places]


def judged(
    skills: PromptedSkills, tasks: Sequence[Task], *, joint: bool = False
) -> tuple[Sequence[Judgement], int]:
    """The judgements, and how many tokens were read for them."""
    said: list[Sequence[Judgement]] = []

    def judging() -> Steps[None]:
        said.append((yield from skills.judge(tasks, joint=joint)))

    read = sum(event.prefilled for event in judging() if isinstance(event, Asked))
    return said[0], read


def row(name: str, rows: Sequence[tuple[Scores, Scores]], asked: list[Block], read: int) -> str:
    """A row of the table, of what was said of each claim, and of it beside nothing."""
    leaning = np.array([_leaning(said) - _leaning(blank) for said, blank in rows])
    labels = np.array([y for block in asked for y in claims_of(block).values()])
    groups = [block.premise for block in asked for _ in claims_of(block)]
    held = bootstrap(roc_auc(leaning[:, 0], labels == 0), groups)
    other = np.flatnonzero(labels != 0)
    own = [groups[at] for at in other]
    against = bootstrap(roc_auc(leaning[other, 1], labels[other] == LETTERS.index("C")), own)
    return f"| {name} | {held} | {against} | {read / len(rows):.0f} |"


def claims_of(block: Block) -> dict[str, int]:
    """A claim of each label."""
    first = {label: claim for claim, label in reversed(block.claims)}
    return {first[label]: label for label in sorted(first)}


def main() -> None:
    """Runs from the command line."""
    given = options(__doc__, "--model", premises=20, threads=1)
    asked = chosen(given.premises)
    passages = [
        Passage(Document(text, text, "held"), 0, len(text), None, block.heading or None, text, text)
        for block in asked
        for text in [block.premise]
    ]
    claims = [
        (Claim(text, 0, len(text), text, text), place)
        for place, block in enumerate(asked)
        for text in claims_of(block)
    ]
    writer = Generator.open(
        given.model, gpu_layers=0, threads=given.threads, verified=Path.home() / ".cache/veracite"
    )
    say = partial(print, flush=True)
    say("| way of asking | for | against | tokens |\n|---|---|---|---|")
    known = Prompts.load(Path(__file__).with_name("prompts")).named
    for name, wording in WAYS.items():
        skills = PromptedSkills(writer, Prompts({"judge.veracite": known[f"judge.{wording}"]}))
        own = [Task(claim, (passages[place],)) for claim, place in claims]
        said, read = judged(skills, [*own, *(replace(task, passages=(_BLANK,)) for task in own)])
        scores = [one.passages[0] or Scores(0.0, 1.0, 0.0) for one in said]
        blank = scores[len(own) :]
        say(row(name, list(zip(scores[: len(own)], blank, strict=True)), asked, read))
        if name.startswith("three options, passage"):
            two = [Task(c, (passages[place - 1], passages[place])) for c, place in claims]
            said, read = judged(skills, two, joint=True)
            best = [max(filter(None, one.passages), key=lambda s: s.supported) for one in said]
            say(row("the same, each of two", list(zip(best, blank, strict=True)), asked, read))
            both = [one.joint or Scores(0.0, 1.0, 0.0) for one in said]
            say(row("the same, two jointly", list(zip(both, blank, strict=True)), asked, read))


if __name__ == "__main__":
    main()
