"""Remembered verdicts."""

import stat
from pathlib import Path

from readings import claim

from veracite.engine.judge.cache import Memory
from veracite.engine.types import Citation, Label, Scores, Verdict

CITATION = Citation("/a", 2, 3, 9, "a\nquote", "supports", 0.9, "sha", "context", "Heading")
VERDICT = Verdict(
    claim("It rains."),
    Label.SUPPORTED,
    0.9,
    Scores(0.9, 0.1, 0.0),
    "judge",
    "Why.",
    (CITATION,),
    None,
)


def test_a_verdict_comes_back_as_it_was_on_the_claim_at_hand(tmp_path: Path) -> None:
    moved = claim("It rains.  ")
    with Memory(tmp_path / "v.sqlite") as cache:
        cache.put("key", VERDICT)
    with Memory(tmp_path / "v.sqlite") as cache:
        assert cache.get("key", VERDICT.claim) == VERDICT
        found = cache.get("key", moved)
        assert found is not None
        assert found.claim is moved
        assert cache.get("other", VERDICT.claim) is None


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "cache" / "v.sqlite"
    with Memory(path) as cache:
        cache.put("key", VERDICT)
        kept = list(path.parent.iterdir())
        assert path in kept
        assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in kept)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_damaged_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    path.write_bytes(b"this is no database" * 100)
    with Memory(path) as cache:
        cache.put("key", VERDICT)
        assert cache.get("key", VERDICT.claim) == VERDICT
