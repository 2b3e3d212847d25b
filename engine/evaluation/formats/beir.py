"""BEIR: a corpus, queries, and for each split which documents are relevant to which query."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    maybe_text,
    plain_label,
    shape,
    source,
    text,
)
from veracite.engine.evaluation.formats.files import Row, first_row
from veracite.engine.evaluation.formats.parts import Part
from veracite.engine.evaluation.formats.reading import Format, Reading
from veracite.engine.evaluation.items import Item, Query, Source

__all__ = ["BEIR"]

_TEST = "test"
_is_judgement = shape("query-id", "corpus-id", "score")
_is_document = shape("_id", "title", "text")


def _beir(reading: Reading) -> Iterator[Item]:
    judged = [part for part in reading.besides if _holds_judgements(part)]
    reading.corpus.extend(
        reading.beside(_document, [part for part in reading.besides if part not in judged])
    )
    if not reading.corpus or not judged:
        missing = "qrels" if reading.corpus else "corpus.jsonl"
        raise InputError(
            f"There is no {missing} beside the queries.",
            "Give the set's folder or archive, or corpus.jsonl, queries.jsonl and qrels/test.tsv.",
        )
    relevant = _relevant(reading, _of_split(judged, reading))
    yield from reading.each(lambda row: _query(row, relevant))


def _holds_judgements(part: Part) -> bool:
    row = first_row(part)
    return row is not None and _is_judgement(row.fields)


def _of_split(judged: Sequence[Part], reading: Reading) -> Part:
    wanted = reading.options.split or (_TEST if len(judged) > 1 else judged[0].stem)
    reading.split_found = True
    for part in judged:
        if part.stem.lower() == wanted.lower():
            if len(judged) > 1:
                reading.note(f"The split is {wanted}.")
            return part
    have = ", ".join(part.stem for part in judged)
    raise InputError(f"The set has no split {wanted!r}.", f"It has {have}.")


def _document(row: Row) -> Source:
    return source(_body(row.fields), maybe_text(row.fields, "title"), text(row.fields, "_id"))


def _body(fields: Fields) -> str:
    """Some sets have documents of a title alone."""
    body = fields.get("text")
    if not isinstance(body, str):
        raise Fault("no text")
    return body


def _relevant(reading: Reading, part: Part) -> dict[str, dict[str, int]]:
    known = {document.id for document in reading.corpus}
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)

    def read(row: Row) -> tuple[str, str, int]:
        query, document = text(row.fields, "query-id"), text(row.fields, "corpus-id")
        if document not in known:
            raise Fault("a relevant document that is not in the corpus")
        return query, document, _grade(row.fields)

    for query, document, grade in reading.beside(read, [part]):
        if grade > 0:
            found[query][document] = grade
    return found


def _grade(fields: Fields) -> int:
    try:
        return int(plain_label(fields.get("score")) or "")
    except ValueError:
        raise Fault("a score that is no whole number") from None


def _query(row: Row, relevant: dict[str, dict[str, int]]) -> Iterator[Query]:
    query = text(row.fields, "_id")
    if query not in relevant:
        raise Fault("no document of this split is relevant to it")
    yield Query(query, text(row.fields, "text"), relevant[query])


BEIR = Format(
    "beir",
    "BEIR (folder, archive or files): corpus.jsonl, queries.jsonl, qrels/<split>.tsv",
    shape("_id", "text", without=("title",)),
    _beir,
    beside=lambda fields: _is_judgement(fields) or _is_document(fields),
)
