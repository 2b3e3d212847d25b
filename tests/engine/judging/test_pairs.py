"""What the verifier is given to read of a claim."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from readings import claim, evidence, raw_text_of, sentences_of

from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge

MILL = evidence("mill", ["The mill was built in Marden.", "It stands by the river."])


class Recorder:
    """Takes nothing for anything, and keeps what it was asked."""

    id = "recorder"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def fits(self, _premise: str, _claim: str, /) -> bool:
        return True

    def score(self, pairs: Sequence[tuple[str, str]], /) -> NDArray[np.float32]:
        self.asked += pairs
        return np.full((len(pairs), 3), 1 / 3, dtype=np.float32)


def test_a_claim_is_read_without_its_asides_and_shown_with_them() -> None:
    recorder = Recorder()
    judge = Judge(recorder, bundled_decision(), 0.6, sentences_of, raw_text_of(MILL))
    said = claim("The mill was built in Marden, of all places.")

    ((_, verdict, _),) = judge.judge([said], [[MILL]])

    assert {asked for _, asked in recorder.asked} == {"The mill was built in Marden."}
    assert verdict.claim.statement == "The mill was built in Marden, of all places."
