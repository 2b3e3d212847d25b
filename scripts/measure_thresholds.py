"""Find CEG's threshold t for the bundled encoder, and store it in its manifest.

CEG's t = 0.5 belongs to SimCSE, whose similarities lie elsewhere than another encoder's
(METHODS). CEG's release holds, for each FELM claim, ten passages with their SimCSE similarity: the
share of them under 0.5 is what t drops there, and our t is the similarity that drops the same
share of the same passages. Claims, passages and similarities are read, labels are not.

    python -m scripts.measure_thresholds --felm ceg_felm_top10_even.jsonl.gz [--write]
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veracite.models.bundled import BUNDLED, bundled_encoder

SIMCSE_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A claim and a passage that CEG retrieved for it."""

    claim: str
    passage: str
    simcse: float


def main() -> None:
    """Print what the threshold does, and keep it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--felm", type=Path, nargs="+", required=True, help="CEG's top-10 files")
    parser.add_argument("--write", action="store_true", help="store it in encoder.json")
    given = parser.parse_args()

    found = [pair for path in given.felm for pair in retrieved(path)]
    simcse = np.array([pair.simcse for pair in found])
    encoder = bundled_encoder()
    claims = encoder.encode([pair.claim for pair in found])
    passages = encoder.encode([pair.passage for pair in found])
    ours = (claims * passages).sum(axis=1)

    dropped = float((simcse < SIMCSE_THRESHOLD).mean())
    # Ten of some three thousand passages decide: a third decimal would be noise.
    threshold = round(float(np.quantile(ours, dropped)), 2)
    print(f"{len(found)} passages; SimCSE at {SIMCSE_THRESHOLD} drops {dropped:.2%}")
    print(f"{encoder.id} at {SIMCSE_THRESHOLD} drops {(ours < SIMCSE_THRESHOLD).mean():.2%}")
    print(f"{encoder.id} at {threshold} drops {(ours < threshold).mean():.2%}")
    if given.write:
        path = BUNDLED / "encoder.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        manifest["threshold"] = threshold
        manifest["threshold_origin"] = (
            f"drops as large a share ({dropped:.2%}) of {len(found)} passages that CEG retrieved "
            f"for FELM claims as SimCSE at {SIMCSE_THRESHOLD}; no labels were read "
            "(scripts/measure_thresholds.py)"
        )
        path.write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def retrieved(path: Path) -> Iterator[Retrieved]:
    """The claims and passages of one of CEG's files; lines end at "\\n" only (there is U+2028)."""
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").split("\n"):
        if not line:
            continue
        row = json.loads(line)
        passages, similarities = row["ress"]["res"], row["ress"]["dis"]
        for passage, similarity in zip(passages, similarities, strict=True):
            yield Retrieved(row["response"], " ".join(passage["content"].split()), similarity)


if __name__ == "__main__":
    main()
