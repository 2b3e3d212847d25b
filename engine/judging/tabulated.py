"""Verdicts on what stands in tables: a cell that the claim names decides.

Where none does, a verdict that the verifier rests on rows alone holds only if the claim names one.
"""

from collections.abc import Sequence
from dataclasses import replace

from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.reading import Reading
from veracite.engine.judging.citations import RawText, cite, quotation
from veracite.engine.judging.explanations import explain, explain_cell
from veracite.engine.tables.cells import Cell, names_row, read_cell
from veracite.engine.words import Citation, Label, Relation, Scores, Verdict

__all__ = ["by_tables"]

_IN_CELL = Scores(0.95, 0.04, 0.01)
"""Of a claim that a cell agrees with, and turned round of one that it does not. Chosen."""


def by_tables(verdict: Verdict, reading: Reading, raw_text: RawText) -> Verdict:
    """What the tables of a claim's passages leave of a verdict.

    Args:
        verdict: Of the judge.
        reading: What it rests on.
        raw_text: Gives a document's extracted text.
    """
    premises = reading.premises
    cell = read_cell(premises.claim, premises.candidates, raw_text) if reading.pertains else None
    if cell is not None:
        return verdict if _is_opposed(cell, verdict) else _of_cell(verdict, cell, raw_text)
    if reading.verbatim is None and _is_misread(verdict, reading, raw_text):
        label = Label.UNCERTAIN
        citations = cite(reading, label, raw_text)
        told = explain(reading, label, citations)
        return replace(verdict, label=label, citations=citations, explanation=told)
    return verdict


def _is_opposed(cell: Cell, verdict: Verdict) -> bool:
    """Whether sentences, not rows of tables, are quoted for the opposite of what a cell says."""
    opposite = Label.CONTRADICTED if cell.agrees else Label.SUPPORTED
    return verdict.label is opposite and any("|" not in c.quote for c in verdict.citations)


def _of_cell(verdict: Verdict, cell: Cell, raw_text: RawText) -> Verdict:
    scores, row = _IN_CELL, cell.row
    if not cell.agrees:
        scores = Scores(scores.contradicted, scores.neutral, scores.supported)
    relation: Relation = "supports" if cell.agrees else "contradicts"
    probability = max(scores.supported, scores.contradicted)
    quote = quotation(row.passage, row.sentence, relation, probability, raw_text)
    # The column's name stands above the row and is part of what it says.
    heading = " > ".join(name for name in (quote.heading, cell.column) if name)
    return replace(
        verdict,
        label=Label.SUPPORTED if cell.agrees else Label.CONTRADICTED,
        probability=probability,
        scores=scores,
        explanation=explain_cell(cell),
        citations=(replace(quote, heading=heading or None),),
    )


def _is_misread(verdict: Verdict, reading: Reading, raw_text: RawText) -> bool:
    """Whether a verdict rests on rows of tables alone, none of which the claim names."""
    if verdict.label not in (Label.SUPPORTED, Label.CONTRADICTED):
        return False
    candidates = reading.premises.candidates
    rows = [_candidate(citation, candidates) for citation in verdict.citations]
    agreeing = verdict.label is Label.SUPPORTED
    outcomes = [
        names_row(verdict.claim, row, raw_text, agreeing=agreeing) if row else None for row in rows
    ]
    return all(outcome is False for outcome in outcomes)


def _candidate(citation: Citation, candidates: Sequence[Candidate]) -> Candidate | None:
    place = (citation.file, citation.start)
    return next(
        (c for c in candidates if (c.passage.document.path, c.sentence.start) == place), None
    )
