"""Why a verdict is what it is, in a sentence or two that a person understands."""

from collections.abc import Sequence

from veracite.engine.features import Reading
from veracite.engine.names import lacking_names
from veracite.engine.numbers import compare
from veracite.engine.overlap import content_words, coverage
from veracite.engine.premises import Candidate, passage_premise
from veracite.engine.quantities import extract
from veracite.engine.words import Citation, Label

__all__ = ["NOTHING_FOUND", "explain"]

_LITERAL = 0.75
"""A quote that covers less of the claim says it in other words."""
_ABOUT = 0.5
"""A quote that covers less of the claim, names aside, may speak of something else."""
NOTHING_FOUND = "The library holds no passage that shares anything with this."


def explain(reading: Reading, label: Label, citations: Sequence[Citation]) -> str:
    """One or two sentences for a verdict."""
    count = len(reading.premises.evidence)
    one = count == 1
    nearest = "nearest passage" if one else f"{count} nearest passages"
    if label in (Label.SUPPORTED, Label.CONTRADICTED):
        own = [c for c in citations if c.relation == citations[0].relation]
        told = _supported if label is Label.SUPPORTED else _contradicted
        disagreement = " Another document disagrees." if len(own) < len(citations) else ""
        return told(reading, own) + disagreement
    if label is Label.NOT_FOUND:
        none = "The nearest passage does not state" if one else f"None of the {nearest} states"
        return f"{none} this.{_lacking(reading)}"
    return (
        f"The {nearest} neither clearly support{'s' if one else ''} nor clearly "
        f"contradict{'s' if one else ''} this.{_lacking(reading)}"
    )


def _supported(reading: Reading, citations: Sequence[Citation]) -> str:
    together = len(citations) > 1 and reading.of_sentences[:, 0].max() < 0.5
    said = "These sentences together say so" if together else "The quoted sentence says so"
    stems = {w.stem for c in citations for w in content_words(f"{c.heading or ''} {c.quote}")}
    if coverage(reading.said, stems) < _LITERAL:
        said += ", in other words"
    stated = [q for c in citations for q in extract(c.quote)]
    matches = [
        c.claimed.text
        for c in compare(extract(reading.premises.claim.statement), stated)
        if c.outcome == "match" and c.claimed.kind != "ordinal"
    ]
    verb = "agrees" if len(matches) == 1 else "agree"
    return f"{said}. {_listed(matches)} {verb}." if matches else f"{said}."


def _contradicted(reading: Reading, citations: Sequence[Citation]) -> str:
    statement = reading.premises.claim.statement
    quoted = _quoted(reading, citations[0])
    for comparison in compare(extract(statement), extract(quoted.sentence.text)):
        if comparison.outcome == "conflict" and comparison.stated is not None:
            return (
                f"The claim says {comparison.claimed.text}, "
                f"the document says {comparison.stated.text}."
            )
    lacking = lacking_names(statement, quoted.stems)
    own = {w.stem for w in content_words(f"{reading.premises.claim.query} {statement}")}
    instead = lacking_names(quoted.sentence.text, own)
    rest = [w for w in reading.said if w not in reading.names]
    # Only one name on either side can be said to stand in the other's place.
    if len(lacking) == len(instead) == 1 and coverage(rest, quoted.stems) >= _ABOUT:
        return f"The claim says {lacking[0].text}, the document says {instead[0].text}."
    return "The quoted sentence says otherwise."


def _quoted(reading: Reading, citation: Citation) -> Candidate:
    return next(
        c
        for c in reading.premises.candidates
        if (c.passage.document.path, c.sentence.start) == (citation.file, citation.start)
    )


def _lacking(reading: Reading) -> str:
    """The names and numbers of the claim that stand in none of its passages."""
    texts = [passage_premise(item.passage) for item in reading.premises.evidence]
    stems = {w.stem for text in texts for w in content_words(text)}
    stated = [q for text in texts for q in extract(text)]
    missing = [name.text for name in lacking_names(reading.premises.claim.statement, stems)]
    numbers = [
        c.claimed.text
        for c in compare(extract(reading.premises.claim.statement), stated)
        if c.outcome != "match" and c.claimed.kind != "ordinal"
    ]
    lacking = list(dict.fromkeys(missing + numbers))[:5]
    if not lacking:
        return ""
    verb = "stands" if len(lacking) == 1 else "stand"
    return f" {_listed(lacking)} {verb} nowhere in {'it' if len(texts) == 1 else 'them'}."


def _listed(items: Sequence[str]) -> str:
    quoted = [f"“{item}”" for item in dict.fromkeys(items)]
    if len(quoted) == 1:
        return quoted[0]
    return ", ".join(quoted[:-1]) + " and " + quoted[-1]
