"""Names in full where a document uses their short form: "Marlow" for Edith Marlow.

A small network takes "Marlow" and "Edith Marlow", or "the society" and the society's name, for two
different subjects. Where a document names in full whom a claim names, and nobody else who could be
meant by the short form, the premise is read with the name in full.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veracite.engine.facts.names import names
from veracite.engine.wording.name_kinds import named
from veracite.engine.wording.phrases import any_of
from veracite.engine.wording.subject_words import NO_NAMES

__all__ = ["ShortForm", "in_full", "is_body", "is_sole_body", "short_forms"]

_TITLES = frozenset("dr prof professor captain judge president senator".split())
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
_FIRM = "(?:Sons?|Daughters?|Brothers|Partners|Company|Co)"
_IN_FRONT = re.compile(r"(?:[A-Z][\w.'’&-]*\s(?:(?:of|the|and|&)\s)*){1,4}$")
_LENGTH = 60
"""Characters in front of a name's last word that the rest of it may take."""


@dataclass(frozen=True, slots=True)
class ShortForm:
    """A part of a name that stands for all of it in one document."""

    part: str
    name: str
    """In full, as a claim has it."""
    is_body: bool
    """Whether it stands for what the name is one of: "the society"."""

    def found_in(self, premise: str) -> tuple[int, int] | None:
        """Where it stands alone in a part of the document."""
        part = re.escape(self.part)
        if self.is_body:
            found = re.search(rf"\b[Tt]he\s((?i:{part}))(?![\w-]|\s(?:of\s)?[A-Z])", premise)
            return found.span(1) if found else None
        alone = rf"(?:(\S+)\s)?(?<![\w-])({part})(?![\w-]|\s[A-Z&]|\sand {_FIRM}\b)"
        found = re.search(alone, premise)
        return found.span(2) if found and _may_stand_alone(found[1]) else None


def short_forms(claim: str, document: str) -> tuple[ShortForm, ...]:
    """The short forms by which a document can only mean a name of the claim.

    Args:
        claim: Names somebody or something in full.
        document: All its text.
    """
    return tuple(form for name in names(claim) for form in _forms(name.text, document))


def in_full(forms: Sequence[ShortForm], premise: str) -> str:
    """A part of a document with the short forms in full, each name once.

    Args:
        forms: Of its document.
        premise: The part.
    """
    for form in forms:
        if not _is_named(form.name.split(), premise) and (place := form.found_in(premise)):
            premise = premise[: place[0]] + form.name + premise[place[1] :]
    return premise


def is_body(name: str) -> bool:
    """Whether a name says what kind of body it is: a society, a company."""
    parts = name.split()
    return len(parts) > 1 and _head(parts) is not None


def is_sole_body(name: str, document: str, beside: Sequence[str]) -> bool:
    """Whether a document says "the society" without naming any, and others name only this one.

    Args:
        name: In full.
        document: All its text.
        beside: The texts of other documents.
    """
    parts = name.split()
    head = _head(parts)
    if len(parts) < 2 or head is None or not re.search(rf"\b[Tt]he (?i:{head})\b", document):
        return False
    texts = (document, *beside)
    return any(_is_named(parts, text) for text in beside) and all(
        _is_alone(head, parts, text) for text in texts
    )


def _forms(name: str, document: str) -> Iterator[ShortForm]:
    parts, subject = name.split(), named(name)
    if len(parts) < 2 or not _is_named(parts, document):
        return
    if subject.person and not subject.thing:
        for part in (parts[-1], parts[0]):
            if _is_alone(part, parts, document):
                yield ShortForm(part, name, is_body=False)
    elif (head := _head(parts)) and _is_alone(head, parts, document):
        yield ShortForm(head, name, is_body=True)


def _head(parts: Sequence[str]) -> str | None:
    """The word of a body's name that says what it is."""
    head = parts[parts.index("of") - 1] if "of" in parts[1:] else parts[-1]
    return head if _BODIES.fullmatch(head) else None


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


def _is_alone(part: str, parts: Sequence[str], document: str) -> bool:
    """Whether a document has no other name that has this part."""
    if part == parts[0]:
        others = re.findall(rf"\b{re.escape(part)}\s([A-Z][\w'’-]*)", document)
    else:
        places = (match.start() for match in re.finditer(rf"\b{re.escape(part)}\b", document))
        front = (_IN_FRONT.search(document, max(0, at - _LENGTH), at) for at in places)
        others = [match.group() for match in front if match]
    return all(not (own := _name_words(o, document)) or own & set(parts) for o in others)


def _name_words(text: str, document: str) -> set[str]:
    """The words of a text that are capitalised for being names."""
    return {
        word
        for word in re.findall(r"[A-Z][\w'’-]*", text)
        if word.lower() not in NO_NAMES | _TITLES and f" {word.lower()} " not in document
    }
