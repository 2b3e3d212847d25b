"""Whom a document without headings is about: the name that its first sentence introduces.

"Ada Byron (1815-1852) was a mathematician. She ...": alone, the second sentence is of somebody. As
a title does for an article, the name tells the verifier of whom.
"""

import re

from veracite.engine.wording.subject_words import NO_NAMES

__all__ = ["introduced"]

_WORD = r"[A-Z][\w.'’&-]*"
_LINK = r"(?:of|the|de|del|della|di|da|van|von|der|den|la|le|al|and|for|in)"
_INTRODUCTION = re.compile(
    rf"""\s*({_WORD}(?:\s(?:{_LINK}\s){{0,2}}["“(]?{_WORD}["”)]?){{0,7}})
    (?:\s\([^()]*\))?(?:,\s[^,.]{{1,60}},)?
    \s(?:is|was|are|were)\s(?:an?|the|one)\s""",
    re.VERBOSE,
)
_LONGEST = 400
"""Characters of a text in which it may introduce somebody."""


def introduced(text: str) -> str | None:
    """The name of whom or what a text's first sentence says that it "is a" something, or None."""
    found = _INTRODUCTION.match(text[:_LONGEST])
    if found is None or found[1].lower() in NO_NAMES:
        return None
    return found[1]
