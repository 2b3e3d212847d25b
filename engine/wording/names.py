"""Names in a text: runs of capitalised words, names with a number ("Apollo 11"), identifiers.

A rule that cannot be sure of a name stays silent: titles, initials, months and the labels of forms
are no names. Identifiers ("N2699G", "31T-8020060") differ in a sign from one another, so networks
read one for another; here they agree whole or not at all.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from veracite.engine.wording.lists import any_of, listed
from veracite.engine.wording.overlap import stem_of, words

_RUN = re.compile(
    r"(?<![\w-])[A-Z][\w'’-]*\w(?:\s(?:(?:of|de|da|di|du|la|le|van|von|der|den|bin|al|&)\s)?"
    r"[A-Z][\w'’-]*\w)*(?![\w-])"
)
_TITLE = re.compile(r"\b(?:Dr|Mrs?|Ms|Prof|St|[A-Z])\.$")
_NO_NAMES = frozenset(listed("no names"))
_KINDS = any_of(listed("numbered"))
_NUMBERED = re.compile(
    rf"(?:(?P<name>(?<![\w-])[A-Z][\w'’-]*)|\b{_KINDS})\s(?P<code>\d{{1,3}}(?:\.\d+)*[A-Za-z]?|[IVX]{{1,4}}\b|[A-Z](?=[\s,.]))(?![\w,.]*\d)"
)
_COUNTED = re.compile(r"\s(?!(?:[a-z]+(?:ed|s)|is|was|has|had|can|will|and|or|in|on|at|by)\b)[a-z]")
_TOKEN = re.compile(r"(?<![\w.@/-])[A-Z\d]+(?:[-/][A-Z\d]+)*(?![\w@]|[-/.]\w)")
_PERIOD = re.compile(r"(?:FY|AD|CE|[QH]\d)-?\d+|\d+-?(?:AD|CE|BC|BCE|[QH]\d)")
"""A year or a part of one, which dates are compared with."""
_DIGITS = 3
"""That an identifier has at least: "F-16" and "COVID-19" are names, which are compared as such."""
_LETTERS = 4
"""In a row, that it has at most."""
_SEPARATORS = re.compile(r"(?<=[A-Z\d])[-/ ](?=[A-Z\d])")
_LEAST_SHARED = 4
"""Letters at the beginning of two words that make them the same name: France, French."""
_FAMILY = 4
"""Letters from which on a word that begins another is of its family: visit, visitor."""
_ENDING = 5
"""Letters at most by which the longer of two such words is longer."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it stands in a text."""

    text: str
    stems: frozenset[str]
    """Of its words, titles aside."""
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Code:
    """One of several of a kind, told apart by a number or letter: "Apollo 11", "N2699G"."""

    text: str
    kind: str
    """Of a numbered name the stem of the word before the number, of an identifier its pattern."""
    code: str
    start: int
    end: int


def names(text: str, *, opening: bool = False) -> tuple[Name, ...]:
    """The names of a text, in order.

    Args:
        opening: Whether a capitalised word that opens a sentence alone may be a name.
    """
    found = []
    for match in _RUN.finditer(text):
        if text[match.end() : match.end() + 1] == ":":
            continue
        if not opening and _opens_alone(text, match):
            continue
        kept = [w for w in words(match.group()) if not {w.text.lower(), w.stem} & _NO_NAMES]
        if kept:
            shown = re.sub(r"['’]s?$", "", match.group()[kept[0].start : kept[-1].end])
            start = match.start() + kept[0].start
            found.append(Name(shown, frozenset(w.stem for w in kept), start, start + len(shown)))
    return tuple(found)


def designations(text: str) -> tuple[Code, ...]:
    """The numbered names of a text, in order; "in Paris 12 people" has none."""
    found = []
    for match in _NUMBERED.finditer(text):
        name = (match["name"] or match.group().split()[0]).lower()
        placed = re.search(r"\b(?:in|at|from|near) $", text[: match.start()], re.IGNORECASE)
        if name in _NO_NAMES or (placed and _COUNTED.match(text, match.end())):
            continue
        found.append(Code(match.group(), stem_of(name), match["code"].lower(), *match.span()))
    return tuple(found)


def _opens_alone(text: str, match: re.Match[str]) -> bool:
    before = text[: match.start()].rstrip(" \"'“‘(")
    if _TITLE.search(before):
        return False
    return " " not in match.group() and (not before or before[-1] in ".!?:\n|")


def stands_in(name: Name, text: str) -> bool:
    """Whether a text has a word of a name, a word of its family, or its initials."""
    there = {word.stem for word in words(text)}
    if name.stems & there or any(akin(own, other) for own in name.stems for other in there):
        return True
    initials = _initials(name)
    if len(initials) > 1 and re.search(rf"\b{initials}s?\b", text):
        return True
    others = names(text, opening=True) if name.text.isupper() else ()
    return name.text in map(_initials, others)


def _initials(name: Name) -> str:
    return "".join(word.text[0] for word in words(name.text) if word.text[0].isupper())


def akin(one: str, other: str) -> bool:
    """Whether a name's word and another are of one family: Norway, Norwegian."""
    shared = len(re.match(r"(.*).*\0\1", f"{one}\0{other}")[1])  # type: ignore[index]
    return shared >= _LEAST_SHARED and min(len(one), len(other)) - shared <= 2


def word_before(text: str, start: int) -> str:
    """Stem of the word before a name, articles and titles aside."""
    match = re.search(r"(\w+)\s+(?:(?:the|a|an|Dr|Mr|Mrs|Ms|Prof|Sir)\.?\s+)*$", text[:start])
    return stem_of(match[1]) if match else ""


def in_family(one: str, stems: Collection[str]) -> bool:
    """Whether a stem is among others, or is the beginning of one or begins with one."""
    return one in stems or any(
        one.isalpha()
        and min(len(one), len(other)) >= _FAMILY
        and (one.startswith(other) or other.startswith(one))
        and abs(len(one) - len(other)) <= _ENDING
        for other in stems
    )


def codes(text: str) -> tuple[Code, ...]:
    """The numbered names and the identifiers of a text."""
    return designations(text) + identifiers(text)


def identifiers(text: str) -> tuple[Code, ...]:
    """The tokens of capitals and digits of a text, in order."""
    found = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        runs = re.findall(r"[A-Z]+", token)
        measured = token[0].isdigit() and token[-1].isalpha()
        if not runs or measured or max(map(len, runs)) > _LETTERS or _PERIOD.fullmatch(token):
            continue
        if sum(sign.isdigit() for sign in token) >= _DIGITS:
            signs = _SEPARATORS.sub("", token)
            kind = "".join("9" if sign.isdigit() else "A" for sign in signs)
            found.append(Code(token, kind, signs, *match.span()))
    return tuple(found)


def is_stated(code: Code, text: str) -> bool:
    """Whether a text has it, an identifier with other separators or none: ISO9001, ISO 9001."""
    if code.kind.islower():
        return any((one.kind, one.code) == (code.kind, code.code) for one in designations(text))
    bare = _SEPARATORS.sub(" ", text.upper())
    return re.search(rf"(?<![A-Z\d]){' ?'.join(code.code)}(?![A-Z\d])", bare) is not None


def stated_instead(code: Code, text: str) -> Code | None:
    """The first of its kind that a text has in its place; None if it has the code itself."""
    others = (one for one in codes(text) if one.kind == code.kind)
    return None if is_stated(code, text) else next(others, None)
