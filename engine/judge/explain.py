"""Why a verdict is what it is, in a sentence or two that a person understands."""

from collections.abc import Sequence

from veracite.engine.judge.alignment import align
from veracite.engine.judge.decision import Decided, Reading
from veracite.engine.judge.premises import passage_premise
from veracite.engine.judge.weighing import weigh
from veracite.engine.types import Citation, Label
from veracite.engine.wording.names import names, stands_in
from veracite.engine.wording.quantities import measures

NOTHING_FOUND = "No passage in the library has anything in common with this claim."
_LITERAL = 0.75
"""A quote that covers less of the claim says it in other words."""
_PLAINNESS = {"number": 0, "date": 0, "name": 1}
"""Numbers and dates say most plainly what differs, then names; the least number first."""
_MOST = 5
"""Missing names and figures that are named."""


def explain(
    reading: Reading, decided: Decided, citations: Sequence[Citation], uncertain_below: float
) -> str:
    """One or two sentences for a verdict.

    Args:
        reading: What was read.
        decided: The label and what it rests on.
        citations: Of the verdict.
        uncertain_below: A reading less probable than this leaves the claim uncertain.
    """
    if decided.label in (Label.SUPPORTED, Label.CONTRADICTED):
        own = [c for c in citations if c.relation == citations[0].relation]
        by_label = _supported if decided.label is Label.SUPPORTED else _contradicted
        told = by_label(reading, decided, own)
        if len(own) == len(citations):
            return told
        return f"{told} {_told_by(citations).capitalize()} disagrees. {decided.preferred}".rstrip()
    if decided.disputed and citations[0].relation != citations[-1].relation:
        return disputed(citations)
    if reading.elsewhere is not None:
        return f"{reading.apart[reading.elsewhere]}{_lacking(reading)}"
    count = len(reading.premises.evidence)
    nearest = "nearest passage" if count == 1 else f"{count} nearest passages"
    if decided.label is Label.NOT_FOUND:
        none = f"None of the {nearest} states" if count > 1 else f"The {nearest} does not state"
        return f"{none} this.{_lacking(reading)}"
    scores = decided.scores
    if max(scores.supported, scores.contradicted) >= uncertain_below:
        says = "say so" if scores.supported > scores.contradicted else "say otherwise"
        return f"The documents probably {says}, but not clearly enough.{_lacking(reading)}"
    verb = ("supports", "contradicts") if count == 1 else ("support", "contradict")
    return f"The {nearest} neither clearly {verb[0]} nor clearly {verb[1]} this.{_lacking(reading)}"


def disputed(citations: Sequence[Citation]) -> str:
    """Of a claim that one citation supports and another contradicts."""
    other = _told_by(citations)
    one_side = "One document" if other == "another document" else "One passage"
    return f"{one_side} supports this, {other} contradicts it."


def _told_by(citations: Sequence[Citation]) -> str:
    """Who says the opposite of the first citation: another document, or another passage of it."""
    first = citations[0]
    other = next(c for c in citations if c.relation != first.relation)
    return "another passage" if other.file == first.file else "another document"


def _supported(reading: Reading, decided: Decided, citations: Sequence[Citation]) -> str:
    if decided.verbatim is not None:
        return "The quoted sentence says exactly this."
    best = reading.premises.premises[decided.supporting[0][0]]
    together = best.kind != "sentence" and len(citations) > 1
    said = "These sentences together say so" if together else "The quoted sentence says so"
    terms = reading.premises.terms
    found = terms.found(" ".join(f"{c.heading or ''} {c.quote}" for c in citations))
    if terms.share(found) < _LITERAL:
        said += ", in other words"
    statement = reading.premises.claim.statement
    matches = [
        statement[part.start : part.end]
        for part in align(statement, tuple(citations), Label.SUPPORTED)
        if part.kind in ("number", "date") and part.outcome == "found"
    ]
    verb = "is" if len(matches) == 1 else "are"
    return f"{said}. {_listed(matches)} {verb} the same in both." if matches else f"{said}."


def _contradicted(reading: Reading, _: Decided, citations: Sequence[Citation]) -> str:
    statement = reading.premises.claim.statement
    parts = align(statement, tuple(citations), Label.CONTRADICTED)
    conflicts = ((p, p.stated) for p in parts if p.outcome == "conflict" and p.stated)
    for part, stated in sorted(conflicts, key=lambda pair: _PLAINNESS.get(pair[0].kind, 2)):
        said, told = statement[part.start : part.end], " ".join(stated.text.split())
        if part.kind == "word":
            said, told = f"“{said}”", f"“{told}”"
        return f"The claim says {said}, the document says {told}."
    return "The quoted sentence says otherwise."


def _lacking(reading: Reading) -> str:
    """The names and numbers of the claim that stand in none of its passages."""
    statement = reading.premises.claim.statement
    texts = [passage_premise(item.passage) for item in reading.premises.evidence]
    found = frozenset().union(*(reading.premises.terms.found(text) for text in texts))
    unknown = [name for name in names(statement) if not name.stems & found]
    missing = [n.text for n in unknown if not any(stands_in(n, text) for text in texts)]
    compared = weigh(measures(statement), [m for text in texts for m in measures(text)])
    figures = [c.claimed for c in compared if c.outcome != "match"]
    missing += [figure.text for figure in figures if figure.kind != "ordinal"]
    missing = list(dict.fromkeys(missing))[:_MOST]
    if not missing:
        return ""
    verb = "appears" if len(missing) == 1 else "appear"
    where = "nowhere in it" if len(texts) == 1 else "in none of them"
    return f" {_listed(missing)} {verb} {where}."


def _listed(items: Sequence[str]) -> str:
    quoted = [f"“{item}”" for item in dict.fromkeys(items)]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
