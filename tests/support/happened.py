"""Everything that can happen, once: an answer, and a text that is mended, as they might go."""

from reports import citation, report, verdict

from veracite.engine import events as checks
from veracite.engine.events import Asked, Event, Finished, Judged, Retrieved, Segmented, Streamed
from veracite.engine.types import Answer, Change, Fix, Label
from veracite.index import progress
from veracite.index.documents import Document, Evidence, Passage
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

EVENTS: tuple[Event, ...] = (
    progress.Scanned(3, 2),
    progress.FileRead("/papers/mill.pdf", 5, 1, 2),
    progress.FileFailed("/papers/locked.pdf", "It is encrypted.", 2, 2),
    progress.FileRemoved("/papers/gone.pdf"),
    progress.Waiting(),
    progress.Encoded(5, 5),
    progress.Synced(1, 1, 5, ("An index was rebuilt.",)),
    checks.Opening("tiny.gguf", first_time=True),
    checks.Warned("Search goes by words alone."),
    checks.Began("When did it burn?", "vtg", "scripted", {"k": 5, "diverse": True, "tau": None}),
    Streamed("The mill "),
    Streamed("burned."),
    Asked("answer", "answer.cited/1", 120, 30, 12, 1.5, reply="The mill burned."),
    checks.Drafted("The mill burned.", "first", 1, 0.42),
    checks.Searched("When did it burn?", "question", (FIRE, OWNER), 1),
    checks.Selected((FIRE, OWNER, BEES), (FIRE,), 2),
    checks.Assessed(False, 0.25, 2),
    checks.Remembered((FIRE,), (OWNER, BEES)),
    Segmented((_BURNED.claim, _ASKED.claim)),
    Retrieved(0, (FIRE,)),
    checks.Shortened("judge", 2, 1, ("id 1", "id 2", "id 3")),
    Asked(
        *("judge", "judge.veracite/1", 1000, 2000, 3, 0.25, 1, 2),
        messages=(Message("user", ("Passage 1: Fire took the mill.", "Claim: It burned.")),),
        options={"yes": 0.9, "no": 0.1},
    ),
    Asked("judge", "judge.veracite/1", 500, 0, 3, 0.5, 2, 2),
    checks.Unusable("judge", "It is neither yes nor no.", "Maybe?", 1),
    Judged(1, _ASKED, False, 1, 2),
    Judged(0, _BURNED, True, 2, 2),
    checks.Attempted("The mill burned in 1904.", "citations", (FIRE, BEES), _BURNED, 2),
    checks.Simplified("The mill burned in 1904.", (FIRE,), (BEES,)),
    checks.Chosen("It burned in 1904.", "It burned in 1911.", "It is better supported.", 3),
    checks.Proposed(_CHANGE),
    checks.Settled(_ANSWER),
    Finished(REPORT),
    Finished(report(fix=Fix("It was rebuilt.", "It was never rebuilt.", (_CHANGE,)))),
)
"""At least one of each kind."""
