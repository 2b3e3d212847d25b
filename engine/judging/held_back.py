"""What keeps quotes that seem to support a claim from telling all of it."""

from collections.abc import Sequence
from itertools import takewhile

from veracite.engine.comparing.additions import added_nowhere
from veracite.engine.comparing.premises import passage_premise
from veracite.engine.comparing.reading import Reading
from veracite.engine.facts.identifiers import identifiers, is_stated
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import in_family
from veracite.engine.judging.citations import is_only_joint
from veracite.engine.judging.conflicts import denied_outright
from veracite.engine.judging.grounds import says_otherwise, states_figures
from veracite.engine.wording.overlap import coverage, words
from veracite.engine.words import Citation

__all__ = ["lacking", "quotes_state_figures"]

_COUNTED = 2
"""Words behind a number that can tell what it counts: "nine primary schools"."""


def quotes_state_figures(reading: Reading, citations: Sequence[Citation]) -> bool:
    """Whether the quotes for a claim have its figures, as ``grounds.states_figures`` takes it.

    Of quotes that only say so together, one must count the same things.
    """
    own = [citation for citation in citations if citation.relation == "supports"]
    said = reading.premises.claim.hypothesis
    if is_only_joint(reading) and _counts_other_things(said, [c.quote for c in own]):
        return False
    return states_figures(said, [f"{c.heading or ''} {c.quote}" for c in own])


def _counts_other_things(statement: str, quotes: Sequence[str]) -> bool:
    """Whether a number of a claim stands only in quotes that do not speak of what it counts."""
    for measure in measures(statement):
        number = measure.quantity
        behind = [w for w in words(statement) if w.start >= number.end][:_COUNTED]
        counted = [word.stem for word in takewhile(lambda word: word.weight, behind)]
        if number.kind != "number" or not counted:
            continue
        stated = [q for q in quotes if weigh([measure], measures(q))[0].outcome == "match"]
        told = {word.stem for quote in stated for word in words(quote)}
        if stated and not any(in_family(stem, told) for stem in counted):
            return True
    return False


def lacking(reading: Reading, citations: Sequence[Citation]) -> str | None:
    """A sentence for people on what keeps quotes from telling all of a claim, if anything does."""
    otherwise = _otherwise(reading, citations)
    if otherwise is not None:
        return f"The nearest sentence sounds like this, but it {otherwise}."
    if denied_outright(reading.premises.claim.hypothesis, citations):
        return "What speaks of this outright says otherwise."
    said = reading.premises.claim.hypothesis
    found = [item.passage for item in reading.premises.evidence]
    whole = "\n".join(f"{one.document.path}\n{passage_premise(one)}" for one in found)
    unstated = (one.text for one in identifiers(said) if not is_stated(one, whole))
    added = next(unstated, None) or added_nowhere(said, reading.premises.passages)
    return None if added is None else f"What was found says nothing of “{added}”."


def _otherwise(reading: Reading, citations: Sequence[Citation]) -> str | None:
    """How what is quoted for a claim and covers most of it tells of another case, if all does."""
    if reading.verbatim is not None:
        return None
    places = {(c.file, c.start) for c in citations if c.relation == "supports"}
    quoted = [
        candidate
        for candidate in reading.premises.candidates
        if (candidate.passage.document.path, candidate.sentence.start) in places
    ]
    most = max((coverage(reading.said, c.stems) for c in quoted), default=0.0)
    claim = reading.premises.claim
    nearest = [c for c in quoted if coverage(reading.said, c.stems) == most]
    told = [says_otherwise(claim, candidate) for candidate in nearest]
    return next(iter(told), None) if None not in told else None
