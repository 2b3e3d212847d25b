"""Names in a text: runs of capitalised words, for telling people which one is missing or differs.

Only for explanations. A rule that cannot be sure of a name stays silent: titles, initials, months
and the labels of forms are no names.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from veracite.engine.overlap import words

__all__ = ["Name", "lacking_names", "names"]

_RUN = re.compile(
    r"(?<![\w-])[A-Z][\w'’-]*\w(?:\s(?:(?:of|de|da|di|du|la|le|van|von|der|den|bin|al)\s)?"
    r"[A-Z][\w'’-]*\w)*(?![\w-])"
)
_TITLE = re.compile(r"\b(?:Dr|Mrs?|Ms|Prof|St|[A-Z])\.$")
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday mr mrs ms dr prof sir jr sr st the a an in on
    at it he she they we i this that these those its his her their when while after before no not
    ii iii iv""".split()
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text."""

    text: str
    stems: frozenset[str]
    """Of its words, titles aside."""


def names(text: str) -> tuple[Name, ...]:
    """The names of a text, in order; a capitalised word that opens a sentence alone is none."""
    found = []
    for match in _RUN.finditer(text):
        if text[match.end() : match.end() + 1] == ":" or _opens_alone(text, match):
            continue
        kept = [w for w in words(match.group()) if w.text.lower().rstrip(".") not in _NO_NAMES]
        if kept:
            shown = match.group()[kept[0].start : kept[-1].end]
            found.append(Name(shown, frozenset(w.stem for w in kept)))
    return tuple(dict.fromkeys(found))


def _opens_alone(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()].rstrip(" \"'“‘(")
    if _TITLE.search(before):
        return False
    return " " not in match.group() and (not before or before[-1] in ".!?:\n|")


def lacking_names(text: str, stems: Iterable[str]) -> tuple[Name, ...]:
    """The names of a text of which not one word is among ``stems``."""
    present = frozenset(stems)
    return tuple(name for name in names(text) if not name.stems & present)
