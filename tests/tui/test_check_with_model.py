"""``veracite check --model``: a small GGUF with random weights judges beside the verifier.

What it says makes no sense and is the same every time, so everything around it can be checked.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import exams
import pytest
from command_line import Commands
from mill import FALSE, QUESTION, TRUE, UNFOUNDED

from veracite.engine.events import Asked, Event, Finished, Judged, Opening, Segmented
from veracite.engine.paths import Paths
from veracite.engine.settings import CheckSettings
from veracite.engine.workbench import Workbench
from veracite.tui.progress import Step, sentence, step

CLAIMS = [TRUE, FALSE, UNFOUNDED, "Anna Berg sold the mill in 1890.", "A hive holds 60,000 bees."]


@pytest.fixture
def veracite(veracite: Commands) -> Commands:
    """With one thread: a tiny model waits longer for a second than it helps."""
    veracite.environ["VERACITE_THREADS"] = "1"
    return veracite


def check(
    veracite: Commands, *flags: object, claims: list[str] = CLAIMS
) -> dict[str, dict[str, Any]]:
    """The report's claims by their text."""
    options = ("--json", "--quiet", "--retrieval", "lexical", "--fail-on", "none", *flags)
    ran = veracite.check(*options, text="\n\n".join([*claims, QUESTION]))
    assert (ran.code, ran.err) == (0, "")
    return {claim["text"]: claim for claim in json.loads(ran.out)["claims"]}


def traced(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_model_decides_the_uncertain(veracite: Commands, model: Path, tmp_path: Path) -> None:
    found = check(veracite)
    middle = sorted(found[text]["probability"] for text in CLAIMS)[2]
    flags = ("--uncertain-below", middle)
    bundled = check(veracite, *flags)
    asked = [text for text in CLAIMS if bundled[text]["label"] == "uncertain"]
    assert 0 < len(asked) < len(CLAIMS)

    home = veracite.home
    exams.passed(model, Paths(home / "data", home / "cache", home / "config.toml"), 0.5, 0.5)
    trace = tmp_path / "trace.jsonl"
    asking = (*flags, "--model", model, "--trace", trace)
    cascade = check(veracite, *asking)
    for text in CLAIMS:
        assert cascade[text]["judge"].startswith("tiny@") is (text in asked)
        assert text in asked or cascade[text] == bundled[text]
    events = traced(trace)
    judges = {e["verdict"]["judge"] for e in events if e["event"] == "Judged"}
    assert judges == {claim["judge"] for claim in cascade.values()}
    questions = [e for e in events if e["event"] == "Asked"]
    assert [e["done"] for e in questions] == list(range(1, len(questions) + 1))
    assert {e["total"] for e in questions} == {len(questions)}
    (prompt,) = {e["prompt"] for e in questions}
    assert all(prompt in cascade[text]["judge"] for text in asked)

    assert check(veracite, *asking) == cascade
    events = traced(trace)
    assert all(e["cached"] for e in events if e["event"] == "Judged" and e["index"] < len(CLAIMS))
    assert not any(e["event"] == "Asked" for e in events)


def test_an_edit_changes_no_other_verdict(veracite: Commands, model: Path, tmp_path: Path) -> None:
    flags = ("--model", model, "--judge", "gguf", "--uncertain-below", "0.4")
    before = check(veracite, *flags)
    assert {before[text]["judge"][:5] for text in CLAIMS} == {"tiny@"}
    veracite.environ["VERACITE_CACHE_DIR"] = str(tmp_path / "nothing remembered")
    edited = [*reversed(CLAIMS[1:]), "The Harrow mill stood by the river."]
    after = check(veracite, *flags, claims=edited)
    for text in CLAIMS[1:]:
        for place in ("start", "end"):
            del before[text][place], after[text][place]
        assert after[text] == before[text]


def test_a_cancelled_check_goes_on_later(documents: Path, model: Path, paths: Paths) -> None:
    settings = CheckSettings(retrieval="lexical", model=str(model), judge="gguf", threads=1)
    text = "\n\n".join(CLAIMS)
    with Workbench(settings, paths) as bench:

        def until(kind: type) -> list[Event]:
            """The events of a check that is cancelled at one of this kind."""
            events = []
            for event in bench.check(text, against=(documents,)):
                events.append(event)
                if isinstance(event, kind):
                    bench.cancel()
            return events

        first = until(Opening)
        assert [type(event) for event in first] == [Segmented, Opening]
        assert not paths.verified.exists()
        second = until(Asked)
        assert sum(isinstance(event, Asked) for event in second) == 1
        assert not any(isinstance(event, Judged | Finished) for event in second)
        third = list(bench.check(text, against=(documents,)))
        assert isinstance(third[-1], Finished)
    with Workbench(settings, paths) as bench:
        later = list(bench.check(TRUE, against=(documents,)))
    opened = [event for event in (*first, *second, *third, *later) if isinstance(event, Opening)]
    assert opened == [Opening("tiny.gguf", is_first) for is_first in (True, True, False)]
    assert sentence(opened[0]) == "Looking at tiny.gguf for the first time …"
    assert sentence(opened[2]) == "Opening tiny.gguf …"
    (asked,) = (event for event in second if isinstance(event, Asked))
    assert step(replace(asked, done=1, total=3)) == Step("Asking the language model", 1, 3)
