"""The shipped network is a checkpoint: training goes on from it, also after an interruption."""

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from scripts.training import integer
from scripts.training.pairs import Pair, write_pairs
from veracite.models.bundled import BUNDLED

WIDTH, HEADS, LONGEST = 16, 2, 256


def written(path: Path) -> integer.Weights:
    """Writes a network of two layers and chance, and returns its weights."""
    layers = [f"encoder.layer.{n}" for n in range(2)]
    matrices = {"head": (3, 3 * WIDTH)}
    for layer in layers:
        for part in ("query", "key", "value"):
            matrices[f"{layer}.{integer.SELF}.{part}"] = (WIDTH, WIDTH)
        matrices[f"{layer}.{integer.OUT}"] = (WIDTH, WIDTH)
        matrices[f"{layer}.{integer.UP}"] = (32, WIDTH)
        matrices[f"{layer}.{integer.DOWN}"] = (WIDTH, 32)
    norms = [
        "embeddings",
        *(f"{at}.{of}" for at in layers for of in ("attention.output", "output")),
    ]
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (20_000, WIDTH),
        "embeddings.position_embeddings.weight": (LONGEST, WIDTH),
        "encoder.distances": (HEADS, 2 * LONGEST - 1),
        **{f"{name}.weight": shape for name, shape in matrices.items()},
        **{f"{name}.bias": shape[:1] for name, shape in matrices.items()},
        **{f"{name}.LayerNorm.{kind}": (WIDTH,) for name in norms for kind in ("weight", "bias")},
    }
    chance = np.random.default_rng(0)
    weights = {name: chance.normal(size=s).astype(np.float32) for name, s in shapes.items()}
    inputs = {integer.SELF: WIDTH, integer.OUT: WIDTH, integer.UP: WIDTH, integer.DOWN: 32}
    ranges = {
        f"{layer}.{place}": integer.Range(0.05, 128, np.linspace(0.8, 1, width, dtype=np.float32))
        for layer in layers
        for place, width in inputs.items()
    }
    onnx.save(integer.network(weights, ranges, HEADS), str(path))
    return weights


def test_a_network_gives_its_weights_back_and_so_does_the_shipped_one(tmp_path: Path) -> None:
    weights = written(tmp_path / "verifier.onnx")

    stored = integer.stored(tmp_path / "verifier.onnx")

    assert set(stored) == set(weights)
    for name, value in weights.items():
        # Integers differ by half a step of at most a 63rd of the largest weight.
        most = np.abs(value).max() / 100 if value.ndim == 2 else 0.0
        assert np.abs(stored[name] - value).max() <= most, name
    shipped = integer.stored(BUNDLED / "verifier.onnx")
    assert shipped["embeddings.word_embeddings.weight"].shape == (20_000, 768)
    assert shipped["head.weight"].shape == (3, 3 * 768)


def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    trainer = importlib.import_module("scripts.training.train_verifier")
    written(tmp_path / "verifier.onnx")
    pairs = [
        Pair("x", f"The mill has {n} wheels.", f"It has {n + n % 2}.", n % 3) for n in range(40)
    ]
    write_pairs(tmp_path / "pairs.jsonl", pairs)

    def run(out: str, most: int) -> Any:
        (tmp_path / out).mkdir(exist_ok=True)
        told = f"--pairs {tmp_path}/pairs.jsonl --start {tmp_path}/verifier.onnx --batch 8 --floats"
        told += f" --freeze 1 --total 40 --out {tmp_path / out} --most {most}"
        training = trainer.Run(trainer.options(told.split()))
        training.run()
        return training

    whole = run("whole", 40)
    run("parts", 16)
    resumed = run("parts", 40)

    assert resumed.seen == whole.seen == 40
    start = integer.stored(tmp_path / "verifier.onnx")
    trunk = whole.average.module.trunk.state_dict()
    first, last = (f"encoder.layer.{n}.intermediate.dense.weight" for n in range(2))
    assert np.array_equal(trunk[first].numpy(), start[first])
    assert not np.array_equal(trunk[last].numpy(), start[last])
    for name, value in whole.average.state_dict().items():
        assert np.array_equal(resumed.average.state_dict()[name].numpy(), value.numpy()), name
