"""The encoder agrees with the original network, and a text's company changes nothing."""

from contextlib import closing

import numpy as np
import pytest
from numpy.typing import NDArray

from veracite.models.bundled import bundled_encoder
from veracite.models.encoder import Encoder, matched_threshold, sample_vectors

Vectors = NDArray[np.float32]


@pytest.fixture(scope="module")
def long_texts(sentences: list[str]) -> list[str]:
    """Texts that fill and overflow the model's 256 tokens, and some in between."""
    return [" ".join(sentences[start : start + 1 + start % 13]) for start in range(0, 160, 8)]


def test_it_agrees_with_the_original_network(
    encoder: Encoder, sentences: list[str], reference_vectors: Vectors
) -> None:
    assert len(sentences) == len(reference_vectors) == 200
    cosines = (encoder.encode(sentences[::4]) * reference_vectors[::4]).sum(axis=1)
    assert cosines.min() >= 0.99


def test_a_text_has_the_same_bits_alone_and_in_any_company_order_and_number_of_threads(
    encoder: Encoder, sentences: list[str], long_texts: list[str]
) -> None:
    texts = [*long_texts[:5], *sentences[::10], *sentences[::25]]
    together = encoder.encode(texts)
    assert encoder.encode(texts[::-1])[::-1].tobytes() == together.tobytes()
    for threads in (1, 3):
        with closing(bundled_encoder(threads)) as other:
            assert other.encode(texts).tobytes() == together.tobytes()
    for place in (0, 4, 9, 30):
        assert encoder.encode([texts[place]])[0].tobytes() == together[place].tobytes()


@pytest.mark.parametrize(
    "text", ["", " \n\t", "\0\x1b[31m", "\ud800 lone", "日本語の文", "x" * 5000, "🜚" * 300]
)
def test_any_text_has_a_vector(encoder: Encoder, text: str) -> None:
    vector = encoder.encode([text])[0]
    assert np.isfinite(vector).all()
    np.testing.assert_allclose((vector**2).sum(), 1, atol=1e-6)


def test_what_exceeds_the_length_is_not_read(encoder: Encoder) -> None:
    full = "word " * 254
    within, at_the_end, beyond = encoder.encode([full, "word " * 253 + "other", full + "other"])
    assert within.tobytes() == beyond.tobytes()
    assert within.tobytes() != at_the_end.tobytes()


def test_the_bundled_encoders_threshold_is_found_again(encoder: Encoder) -> None:
    threshold, _ = matched_threshold(sample_vectors(encoder), encoder)
    assert threshold == encoder.threshold
