"""Premise first; the premise is cut, never the claim; and a pair's company changes nothing."""

import json
import random
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from veracite.models.bundled import bundled_verifier
from veracite.models.errors import Cancelled
from veracite.models.verifier import Pair, Verifier

REFERENCES = Path(__file__).parent / "reference_pairs.json"
"""Pairs with the logits of the trained network in floats, straight and swapped."""


@pytest.fixture
def pairs(sentences: list[str]) -> list[Pair]:
    premises = [" ".join(sentences[start : start + 1 + start % 9]) for start in range(0, 120, 3)]
    return [(premise, sentences[-1 - i]) for i, premise in enumerate(premises)]


def counts(verifier: Verifier, premise: str, claim: str) -> tuple[int, int]:
    """How many tokens of each the network was given, without special tokens."""
    supported, neutral, one = verifier.score([(premise, claim)])[0].astype(float)
    return round(supported / one) - 2, round(neutral / one) - 1


def test_a_long_premise_is_cut_and_the_claim_is_not(counting_verifier: Verifier) -> None:
    assert counts(counting_verifier, "word " * 1000, "word " * 100) == (153, 100)


def test_cancelling_stops_the_stream(counting_verifier: Verifier) -> None:
    begun = counting_verifier.stream([("word " * length, "claim") for length in range(1, 200)])
    next(begun)
    counting_verifier.cancel()
    with pytest.raises(Cancelled):
        next(begun)
    assert len(counting_verifier.score([("premise", "claim")])) == 1


def test_a_pair_has_the_same_bits_alone_in_any_company_and_by_one_thread(
    verifier: Verifier, pairs: list[Pair]
) -> None:
    together = verifier.score(pairs)
    order = random.Random(0).sample(range(len(pairs)), len(pairs))
    assert verifier.score([pairs[i] for i in order]).tobytes() == together[order].tobytes()
    for position in range(0, len(pairs), 3):
        assert verifier.score([pairs[position]])[0].tobytes() == together[position].tobytes()
    with closing(bundled_verifier(threads=1)) as single:
        assert single.score(pairs[:12]).tobytes() == together[:12].tobytes()


def test_probabilities_are_those_of_the_original_network(verifier: Verifier) -> None:
    """Integers change a probability little, and seldom by more than a few hundredths."""
    references = json.loads(REFERENCES.read_text(encoding="utf-8"))
    rows = verifier.score([(r["premise"], r["claim"]) for r in references])
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-6)
    logits = np.array([reference["logits"] for reference in references])
    weights = np.exp(logits / float(verifier.manifest.details["temperature"]))
    changed = np.abs(rows - weights / weights.sum(axis=1, keepdims=True))
    assert changed.mean() < 0.03
    assert np.quantile(changed, 0.9) < 0.06
    assert changed.max() < 0.35
