"""The weights that train: a training that was stopped goes on as if it had not been."""

import copy
import importlib
from typing import Any

import pytest

torch = pytest.importorskip("torch")
master = importlib.import_module("scripts.training.master")


def made() -> tuple[Any, Any]:
    torch.manual_seed(0)
    model = torch.nn.ModuleDict(
        {
            "layers": torch.nn.ModuleList([torch.nn.Linear(3, 3) for _ in range(2)]),
            "head": torch.nn.Linear(3, 2),
        }
    )
    model["layers"][0].requires_grad_(False)
    weights = master.Master(
        model, head_times=5.0, fall=0.9, average=0.9, workers=2, kind=torch.float32
    )
    return model, weights


def stepped(model: Any, weights: Any, times: range) -> None:
    for seed in times:
        given = torch.randn(4, 3, generator=torch.Generator().manual_seed(seed))
        for layer in model["layers"]:
            given = layer(given)
        model["head"](given).pow(2).mean().backward()
        weights.step(0.01)


@pytest.mark.parametrize("averaged", [False, True])
def test_what_was_stored_goes_on_alike(averaged: bool) -> None:
    model, weights = made()
    stepped(model, weights, range(3))
    again, resumed = made()
    resumed.go_on(copy.deepcopy(weights.state()))
    stepped(model, weights, range(3, 6))
    stepped(again, resumed, range(3, 6))

    found = resumed.weights(averaged=averaged)

    assert set(found) == {"layers.1.weight", "layers.1.bias", "head.weight", "head.bias"}
    for name, value in weights.weights(averaged=averaged).items():
        assert torch.equal(found[name], value)


def test_gradients_of_all_workers_count() -> None:
    model, weights = made()
    before = weights.weights(averaged=False)
    weights.gradients[1].fill_(1.0)
    weights.step(0.01)

    assert all(
        (weights.weights(averaged=False)[name] < value).all() for name, value in before.items()
    )
    assert all(not gradient.any() for gradient in weights.gradients)
    assert model["head"].weight.equal(weights.weights(averaged=False)["head.weight"])
