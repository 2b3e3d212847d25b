"""The claims of ``scripts/measure_strangers.py``: each is read whole and speaks of a document."""

import json
from collections import Counter
from pathlib import Path

import pytest

from veracite.engine.claims.segmentation import segment

FOLDER = Path(__file__).parents[1] / "scripts"


@pytest.mark.parametrize("name", ["strangers/first", "strangers/second", "blind/one", "blind/two"])
def test_each_claim_is_one_statement_about_a_document_that_is_there(name: str) -> None:
    folder = FOLDER / name
    rows = [json.loads(line) for line in (folder / "claims.jsonl").read_text("utf-8").splitlines()]
    claims = [row["claim"] for row in rows]

    assert [one.text for one in segment("\n\n".join(claims), markdown=False)] == claims
    about = Counter(row["document"] for row in rows)
    assert set(about) == {path.name for path in (folder / "documents").iterdir()}
    assert set(about.values()) == {10}
    labels = Counter(row["label"] for row in rows)
    assert set(labels) == {"supported", "contradicted", "neither"}
    assert min(labels.values()) > len(rows) / 5
