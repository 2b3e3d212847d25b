"""What VTG cites for a sentence that memory supports: never more than it may."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from asking import ScriptedSkills, run, tools

from veracite.engine.methods.events import Remembered, Simplified
from veracite.engine.methods.vtg import VTG
from veracite.engine.types import Label

BEES = "Bees live in the mill."
LIBRARY = [f"{letter} mill." for letter in "ABCDEF"]
STRONG = ("C mill.", "E mill.")
"""By themselves they leave the sentence uncertain, the others say nothing of it."""


def only_together(fewest: int) -> Any:
    """Supported by so many passages or more, the strong ones among them."""

    def says(_: str, texts: Sequence[str]) -> Label:
        if len(texts) >= fewest and set(STRONG) <= set(texts):
            return Label.SUPPORTED
        return Label.UNCERTAIN if set(texts) <= set(STRONG) else Label.NOT_FOUND

    return says


@pytest.mark.parametrize(("fewest", "simplifier"), [(2, False), (4, True), (6, True), (6, False)])
def test_what_only_memory_supports_cites_the_strongest_passages(
    tmp_path: Path, fewest: int, simplifier: bool
) -> None:
    skills = ScriptedSkills({"next_claim": [BEES, None], "cite": [[0]]})
    with tools(skills, LIBRARY, tmp_path, says=only_together(fewest)) as (given, _):
        chosen = VTG.settings(k=6, citations=3, simplifier=simplifier, retrieval="lexical")
        answer, events = run(VTG.run("Which mill?", given, chosen))
    (verdict,) = answer.verdicts
    assert verdict.label is Label.SUPPORTED
    last = [event for event in events if isinstance(event, Simplified)][-1]
    kept = [item.passage.text for item in last.kept]
    assert len(kept) == 3
    assert set(STRONG) <= set(kept)
    assert verdict.citations
    assert {citation.quote for citation in verdict.citations} <= set(kept)
    assert [event for event in events if isinstance(event, Remembered)]
