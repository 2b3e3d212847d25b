"""Why a verdict is what it is, in a sentence or two that a person understands."""

import re
from collections.abc import Sequence

from veracite.engine.comparing.alignment import align
from veracite.engine.comparing.premises import passage_premise
from veracite.engine.comparing.reading import Reading
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import designations, lacking_names, stands_in
from veracite.engine.judging.conflicts import told_by
from veracite.engine.judging.pertinence import spoken_of
from veracite.engine.tables.cells import Cell
from veracite.engine.wording.overlap import content_words, coverage
from veracite.engine.words import Aligned, Citation, Label, Verdict

__all__ = ["NOTHING_FOUND", "UNQUOTABLE", "add_model", "explain", "explain_cell"]

_RANGE = re.compile(r"[\d.,]+\s?(?:to|–|-)\s?$")
"""The beginning of a range that a figure ends."""
_LITERAL = 0.75
"""A quote that covers less of the claim says it in other words."""
NOTHING_FOUND = "The library holds no passage that shares anything with this."

UNQUOTABLE = {
    Label.SUPPORTED: "What was found seems to say so; no sentence can be quoted for it.",
    Label.CONTRADICTED: "What was found seems to say otherwise; no sentence can be quoted for it.",
}
"""Why what is likely is uncertain all the same."""


def explain(
    reading: Reading, label: Label, citations: Sequence[Citation], apart: str | None = None
) -> str:
    """One or two sentences for a verdict.

    Args:
        apart: Why what seems to support or to contradict the claim does not.
    """
    count = len(reading.premises.evidence)
    one = count == 1
    nearest = "nearest passage" if one else f"{count} nearest passages"
    if label in (Label.SUPPORTED, Label.CONTRADICTED):
        own = [c for c in citations if c.relation == citations[0].relation]
        told = _supported if label is Label.SUPPORTED else _contradicted
        if len(own) == len(citations):
            return told(reading, own)
        return f"{told(reading, own)} {told_by(citations).capitalize()} disagrees."
    if citations[0].relation == "supports":
        other = told_by(citations)
        one_side = "One document" if other == "another document" else "One passage"
        return f"{one_side} supports this, {other} contradicts it."
    if apart in UNQUOTABLE.values():
        return f"{apart}{_lacking(reading)}{_off_subject(reading)}"
    if apart is not None:
        return f"{apart}{_off_subject(reading)}"
    if label is Label.NOT_FOUND:
        none = "The nearest passage does not state" if one else f"None of the {nearest} states"
        return f"{none} this.{_lacking(reading)}{_off_subject(reading)}"
    return (
        f"The {nearest} neither clearly support{'s' if one else ''} nor clearly "
        f"contradict{'s' if one else ''} this.{_lacking(reading)}{_off_subject(reading)}"
    )


def explain_cell(cell: Cell) -> str:
    """One sentence for a verdict that a table's cell decides."""
    place = f"in the row “{cell.label}”"
    if cell.column:
        place += f" under “{cell.column}”"
    if cell.agrees:
        return f"The table says so: “{cell.text}” stands {place}."
    return f"The claim says {cell.said}, the table says {cell.text} {place}."


def add_model(verdict: Verdict, uncertain_below: float, answered: bool, *, alone: bool) -> str:
    """The explanation of a verdict for which a language model was asked, with its part in it.

    Args:
        uncertain_below: As ``decision.label_of``.
        answered: Whether it said anything that could be used.
        alone: Whether it was asked about every claim, not because the verifier was unsure.
    """
    told = verdict.explanation
    if not answered:
        return f"{told} A language model was asked and gave no usable answer."
    if verdict.label is not Label.UNCERTAIN:
        because = "" if alone else ", because the verifier was unsure"
        return f"{told} A language model decided this{because}."
    if verdict.probability >= uncertain_below:
        return f"{told} A language model is sure, but no sentence can be quoted for that."
    return f"{told} A language model was asked{'' if alone else ' too'} and did not settle it."


def _supported(reading: Reading, citations: Sequence[Citation]) -> str:
    together = len(citations) > 1 and reading.of_sentences[:, 0].max() < 0.5
    said = "These sentences together say so" if together else "The quoted sentence says so"
    stems = {w.stem for c in citations for w in content_words(f"{c.heading or ''} {c.quote}")}
    if coverage(reading.said, stems) < _LITERAL:
        said += ", in other words"
    statement = reading.premises.claim.statement
    parts = align(statement, tuple(citations), Label.SUPPORTED)
    matches = [
        statement[part.start : part.end]
        for part in parts
        if part.kind in ("number", "date") and part.outcome == "found"
    ]
    verb = "agrees" if len(matches) == 1 else "agree"
    return f"{said}. {_listed(matches)} {verb}." if matches else f"{said}."


def _contradicted(reading: Reading, citations: Sequence[Citation]) -> str:
    statement = reading.premises.claim.statement
    parts = align(statement, tuple(citations), Label.CONTRADICTED)
    conflicts = sorted((p for p in parts if p.outcome == "conflict"), key=_plainness)
    for part in conflicts:
        if part.stated is not None:
            quote = citations[part.stated.citation].quote
            range_before = _RANGE.search(quote[: part.stated.start])
            told = f"{range_before.group() if range_before else ''}{part.stated.text}"
            said, told = statement[part.start : part.end], " ".join(told.split())
            if part.kind in ("word", "negation"):
                said, told = f"“{said}”", f"“{told}”"
            return f"The claim says {said}, the document says {told}."
    return "The quoted sentence says otherwise."


def _plainness(part: Aligned) -> int:
    """Numbers and dates say most plainly what differs, then names; the least number first."""
    return {"number": 0, "date": 0, "name": 1}.get(part.kind, 2)


def _lacking(reading: Reading) -> str:
    """The names and numbers of the claim that stand in none of its passages."""
    statement = reading.premises.claim.statement
    texts = [passage_premise(item.passage) for item in reading.premises.evidence]
    stems = {w.stem for text in texts for w in content_words(text)}
    stated = [m for text in texts for m in measures(text)]
    names = [
        name
        for name in lacking_names(statement, stems)
        if not any(stands_in(name, text) for text in texts)
    ]
    codes = {(d.name, d.code) for text in texts for d in designations(text)}
    missing = [name.text for name in names]
    missing += [
        d.text
        for d in designations(statement)
        if (d.name, d.code) not in codes and not any(d.name in name.stems for name in names)
    ]
    numbers = [
        c.claimed.text
        for c in weigh(measures(statement), stated)
        if c.outcome != "match"
        and c.claimed.kind != "ordinal"
        and not any(re.search(rf"\b{re.escape(c.claimed.text)}\b", text) for text in texts)
        and not any(
            m.quantity.value == c.claimed.value for m in stated if c.claimed.kind == "money"
        )
    ]
    lacking = list(dict.fromkeys(missing + numbers))[:5]
    if not lacking:
        return ""
    verb = "stands" if len(lacking) == 1 else "stand"
    return f" {_listed(lacking)} {verb} nowhere in {'it' if len(texts) == 1 else 'them'}."


def _off_subject(reading: Reading) -> str:
    """The passages that were found beside those of the explanation."""
    if not reading.off_subject or not reading.pertains:
        return ""
    subject = spoken_of(reading.premises.claim)[0].text
    if reading.off_subject == 1:
        return f" 1 more passage is from a document that does not speak of {subject}."
    return (
        f" {reading.off_subject} more passages are from documents that do not speak of {subject}."
    )


def _listed(items: Sequence[str]) -> str:
    quoted = [f"“{item}”" for item in dict.fromkeys(items)]
    if len(quoted) == 1:
        return quoted[0]
    return ", ".join(quoted[:-1]) + " and " + quoted[-1]
