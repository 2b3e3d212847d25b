"""What keeps quotes that seem to support a claim from telling all of it."""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from veracite.engine.comparing.additions import added_nowhere
from veracite.engine.comparing.conjuncts import names_nowhere, put_together
from veracite.engine.comparing.premises import passage_premise
from veracite.engine.comparing.reading import Reading
from veracite.engine.comparing.topics import topic_of
from veracite.engine.facts.identifiers import identifiers, is_stated
from veracite.engine.facts.measures import measures, weigh
from veracite.engine.facts.names import in_family
from veracite.engine.judging.citations import is_only_joint
from veracite.engine.judging.grounds import denies, says_otherwise, unstated_figures
from veracite.engine.wording.contrasts import LIGHT
from veracite.engine.wording.overlap import Word, coverage, words
from veracite.engine.wording.phrases import VERB_ENDING, VERBS
from veracite.engine.words import Citation

__all__ = ["lacking"]

_EXTREME = re.compile(
    r"\b(?<!\bat )(?:fewest|least|most (?=[a-z])(?!of\b|are\b|were\b)|largest|smallest|highest"
    r"|lowest|longest|shortest|oldest|youngest|fastest|slowest|cheapest|dearest|biggest|heaviest)\b"
)
_COMPARED = re.compile(
    r"\b(?:\w{2,}(?<!for)est|most|least|first|last|only|main|chief|top|maximum|minimum|record|leading"
    r"|never|no other|any other|all|every|principal|exceed\w*"
    r"|than (?!\d|one\b|two\b|three\b|half\b|an?\b))\b",
    re.IGNORECASE,
)
_COUNTED = 2
"""Words behind a number that can tell what it counts: "nine primary schools"."""


def _figures_left_out(reading: Reading, citations: Sequence[Citation]) -> str | None:
    """A sentence on a claim's figures that its quotes do not give (``grounds.unstated_figures``).

    Of quotes that only say so together, one must count the same things.
    """
    own = [citation for citation in citations if citation.relation == "supports"]
    said = reading.premises.claim.hypothesis
    if is_only_joint(reading) and (number := _of_other_things(said, [c.quote for c in own])):
        return f"No quote says “{number}” of what the claim counts."
    unstated = unstated_figures(said, [f"{c.heading or ''} {c.quote}" for c in own])
    return f"No quote for this has “{unstated[0]}”." if unstated else None


def _of_other_things(statement: str, quotes: Sequence[str]) -> str | None:
    """A number of a claim that stands only in quotes that do not speak of what it counts."""
    for measure in measures(statement):
        number = measure.quantity
        behind = [w for w in words(statement) if w.start >= number.end][:_COUNTED]
        counted = [word.stem for word in takewhile(lambda word: word.weight, behind)]
        if number.kind != "number" or not counted:
            continue
        stated = [q for q in quotes if weigh([measure], measures(q))[0].outcome == "match"]
        told = {word.stem for quote in stated for word in words(quote)}
        if stated and not any(in_family(stem, told) for stem in counted):
            return number.text
    return None


def lacking(reading: Reading, citations: Sequence[Citation]) -> str | None:
    """A sentence for people on what keeps quotes from telling all of a claim, if anything does."""
    otherwise = _otherwise(reading, citations)
    if otherwise is not None:
        return f"The nearest sentence sounds like this, but it {otherwise}."
    if (other := _other_kind(reading, citations)) is not None:
        return f"The nearest sentence sounds like this, but it speaks of {other}."
    said = reading.premises.claim.hypothesis
    found = [item.passage for item in reading.premises.evidence]
    whole = "\n".join(f"{one.document.path}\n{passage_premise(one)}" for one in found)
    unstated = [one.text for one in identifiers(said) if not is_stated(one, whole)]
    unstated += [name.text for name in names_nowhere(said, [passage_premise(p) for p in found])]
    added = next(iter(unstated), None) or added_nowhere(said, reading.premises.passages)
    if added is not None:
        return f"What was found says nothing of “{added}”."
    if (extreme := _unstated_extreme(said, citations)) is not None:
        return f"The quoted figures would have to be compared: no quote says “{extreme}”."
    if (figures := _figures_left_out(reading, citations)) is not None:
        return figures
    if not put_together(said, [c.quote for c in citations if c.relation == "supports"]):
        return "What seems to say so puts the facts of this together otherwise."
    return None


def _unstated_extreme(said: str, citations: Sequence[Citation]) -> str | None:
    """The superlative of a claim that no quote for it has, nor anything that amounts to one."""
    found = _EXTREME.search(said)
    if found is None:
        return None
    quotes = [f"{c.heading or ''} {c.quote}" for c in citations if c.relation == "supports"]
    if any(_COMPARED.search(quote) for quote in quotes):
        return None
    return found[0].strip() if any(len(measures(quote)) > 1 for quote in quotes) else None


def _other_kind(reading: Reading, citations: Sequence[Citation]) -> str | None:
    """Of two kinds that the documents tell apart, the one that is quoted and not the claim's.

    As where a claim is about the carbon filter, and what is quoted about the dust filter.
    """
    quotes = [f"{c.heading or ''}: {c.quote}" for c in citations if c.relation == "supports"]
    quoted = {word.stem for quote in quotes for word in words(quote)}
    found = {
        (one.stem, two.stem)
        for passage in reading.premises.passages
        for one, two in _compounds(passage)
    }
    said = reading.premises.claim.hypothesis
    for kind, thing in _compounds(said[: topic_of(said).end]):
        if in_family(kind.stem, quoted) or (kind.stem, thing.stem) not in found:
            continue
        others = [one for quote in quotes for one in _compounds(quote) if one[1].stem == thing.stem]
        times = sum(word.stem == thing.stem for quote in quotes for word in words(quote))
        if others and len(others) == times:
            return f"the {others[0][0].text} {others[0][1].text}"
    return None


def _compounds(text: str) -> list[tuple[Word, Word]]:
    """Two common nouns, or an adjective and a noun, that stand together: "carbon filter"."""
    return [
        (one, two)
        for one, two in pairwise(words(text))
        if two.start - one.end == 1
        and one.weight
        and two.weight
        and one.text.islower()
        and two.text.islower()
        and not {one.stem, two.stem} & LIGHT
        and not {one.text, two.text} & VERBS
        and not VERB_ENDING.match(two.text)
        and not one.text.endswith("ly")
    ]


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
    own = " ".join(claim.statement.rstrip(".").split())
    if any(own in " ".join(candidate.sentence.text.split()) for candidate in nearest):
        return None
    if any(denies(claim.hypothesis, candidate.sentence.text) for candidate in quoted):
        return "denies just that"
    told = [says_otherwise(claim, candidate) for candidate in nearest]
    return next(iter(told), None) if None not in told else None
