"""What of a claim a sentence has no word of, so that it cannot deny it."""

from veracite.engine.facts.measures import measures
from veracite.engine.facts.names import Name, in_family, stands_in
from veracite.engine.facts.units import is_unit
from veracite.engine.judge.sides import Sides
from veracite.engine.judge.topics import happens_once, main_clause
from veracite.engine.wording.overlap import content_words, words

_SAY_LITTLE = frozenset(
    """happen happens happened occur occurs occurred take takes took taken place year years old
    month months day days time times become becomes became""".split()
)
"""Words behind a subject that say little of it: others may stand in their place."""


def unsaid(sides: Sides) -> str | None:
    """What the claim says of its subject, if the sentence has no word of it, nor its opposite."""
    kinds = ("percent", "money", "date") if happens_once(sides.said) else ("percent", "money")
    measured = any(
        c.outcome == "conflict" and (c.claimed.unit or c.claimed.kind in kinds)
        for c in sides.figures
    )
    sentence = f"{sides.heading}: {sides.candidate.sentence.text}"
    shared = any(
        stands_in(name, sentence) and not _is_dated_elsewhere(sides, name)
        for name in sides.own.others
    )
    if measured or shared or sides.negation_differs or sides.opposite_to:
        return None
    figures = [m.quantity for m in measures(sides.said)]
    there = {word.stem for word in words(sentence)}
    predicate = [
        word
        for word in content_words(sides.said)
        if word.start >= sides.own.end
        and word.text.islower()
        and not any(f.start <= word.start < f.end + 2 * is_unit(f.unit) for f in figures)
    ]
    if any(in_family(word.stem, there) for word in predicate):
        return None
    return next((word.text for word in predicate if word.text not in _SAY_LITTLE), None)


def _is_dated_elsewhere(sides: Sides, name: Name) -> bool:
    """Whether a sentence's other date stands in another clause than a name."""
    clause = main_clause(sides.candidate.sentence.text, name.stems)
    other = [c.stated for c in sides.figures if c.outcome == "conflict" and c.stated]
    return bool(other) and all(q.kind == "date" and q.text not in clause for q in other)
