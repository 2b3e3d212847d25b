"""Summary consistency for ``attribute``: does a document say what its summary says?"""

import json
from collections.abc import Iterator

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    digest,
    label,
    maybe_text,
    nested,
    own_id,
    shape,
    source,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Item, Source, Statement

__all__ = ["SUMMARIES"]

_CONSISTENT = {"1": True, "0": False}
_RAGTRUTH = {"faithful": True, "hallucinated": False}
_NO_DOCUMENT = "its document is not in the file"


def _statement(
    row: Row, reading: Reading, *, name: str, claim: str, document: str, part: str
) -> Statement:
    named = label(row.fields, "label")
    return Statement(
        id=name,
        group=digest(document),
        text=claim,
        truth=reading.truth(named),
        label=named,
        sources=(source(document),),
        part=part,
    )


def _document(fields: Fields, *names: str) -> str:
    found = maybe_text(fields, *names)
    if found is None:
        raise Fault(_NO_DOCUMENT)
    return found


def _aggrefact(reading: Reading) -> Iterator[Item]:
    """AggreFact's table, or its workbook, where a summary stands on a sheet for each error type."""
    seen: set[tuple[str, ...]] = set()

    def read(row: Row) -> Iterator[Statement]:
        fields = row.fields
        claim = text(fields, "summary", "summ")
        key = (*(str(fields.get(name)) for name in ("dataset", "id", "model_name")), claim)
        if key in seen:
            raise Fault("the same summary again")
        seen.add(key)
        yield _statement(
            row,
            reading,
            name="/".join(key[:3]),
            claim=claim,
            document=_document(fields, "doc"),
            part=maybe_text(fields, "dataset") or "",
        )

    return reading.each(read)


def _llm_aggrefact(row: Row, reading: Reading) -> Iterator[Statement]:
    yield _statement(
        row,
        reading,
        name=row.place,
        claim=text(row.fields, "claim"),
        document=_document(row.fields, "doc"),
        part=text(row.fields, "dataset"),
    )


def _summac(row: Row, reading: Reading) -> Iterator[Statement]:
    yield _statement(
        row,
        reading,
        name=own_id(row, "id"),
        claim=text(row.fields, "claim"),
        document=_document(row.fields, "document"),
        part=maybe_text(row.fields, "dataset") or "",
    )


def _summedits(row: Row, reading: Reading) -> Iterator[Statement]:
    yield _statement(
        row,
        reading,
        name=own_id(row, "id"),
        claim=text(row.fields, "summary"),
        document=_document(row.fields, "doc"),
        part=maybe_text(row.fields, "domain") or "",
    )


def _ragtruth(reading: Reading) -> Iterator[Item]:
    """Whole responses: hallucinated if the annotators marked any span."""
    infos = dict(reading.beside(lambda row: (text(row.fields, "source_id"), row.fields)))
    if not infos:
        raise InputError(
            "The responses name their sources by number only.",
            "Give RAGTruth's source_info.jsonl as a second file.",
        )

    def read(row: Row) -> Iterator[Statement]:
        fields = row.fields
        group = text(fields, "source_id")
        if fields.get("quality") not in ("good", None):
            raise Fault(f"its quality is {fields['quality']!r}, which RAGTruth leaves out as well")
        if group not in infos:
            raise Fault("its source is not in source_info.jsonl")
        spans = fields.get("labels")
        if not isinstance(spans, list):
            raise Fault("no labels")
        named = "hallucinated" if spans else "faithful"
        about, sources = _information(infos[group])
        yield Statement(
            id=own_id(row, "id"),
            group=group,
            text=text(fields, "response"),
            truth=reading.truth(named),
            label=named,
            sources=sources,
            about=about,
            part=maybe_text(infos[group], "task_type") or "",
        )

    return reading.each(read)


def _information(fields: Fields) -> tuple[str | None, tuple[Source, ...]]:
    """The question, where there is one, and what a response was to be written from."""
    given = fields.get("source_info")
    if isinstance(given, str) and given.strip():
        return None, (source(given),)
    content = nested(fields, "source_info")
    if "passages" in content:
        return maybe_text(content, "question"), (source(text(content, "passages")),)
    return None, (source(json.dumps(content, ensure_ascii=False, indent=1)),)


SUMMARIES = (
    Format(
        "aggrefact",
        "AggreFact (.csv or .xlsx): dataset, doc, summary or summ, model_name, label",
        lambda fields: (
            shape("dataset", "model_name", "label")(fields)
            and bool(fields.keys() & {"summary", "summ"})
        ),
        _aggrefact,
        _CONSISTENT,
    ),
    Format(
        "llm-aggrefact",
        "LLM-AggreFact (.csv or .jsonl): dataset, doc, claim, label",
        shape("dataset", "doc", "claim", "label"),
        by_row(_llm_aggrefact),
        _CONSISTENT,
    ),
    Format(
        "summac",
        "SummaC benchmark: document, claim, label",
        shape("document", "claim", "label"),
        by_row(_summac),
        _CONSISTENT,
    ),
    Format(
        "summedits",
        "SummEdits: doc, summary, label",
        shape("doc", "summary", "label", without=("model_name",)),
        by_row(_summedits),
        _CONSISTENT,
    ),
    Format(
        "ragtruth",
        "RAGTruth: response.jsonl, and source_info.jsonl as the second file",
        shape("response", "labels", "source_id"),
        _ragtruth,
        _RAGTRUTH,
        beside=shape("source_id", "source_info"),
    ),
)
