"""Whether one sentence allows what another one forbids: "Dogs are welcome in the hall"."""

import re

from veracite.engine.wording.overlap import content_words

__all__ = ["allows_and_forbids"]

_ALLOWED = "allowed permitted welcome admitted accepted"
_FORBIDDEN = "forbidden prohibited banned"
_SAID = re.compile(
    r"(?:(?P<no>\bnot|\bnever|\bno longer|n['’]t)\s)?(?:be(?:en)?\s)?"
    rf"\b(?P<word>{'|'.join(f'{_ALLOWED} {_FORBIDDEN}'.split())})\b",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"\W*(?:no|none|neither|nobody)\b", re.IGNORECASE)


def allows_and_forbids(one: str, other: str) -> bool:
    """Whether two sentences on the same subject differ in whether something is allowed.

    One must have all that the other says beside that: what is allowed on Mondays, or in another
    place, may be forbidden on Sundays.
    """
    mine, theirs = _SAID.search(one), _SAID.search(other)
    if mine is None or theirs is None or _allows(mine) == _allows(theirs):
        return False
    here, there = _stems(one, mine), _stems(other, theirs)
    is_same = _stems(one[: mine.start()], None) == _stems(other[: theirs.start()], None)
    return is_same and (here <= there or there <= here)


def _allows(found: re.Match[str]) -> bool:
    denied = bool(found["no"]) != bool(_NOBODY.match(found.string))
    return denied != (found["word"].lower() in _ALLOWED.split())


def _stems(text: str, found: re.Match[str] | None) -> frozenset[str]:
    """Of what is said, without whether it is allowed."""
    text = text if found is None else f"{text[: found.start()]} {text[found.end() :]}"
    return frozenset(word.stem for word in content_words(text) if word.text.lower() != "no")
