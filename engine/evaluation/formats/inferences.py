"""Inference sets for ``attribute``: does a premise, or a contract, entail a hypothesis?"""

from collections.abc import Iterator

from veracite.engine.evaluation.formats.fields import (
    Fault,
    Fields,
    digest,
    label,
    maybe_text,
    nested,
    objects,
    own_id,
    shape,
    source,
    text,
)
from veracite.engine.evaluation.formats.files import Row
from veracite.engine.evaluation.formats.reading import Format, Reading, by_row
from veracite.engine.evaluation.items import Statement

__all__ = ["INFERENCES"]

_NUMBERS = {"0": True, "1": False, "2": False}
_ENTAILMENT = {
    "entailment": True,
    "neutral": False,
    "contradiction": False,
    "not entailment": False,
    **_NUMBERS,
}
_CHOICES = {"entailment": True, "contradiction": False, "notmentioned": False}
_PREMISES = ("premise", "sentence1")
_HYPOTHESES = ("hypothesis", "sentence2")
_LABELS = ("gold_label", "label", "entailment")


def _contract_nli(row: Row, reading: Reading) -> Iterator[Statement]:
    """ContractNLI: every contract against every hypothesis."""
    hypotheses = nested(row.fields, "labels")
    for contract in objects(row.fields, "documents"):
        try:
            yield from _judged(contract, hypotheses, reading)
        except Fault as fault:
            reading.leave_out(row, f"contract {contract.get('id')}: {fault}")


def _judged(contract: Fields, hypotheses: Fields, reading: Reading) -> Iterator[Statement]:
    item_id = text(contract, "id")
    sources = (source(text(contract, "text"), identity=item_id),)
    for annotated in objects(contract, "annotation_sets")[:1]:
        choices = nested(annotated, "annotations")
        for key in choices:
            named = label(nested(choices, key), "choice")
            yield Statement(
                id=f"{item_id}/{key}",
                group=item_id,
                text=text(nested(hypotheses, key), "hypothesis"),
                truth=reading.truth(named),
                label=named,
                sources=sources,
            )


def _nli(row: Row, reading: Reading) -> Iterator[Statement]:
    """SNLI, MNLI and their like; numbers as labels are the ones that these sets use."""
    premise = text(row.fields, *_PREMISES)
    named = label(row.fields, *_LABELS)
    if named == "-":
        raise Fault("the annotators did not agree (label '-')")
    if named in _NUMBERS:
        reading.note("Of the labels 0 is entailment, 1 neutral, 2 contradiction.")
    yield Statement(
        id=own_id(row, "pairid", "pairID", "id", "index"),
        group=digest(premise),
        text=text(row.fields, *_HYPOTHESES),
        truth=reading.truth(named),
        label=named,
        sources=(source(premise),),
        part=maybe_text(row.fields, "language", "genre") or "",
    )


def _is_nli(fields: Fields) -> bool:
    return all(
        fields.keys() & set(names) for names in (_PREMISES, _HYPOTHESES, _LABELS)
    ) and not fields.keys() & {"claim", "evidence"}


INFERENCES = (
    Format(
        "contract-nli",
        "ContractNLI: documents with annotations, and labels with hypotheses",
        shape("documents", "labels"),
        by_row(_contract_nli),
        _CHOICES,
    ),
    Format(
        "nli",
        "SNLI, MNLI and their like: premise, hypothesis (or sentence1, sentence2) and label",
        _is_nli,
        by_row(_nli),
        _ENTAILMENT,
    ),
)
