"""Everything that can happen, once: an answer, and a text that is mended, as they might go."""

from reports import citation, report, verdict

from veracite.engine.events import (
    Asked,
    Event,
    Finished,
    Judged,
    Opening,
    Retrieved,
    Segmented,
    Shortened,
    Streamed,
    Unusable,
    Warned,
)
from veracite.engine.methods.events import (
    Assessed,
    Attempted,
    Began,
    Chosen,
    Drafted,
    Proposed,
    Remembered,
    Searched,
    Selected,
    Settled,
    Simplified,
)
from veracite.engine.types import Answer, Change, Fix, Label
from veracite.index.documents import Document, Evidence, Passage
from veracite.index.progress import (
    Encoded,
    FileFailed,
    FileRead,
    FileRemoved,
    Scanned,
    Synced,
    Waiting,
)
from veracite.models.chat import Message


def _found(text: str, rank: int, page: int | None = None) -> Evidence:
    document = Document("/papers/mill.pdf", "ab" * 32, "pdf/1")
    passage = Passage(document, 100 * rank, 100 * rank + 90, page, None, text, f"id of {text}")
    return Evidence(passage, rank, 1 / (60 + rank), 0.71, None if page is None else 12.34)


FIRE = _found("Harrow had a mill. It burned in 1904. Nobody was hurt.", 1, page=3)
OWNER = _found("Its owner was Anna Berg.", 2)
BEES = _found("Bees sleep at night.", 3)
_BURNED = verdict(
    "The mill burned in 1904.",
    Label.SUPPORTED,
    citation("It burned in 1904.", context=FIRE.passage.text),
)
_REBUILT = verdict("It was rebuilt in 1911.", Label.CONTRADICTED, citation("Never.", "contradicts"))
_ASKED = verdict("Who paid?", Label.NOT_CHECKABLE)
_ANSWER = Answer(
    "When did it burn?", "The mill burned in 1904.", (_BURNED,), 2, False, 0.8, ("who paid?",)
)
_CHANGE = Change(_REBUILT, "It was never rebuilt.", True, "The documents say never.")
REPORT = report(_BURNED, _REBUILT, answer=_ANSWER, method="vtg", complete=False)

INSTRUCTIONS = Message("system", ("Say whether the passage supports the claim, yes or no.",))
PASSAGE = "Passage 1: Fire took the mill in the dry summer of 1904.\n"

EVENTS: tuple[Event, ...] = (
    Scanned(3, 2),
    FileRead("/papers/mill.pdf", 5, 1, 2),
    FileFailed("/papers/locked.pdf", "It is encrypted.", 2, 2),
    FileRemoved("/papers/gone.pdf"),
    Waiting(),
    Encoded(5, 5),
    Synced(1, 1, 5, ("An index was rebuilt.",)),
    Opening("tiny.gguf", first_time=True),
    Warned("Search goes by words alone."),
    Began("When did it burn?", "vtg", "scripted", {"k": 5, "diverse": True, "tau": None}),
    Streamed("The mill "),
    Streamed("burned."),
    Asked("answer", "answer.cited/1", 120, 30, 12, 1.5, reply="The mill burned."),
    Drafted("The mill burned.", "first", 1, 0.42),
    Searched("When did it burn?", "question", (FIRE, OWNER), 1),
    Selected((FIRE, OWNER, BEES), (FIRE,), 2),
    Assessed(False, 0.25, 2),
    Remembered((FIRE,), (OWNER, BEES)),
    Segmented((_BURNED.claim, _ASKED.claim)),
    Retrieved(0, (FIRE,)),
    Shortened("judge", 2, 1, ("id 1", "id 2", "id 3")),
    Asked(
        "judge",
        "judge.veracite/1",
        1000,
        2000,
        3,
        0.25,
        1,
        2,
        (INSTRUCTIONS, Message("user", (PASSAGE, "Claim: It burned."))),
        options={"yes": 0.9, "no": 0.1},
    ),
    Asked(
        "judge",
        "judge.veracite/1",
        500,
        0,
        3,
        0.5,
        2,
        2,
        (INSTRUCTIONS, Message("user", (PASSAGE, "Claim: It was sold."))),
        options={"yes": 0.25, "no": 0.75},
    ),
    Unusable("judge", "It is neither yes nor no.", "Maybe?", 1),
    Judged(1, _ASKED, False, 1, 2),
    Judged(0, _BURNED, True, 2, 2),
    Attempted("The mill burned in 1904.", "citations", (FIRE, BEES), _BURNED, 2),
    Simplified("The mill burned in 1904.", (FIRE,), (BEES,)),
    Chosen("It burned in 1904.", "It burned in 1911.", "It is better supported.", 3),
    Proposed(_CHANGE),
    Settled(_ANSWER),
    Finished(REPORT),
    Finished(report(fix=Fix("It was rebuilt.", "It was never rebuilt.", (_CHANGE,)))),
)
"""At least one of each kind."""
