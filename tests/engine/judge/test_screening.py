"""Screening: which passages a language model is shown, and what is told of the others."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from mill import FALSE, TRUE, TWO, write_documents
from readings import CONTRADICTED, SUPPORTED, claim, evidence, reading
from reports import report_of

from veracite.engine.events import Asked, Judged
from veracite.engine.judge.cascade import bearing
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Verdict
from veracite.engine.workbench import Workbench

CLAIM = claim("The mill burned down in 1904.")
SAYS = evidence("says", ["The mill burned down in 1904."])
DENIES = evidence("denies", ["The mill burned down in 1911."], rank=2)
ELSE = evidence("else", ["Bees sleep at night."], rank=3)
CLAIMS = [TRUE, FALSE, "A hive holds 60,000 bees.", "Anna Berg sold the mill in 1890."]
OUT_OF_SIGHT = "finds no bearing on this."


def test_a_passage_bears_on_a_claim_that_has_its_words_and_says_something() -> None:
    items = [SAYS, DENIES, ELSE]
    sure = {"1904": SUPPORTED, "1911": CONTRADICTED, "Bees": SUPPORTED}
    found = bearing(reading(CLAIM, items, sure))
    assert min(found[0], found[1]) > 0.5 > found[2]
    silent = bearing(reading(CLAIM, items, {"1904": SUPPORTED, "1911": (0.02, 0.96, 0.02)}))
    assert silent[0] > 0.5 > silent[1]


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    more = {
        "flour.txt": "The Harrow mill grinds grain between two stones, and so makes flour.\n",
        "hive.txt": "Who paints a hive white keeps it cool when the sun is high.\n",
    }
    return write_documents(tmp_path / "documents", TWO | more)


def checked(
    model: Path, documents: Path, paths: Paths, claims: Sequence[str], *, screen: bool = True
) -> tuple[dict[str, Verdict], int]:
    """The verdicts by claim, and how many questions the model was asked."""
    settings = CheckSettings(
        retrieval="lexical", model=str(model), judge="gguf", threads=1, screen=screen
    )
    with Workbench(settings, paths) as bench:
        events = list(bench.check("\n\n".join(claims), against=(documents,)))
    verdicts = {e.verdict.claim.text: e.verdict for e in events if isinstance(e, Judged)}
    assert report_of(events).settings["screen"] is screen
    return verdicts, sum(isinstance(e, Asked) for e in events)


def test_screening_can_be_switched_off(model: Path, documents: Path, paths: Paths) -> None:
    verdicts, every = checked(model, documents, paths, CLAIMS, screen=False)
    assert not any(OUT_OF_SIGHT in verdict.explanation for verdict in verdicts.values())
    again, asked = checked(model, documents, paths, CLAIMS)
    assert 0 < asked < every  # nothing that was judged otherwise is remembered
    assert again != verdicts
