"""Whether a sentence can contradict a claim at all: does it speak of the same thing?

A network calls "In 2015 the yard employed 62 people" a contradiction of "In 2019 it employed 40". A
contradiction needs the same subject, the same time and place, and a statement. The rules here only
ever acquit: each names what sets the two apart, and where none of them is sure, the network's word
stands. A difference is only taken for another case if something else differs as well; a date or a
name that differs alone is what the two disagree about.
"""

import re
from pathlib import Path

from veracite.engine.judge.premises import Candidate
from veracite.engine.judge.sides import Sides, happens_once, main_clause
from veracite.engine.judge.times import opening_year, set_in, when, years
from veracite.engine.judge.weighing import is_unit, leaves_open, weigh
from veracite.engine.types import Claim
from veracite.engine.wording.contrasts import cases_apart, is_negation
from veracite.engine.wording.lists import listed
from veracite.engine.wording.names import Name, in_family, stands_in
from veracite.engine.wording.overlap import content_words, words
from veracite.engine.wording.phrases import any_of
from veracite.engine.wording.quantities import measures

_PLACE = re.compile(r"\b(?:in|at|near|on|from|to)\s(?:the\s)?$", re.IGNORECASE)
_STATES = frozenset(listed("states of things"))
_PERIOD = re.compile(
    r"\b(first|second|third|fourth|last|\d+(?:st|nd|rd|th)) (quarter|half|semester|term|season|week"
    r"|day|month|year|decade|century|round|leg|stage|phase|edition|volume)\b",
    re.IGNORECASE,
)
_NEED_MORE = frozenset(listed("need a noun"))
_GRANTED = re.compile(
    r"\b(?:may|can|welcome|allowed|permitted|admitted|available|free|open|opens)\b", re.IGNORECASE
)
"""What is granted in one case is not denied in another by that."""
_PLAN = re.compile(
    r"\b(?:plan(?:ned|ning)|plans?(?= (?:to|for)\b)|propos(?:ed|al|es)|intend(?:s|ed)?"
    r"|expect(?:s|ed)?|forecasts?|forecasted|projected|predict(?:s|ed|ion)?"
    r"|hop(?:es?|ed) (?:to|that|for)"
    r"|aim(?:s|ed)? (?:to|at)|envisaged?|foresaw|foresees?|foreseen|scheduled (?:to|for)|budgeted"
    r"|(?:is|are|was|were) (?:due )?to (?:be|have|cost|open|start))\b",
    re.IGNORECASE,
)
_PLAN_HEADING = re.compile(
    r"\b(?:plan|proposal|forecast|projection|scenario)s?(?= (?:for|of|to)\b)", re.IGNORECASE
)
_HYPOTHESIS = re.compile(
    r"\b(?:if\b[^.;]*\b(?:would|could|might|had|were)|(?:would|could|might) have)\b",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b"
    + any_of(
        r"""rumou?r(?:s|ed)? alleged(?:ly)? allegations? supposed(?:ly)? reputed(?:ly)?
        purported(?:ly)? legend myth gossip (?:is|are|was|were)_said_to
        it_(?:is|was)_(?:said|claimed)_that claim(?:s|ed)_(?:that|to) perhaps possibly
        (?:people|some|villagers|locals|many)_(?:said|say|claim(?:ed)?|believed?)"""
    )
    + r"\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(r"\b(?:will|shall|going to)\b", re.IGNORECASE)
_AFTER_VERB = 3
"""Words from the main verb on that may tell that it only is planned, supposed or said."""
_SAY_LITTLE = frozenset(listed("say little"))
"""Words behind a subject that say little of it: others may stand in their place."""
_Told = tuple[str, str] | None
"""What the claim speaks of, and what the sentence does instead."""


def apart(claim: Claim, candidate: Candidate) -> str | None:
    """Why a sentence, whatever the verifier says, does not contradict a claim.

    Returns:
        A sentence for people ("The nearest passage speaks of 2015, not of 2019."); None if nothing
        sets the two apart.
    """
    sides = Sides(claim, candidate)
    for rule in (_subject, _time, _place, _case, _limit):
        if found := rule(sides):
            return f"The nearest passage speaks of {found[1]}, not of {found[0]}."
    told = _unstated(sides.said, sides.told, sides.other.end, sides.heading)
    if told and sides.shares_word and not _is_denied(sides):
        return f"The nearest passage tells of {told}."
    if year := _undated(sides):
        return f"The nearest passage does not say what was so in {year}."
    lacking = _unsaid(sides)
    return f"The nearest sentence does not say “{lacking}”." if lacking else None


def _subject(sides: Sides) -> _Told:
    """Another name in the subject's place, and nowhere the claim's."""
    if pair := sides.namesake():
        return pair[0].text, pair[1].text
    mine = sides.subject_names
    if mine and (other := sides.like_thing):
        return mine[0].text, other
    if not mine or any(stands_in(name, sides.around) for name in mine):
        return None
    if sides.shares_name and not sides.figures_differ:
        return None
    foreign = sides.foreign
    return (mine[0].text, foreign) if foreign and sides.is_parallel else None


def _time(sides: Sides) -> _Told:
    """Another year of what goes on or comes again."""
    mine, theirs = when(sides.said, sides.told, sides.heading)
    if not sides.is_parallel or happens_once(sides.said) or happens_once(sides.told):
        return None
    compared = weigh(mine, theirs)
    differing = [c for c in compared if c.outcome == "conflict" and c.stated is not None]
    if not differing or any(c.outcome == "match" for c in compared):
        return None
    one, other = differing[0].claimed, differing[0].stated
    if other is None or None in (one.date[0], other.date[0]):
        return None
    more = sides.figures_differ or sides.negation_differs or sides.opposite_to
    another_year = one.date[0] != other.date[0]
    if not (more or (another_year and (_names_differ(sides) or _is_state(sides)))):
        return None
    ends = {m.quantity: m.until for m in theirs}
    last = ends.get(other)
    return one.text, f"{other.text} to {last.text}" if last else other.text


def _place(sides: Sides) -> _Told:
    """Another place, where something else differs too."""
    if happens_once(sides.said) or not (sides.figures_differ or sides.negation_differs):
        return None
    there = (*sides.other.names, *sides.other.others)
    for mine in (*sides.own.names, *sides.own.others):
        before = _PLACE.search(sides.said[: mine.start])
        if before is None or stands_in(mine, sides.around):
            continue
        for theirs in there:
            same = _PLACE.search(sides.told[: theirs.start])
            if same and same[0].lower() == before[0].lower() and not stands_in(theirs, sides.said):
                return mine.text, theirs.text
    return None


def _case(sides: Sides) -> _Told:
    """Summer and winter, where something else differs too, or where both only say what may be."""
    more = sides.figures_differ or sides.negation_differs
    mine, theirs = _PERIOD.search(sides.said), _PERIOD.search(sides.told)
    if more and mine and theirs and mine[1].lower() != theirs[1].lower() and mine[2] == theirs[2]:
        return mine.group(), theirs.group()
    contrast = cases_apart(sides.said, sides.told)
    granted = _GRANTED.search(sides.said) and _GRANTED.search(sides.told)
    if contrast is None or not (granted or more or sides.opposite_to - {contrast.word.stem}):
        return None
    return (
        _phrase(sides.said, contrast.word.end, contrast.word.text),
        _phrase(sides.told, contrast.other.end, contrast.other.text),
    )


def _limit(sides: Sides) -> _Told:
    """ "Up to 300" leaves room for 210."""
    if any(c.outcome == "conflict" for c in sides.figures):
        return None
    theirs = [m for m in measures(sides.candidate.sentence.text) if m.limit]
    for figure in sides.figures:
        for stated in theirs:
            if figure.outcome != "match" and leaves_open(stated, figure.claimed):
                bound = "at most" if stated.limit == "most" else "at least"
                return figure.claimed.text, f"{bound} {stated.quantity.text}"
    return None


def _undated(sides: Sides) -> str | None:
    """The year that a claim opens with, where nothing dates what goes on or comes again."""
    sentence, document = sides.candidate.sentence.text, sides.candidate.passage.document
    found = set_in(sides.said)
    if (happens_once(sides.said) and happens_once(sentence)) or years(sentence) or not found:
        return None
    around = f"{Path(document.path).name}\n{sides.around}"
    if any(re.search(rf"\b{year.date[0]}\b", around) for year in found):
        return None
    return str(found[0].date[0]) if opening_year(sides.said) is not None else None


def _is_denied(sides: Sides) -> bool:
    """Whether a sentence denies the claim's own verb: "planned but never built"."""
    found = words(sides.candidate.sentence.text)
    places = [i for i, word in enumerate(found) if is_negation(word)]
    return any(w.stem in sides.own.verbs for i in places for w in found[i + 1 : i + 3])


def _names_differ(sides: Sides) -> bool:
    """Whether each has a name, in what it says, that the other has not."""
    return any(not stands_in(n, sides.around) for n in sides.own.others) and any(
        not stands_in(n, sides.context) for n in sides.other.others
    )


def _is_state(sides: Sides) -> bool:
    """Whether the claim tells how things were rather than what happened."""
    rest = [w.text for w in words(sides.said) if w.start >= sides.own.end]
    if rest[:1] and rest[0] in ("be", "is", "are", "was", "were"):
        return not sides.own.verbs or rest[1].endswith("ing")
    return rest[:1] != [] and rest[0] in _STATES


def _phrase(text: str, end: int, word: str) -> str:
    """A contrasting word with the one behind it, where alone it says little."""
    following = re.match(r"\s[a-z]+", text[end:])
    return word + (following.group() if following and word in _NEED_MORE else "")


def _unstated(claim: str, clause: str, verb: int, heading: str | None) -> str | None:
    """What a clause tells of instead of what is so, if the claim says outright what is so.

    Args:
        clause: Of the document.
        verb: Where its main verb starts.
        heading: Above it.

    Returns:
        The end of "The nearest passage tells of ...": a plan, a supposition, hearsay; None if the
        clause states what it says, or the claim is as guarded.
    """
    if any(p.search(claim) for p in (_PLAN, _HYPOTHESIS, _HEARSAY, _FUTURE)):
        return None
    group = re.match(rf"(?:\S+\s*){{0,{_AFTER_VERB}}}", clause[verb:])
    governing = clause[: verb + (group.end() if group else 0)]
    for pattern, what in (
        (_HYPOTHESIS, "what would be, not of what is"),
        (_HEARSAY, "what was said or supposed, not of what is so"),
        (_PLAN, "a plan or forecast, not of what came of it"),
    ):
        if match := pattern.search(governing):
            return f"{what} (“{match.group()}”)"
    if heading and (match := _PLAN_HEADING.search(heading)) and not _PLAN_HEADING.search(claim):
        return f"a plan or forecast, not of what came of it (“{match.group()}”)"
    return None


def _unsaid(sides: Sides) -> str | None:
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
