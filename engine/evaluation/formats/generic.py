"""Any file of texts with labels and, where there is any, evidence."""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    documents,
    label,
    maybe_text,
    own_id,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Statement

__all__ = ["COMMON_LABELS", "GENERIC"]

_TRUE = """1|true|yes|supported|supports|support|entailment|entailed|entails|factual|accurate
attributable|fully attributable|faithful|consistent|correct"""
_FALSE = """0|false|no|contradicted|contradicts|contradiction|contradict|refuted|refutes|refute
not found|uncertain|not checkable|not supported|unsupported|partially supported|neutral
not entailment|not enough info|not enough information|not enough evidence|nei|notenoughinfo
notmentioned|disputed|nonfactual|non factual|not factual|inaccurate|not attributable
not fully attributable|hallucinated|inconsistent|incorrect"""

COMMON_LABELS = {
    **dict.fromkeys(_TRUE.replace("\n", "|").split("|"), True),
    **dict.fromkeys(_FALSE.replace("\n", "|").split("|"), False),
}
"""What sets call supported and what they call anything else, among it Veracite's five labels."""

_TEXTS = ("text", "claim", "sentence", "statement", "response")
_EVIDENCE = ("evidence", "documents", "passages", "context", "sources", "document", "doc")


def _recognise(fields: Fields) -> bool:
    return "label" in fields and any(isinstance(fields.get(name), str) for name in _TEXTS)


def _read(row: Row, reading: Reading) -> Iterator[Statement]:
    fields = row.fields
    named = label(fields, "label")
    evidence = next((fields[name] for name in _EVIDENCE if fields.get(name)), None)
    item_id = own_id(row, "id")
    yield Statement(
        id=item_id,
        group=maybe_text(fields, "group") or item_id,
        text=text(fields, *_TEXTS),
        truth=reading.truth(named),
        label=named,
        sources=documents(evidence),
        before=_before(fields),
        about=maybe_text(fields, "about", "question", "title"),
        part=maybe_text(fields, "part", "dataset") or "",
    )


def _before(fields: Fields) -> tuple[str, ...]:
    try:
        return strings(fields, "before") if fields.get("before") else ()
    except Fault:
        raise Fault("`before` is no list of sentences") from None


GENERIC = Format(
    "generic",
    "any rows of text (or claim), label and, if there is any, evidence (text, texts or documents)",
    _recognise,
    by_row(_read),
    COMMON_LABELS,
)
