"""Whether a sentence states a thing, or only plans, supposes, reports or half says it."""

import re

from veracite.engine.wording.phrases import any_of

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


def unstated(claim: str, clause: str, verb: int, heading: str | None) -> str | None:
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
