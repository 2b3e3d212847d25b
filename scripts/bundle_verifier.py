"""Put a trained verifier into the package: weights, manifest, NOTICE, and its reference pairs.

Takes what scripts/training/export_verifier.py delivers.

    python -m scripts.bundle_verifier --delivered DIR
"""

import argparse
import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from veracite.models.bundled import BUNDLED, bundled_verifier

TESTS = Path(__file__).resolve().parents[1] / "tests" / "models"

TOKENIZER = "verifier_tokenizer.json"
HEADING = "\n\nverifier.onnx"


def main() -> int:
    """Copy, describe, and open the result once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--delivered", type=Path, required=True)
    delivered: Path = parser.parse_args().delivered
    given = json.loads((delivered / "verifier.json").read_text(encoding="utf-8"))
    if _digest(delivered / "verifier.onnx") != given["sha256"]:
        print("verifier.onnx and verifier.json do not belong together.", file=sys.stderr)
        return 1
    shutil.copy(delivered / "verifier.onnx", BUNDLED / "verifier.onnx")
    shutil.copy(delivered / "tokenizer.json", BUNDLED / TOKENIZER)
    shutil.copy(delivered / "reference_pairs.json", TESTS / "reference_pairs.json")
    described = json.dumps(manifest(given), indent=2, ensure_ascii=False) + "\n"
    (BUNDLED / "verifier.json").write_text(described, encoding="utf-8")
    before = (BUNDLED / "NOTICE").read_text(encoding="utf-8").partition(HEADING)[0].rstrip()
    (BUNDLED / "NOTICE").write_text(before + notice(given), encoding="utf-8")
    print(bundled_verifier().id)
    return 0


def manifest(given: dict[str, Any]) -> dict[str, Any]:
    """The trainer's manifest with what ``veracite.models.onnx`` asks for."""
    ours = {
        "name": given["name"],
        "version": "1",
        "file": "verifier.onnx",
        "sha256": given["sha256"],
        "tokenizer": TOKENIZER,
        "tokenizer_sha256": _digest(BUNDLED / TOKENIZER),
        "licence": "Apache-2.0",
        "origin": "fine-tuned from sentence-transformers/all-mpnet-base-v2 by scripts/training",
    }
    return ours | {key: value for key, value in given.items() if key not in ours}


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def notice(given: dict[str, Any]) -> str:
    """The verifier's part of the NOTICE: origin, licence, and what it was trained on."""
    sets = "".join(f"      {name}: {licence}\n" for name, licence in given["trained_on"].items())
    return (
        f"{HEADING}, {TOKENIZER}\n"
        "    A cross-encoder trained by the veracite project (scripts/training), licensed under\n"
        "    the Apache License 2.0. It started from the lowest layers of\n"
        "    sentence-transformers/all-mpnet-base-v2 (Apache License 2.0), which the\n"
        "    sentence-transformers project made from microsoft/mpnet-base (MIT).\n"
        "    Changed: trained further; rare word pieces left out of the vocabulary; weights\n"
        "    stored as 8-bit integers. SHA-256 of the original model.safetensors:\n"
        f"    {given['base_sha256']}\n"
        "    Trained on these sets, none of which is contained in it or in this package:\n"
        f"{sets}"
    )


if __name__ == "__main__":
    sys.exit(main())
