"""SciFact and CitInt: scientific claims against the abstracts that they cite.

Read as the authors publish them (claims and corpus as JSON lines; CitInt has the same shape) and as
the tables of the same names that data hubs make of them, with lists as numpy prints them.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats.fields import (
    Fault,
    label,
    maybe_text,
    own_id,
    sentences,
    shape,
    source,
    strings,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.parts import Part
from veracite.engine.evaluation.formats.reading import Format, Reading
from veracite.engine.evaluation.items import Item, Query, Source, Statement

__all__ = ["SCIFACT", "SCIFACT_SEARCH"]

_LABELS = {
    "support": True,
    "contradict": False,
    "refute": False,
    "not enough info": False,
}
_UNNAMED = "NOT_ENOUGH_INFO"
"""For an abstract that is cited without any evidence in it."""

_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.S)


@dataclass(slots=True)
class _Claim:
    row: Row
    id: str
    text: str
    labels: dict[str, str | None] = field(default_factory=dict)
    """Abstract to the label of its evidence, None where it is cited without any."""


def _claims(reading: Reading) -> Iterator[_Claim]:
    """The claims of all rows: tables have a row for each piece of evidence, side by side."""
    last: _Claim | None = None
    for row in reading.rows():
        try:
            found = _claim(row)
        except Fault as fault:
            reading.leave_out(row, str(fault))
            continue
        if last is not None and (last.id, last.row.part) == (found.id, row.part):
            last.labels.update(found.labels)
            continue
        if last is not None:
            yield last
        last = found
    if last is not None:
        yield last


def _claim(row: Row) -> _Claim:
    fields = row.fields
    claim = _Claim(row, own_id(row, "id"), text(fields, "claim"))
    claim.labels.update(dict.fromkeys(_numbers(fields.get("cited_doc_ids"))))
    if "evidence_doc_id" in fields:
        document = maybe_text(fields, "evidence_doc_id")
        evidence: Mapping[str, object] = (
            {document: [{"label": fields.get("evidence_label")}]} if document else {}
        )
    else:
        given = fields.get("evidence")
        evidence = given if isinstance(given, Mapping) else {}
    for document, found in evidence.items():
        if isinstance(found, list) and found and isinstance(found[0], Mapping):
            claim.labels[document] = label(found[0], "label")
    if not claim.labels:
        raise Fault("it cites no abstract")
    return claim


def _numbers(value: object) -> list[str]:
    """``[1, 2]`` or numpy's ``[1 2]`` in a table."""
    if isinstance(value, list):
        return [str(one) for one in value]
    return re.findall(r"\d+", value) if isinstance(value, str) else []


def _abstract(row: Row) -> Source:
    printed = maybe_text(row.fields, "abstract")
    parts = strings(row.fields, "abstract") if printed is None else _printed(printed)
    return source(sentences(parts), maybe_text(row.fields, "title"), text(row.fields, "doc_id"))


def _printed(abstract: str) -> Sequence[str]:
    """The sentences of a list as numpy prints it, or the text itself."""
    try:
        return [str(ast.literal_eval(one)) for one in _LITERAL.findall(abstract)] or [abstract]
    except (ValueError, SyntaxError):
        raise Fault("no abstract") from None


def _corpus(reading: Reading) -> dict[str, Source]:
    corpus = {abstract.id: abstract for abstract in reading.beside(_abstract)}
    if not corpus:
        raise InputError(
            "The claims name their abstracts by number only.",
            "Give the set's corpus (doc_id, title, abstract) as a second file.",
        )
    return corpus


def _statements(reading: Reading) -> Iterator[Item]:
    """Every claim against every abstract that it cites."""
    corpus = _corpus(reading)
    for claim in _claims(reading):
        for document, named in claim.labels.items():
            try:
                yield _statement(claim, corpus.get(document), named or _UNNAMED, reading)
            except Fault as fault:
                reading.leave_out(claim.row, str(fault))


def _statement(claim: _Claim, abstract: Source | None, named: str, reading: Reading) -> Statement:
    if abstract is None:
        raise Fault("its abstract is not in the corpus")
    part = claim.row.part.stem if len(reading.mains) > 1 else ""
    return Statement(
        id=f"{claim.id}/{abstract.id}",
        group=f"{part}/{claim.id}" if part else claim.id,
        text=claim.text,
        truth=reading.truth(named),
        label=named,
        sources=(abstract,),
        part=part,
    )


def _queries(reading: Reading) -> Iterator[Item]:
    """Every claim with the abstracts that it cites, as BEIR's SciFact has them."""
    corpus = _corpus(reading)
    reading.corpus.extend(corpus.values())
    if reading.options.split is None:
        reading.mains = _validation(reading.mains) or reading.mains
    for claim in _claims(reading):
        relevant = {document: 1 for document in claim.labels if document in corpus}
        if relevant:
            yield Query(claim.id, claim.text, relevant)
        else:
            reading.leave_out(claim.row, "its abstracts are not in the corpus")


def _validation(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(part for part in parts if part.words & {"validation", "dev"})


_is_claim = shape("claim", "cited_doc_ids")
_is_abstract = shape("doc_id", "abstract")

SCIFACT = Format(
    "scifact",
    "SciFact and CitInt: claim, evidence, cited_doc_ids; the corpus as a second file",
    _is_claim,
    _statements,
    _LABELS,
    beside=_is_abstract,
)
SCIFACT_SEARCH = Format(
    "scifact",
    "SciFact: the abstracts that a claim cites; claims and corpus, or their folder or archive",
    _is_claim,
    _queries,
    beside=_is_abstract,
    notes=(
        "Relevant is what a claim cites; BEIR's test queries are SciFact's validation claims, "
        "which are taken where no split is named.",
    ),
)
