"""Export a trained verifier to ONNX, quantise its weights and check what that changed.

Writes into ``--out``: ``verifier.fp32.onnx``, ``verifier.onnx`` (weight-only int8, see
``quantise``), ``tokenizer.json``, ``vocab.txt``, the manifest ``verifier.json`` with the
temperature fitted on the held-out examples, and ``reference_pairs.json`` for a regression test.
Inputs: input_ids, attention_mask, token_type_ids (int64, batch and sequence dynamic); output: the
logits
(batch, 3) = supported, neutral, contradicted.

    python -m scripts.training.export_verifier --checkpoint DIR --weights DIR --heldout FILE \\
        --checks FILE --out DIR
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
import onnxruntime as ort
import torch
from scipy.optimize import minimize_scalar
from tokenizers import Tokenizer

from scripts.training.model import MAX_LENGTH, trained
from scripts.training.pairs import LABELS
from scripts.training.quantise import quantise_weights
from scripts.training.references import REFERENCES
from scripts.training.shapes import headed
from scripts.training.train_verifier import tokenizer

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
Logits = npt.NDArray[np.float32]

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
    "SummEdits": "Apache-2.0",
    "ExpertQA": "MIT",
    "generated from QED": "CC BY-SA 3.0",
    "generated from XQuAD (English)": "CC BY-SA 4.0",
    "generated from WikiText-2, Wikipedia passages": "CC BY-SA 3.0",
}


def session(path: Path) -> ort.InferenceSession:
    """Open a model as the product does: weights are dequantised once, at loading."""
    options = ort.SessionOptions()
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    options.intra_op_num_threads = 2
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def logits_of(
    model: ort.InferenceSession, tokens: Tokenizer, pairs: list[tuple[str, str]], batch: int = 16
) -> Logits:
    """Judge pairs in length-sorted batches."""
    encoded = [tokens.encode(premise, claim) for premise, claim in pairs]
    order = sorted(range(len(pairs)), key=lambda i: len(encoded[i].ids))
    found = np.zeros((len(pairs), 3), np.float32)
    for start in range(0, len(order), batch):
        part = order[start : start + batch]
        width = max(len(encoded[i].ids) for i in part)
        arrays = {name: np.zeros((len(part), width), np.int64) for name in INPUTS}
        for row, i in enumerate(part):
            n = len(encoded[i].ids)
            arrays["input_ids"][row, :n] = encoded[i].ids
            arrays["attention_mask"][row, :n] = 1
            arrays["token_type_ids"][row, :n] = encoded[i].type_ids
        found[part] = model.run(["logits"], arrays)[0]
    return found


def chances(logits: Logits, temperature: float = 1.0) -> Logits:
    """Turn logits into probabilities."""
    scaled = logits / temperature
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def export(weights: Path, checkpoint: Path, path: Path) -> None:
    """Write the float32 model."""
    model = trained(weights, checkpoint, attention="eager").eval()
    ids = torch.randint(1000, 2000, (2, 12))
    types = torch.tensor([[0] * 8 + [1] * 4] * 2)
    axes = {name: {0: "batch", 1: "sequence"} for name in INPUTS}
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), types),
        str(path),
        input_names=list(INPUTS),
        output_names=["logits"],
        dynamic_axes={**axes, "logits": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )


def fit_temperature(logits: Logits, labels: npt.NDArray[np.int64]) -> float:
    """Return the temperature with the least log loss of 'supported or not'."""

    def loss(log_temperature: float) -> float:
        supported = chances(logits, float(np.exp(log_temperature)))[:, 0]
        likely = np.where(labels == 0, supported, 1.0 - supported)
        return float(-np.log(np.clip(likely, 1e-6, 1)).mean())

    return float(np.exp(minimize_scalar(loss, bounds=(-1.5, 1.5), method="bounded").x))


def heldout_pairs(path: Path, limit: int) -> tuple[list[tuple[str, str]], npt.NDArray[np.int64]]:
    """Return the held-out examples of one passage as pairs, with their labels."""
    pairs: list[tuple[str, str]] = []
    labels: list[int] = []
    for line in path.read_text("utf-8").split("\n"):
        row = json.loads(line) if line else {"passages": []}
        if len(row["passages"]) == 1:
            passage = row["passages"][0]
            pairs.append((headed(passage["heading"] or "", passage["text"]), row["claim"]))
            labels.append(LABELS.index(row["label"]))
    return pairs[:limit], np.array(labels[:limit], np.int64)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _references(float_model: ort.InferenceSession, tokens: Tokenizer) -> list[dict[str, object]]:
    straight = [logits_of(float_model, tokens, [pair])[0] for pair in REFERENCES]
    swapped = [logits_of(float_model, tokens, [(c, p)])[0] for p, c in REFERENCES]
    return [
        {
            "premise": p,
            "claim": c,
            "logits": [round(float(x), 5) for x in a],
            "swapped_logits": [round(float(x), 5) for x in b],
        }
        for (p, c), a, b in zip(REFERENCES, straight, swapped, strict=True)
    ]


def deliver(given: argparse.Namespace) -> None:
    """Write everything to a temporary folder, check it, then move it into place."""
    given.out.mkdir(parents=True, exist_ok=True)
    tokens = tokenizer(given.weights)
    with tempfile.TemporaryDirectory(dir=given.out) as made:
        folder = Path(made)
        export(given.weights, given.checkpoint, folder / "verifier.fp32.onnx")
        quantise_weights(folder / "verifier.fp32.onnx", folder / "verifier.onnx")
        whole, small = session(folder / "verifier.fp32.onnx"), session(folder / "verifier.onnx")
        rows = [json.loads(r) for r in given.checks.read_text("utf-8").split("\n") if r]
        sample = [(r["premise"], r["claim"]) for r in random.Random(0).sample(rows, 500)]
        a, b = logits_of(whole, tokens, sample), logits_of(small, tokens, sample)
        worst = float(np.abs(chances(a) - chances(b)).max())
        agree = float((a.argmax(1) == b.argmax(1)).mean())
        one = [("a b c d e f g", "h i j k")] * 16
        alike = bool((logits_of(small, tokens, one) == logits_of(small, tokens, one[:1])).all())
        print(
            f"int8 against fp32, 500 pairs: worst probability difference {worst:.4f}, "
            f"same class {agree:.3f}; same bits in batches of 1 and 16: {alike}"
        )
        pairs, labels = heldout_pairs(given.heldout, given.limit)
        temperature = fit_temperature(logits_of(small, tokens, pairs), labels)
        manifest = {
            "name": given.name,
            "labels": list(LABELS),
            "max_length": MAX_LENGTH,
            "inputs": list(INPUTS),
            "pair": "premise first, claim second; truncate the premise only",
            "joint_separator": " \u2026 ",
            "heading_separator": ": ",
            "pooling": "[CLS], mean and maximum over the claim's tokens",
            "temperature": round(temperature, 4),
            "fitted_on": f"{len(pairs)} held-out pairs",
            "date": datetime.now(UTC).date().isoformat(),
            "base": "sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)",
            "base_sha256": _digest(given.weights / "model.safetensors"),
            "sha256": _digest(folder / "verifier.onnx"),
            "quantisation": "per-channel int8 weights, float32 arithmetic; open with "
            "session.disable_quant_qdq=1",
            "worst_probability_difference": round(worst, 4),
            "trained_on": TRAINED_ON,
        }
        for name, value in (
            ("verifier.json", manifest),
            ("reference_pairs.json", _references(whole, tokens)),
        ):
            text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
            (folder / name).write_text(text, encoding="utf-8")
        for name in ("tokenizer.json", "vocab.txt"):
            shutil.copy(given.weights / name, folder / name)
        for file in sorted(folder.iterdir()):
            file.replace(given.out / file.name)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("checkpoint", "weights", "heldout", "checks", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=1500, help="pairs for the temperature")
    parser.add_argument("--name", default="veracite-verifier-1")
    deliver(parser.parse_args())


if __name__ == "__main__":
    main()
