"""Names in full where a document uses their short form: "Marlow" for Edith Marlow.

A small network takes "Marlow" and "Edith Marlow", or "the society" and the society's name, for two
different subjects. Where a document names in full whom a claim names, and nobody else who could be
meant by the short form, the premise is read with the name in full.
"""

import re
from collections.abc import Sequence

from veracite.engine.names import names
from veracite.engine.phrases import any_of
from veracite.engine.subject_words import NO_NAMES
from veracite.engine.subjects import named

__all__ = ["in_full"]

_TITLES = frozenset("mr ms dr prof professor sir captain judge president senator".split())
_PLACED = frozenset("the a an in at near".split())
"""Words behind which a part of somebody's name is a place or a thing."""
_BODIES = re.compile(
    any_of(
        """society company university college school club museum institute association committee
        council board bank trust foundation party agency authority commission ministry department
        corporation firm group hospital library church orchestra band team league observatory union
        federation academy court office administration fund service centre center laboratory"""
    ),
    re.IGNORECASE,
)
_WORD = r"[A-Z][\w.'’&-]*\s(?:(?:of|the|and|&)\s)*"


def in_full(claim: str, premise: str, document: str) -> str:
    """The premise with the short form of each of the claim's names in full, once.

    Args:
        claim: Names somebody or something in full.
        premise: A part of the document.
        document: All its text.
    """
    for name in names(claim):
        parts = name.text.split()
        if len(parts) < 2 or _is_named(parts, premise):
            continue
        subject = named(name.text)
        if subject.person and not subject.thing:
            short = _part_of_name(parts, premise, document)
        else:
            short = _kind_of_body(parts, premise, document)
        if short is not None:
            premise = premise[: short[0]] + name.text + premise[short[1] :]
    return premise


def _part_of_name(parts: Sequence[str], premise: str, document: str) -> tuple[int, int] | None:
    """Where the family name or the first name stands alone for the whole."""
    for part in (parts[-1], parts[0]):
        alone = rf"(?:(?P<before>\S+)\s)?(?<![\w-])(?P<part>{re.escape(part)})(?![\w-]|\s[A-Z])"
        found = re.search(alone, premise)
        if found and _may_stand_alone(found["before"]) and _is_sole(part, parts, document):
            return found.span("part")
    return None


def _kind_of_body(parts: Sequence[str], premise: str, document: str) -> tuple[int, int] | None:
    """Where "the society" stands for the society's name."""
    head = parts[parts.index("of") - 1] if "of" in parts else parts[-1]
    if not _BODIES.fullmatch(head):
        return None
    found = re.search(rf"\b[Tt]he\s((?i:{head}))(?![\w-]|\s(?:of\s)?[A-Z])", premise)
    return found.span(1) if found and _is_sole(head, parts, document) else None


def _may_stand_alone(before: str | None) -> bool:
    """Whether what follows this word may be somebody's short name, and not the end of another."""
    if before is None or not before[0].isalpha():
        return True
    word = before.rstrip(".").lower()
    if word in _TITLES:
        return True
    return word not in _PLACED and (
        before[0].islower() or before[-1] in ".:;?!" or word in NO_NAMES
    )


def _is_named(parts: Sequence[str], text: str) -> bool:
    """Whether a text has the name in full, middle names aside."""
    first, last = re.escape(parts[0]), re.escape(parts[-1])
    return re.search(rf"\b{first}\s(?:\S+\s){{0,3}}{last}\b", text) is not None


def _is_sole(short: str, parts: Sequence[str], document: str) -> bool:
    """Whether a document has the full name, and no other with the same short form."""
    if not _is_named(parts, document):
        return False
    if short == parts[0]:
        others = rf"\b{re.escape(short)}\s([A-Z][\w'’-]*)"
    else:
        others = rf"((?:{_WORD}){{1,4}}){re.escape(short)}\b"
    return all(
        not (beside := _name_words(match[1], document)) or beside & set(parts)
        for match in re.finditer(others, document)
    )


def _name_words(text: str, document: str) -> set[str]:
    """The words of a text that are capitalised for being names."""
    return {
        word
        for word in re.findall(r"[A-Z][\w'’-]*", text)
        if word.lower() not in NO_NAMES | _TITLES and f" {word.lower()} " not in document
    }
