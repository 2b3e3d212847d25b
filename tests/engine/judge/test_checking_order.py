"""Which verdicts come first: a few at a time, beginning where a person looks."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from mill import FALSE, QUESTION, TRUE, UNFOUNDED

from veracite.engine.events import Judged
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Verdict
from veracite.engine.workbench import Workbench
from veracite.models.verifier import Pair, Probabilities, Verifier

CLAIMS = (
    QUESTION,
    TRUE,
    FALSE,
    "Anna Berg owned the mill.",
    UNFOUNDED,
    "Bees sleep at night.",
    "A hive holds up to 60,000 bees.",
)
TEXT = " ".join(CLAIMS)


def judged(folder: Path, place: int, home: str) -> Iterator[tuple[int, Verdict]]:
    """The verdicts, as they come, of a check that remembers nothing."""
    place_of_all = folder.parent / home
    paths = Paths(place_of_all / "data", place_of_all / "cache", folder.parent / "config.toml")
    with Workbench(CheckSettings(), paths) as bench:
        for event in bench.check(TEXT, against=(folder,), place=place):
            if isinstance(event, Judged):
                yield event.index, event.verdict


def test_a_few_verdicts_come_before_the_other_claims_are_read(
    documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: set[str] = set()
    score = Verifier.score

    def noting(self: Verifier, pairs: Sequence[Pair]) -> Probabilities:
        read.update(claim for _, claim in pairs)
        return score(self, pairs)

    monkeypatch.setattr(Verifier, "score", noting)
    verdicts = judged(documents, 0, "few")
    assert next(verdicts)[0] == 0  # what is not checkable needs no reading
    assert next(verdicts)[0] == 1
    assert 0 < len(read) <= 2
    verdicts.close()  # type: ignore[attr-defined]


def test_the_claims_from_the_place_on_come_first_with_the_same_verdicts(documents: Path) -> None:
    as_they_stand = list(judged(documents, 0, "first"))
    from_the_bees = list(judged(documents, TEXT.index("sleep"), "second"))
    assert [index for index, _ in as_they_stand] == [0, 1, 2, 3, 4, 5, 6]
    assert [index for index, _ in from_the_bees] == [0, 5, 6, 1, 2, 3, 4]
    assert dict(from_the_bees) == dict(as_they_stand)
