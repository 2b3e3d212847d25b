"""Identifiers: what one of many is registered, numbered or listed as ("N2699G", "31T-8020060").

A network reads one for another, since they differ in a sign; here they agree whole or not at all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(r"(?<![\w.@/-])[A-Z\d]+(?:[-/][A-Z\d]+)*(?![\w@]|[-/.]\w)")
_PERIOD = re.compile(r"(?:FY|AD|CE|[QH]\d)-?\d+|\d+-?(?:AD|CE|BC|BCE|[QH]\d)")
"""A year or a part of one, which dates are compared with."""
_DIGITS = 3
"""That an identifier has at least: "F-16" and "COVID-19" are names, which are compared as such."""
_LETTERS = 4
"""In a row, that it has at most."""
_SEPARATORS = re.compile(r"(?<=[A-Z\d])[-/ ](?=[A-Z\d])")


@dataclass(frozen=True, slots=True)
class Identifier:
    """A token of capitals and digits with its place in the text."""

    text: str
    start: int
    end: int


def identifiers(text: str) -> tuple[Identifier, ...]:
    """The identifiers of a text, in order."""
    return tuple(
        Identifier(found.group(), found.start(), found.end())
        for found in _TOKEN.finditer(text)
        if _is_one(found.group())
    )


def is_stated(identifier: Identifier, text: str) -> bool:
    """Whether a text has it, with other separators or none: ISO9001, ISO 9001."""
    signs = " ?".join(re.escape(sign) for sign in _SEPARATORS.sub("", identifier.text))
    bare = _SEPARATORS.sub(" ", text.upper())
    return re.search(rf"(?<![A-Z\d]){signs}(?![A-Z\d])", bare) is not None


def stated_instead(identifier: Identifier, text: str) -> Identifier | None:
    """The first that a text has in its place: built alike, of another number."""
    if is_stated(identifier, text):
        return None
    alike: Sequence[Identifier] = identifiers(text)
    return next((one for one in alike if _shape(one) == _shape(identifier)), None)


def _is_one(token: str) -> bool:
    runs = re.findall(r"[A-Z]+", token)
    if not runs or _PERIOD.fullmatch(token) or max(map(len, runs)) > _LETTERS:
        return False
    measured = token[0].isdigit() and token[-1].isalpha()
    return not measured and sum(sign.isdigit() for sign in token) >= _DIGITS


def _shape(identifier: Identifier) -> str:
    signs = _SEPARATORS.sub("", identifier.text)
    return "".join("9" if sign.isdigit() else "A" for sign in signs)
