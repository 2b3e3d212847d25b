"""QuoteSum: questions that are answered by quoting several sources."""

import re
from collections.abc import Iterator
from dataclasses import replace

from veracite.engine.evaluation.formats.fields import Fault, maybe_text, own_id, shape, source, text
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading
from veracite.engine.evaluation.items import Item, Question

__all__ = ["QUOTESUM"]

_SOURCES = range(1, 9)
_QUOTE = re.compile(r"\[\s*\d+\s+(.*?)\s*\]", re.S)
_BEFORE_STOP = re.compile(r"\s+([.,;:!?])")


def _quotesum(reading: Reading) -> Iterator[Item]:
    """One item for each question, with all the summaries that people wrote for it."""
    found: dict[str, Question] = {}
    for item in reading.each(lambda row: [_question(row)]):
        if isinstance(item, Question):
            known = found.get(item.id)
            found[item.id] = replace(known, long=known.long + item.long) if known else item
    return iter(found.values())


def _question(row: Row) -> Question:
    fields = row.fields
    places = [place for place in _SOURCES if maybe_text(fields, f"source{place}")]
    sources = tuple(
        source(text(fields, f"source{place}"), maybe_text(fields, f"title{place}"))
        for place in places
    )
    answers = [(text(fields, f"short_ans_{place}"),) for place in places]
    if not answers:
        raise Fault("no source")
    return Question(
        id=own_id(row, "qid"),
        text=text(fields, "question"),
        answers=tuple(dict.fromkeys(answers)),
        sources=sources,
        gold=tuple(source.id for source in sources),
        long=(_BEFORE_STOP.sub(r"\1", _QUOTE.sub(r"\1", text(fields, "summary"))),),
    )


QUOTESUM = Format(
    "quotesum",
    "QuoteSum: question, source1 to source8, short_ans_1 to short_ans_8, summary",
    shape("question", "summary", "source1", "short_ans_1"),
    _quotesum,
)
