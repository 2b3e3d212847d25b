"""A threshold is matched to the bundled encoder's on texts that ship with the package."""

import numpy as np
import pytest

from veracite.models.encoder import Encoder, matched_threshold, sample_texts


def test_the_bundled_encoders_threshold_is_found_again(encoder: Encoder) -> None:
    threshold, origin = matched_threshold(encoder.encode(sample_texts()))
    assert threshold == encoder.threshold
    assert encoder.manifest.name in origin


def test_a_threshold_follows_the_encoders_similarities(encoder: Encoder) -> None:
    """An encoder all of whose similarities lie higher gets a threshold that lies as much higher."""
    vectors = encoder.encode(sample_texts())
    lifted = np.hstack([vectors, np.ones((len(vectors), 1), dtype=np.float32)]) / np.sqrt(2)
    threshold, _ = matched_threshold(lifted)
    assert threshold == pytest.approx((1 + encoder.threshold) / 2, abs=0.01)
