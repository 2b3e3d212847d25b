"""The shipped network is a checkpoint: training can go on from it."""

from pathlib import Path

import numpy as np
import onnx

from scripts.training import integer
from veracite.models.bundled import BUNDLED

SMALL = {768: 16, 3 * 768: 48, 3072: 32, 12: 2}
"""The sizes of a small network by those of the shipped one."""
INPUTS = {integer.SELF: 16, integer.OUT: 16, integer.UP: 16, integer.DOWN: 32}


def test_the_shipped_network_gives_weights_back_that_another_is_made_of(tmp_path: Path) -> None:
    weights = {
        name: np.ascontiguousarray(value[tuple(slice(SMALL.get(n, n)) for n in value.shape)])
        for name, value in integer.stored(BUNDLED / "verifier.onnx").items()
        if not name.startswith("encoder.layer.") or name.split(".")[2] in "01"
    }
    steps = {width: np.linspace(0.8, 1, width, dtype=np.float32) for width in (16, 32)}
    ranges = {
        f"encoder.layer.{layer}.{place}": integer.Range(0.05, 128, steps[width])
        for layer in range(2)
        for place, width in INPUTS.items()
    }
    onnx.save(integer.network(weights, ranges, 2), str(tmp_path / "verifier.onnx"))
    stored = integer.stored(tmp_path / "verifier.onnx")
    assert set(stored) == set(weights)
    for name, value in weights.items():
        # Integers differ by half a step of at most a 63rd of the largest weight.
        most = np.abs(value).max() / 100 if value.ndim == 2 else 0.0
        assert np.abs(stored[name] - value).max() <= most, name
