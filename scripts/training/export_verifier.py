"""Export a trained verifier to ONNX with integer products and check what these changed.

Writes into ``--out``: ``verifier.onnx`` (see ``integer``), ``tokenizer.json`` (that of
``--vocabulary``, see ``vocabulary``, whose pieces alone are kept), the manifest ``verifier.json``
with the temperature fitted on the checks, and ``reference_pairs.json`` for a regression test:
logits of the module in floats. The ranges of the activations come from pairs that it was trained
on.

    python -m scripts.training.export_verifier --checkpoint DIR --mpnet DIR --vocabulary DIR \\
        --pairs FILE --checks FILE --out DIR
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
import torch
from scipy.optimize import minimize_scalar
from scipy.special import softmax
from tokenizers import Tokenizer

from scripts.training.batches import MAX_LENGTH, encoded, tokenizer
from scripts.training.calibrate import calibrate
from scripts.training.integer import INPUTS, network
from scripts.training.pairs import LABELS, read_lines
from scripts.training.transformer import Transformer, of_checkpoint, stored

Logits = npt.NDArray[np.float32]
REFERENCES = Path(__file__).parents[2] / "tests" / "models" / "reference_pairs.json"
"""Twenty pairs whose logits a regression test compares."""

TRAINED_ON = {
    "MNLI development (matched, mismatched)": "OANC and others, free to use",
    "SNLI development, test": "CC BY-SA 4.0",
    "SICK, SciTail, RTE, FraCaS, CommitmentBank (NLI_datasets collection)": "MIT collection",
    "Watson multilingual NLI sample, English rows": "MNLI",
    "FEVER development claims with gold evidence": "CC BY-SA 3.0",
    "FEVER-Symmetric": "MIT",
    "Fool Me Twice": "CC BY-SA 3.0",
    "WiCE": "ODC-BY",
    "ContractNLI": "Apache-2.0",
    "CitInt": "MIT",
    "Factcheck-GPT": "Apache-2.0",
    "ExpertQA": "MIT",
    "generated from QED": "CC BY-SA 3.0",
    "generated from XQuAD (English)": "CC BY-SA 4.0",
    "generated from WikiText-2, Wikipedia passages": "CC BY-SA 3.0",
    "written for it (scripts/training/written_pairs)": "Apache-2.0",
}


Pairs = list[tuple[str, str]]


def logits_of(path: Path, tokens: Tokenizer, pairs: Pairs) -> Logits:
    """Judge pairs one at a time by an exported network."""
    model = ort.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    found = np.zeros((len(pairs), 3), np.float32)
    for row, (ids, _, types) in enumerate(encoded(tokens, pairs)):
        inputs = dict(zip(INPUTS, (np.array([ids]), np.array([types])), strict=True))
        found[row] = model.run(["logits"], inputs)[0]
    return found


@torch.inference_mode()
def float_logits(model: Transformer, tokens: Tokenizer, pairs: Pairs) -> Logits:
    """The same by the module, in floats."""
    found = np.zeros((len(pairs), 3), np.float32)
    for row, pair in enumerate(encoded(tokens, pairs)):
        found[row] = model(*(torch.tensor([given]) for given in pair)).numpy()
    return found


def export(model: Transformer, tokens: Tokenizer, pairs: Pairs, path: Path) -> None:
    """Write the network, its ranges taken from these pairs."""
    given = stored(model.state_dict(), MAX_LENGTH)
    weights = {name: value.numpy() for name, value in given.items()}
    made = network(weights, calibrate(model, tokens, pairs), model.heads)
    onnx.checker.check_model(made)
    onnx.save(made, str(path))


def fit_temperature(logits: Logits, labels: npt.NDArray[np.int64]) -> float:
    """Return the temperature with the least log loss of 'supported or not'."""

    def loss(log_temperature: float) -> float:
        supported = softmax(logits / np.exp(log_temperature), axis=1)[:, 0]
        likely = np.where(labels == 0, supported, 1.0 - supported)
        return float(-np.log(np.clip(likely, 1e-6, 1)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-1.5, 1.5), method="bounded").x))


def sampled(path: Path, count: int, seed: int) -> tuple[Pairs, npt.NDArray[np.int64]]:
    """Return some of a file's pairs with their labels."""
    rows = [json.loads(line) for line in read_lines(path)]
    chosen = random.Random(seed).sample(rows, min(count, len(rows)))
    pairs = [(row["premise"], row["claim"]) for row in chosen]
    return pairs, np.array([row["label"] for row in chosen], np.int64)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _references(model: Transformer, tokens: Tokenizer) -> list[dict[str, object]]:
    """The pairs of the regression test, with what this module says of them."""
    known = json.loads(REFERENCES.read_text(encoding="utf-8"))
    pairs = [(row["premise"], row["claim"]) for row in known]
    straight = float_logits(model, tokens, pairs)
    swapped = float_logits(model, tokens, [(c, p) for p, c in pairs])
    return [
        {
            "premise": p,
            "claim": c,
            "logits": [round(float(x), 5) for x in a],
            "swapped_logits": [round(float(x), 5) for x in b],
        }
        for (p, c), a, b in zip(pairs, straight, swapped, strict=True)
    ]


def deliver(given: argparse.Namespace) -> None:
    """Write everything to a temporary folder, check it, then move it into place."""
    given.out.mkdir(parents=True, exist_ok=True)
    tokens = tokenizer(given.vocabulary)
    whole = of_checkpoint(given.mpnet, given.checkpoint)
    kept = json.loads((given.vocabulary / "kept.json").read_text("utf-8"))
    whole.words.weight.data = whole.words.weight.data[kept]
    with tempfile.TemporaryDirectory(dir=given.out) as made:
        folder = Path(made)
        chosen, _ = sampled(given.pairs, given.calibration, 1)
        export(whole, tokens, chosen, folder / "verifier.onnx")
        sample, _ = sampled(given.checks, given.compared, 0)
        a = float_logits(whole, tokens, sample)
        b = logits_of(folder / "verifier.onnx", tokens, sample)
        changed = np.abs(softmax(a, axis=1) - softmax(b, axis=1))
        agree = float((a.argmax(1) == b.argmax(1)).mean())
        print(
            f"integers against floats, {len(sample)} pairs: probabilities differ by "
            f"{changed.mean():.4f} on average, 99 % of the pairs by at most "
            f"{np.quantile(changed.max(1), 0.99):.4f}, all by at most {changed.max():.4f}; "
            f"same class {agree:.3f}"
        )
        pairs, labels = sampled(given.checks, given.limit, 2)
        temperature = fit_temperature(logits_of(folder / "verifier.onnx", tokens, pairs), labels)
        manifest = {
            "name": given.name,
            "labels": list(LABELS),
            "max_length": MAX_LENGTH,
            "inputs": list(INPUTS),
            "batch": "pairs of one length and one cut between premise and claim; no padding",
            "pair": "<s> premise </s></s> claim </s>; truncate the premise only",
            "separators_between": 2,
            "joint_separator": " \u2026 ",
            "heading_separator": ": ",
            "pooling": "[CLS], mean and maximum over the claim's tokens",
            "temperature": round(temperature, 4),
            "fitted_on": f"{len(pairs)} pairs that did not train it",
            "date": datetime.now(UTC).date().isoformat(),
            "base": "sentence-transformers/all-mpnet-base-v2 (Apache-2.0), its lowest layers",
            "base_sha256": _digest(given.mpnet / "model.safetensors"),
            "layers": len(whole.layers),
            "word_pieces": len(kept),
            "sha256": _digest(folder / "verifier.onnx"),
            "quantisation": "int8 weights per channel, uint8 activations with one range each; "
            "exact 32-bit sums",
            "mean_probability_difference": round(float(changed.mean()), 4),
            "worst_probability_difference": round(float(changed.max()), 4),
            "trained_on": TRAINED_ON,
        }
        for name, value in (
            ("verifier.json", manifest),
            ("reference_pairs.json", _references(whole, tokens)),
        ):
            text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
            (folder / name).write_text(text, encoding="utf-8")
        shutil.copy(given.vocabulary / "tokenizer.json", folder / "tokenizer.json")
        for file in sorted(folder.iterdir()):
            file.replace(given.out / file.name)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("checkpoint", "mpnet", "vocabulary", "pairs", "checks", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1500, help="pairs for the temperature")
    parser.add_argument("--calibration", type=int, default=400, help="pairs for the ranges")
    parser.add_argument("--compared", type=int, default=300, help="pairs judged in floats as well")
    parser.add_argument("--name", default="veracite-verifier-7")
    deliver(parser.parse_args())


if __name__ == "__main__":
    main()
