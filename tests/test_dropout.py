"""Dropout of the training: a share of the values is 0, the mean stays, and 0 changes nothing."""

import importlib

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("safetensors")
transformer = importlib.import_module("scripts.training.transformer")


def test_a_share_is_left_out_and_the_rest_made_larger() -> None:
    ones = torch.ones(301, 333)
    torch.manual_seed(0)
    found = transformer._dropped(ones, 0.1)

    assert (found == 0).float().mean().item() == pytest.approx(26 / 256, abs=0.005)
    assert found.mean().item() == pytest.approx(1, abs=0.01)
    assert not torch.equal(found, transformer._dropped(ones, 0.1))
    assert transformer._dropped(ones, 0.0) is ones
