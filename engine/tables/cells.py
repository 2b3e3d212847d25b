"""Reading tables: a claim that names a row and a column, beside the cell where they meet.

A network reads the rows of a table as words without columns. Here a claim is only read if nothing
in it is left over: the row's label, the column's name (or what alone tells the column: a unit, a
currency, an entry) and the value. What counts, ranks or compares rows is left alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veracite.engine.comparing.premises import Candidate
from veracite.engine.comparing.sameness import RawText
from veracite.engine.comparing.topics import topic_of
from veracite.engine.tables.labels import Said
from veracite.engine.tables.rendered import Row, Table, table_around
from veracite.engine.tables.table_reading import Found, TableReading
from veracite.engine.wording.overlap import words
from veracite.engine.words import Claim

__all__ = ["Cell", "names_row", "read_cell"]


@dataclass(frozen=True, slots=True)
class Cell:
    """What a table says in the place that a claim names."""

    agrees: bool
    row: Candidate
    """The whole row, to be quoted."""
    label: str
    column: str
    """Its name; empty where it has none."""
    text: str
    said: str
    """The claim's value."""


def read_cell(claim: Claim, candidates: Sequence[Candidate], raw_text: RawText) -> Cell | None:
    """The cell that a claim speaks of; one that agrees before one that does not.

    Args:
        claim: What is judged.
        candidates: The sentences of its passages.
        raw_text: Gives a document's extracted text.
    """
    said = Said(claim.hypothesis)
    read: set[tuple[str, int]] = set()
    found: list[Cell] = []
    for candidate in candidates:
        passage, start = candidate.passage, candidate.sentence.start
        if "|" not in candidate.sentence.text or (passage.document.path, start) in read:
            continue
        table = table_around(raw_text(passage.document), start, passage.document.extractor)
        if table is None:
            continue
        read |= {(passage.document.path, row.start) for row in table.rows}
        reading = TableReading(said, table, _around(candidate))
        for one in reading.found():
            holder = next((c for c in candidates if _holds(c, candidate, one.row)), None)
            if holder is not None:
                found.append(_cell(one, table, holder, raw_text))
    outcomes = sorted(found, key=lambda cell: not cell.agrees)
    return outcomes[0] if outcomes else None


def names_row(
    claim: Claim, candidate: Candidate, raw_text: RawText, *, agreeing: bool
) -> bool | None:
    """Whether a claim names the row that a sentence is, and no other, and ranks or counts none.

    None for a sentence that is no row of a table.

    Args:
        claim: What is judged.
        candidate: The sentence.
        raw_text: Gives a document's extracted text.
        agreeing: Whether the row has to have the claim's figures in the columns that it names, and
            what the claim puts beside the row's name ("adult membership") has to be told somewhere.
    """
    passage, start = candidate.passage, candidate.sentence.start
    if "|" not in candidate.sentence.text:
        return None
    table = table_around(raw_text(passage.document), start, passage.document.extractor)
    if table is None:
        return None
    own = next((row for row in table.rows if row.start <= start <= row.end), None)
    reading = TableReading(Said(claim.hypothesis), table, "")
    if own is None or reading.said.ranks or not reading.names(own):
        return False
    return not agreeing or (reading.has_figures(own) and _is_of_that_kind(reading, own, candidate))


def _is_of_that_kind(reading: TableReading, row: Row, candidate: Candidate) -> bool:
    """Whether the nouns that a claim's subject puts beside a row's name are told around it."""
    said = reading.said
    told = " ".join((_around(candidate), *reading.table.names, *row.cells))
    stems = {word.stem for word in words(told)}
    beside = said.beside(reading.label_of(row), topic_of(said.text).end)
    return not any(said.says_of_its_own(word, stems) for word in beside)


def _around(candidate: Candidate) -> str:
    """What stands around a table: its headings, the file's name, the passage's sentences."""
    passage = candidate.passage
    prose = [line for line in passage.text.splitlines() if "|" not in line]
    return "\n".join((passage.heading or "", Path(passage.document.path).stem, *prose))


def _holds(candidate: Candidate, other: Candidate, row: Row) -> bool:
    """Whether a row is of a candidate's passage, in the document of another."""
    passage = candidate.passage
    return passage.document == other.passage.document and passage.start <= row.start < passage.end


def _cell(found: Found, table: Table, holder: Candidate, raw_text: RawText) -> Cell:
    row = found.row
    text = raw_text(holder.passage.document)[row.start : row.end]
    sentence = replace(holder.sentence, start=row.start, end=row.end, text=text)
    return Cell(
        found.agrees,
        replace(holder, sentence=sentence, reworded=None),
        row.cells[found.key],
        table.names[found.column] if table.names else "",
        row.cells[found.column],
        found.said,
    )
