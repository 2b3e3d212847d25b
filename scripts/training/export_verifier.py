"""Make a network of integers of a trained verifier, and check what the integers changed.

    python -m scripts.training.export_verifier --state DIR/state.pt --pairs FILE --checks FILE \\
        --name veracite-verifier-9 --out models/bundled

Writes into ``--out``: ``verifier.onnx`` (see ``integer``), its manifest ``verifier.json`` with the
temperature fitted on the checks, and ``reference_pairs.json`` for a regression test (it belongs
into tests/models): logits of the module in floats. The ranges of the activations come from pairs
that it was trained on. What it was trained on before stays in the manifest: add what is new there
and in models/bundled/NOTICE.
"""

import hashlib
import json
import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
import torch
from scipy.optimize import minimize_scalar
from scipy.special import softmax

from scripts.training.calibrate import calibrate
from scripts.training.integer import INPUTS, network
from scripts.training.network import Encoded, Verifier, arrays, logits_of, opened
from scripts.training.pairs import SUPPORTED, Pair, options, read_pairs
from veracite.models.bundled import BUNDLED

Logits = npt.NDArray[np.float32]
REFERENCES = Path(__file__).parents[2] / "tests" / "models" / "reference_pairs.json"
"""Twenty pairs whose logits a regression test compares."""
FITTED, CALIBRATION, COMPARED = 1500, 400, 300
"""Pairs for the temperature, for the ranges, and those that are judged in floats as well."""


def trained(start: Path, state: Path, share: float) -> Verifier:
    """Return the averaged verifier of a training that began with an exported network.

    With a share below 1, it lies so far on the straight way from the one to the other: what was
    learnt before is kept better (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
    """
    model = opened(start)
    before = model.state_dict()
    learnt = torch.load(state, map_location="cpu")["average"]
    mixed = {name: before[name].lerp(value, share) for name, value in learnt.items()}
    model.load_state_dict(mixed, strict=False)
    return model


def export(model: Verifier, pairs: Sequence[Pair], path: Path) -> None:
    """Write the network, its ranges taken from these pairs."""
    heads = model.trunk.config.num_attention_heads
    ranges = calibrate(model.trunk, lambda: logits_of(model, pairs))
    made = network(arrays(model), ranges, heads)
    onnx.checker.check_model(made)
    onnx.save(made, str(path))


def exported_logits(path: Path, pairs: Sequence[Pair]) -> Logits:
    """Judge pairs one at a time by an exported network."""
    session = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    encoded = Encoded(pairs)
    found = []
    for place in range(len(pairs)):
        ids, _, types = encoded.batch([place])
        given = dict(zip(INPUTS, (ids.numpy(), types.numpy()), strict=True))
        found.append(session.run(["logits"], given)[0])
    return np.concatenate(found)


def fit_temperature(logits: Logits, supported: npt.NDArray[np.bool_]) -> float:
    """Return the temperature with the least log loss of 'supported or not'."""

    def loss(log_temperature: float) -> float:
        said = softmax(logits / np.exp(log_temperature), axis=1)[:, SUPPORTED]
        return float(-np.log(np.clip(np.where(supported, said, 1.0 - said), 1e-6, 1)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-1.5, 1.5), method="bounded").x))


def sampled(path: Path, count: int, seed: int) -> list[Pair]:
    """Return some of a file's pairs."""
    pairs = read_pairs(path)
    return random.Random(seed).sample(pairs, min(count, len(pairs)))


def references(model: Verifier) -> list[dict[str, object]]:
    """Return the pairs of the regression test, with what this module says of them."""
    rows = json.loads(REFERENCES.read_text(encoding="utf-8"))
    texts = [(row["premise"], row["claim"]) for row in rows]
    said = [
        logits_of(model, [Pair("", *two, 0) for two in some]).astype(np.float64).round(5).tolist()
        for some in (texts, [(claim, premise) for premise, claim in texts])
    ]
    names = ("premise", "claim", "logits", "swapped_logits")
    both = zip(texts, *said, strict=True)
    return [dict(zip(names, (*two, *logits), strict=True)) for two, *logits in both]


def main() -> None:
    """Write everything."""
    usual = {"start": BUNDLED / "verifier.onnx", "share": 1.0}
    given = options(__doc__, "--state", "--pairs", "--checks", "--out", name=str, **usual)
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / "verifier.onnx"
    partial = given.out / "verifier.partial"
    model = trained(given.start, given.state, given.share)
    export(model, sampled(given.pairs, CALIBRATION, 1), partial)
    compared = sampled(given.checks, COMPARED, 0)
    floats, whole = logits_of(model, compared), exported_logits(partial, compared)
    changed = np.abs(softmax(floats, axis=1) - softmax(whole, axis=1))
    print(
        f"integers against floats, {len(compared)} pairs: probabilities differ by "
        f"{changed.mean():.4f} on average, at most by {changed.max():.4f}; "
        f"same class {(floats.argmax(1) == whole.argmax(1)).mean():.3f}"
    )
    fitted = sampled(given.checks, FITTED, 2)
    right = np.array([pair.label == SUPPORTED for pair in fitted])
    manifest = json.loads((BUNDLED / "verifier.json").read_text("utf-8")) | {
        "name": given.name,
        "sha256": hashlib.sha256(partial.read_bytes()).hexdigest(),
        "temperature": round(fit_temperature(exported_logits(partial, fitted), right), 4),
        "fitted_on": f"{len(fitted)} pairs that did not train it",
        "date": datetime.now(UTC).date().isoformat(),
        "mean_probability_difference": round(float(changed.mean()), 4),
        "worst_probability_difference": round(float(changed.max()), 4),
    }
    for name, value in (("reference_pairs", references(model)), ("verifier", manifest)):
        text = json.dumps(value, indent=2 if name == "verifier" else 1, ensure_ascii=False) + "\n"
        (given.out / f"{name}.json").write_text(text, encoding="utf-8")
    partial.replace(path)


if __name__ == "__main__":
    main()
