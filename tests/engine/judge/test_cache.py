"""Remembered verdicts."""

import stat
from pathlib import Path

import pytest
from readings import claim

from veracite.engine.events import Judged
from veracite.engine.judge import judge as judging
from veracite.engine.judge.cache import Memory
from veracite.engine.judge.checking import Checking
from veracite.engine.judge.decision import Decision, bundled_decision
from veracite.engine.judge.judge import Judge
from veracite.engine.retrieve import Search
from veracite.engine.types import Citation, Label, Scores, Verdict
from veracite.index.memory import MemoryLibrary, Text
from veracite.models.verifier import Verifier

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


def test_pages_that_are_damaged_cost_no_more_than_what_was_remembered(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    keys = [f"{number:064}" for number in range(600)]
    with Memory(path) as cache:
        for key in keys:
            cache.put(key, VERDICT)
    held = path.read_bytes()
    path.write_bytes(held[: 9 * 4096] + b"\xff" * 4096 + held[10 * 4096 :])
    with Memory(path) as cache:
        assert not all(cache.get(key, VERDICT.claim) for key in keys)
    with Memory(path) as cache:
        cache.put("key", VERDICT)
        assert cache.get("key", VERDICT.claim) == VERDICT
    path.write_bytes(path.read_bytes().replace(b'"supported"', b'"\0\0pported"'))
    with Memory(path) as cache:
        assert cache.get("key", VERDICT.claim) is None


def test_what_another_judge_said_is_not_taken(
    verifier: Verifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = MemoryLibrary([Text("a.txt", "It rains in the hills.")], None)
    search = Search(library, None, None, "lexical")
    own = bundled_decision()

    def is_remembered(decision: Decision = own) -> bool:
        judge = Judge(verifier, decision, 0.6, library.sentences, library.raw_text)
        with Memory(tmp_path / "v.sqlite") as memory:
            events = list(Checking(search, judge, memory).judge_all([VERDICT.claim]))
        return any(event.cached for event in events if isinstance(event, Judged))

    assert [is_remembered(), is_remembered()] == [False, True]
    assert not is_remembered(own.without(["verbatim"]))
    with monkeypatch.context() as patch:
        patch.setattr(Verifier, "id", "another verifier")
        assert not is_remembered()
    monkeypatch.setattr(judging, "_VERSION", 0)
    assert not is_remembered()
