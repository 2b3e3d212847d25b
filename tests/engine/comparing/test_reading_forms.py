"""A premise that is read in several forms has one reading."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from readings import claim, evidence, sentences_of

from veracite.engine.comparing.reading import Reading, agreed
from veracite.engine.judging.decision import bundled_decision
from veracite.engine.judging.verify import Judge


def test_one_form_keeps_its_bits() -> None:
    row = np.array([[0.1, 0.2, 0.7]], np.float32)
    assert agreed(row).tobytes() == row[0].tobytes()


def test_two_forms_meet_at_their_geometric_mean() -> None:
    rows = np.array([[0.8, 0.1, 0.1], [0.2, 0.4, 0.4]], np.float32)
    assert agreed(rows) == pytest.approx([0.5, 0.25, 0.25])
    assert agreed(rows[::-1]).tobytes() == agreed(rows).tobytes()


def test_a_form_that_is_sure_of_nothing_leaves_the_other_a_say() -> None:
    rows = np.array([[0.0, 1.0, 0.0], [0.9, 0.05, 0.05]], np.float32)
    assert np.isfinite(agreed(rows)).all()
    assert agreed(rows).argmax() == 1


class _Headed:
    """Reads a heading as denial and its absence as support."""

    id = "scripted"

    def fits(self, premise: str, claim: str, /) -> bool:
        return True

    def score(self, pairs: Sequence[tuple[str, str]], /) -> NDArray[np.float32]:
        headed, bare = (0.1, 0.1, 0.8), (0.8, 0.1, 0.1)
        rows = [headed if premise.startswith("Mill:") else bare for premise, _ in pairs]
        return np.array(rows, np.float32)


def read(heading: str | None) -> Reading:
    items = [evidence("a", ["The mill burned down.", "A bridge was built."], heading=heading)]
    judge = Judge(_Headed(), bundled_decision(), 0.6, sentences_of, lambda document: "")
    ((_, reading),) = judge.read([claim("The mill burned down.")], [items])
    return reading


def test_sentences_count_with_and_without_their_heading_and_passages_with_it() -> None:
    headed, bare = read("Mill"), read(None)
    assert headed.of_passages.tolist() == [pytest.approx([0.1, 0.1, 0.8])]
    middle = pytest.approx([0.4249, 0.1502, 0.4249], abs=1e-3)
    assert [*headed.of_sentences.tolist(), headed.jointly.tolist()] == [middle] * 3
    assert bare.probabilities.tolist() == [pytest.approx([0.8, 0.1, 0.1])] * 4
