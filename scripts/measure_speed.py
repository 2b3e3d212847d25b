"""How long one claim takes, with search, ranking and network.

    python scripts/measure_speed.py --data wikibio_gpt3_000-118.jsonl.gz

Models loaded, nothing remembered: of the sample draft, and of the set with all its articles as one
library. Run it on a machine that does nothing else. Pairs beside PyTorch are measured by ``bench``.
"""

import argparse
import json
import statistics
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from bench import ROOT, timed

from veracite.engine.claims.segmentation import segment
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement
from veracite.engine.evaluation.predict import claims_of
from veracite.engine.models import OpenModels
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.types import Claim
from veracite.index.memory import MemoryLibrary, Text, Vectors

SAMPLES = ROOT / "tests" / "samples"


def claim_seconds(texts: Sequence[Text], claims: Sequence[Claim], models: OpenModels) -> float:
    """The median time that one claim takes, from its search to its verdict."""
    library = MemoryLibrary(texts, Vectors(models.open_encoder().encode))
    search, judge = models.search(library), models.judge(library)
    search.gather(claims[:1])  # encodes the passages

    def check(claim: Claim) -> None:
        list(judge.judge([claim], search.gather([claim])))

    return statistics.median(timed(partial(check, claim))[0] for claim in claims)


def main() -> None:
    """Measures and prints everything as JSON."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="a set for `eval detect`")
    given = parser.parse_args()
    items = [item for item in load("detect", [given.data]).items if isinstance(item, Statement)]
    of_set = {s.id: Text(s.id, s.text, s.title) for item in items for s in item.sources}
    of_samples = [Text(p.name, p.read_text(encoding="utf-8")) for p in SAMPLES.glob("library/*.md")]
    draft = segment((SAMPLES / "draft.md").read_text(encoding="utf-8"), markdown=True)
    with closing(OpenModels(CheckSettings(), Paths.resolve())) as models:
        claim = {
            name: round(claim_seconds(texts, claims[:60], models), 3)
            for name, texts, claims in (
                ("samples", of_samples, [one for one in draft if one.not_checkable is None]),
                ("set", [*of_set.values()], [c for item in items[:60] for c in claims_of(item)]),
            )
        }
    processor = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    has = [flag for flag in ("avx2", "avx512f", "avx512_vnni", "avx_vnni") if flag in processor]
    print(json.dumps({"processor_has": has, "seconds_a_claim": claim}, indent=1))


if __name__ == "__main__":
    main()
