"""ExpertQA for ``attribute``: claims of answers to experts' questions, with the pages cited."""

import re
from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    digest,
    label,
    nested,
    objects,
    shape,
    source,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Statement

__all__ = ["EXPERTQA"]

_LABELS = {"complete": True, "partial": False, "incomplete": False}
_NUMBERED = re.compile(r"\[\d+\]\s+\S+\s*(?P<text>.*)", re.S)
"""A page as an answer cites it: its number, its address, and what it says."""


def _expertqa(row: Row, reading: Reading) -> Iterator[Statement]:
    """ExpertQA: each claim of an answer against the pages that it cites."""
    question = text(row.fields, "question")
    answers = nested(row.fields, "answers")
    if not answers:
        raise Fault("no answer")
    for system in answers:
        earlier: tuple[str, ...] = ()
        for place, claim in enumerate(objects(nested(answers, system), "claims"), start=1):
            said = text(claim, "claim_string")
            try:
                yield _cited(row, reading, question, system, place, claim, earlier)
            except Fault as fault:
                reading.leave_out(row, str(fault))
            earlier = (*earlier, said)


def _cited(
    row: Row,
    reading: Reading,
    question: str,
    system: str,
    place: int,
    claim: Fields,
    earlier: tuple[str, ...],
) -> Statement:
    evidence = strings(claim, "evidence") if claim.get("evidence") else ()
    if not evidence:
        raise Fault("a claim that cites nothing")
    pages = [match["text"].strip() for match in map(_NUMBERED.fullmatch, evidence) if match]
    if len(pages) < len(evidence) or not all(pages):
        raise Fault("a claim that cites a page without its text")
    named = label(claim, "support")
    return Statement(
        id=f"{row.place}/{system}/{place}",
        group=digest(question),
        text=text(claim, "claim_string"),
        truth=reading.truth(named),
        label=named,
        sources=tuple(map(source, pages)),
        before=earlier,
        about=question,
        part=system,
    )


EXPERTQA = Format(
    "expertqa",
    "ExpertQA: question, answers with claims, evidence and support",
    lambda fields: (
        shape("question", "answers", "metadata")(fields) and isinstance(fields["answers"], dict)
    ),
    by_row(_expertqa),
    _LABELS,
)
