"""Fact-checking sets for ``attribute``: a claim, its evidence, and what the evidence says of it."""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    digest,
    documents,
    label,
    maybe_text,
    objects,
    own_id,
    shape,
    source,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Statement

__all__ = ["FACT_CHECKS"]

_VERDICTS = {
    **dict.fromkeys(("supports", "supported", "support"), True),
    **dict.fromkeys(
        """refutes|refuted|refute|contradict|contradiction|not enough info|notenoughinfo|nei
        |neutral|disputed""".replace("\n        ", "").split("|"),
        False,
    ),
}
_STANCES = {
    "completely support": True,
    "partially support": False,
    "refute": False,
    "irrelevant": False,
}


def _fever(row: Row, reading: Reading) -> Iterator[Statement]:
    """FEVER's labels with the evidence as text: Symmetric, VitaminC, COVID-Fact, HealthVer."""
    fields = row.fields
    evidence = fields.get("evidence_sentence") or fields.get("evidence")
    if _of_pages(fields):
        raise Fault(
            "its evidence is page names and numbers, FEVER needs its Wikipedia pages as text"
        )
    claim, named = text(fields, "claim"), label(fields, "label")
    sources = documents(evidence)
    if not sources:
        raise Fault("no evidence")
    title = maybe_text(fields, "page")
    yield Statement(
        id=own_id(row, "unique_id", "id"),
        group=maybe_text(fields, "case_id", "page", "gold_source") or digest(claim),
        text=claim,
        truth=reading.truth(named),
        label=named,
        sources=tuple(source(s.text, title.replace("_", " ")) for s in sources)
        if title
        else sources,
        about=maybe_text(fields, "question"),
    )


def _of_pages(fields: Fields) -> bool:
    """FEVER as first published: annotation, evidence, page and sentence; no text."""
    evidence = fields.get("evidence")
    return "evidence_wiki_url" in fields or (
        isinstance(evidence, list)
        and any(isinstance(one, list) and one and isinstance(one[0], list) for one in evidence)
    )


def _foolmetwice(row: Row, reading: Reading) -> Iterator[Statement]:
    named, title = label(row.fields, "label"), maybe_text(row.fields, "wikipedia_page")
    gold = objects(row.fields, "gold_evidence")
    yield Statement(
        id=own_id(row, "id"),
        group=title or own_id(row, "id"),
        text=text(row.fields, "text"),
        truth=reading.truth(named),
        label=named,
        sources=tuple(source(text(evidence, "text"), title) for evidence in gold),
    )


def _factcheck_gpt(row: Row, reading: Reading) -> Iterator[Statement]:
    claim, named = text(row.fields, "claim"), label(row.fields, "stance")
    yield Statement(
        id=row.place,
        group=digest(claim),
        text=claim,
        truth=reading.truth(named),
        label=named,
        sources=(source(text(row.fields, "evidence")),),
    )


def _climate_fever(row: Row, reading: Reading) -> Iterator[Statement]:
    """A claim against its five sentences together, by the label of the claim."""
    named = label(row.fields, "claim_label")
    item_id = own_id(row, "claim_id")
    yield Statement(
        id=item_id,
        group=item_id,
        text=text(row.fields, "claim"),
        truth=reading.truth(named),
        label=named,
        sources=tuple(
            source(text(evidence, "evidence"), maybe_text(evidence, "article"))
            for evidence in objects(row.fields, "evidences")
        ),
    )


_is_claim = shape("claim", "label")


def _has_evidence(fields: Fields) -> bool:
    if fields.keys() & {"evidence_sentence", "evidence_wiki_url"} or _of_pages(fields):
        return True
    return "evidence" in fields and "meta" not in fields and _is_verdict(fields)


def _is_verdict(fields: Fields) -> bool:
    return str(fields["label"]).replace("_", " ").lower() in _VERDICTS


FACT_CHECKS = (
    Format(
        "foolmetwice",
        "Fool Me Twice: text, label, gold_evidence",
        shape("text", "label", "gold_evidence"),
        by_row(_foolmetwice),
        _VERDICTS,
        notes=("The documents are the gold evidence.",),
    ),
    Format(
        "factcheck-gpt",
        "FactCheck-GPT's stance: claim, evidence, stance",
        shape("claim", "evidence", "stance"),
        by_row(_factcheck_gpt),
        _STANCES,
    ),
    Format(
        "climate-fever",
        "Climate-FEVER: claim, claim_label, evidences",
        shape("claim", "claim_label", "evidences"),
        by_row(_climate_fever),
        _VERDICTS,
    ),
    Format(
        "fever",
        "FEVER-like (Symmetric, VitaminC, COVID-Fact, HealthVer): claim, label, evidence as text",
        lambda fields: _is_claim(fields) and _has_evidence(fields),
        by_row(_fever),
        _VERDICTS,
    ),
)
