"""Writing claim by claim (VTG), and passages made shorter (ALCE's Summ and Snippet)."""

from collections.abc import Sequence
from typing import Literal

from veracite.engine.skills import grammars, replies
from veracite.engine.skills.base import Draft, Steps
from veracite.engine.skills.prompted.asking import Asker
from veracite.engine.skills.prompted.request import Request
from veracite.engine.skills.prompted.searching import numbered
from veracite.engine.skills.prompts import Field
from veracite.index.documents import Passage

END = "END"
_CLAIM = 500
_SHORTENED = 800
"""Most characters of a claim, and of a passage made shorter."""


def next_claim(
    asker: Asker, question: str, passages: Sequence[Passage], so_far: Sequence[str]
) -> Steps[Draft | None]:
    """The next sentence; None at the end, which repeating a sentence is too."""
    fields = {"question": question, "so_far": " ".join(so_far)}
    written = yield from asker.write(
        Request(asker.prompt("next_claim"), fields, passages),
        lambda reply, _: replies.sentence(reply, END),
        grammar=lambda _: grammars.line(_CLAIM, may_be_empty=True),
        streamed=True,
    )
    claim = written.value if written else None
    return None if claim is None or claim in so_far else Draft(claim)


def cite(
    asker: Asker, claim: str, passages: Sequence[Passage], most: int
) -> Steps[tuple[int, ...]]:
    """One to ``most`` places; none if no reply can be read."""
    if len(passages) < 2:
        return tuple(range(len(passages)))
    fields: dict[str, Field] = {"claim": claim, "most": most}
    request = Request(asker.prompt("cite"), fields, passages)
    return (yield from numbered(asker, request, most, in_brackets=True)) or ()


def shorten(
    asker: Asker, skill: Literal["summarise", "extract"], question: str, passage: Passage
) -> Steps[str | None]:
    """What matters of a passage; None if nothing does, all of it if no reply can be read."""
    request = Request(asker.prompt(skill), {"question": question}, (passage,))
    written = yield from asker.write(
        request,
        lambda reply, _: None if replies.irrelevant(reply) else replies.line(reply),
        grammar=lambda _: grammars.line(_SHORTENED),
    )
    return written.value if written else passage.text
