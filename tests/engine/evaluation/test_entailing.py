"""The verifier as the judge of citations: one document, several, and too long ones."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from veracite.engine.evaluation.entailing import Entailment
from veracite.engine.evaluation.models import Models

MILL = "The Harrow mill burned down in 1904. It was never rebuilt."
BEES = "Bees sleep at night. A hive holds up to 60,000 bees."


def test_a_document_entails_what_it_says_and_not_more(models: Models) -> None:
    entails = Entailment(models.verifier)
    assert entails([MILL], "The Harrow mill burned down in 1904.")
    assert not entails([MILL], "The Harrow mill burned down in 1911.")
    assert not entails([BEES], "The Harrow mill burned down in 1904.")


def test_one_of_several_is_enough_and_none_entails_nothing(models: Models) -> None:
    entails = Entailment(models.verifier)
    assert entails([BEES, MILL], "The Harrow mill burned down in 1904.")
    assert not entails([], "The Harrow mill burned down in 1904.")


def test_what_stands_at_the_end_of_a_long_document_counts(models: Models) -> None:
    long = " ".join(f"Hive number {n} stands beside the road to Arden." for n in range(90))
    statement = "The Harrow mill burned down in 1904."
    assert not models.verifier.fits(f"{long} {MILL}", statement)
    assert Entailment(models.verifier)([f"{long} {MILL}"], statement)
    assert not Entailment(models.verifier)([long], statement)


class Verifier:
    """A premise of at most so many words; a statement is entailed if all its words are in it."""

    id = "words"

    def __init__(self, most: int) -> None:
        self.most = most
        self.asked: list[tuple[str, str]] = []

    def fits(self, premise: str, claim: str, /) -> bool:
        return len(premise.split()) <= self.most

    def score(self, pairs: Sequence[tuple[str, str]], /) -> NDArray[np.float32]:
        self.asked += pairs
        rows = []
        for premise, claim in pairs:
            read = set(premise.rstrip(".").replace(".", "").split()[: self.most])
            entailed = set(claim.rstrip(".").split()) <= read
            rows.append([0.9, 0.1, 0.0] if entailed else [0.1, 0.9, 0.0])
        return np.array(rows, dtype=np.float32)


def test_documents_together_entail_what_neither_does_alone() -> None:
    entails = Entailment(Verifier(20))
    assert entails(["Ann came.", "Bob left."], "Ann left")
    assert not entails(["Ann came."], "Ann left")
    assert not entails(["Bob left."], "Ann left")


def test_documents_too_long_to_be_joined_are_joined_by_their_nearest_sentences() -> None:
    filler = "Owls hoot there nightly. "
    verifier = Verifier(9)
    first, second = f"{filler}Ann bought mills.", f"{filler}Mills burned quickly. {filler}"
    assert Entailment(verifier)([first, second], "Ann burned")
    assert ("Ann bought mills. … Mills burned quickly.", "Ann burned") in [
        (premise, claim) for premise, claim in verifier.asked
    ]


def test_pieces_are_whole_sentences_that_fit_and_leave_nothing_out() -> None:
    verifier = Verifier(6)
    text = "One two three. Four five six. Seven eight nine ten eleven twelve thirteen. Fourteen."
    Entailment(verifier)([text], "Nothing")
    assert [premise for premise, _ in verifier.asked] == [
        "One two three. Four five six.",
        "Seven eight nine ten eleven twelve thirteen.",
        "Fourteen.",
    ]


def test_no_pair_is_judged_twice() -> None:
    verifier = Verifier(20)
    entails = Entailment(verifier)
    for premises in (["Ann came.", "Bob left."], ["Ann came."], ["Bob left."], ["Ann came."]):
        entails(premises, "Ann left")
    assert len(verifier.asked) == len({*verifier.asked}) == 3


@pytest.mark.parametrize(("least", "entailed"), [(0.85, True), (0.95, False)])
def test_the_least_probability_can_be_chosen(least: float, entailed: bool) -> None:
    assert Entailment(Verifier(20), least)(["Ann left."], "Ann left") is entailed
