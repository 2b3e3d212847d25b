"""A trace as a story: each thing that happened is told, in order, and nothing twice."""

from collections.abc import Iterable

import pytest
from happened import BEES, EVENTS, FIRE, OWNER
from reports import verdict

from veracite.engine import events as kinds
from veracite.engine.report.phrases import base_name
from veracite.engine.story import Ending, Part, tell
from veracite.engine.trace import Entry
from veracite.engine.types import Label
from veracite.index.progress import Encoded, FileRead, FileRemoved, Scanned, Waiting


def story(*events: kinds.Event) -> list[Part]:
    """Of events a second apart."""
    return list(tell(map(Entry, range(len(events)), events), base_name))


def paragraphs(parts: Iterable[Part]) -> dict[str, list[str]]:
    """What belongs to each happening, by its first words."""
    told: dict[str, list[str]] = {}
    for part in parts:
        if part.depth < 2:
            inner = told.setdefault(part.text, [])
        else:
            inner.append(part.text)
    return told


def first(kind: type[kinds.Event]) -> int:
    """The place of the first event of a kind."""
    return next(place for place, event in enumerate(EVENTS) if isinstance(event, kind))


SILENT = (Scanned, FileRead, FileRemoved, Waiting, Encoded, kinds.Streamed)
"""How far reading has come, and words that the draft will have."""


def test_everything_that_happened_is_told_at_its_time() -> None:
    times = [part.at for part in story(*EVENTS) if part.at is not None]
    waiting = (kinds.Retrieved, kinds.Asked)  # told with what follows
    expected = {n for n, e in enumerate(EVENTS) if not isinstance(e, (*SILENT, *waiting))}
    asked = [n for n, e in enumerate(EVENTS) if isinstance(e, kinds.Asked)]
    assert set(times) == expected | {asked[0], asked[1]}


def test_the_story_of_an_answer() -> None:
    told = paragraphs(story(*EVENTS))
    fire = "[1] mill.pdf, page 3 (score 0.0164, cosine 0.71, BM25 12.3)"
    assert told["Question: When did it burn?"] == []
    assert told["Method vtg, by scripted"] == ["k = 5, diverse = true, tau = none"]
    drafted = told["Drafted (round 1, mean probability 0.42)"]
    assert drafted == ["text: “The mill burned.”", "kind: “first”"]
    assert told["Searched (round 1)"] == [
        "query: “When did it burn?”",
        "kind: “question”",
        fire,
        f"“{FIRE.passage.text}”",
        "[2] mill.pdf (score 0.0161, cosine 0.71)",
        f"“{OWNER.passage.text}”",
        "evidence: [1] [2]",
    ]
    selected = told["Selected (round 2)"]
    assert selected[-3:] == [f"“{BEES.passage.text}”", "window: [1] [2] [3]", "kept: [1]"]
    assert "Assessed (sufficient false, score 0.25, round 2)" in told
    judged = told["Claim 1 (remembered from before): “The mill burned in 1904.”"]
    assert judged[:5] == [
        fire,
        "✓ supported (93 %)",
        "The quoted sentence says so.",
        "judged by verifier@0123: supported 0.90, neutral 0.08, contradicted 0.02",
        "“It burned in 1904.”",
    ]
    assert told["Attempted (attempt 2)"][-2:] == ["evidence: [1] [3]", "✓ supported (93 %)"]
    asked = "The language model was asked for “judge” (judge.veracite/1): 2 calls, 1,500 tokens"
    assert any(said.startswith(asked) for said in told)
    assert told["A claim was mended:"][1] == "now: “It was never rebuilt.”"
    assert "Interrupted: this is what was verified until then." in told
    assert "The passages that were found do not suffice to answer the question." in told
    assert "No sentence found for: who paid?" in told
    assert told["Answer after 2 rounds:"][0] == "✓ supported: “The mill burned in 1904.”"
    seconds = f"{first(kinds.Finished) - first(kinds.Began)}.0 s"
    assert f"{seconds}, 1 search, 2 verdicts, 3 model calls (1,638 tokens)." in told


def test_the_words_of_a_passage_are_told_once() -> None:
    passages = [f"“{item.passage.text}”" for item in (FIRE, OWNER, BEES)]
    assert [part.text for part in story(*EVENTS) if part.style == "beginning"] == passages


@pytest.mark.parametrize(
    ("ending", "said", "last"),
    [
        ("stopped", "got no verdict", "The work was stopped here."),
        ("going on", "has no verdict yet", "Still going on …"),
    ],
)
def test_a_story_without_end_tells_what_was_waiting(ending: Ending, said: str, last: str) -> None:
    events = EVENTS[: first(kinds.Retrieved) + 1]
    entries = [Entry(float(at), event) for at, event in enumerate(events)]
    told = [part.text for part in tell(entries, base_name, ending=ending)]
    looked_up = told.index(f"Claim 1 was looked up and {said}:")
    assert told[looked_up + 1].startswith("[1] mill.pdf, page 3")
    assert told[looked_up + 2].startswith(last)
    assert told[looked_up + 3 : looked_up + 4] == ["In total"] * (ending != "going on")


def test_verdicts_stand_with_their_own_passages_though_they_come_in_any_order() -> None:
    one, other = (verdict(text, Label.NOT_FOUND) for text in ("Who paid?", "Stamps, she said."))
    told = paragraphs(
        story(
            kinds.Segmented((one.claim, other.claim)),
            kinds.Retrieved(0, (FIRE,)),
            kinds.Retrieved(1, (BEES,)),
            kinds.Judged(1, other, False, 1, 2),
            kinds.Judged(0, one, False, 2, 2),
        )
    )
    assert "“Bees sleep at night.”" in told["Claim 2: “Stamps, she said.”"]
    assert f"“{FIRE.passage.text}”" in told["Claim 1: “Who paid?”"]
