"""Premise first; the premise is cut, never the claim; and a pair's company changes nothing."""

import json
import random
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from networks import counting_network

from veracite.models.bundled import BUNDLED, bundled_verifier
from veracite.models.errors import Cancelled, ModelError
from veracite.models.verifier import LABELS, Pair, Verifier

MakeVerifier = Callable[..., Verifier]

STORED = Path(__file__).parent / "reference_pairs.json"


@pytest.fixture(scope="module")
def references() -> list[dict[str, Any]]:
    """Pairs with the logits of the trained network in floats, straight and swapped."""
    pairs: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))
    return pairs


@pytest.fixture
def pairs(sentences: list[str]) -> list[Pair]:
    premises = [" ".join(sentences[start : start + 1 + start % 9]) for start in range(0, 120, 3)]
    return [(premise, sentences[-1 - i]) for i, premise in enumerate(premises)]


def counts(verifier: Verifier, premise: str, claim: str) -> tuple[int, int]:
    """How many tokens of each the network was given, without special tokens."""
    supported, neutral, one = verifier.score([(premise, claim)])[0].astype(float)
    return round(supported / one) - 2, round(neutral / one) - 1


def test_the_premise_stands_first(counting_verifier: MakeVerifier) -> None:
    assert counts(counting_verifier(), "one two three four five", "six seven") == (5, 2)


def test_a_long_premise_is_cut_and_the_claim_is_not(counting_verifier: MakeVerifier) -> None:
    assert counts(counting_verifier(), "word " * 1000, "word " * 100) == (153, 100)


def test_an_absurdly_long_claim_is_cut_too(counting_verifier: MakeVerifier) -> None:
    assert counts(counting_verifier(), "word " * 1000, "word " * 1000) == (53, 200)


def test_premise_and_claim_may_be_empty(counting_verifier: MakeVerifier) -> None:
    assert counts(counting_verifier(), "", "") == (0, 0)


def test_room_is_what_the_claim_leaves(counting_verifier: MakeVerifier) -> None:
    verifier = counting_verifier()
    claim = "word " * 20
    assert verifier.room(claim) == 256 - 3 - 20
    assert verifier.fits("word " * 233, claim)
    assert not verifier.fits("word " * 234, claim)
    assert verifier.room("word " * 1000) == 53


@pytest.fixture
def own_files(tmp_path: Path) -> Path:
    """A verifier with a tokenizer of its own beside the others: <s> premise </s></s> claim </s>."""
    tokenizer = json.loads((BUNDLED / "tokenizer.json").read_bytes())
    tokenizer["post_processor"] = {
        "type": "RobertaProcessing",
        "cls": ["[MASK]", 103],
        "sep": ["[SEP]", 102],
        "trim_offsets": True,
        "add_prefix_space": False,
    }
    files = {"own.json": json.dumps(tokenizer).encode(), "verifier.onnx": counting_network()}
    said = {
        "name": "own",
        "version": "1",
        "file": "verifier.onnx",
        "sha256": sha256(files["verifier.onnx"]).hexdigest(),
        "tokenizer": "own.json",
        "tokenizer_sha256": sha256(files["own.json"]).hexdigest(),
        "licence": "MIT",
        "origin": "made on the spot",
        "max_length": 384,
        "labels": list(LABELS),
        "temperature": 1.0,
        "inputs": ["input_ids", "attention_mask", "token_type_ids"],
    }
    for name, content in (files | {"verifier.json": json.dumps(said).encode()}).items():
        (tmp_path / name).write_bytes(content)
    for name in ("encoder.json", "tokenizer.json"):
        (tmp_path / name).write_bytes((BUNDLED / name).read_bytes())
    return tmp_path


def test_a_verifier_may_have_a_tokenizer_of_its_own(own_files: Path) -> None:
    verifier = bundled_verifier(folder=own_files)
    tokenizer = verifier._tokenizer
    assert (tokenizer.first, tokenizer.between, tokenizer.last) == (103, [102, 102], 102)
    # Three special tokens go with the premise now.
    assert counts(verifier, "one two three", "four five") == (3 + 1, 2)
    claim = "word " * 20
    assert verifier.room(claim) == 384 - 4 - 20
    assert counts(verifier, "word " * 1000, claim) == (360 + 1, 20)
    verifier.close()


def test_without_one_it_reads_as_the_encoder_does(own_files: Path) -> None:
    said = json.loads((own_files / "verifier.json").read_bytes())
    del said["tokenizer"], said["tokenizer_sha256"]
    (own_files / "verifier.json").write_text(json.dumps(said))
    verifier = bundled_verifier(folder=own_files)
    assert counts(verifier, "one two three", "four five") == (3, 2)
    verifier.close()
    (own_files / "tokenizer.json").write_bytes(b"{}")
    with pytest.raises(ModelError, match="missing or damaged"):
        bundled_verifier(folder=own_files)


def test_columns_follow_the_labels_of_the_manifest(counting_verifier: MakeVerifier) -> None:
    verifier = counting_verifier(labels=("contradicted", "supported", "neutral"))
    # The network's columns are in proportion 5 : 3 : 1.
    np.testing.assert_allclose(verifier.score([("a b c", "d e")]), [[3 / 9, 1 / 9, 5 / 9]], 1e-5)


def test_the_temperature_flattens(counting_verifier: MakeVerifier) -> None:
    flat = counting_verifier(temperature=2.0).score([("a b c d e f g", "h i j")])
    np.testing.assert_allclose(flat, [[3 / 6, 2 / 6, 1 / 6]], rtol=1e-5)


def test_other_labels_are_refused(counting_verifier: MakeVerifier) -> None:
    with pytest.raises(ModelError, match="labels"):
        counting_verifier(labels=("yes", "no", "maybe"))


def test_no_pairs_give_an_empty_array(counting_verifier: MakeVerifier) -> None:
    probabilities = counting_verifier().score([])
    assert probabilities.shape == (0, 3)
    assert probabilities.dtype == np.float32


def test_results_come_in_the_order_of_the_pairs(counting_verifier: MakeVerifier) -> None:
    lengths = [3, 200, 50, 1, 120, 7] * 10
    rows = counting_verifier().score([("word " * length, "claim") for length in lengths])
    assert np.rint(rows[:, 0] / rows[:, 2] - 2).astype(int).tolist() == lengths


def test_cancelling_stops_the_stream(counting_verifier: MakeVerifier) -> None:
    verifier = counting_verifier()
    begun = verifier.stream([("word " * length, "claim") for length in range(1, 200)])
    next(begun)
    verifier.cancel()
    with pytest.raises(Cancelled):
        next(begun)
    assert len(verifier.score([("premise", "claim")])) == 1


def test_a_pair_has_the_same_bits_alone_and_in_any_company(
    verifier: Verifier, pairs: list[Pair]
) -> None:
    together = verifier.score(pairs)
    order = random.Random(0).sample(range(len(pairs)), len(pairs))
    assert verifier.score([pairs[i] for i in order]).tobytes() == together[order].tobytes()
    for position in range(0, len(pairs), 3):
        assert verifier.score([pairs[position]])[0].tobytes() == together[position].tobytes()


def test_the_number_of_threads_changes_no_bits(verifier: Verifier, pairs: list[Pair]) -> None:
    single = bundled_verifier(threads=1)
    assert single.score(pairs[:12]).tobytes() == verifier.score(pairs[:12]).tobytes()
    single.close()


def test_probabilities_are_those_of_the_original_network(
    verifier: Verifier, references: list[dict[str, Any]]
) -> None:
    rows = verifier.score([(r["premise"], r["claim"]) for r in references])
    np.testing.assert_allclose(rows.sum(axis=1), 1, atol=1e-6)
    close(rows, expected(verifier, references, "logits"))


def test_swapping_premise_and_claim_is_another_question(
    verifier: Verifier, references: list[dict[str, Any]]
) -> None:
    rows = verifier.score([(r["claim"], r["premise"]) for r in references])
    swapped = expected(verifier, references, "swapped_logits")
    close(rows, swapped)
    straight = expected(verifier, references, "logits")
    assert np.abs(straight - swapped).max() > 0.3


def close(rows: Any, floats: Any) -> None:
    """Integers change a probability little, and hardly ever by more than a few hundredths."""
    np.testing.assert_allclose(rows, floats, atol=0.1)
    assert np.abs(rows - floats).mean() < 0.02


def expected(verifier: Verifier, references: list[dict[str, Any]], which: str) -> Any:
    """The stored logits as probabilities, at the temperature in use."""
    logits = np.array([reference[which] for reference in references])
    weights = np.exp(logits / float(verifier.manifest.details["temperature"]))
    return weights / weights.sum(axis=1, keepdims=True)
