"""Words thrown in that no document could confirm or deny: "of all places", ", no less"."""

import re

from veracite.engine.wording.phrases import any_of

__all__ = ["without_asides"]

_SAYS_NOTHING = (
    any_of(
        """in_fact indeed of_course as_it_happens as_it_turns_out as_it_happened as_it_turned_out
        needless_to_say interestingly incidentally admittedly by_the_way if_you_will so_to_speak
        believe_it_or_not for_what_it_is_worth to_be_sure naturally_enough"""
    )
    + r"\b"
)
_FIRST = re.compile(
    rf"(?:{_SAYS_NOTHING}, |it turns out that (?=(?:\w+ ){{2}}))(?=\w)", re.IGNORECASE
)
_BETWEEN = re.compile(rf", {_SAYS_NOTHING},(?= )")
_LAST = re.compile(rf", (?:{_SAYS_NOTHING}|no less\b)(?=[.!]?$)")
_OF_ALL = re.compile(
    r", of all (?:places|people|things|days|times),(?= )"
    r"|, of all (?:places|people|things|days|times)(?=[.,;:!]|$)"
)


def without_asides(statement: str) -> str:
    """A statement without what is only thrown in; it may begin with a small letter then."""
    opening = _FIRST.match(statement)
    said = statement[opening.end() :] if opening else statement
    for aside in (_BETWEEN, _LAST, _OF_ALL):
        said = aside.sub("", said)
    return said
