"""Which passages bear on a claim: those of documents that speak of its subject at all.

"He was born in London" is said of many people. A passage of a document that never names the one
that the claim is about is no evidence for it, however alike their words are.
"""

import re
import unicodedata
from collections.abc import Collection, Sequence
from pathlib import Path

from veracite.engine.comparing.sameness import RawText
from veracite.engine.comparing.topics import acts, topic_of
from veracite.engine.facts.names import Name, akin, names
from veracite.engine.facts.short_names import is_body, is_sole_body
from veracite.engine.wording.name_kinds import named
from veracite.engine.wording.overlap import words
from veracite.engine.wording.subject_words import TITLE
from veracite.engine.words import Claim
from veracite.index.documents import Document, Evidence

__all__ = ["named_elsewhere", "pertinent", "spoken_of"]

_SUFFIXES = frozenset("jr sr ii iii iv".split())
_LEAST = 3
"""Letters that a part of a name has, if it is not in capitals."""
_STABLE = 4
"""Letters of a name's part that its forms have in common: Norway, Norwegian;"""
_ENDING = 2
"""and those at its end that they may not."""
_LED = re.compile(
    r"\b(?:in|at|on|for|from|with|by|of|to|under|near|during|since|until|before|after)\s(?:the\s)?$",
    re.IGNORECASE,
)
_ARTICLE = re.compile(
    r"\b(?:the|an?|this|that|these|those|its|our|their|your|my)\s$", re.IGNORECASE
)
_MANY = re.compile(r"\s(?:are|were|have)\b")
_TELLING = 4
"""Letters of the words that a name of several is told by, if it has any so long: York."""
_CODE = re.compile(r"[A-Z]+\d+")
"""What tells one of several apart: Error E1."""
_LIGATURES = {
    **{"ae": "(?:ae|[aäæÄÆ])", "oe": "(?:oe|[oöœÖŒ])", "ue": "(?:ue|[uüÜ])"},
    **{"æ": "(?:æ|ae)", "œ": "(?:œ|oe)", "ß": "(?:ß|ss)"},
}
_ALIASES = tuple(
    frozenset(group.split())
    for group in (
        "france french",
        "switzerland swiss",
        "spain spanish spaniard spaniards",
        "netherlands dutch holland",
        "wales welsh",
        "greece greek greeks",
        "denmark danish dane danes",
        "poland polish pole poles",
        "finland finnish finn finns",
        "ireland irish",
        "britain british uk",
        "america american us usa",
        "thailand thai",
        "philippines filipino",
        "kyiv kiev",
        "turkey turkish turk turks",
        "burma burmese myanmar",
    )
)
"""Names that are the same to a reader and have too few letters in common."""
_STROKES = {"o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "d": "đ", "D": "Đ"}
"""Letters that Unicode does not take for accented ones."""


def pertinent(
    claim: Claim, evidence: Sequence[Evidence], raw_text: RawText
) -> tuple[Evidence, ...]:
    """The passages of documents that speak of the claim's subject; none, if none does.

    All of them where the claim does not name its subject, or nobody can tell.

    Args:
        claim: What is judged.
        evidence: Its passages.
        raw_text: Gives a document's extracted text.
    """
    subjects = spoken_of(claim)
    if not subjects:
        return tuple(evidence)
    known: dict[Document, bool] = {}
    for item in evidence:
        document = item.passage.document
        if not known.get(document):
            near = f"{item.passage.heading or ''}\n{item.passage.text}"
            known[document] = _speaks_of(subjects, near)
    texts = {document: raw_text(document) for document, named in known.items() if not named}
    for document, text in texts.items():
        known[document] = _speaks_of(subjects, f"{Path(document.path).name}\n{text}")
    bodies = [name.text for name in subjects if is_body(name.text)]
    if bodies and any(known.values()) and not all(known.values()):
        texts |= {document: raw_text(document) for document in known if document not in texts}
        for document in [document for document, named in known.items() if not named]:
            beside = [text for other, text in texts.items() if other != document]
            known[document] = any(is_sole_body(n, texts[document], beside) for n in bodies)
    return tuple(item for item in evidence if known[item.passage.document])


def spoken_of(claim: Claim) -> tuple[Name, ...]:
    """The names of what a claim is about: its own, or, for "she", those in its context.

    What stands behind a preposition ("At Christmas"), one word behind an article that does
    something ("The Supplier must") and what is many ("Guide Dogs are") may go by other words.
    """
    said = claim.hypothesis
    topic = topic_of(said)
    if topic.names or not topic.refers or claim.resolved:
        return tuple(name for name in topic.names if _is_proper(name, said))
    context = claim.query.removesuffix(claim.statement).rstrip(" :")
    return names(context, opening=" " not in context)


def _is_proper(name: Name, said: str) -> bool:
    before, behind = said[: name.start], said[name.end :]
    if _LED.search(before):
        return False
    if not _ARTICLE.search(before):
        return " " not in name.text or not _MANY.match(behind)
    return " " in name.text or _is_coded(name.text) or not acts(behind)


def _is_coded(name: str) -> bool:
    """Whether it is no common word: NTSB, DoD, Apollo 11."""
    return sum(sign.isupper() or sign.isdigit() for sign in name) > 1


def _speaks_of(subjects: Sequence[Name], text: str) -> bool:
    return any(_is_named(name.text, text) for name in subjects)


def named_elsewhere(
    claim: Claim, evidence: Sequence[Evidence], quoted: Collection[str], raw_text: RawText
) -> Name | None:
    """The name before the claim's verb that stands in other documents, not in all quoted ones.

    "The bank" does not name the Westgate Bank.

    Args:
        claim: What is judged.
        evidence: All that was found for it.
        quoted: Paths of the documents that a verdict quotes.
        raw_text: Gives a document's extracted text.
    """
    documents = {item.passage.document for item in evidence}
    texts = {one.path: f"{one.path}\n{raw_text(one)}" for one in documents}
    for name in topic_of(claim.hypothesis).names:
        naming = {p for p, text in texts.items() if _is_named(name.text, text, as_name=True)}
        if naming and not naming.issuperset(quoted):
            return name
    return None


def _is_named(name: str, text: str, *, as_name: bool = False) -> bool:
    """Whether a text has a person's last name, or half of the words of another name.

    A first name that stands alone will do, and so will initials and other forms of the words. "Ted
    Childs" is not meant by "children".

    Args:
        as_name: Whether one of the words must stand as it does in the name: "Bank", not "bank".
    """
    parts = [
        word.text
        for word in words(name)
        if (len(word.text) >= _LEAST or word.text.isupper()) and not TITLE.fullmatch(word.text)
    ]
    if not parts:
        return True
    own = [part for part in parts if part.lower() not in _SUFFIXES]
    capitals = [sign for sign in name if sign.isupper()]
    if len(own) > 1 and re.search(rf"\b{''.join(part[0] for part in own)}s?\b", text):
        return True
    if len(own) > 1 and named(name).person:
        whole = r"\w*\W+".join(map(_root, own))
        return _stands(whole, text) or _is_called(own[0], own[-1], text)
    if len(parts) == 1 and len(capitals) > 1 and _spelt_out(capitals, text):
        return True
    if len(parts) > 1 and _stands(r"\w*\W+(?:of\W+)?".join(map(_root, parts)), text):
        return True
    coded = [part for part in own if _CODE.fullmatch(part)]
    if coded and all(re.search(rf"\b{part}\b", text) for part in coded):
        return True
    telling = [part for part in parts if len(part) >= _TELLING] or parts
    there = [part for part in telling if _has(part, text)]
    if as_name and not any(re.search(rf"\b{re.escape(part)}", text) for part in there):
        return False
    return 2 * len(there) >= len(telling)


def _has(part: str, text: str) -> bool:
    """Whether a text has a word, or, with a capital letter, one of its family or its like."""
    if _stands(rf"{_loosely(part)}(?:s|['’]s)?\b", text):
        return True
    like = next((group for group in _ALIASES if part.lower() in group), frozenset[str]())
    if any(re.search(rf"\b{one.capitalize()}\b|\b{one.upper()}\b", text) for one in like):
        return True
    family = re.finditer(rf"\b{_loosely(part[:_STABLE])}\w*", text)
    return any(akin(part.lower(), found.group().lower()) for found in family)


def _is_called(first: str, last: str, text: str) -> bool:
    """Whether a person's last name stands in a text, or the first one with no last name to it."""
    known = "|".join((_loosely(last), re.escape(last.upper())))
    alone = rf"{_loosely(first)}(?:['’]s)?\b(?!\.? (?:[a-z]{{2,3}} )?[A-Z])"
    return re.search(rf"\b(?:{known}|{alone})", text) is not None


def _stands(beginning: str, text: str) -> bool:
    return re.search(rf"\b{beginning}", text, re.IGNORECASE) is not None


def _root(part: str) -> str:
    return _loosely(part[: max(_STABLE, len(part) - _ENDING)])


def _spelt_out(initials: Sequence[str], text: str) -> bool:
    between = r"\w*(?:['’]s)?\W+(?:(?:of|the|and|for|de|du|la)\W+)*"
    return re.search(r"\b" + between.join(map(re.escape, initials)), text) is not None


def _loosely(part: str) -> str:
    """A pattern for a word with accents or without: Brontë, Bronte; Müller, Mueller."""
    return re.sub("[aou]e|.", lambda found: _form(found.group()), part, flags=re.IGNORECASE)


def _form(signs: str) -> str:
    if found := _LIGATURES.get(signs.lower()):
        return f"(?:{signs}|{found})"
    return _FORMS.get(_base(signs), re.escape(signs))


def _base(sign: str) -> str:
    stroked = {accented: plain for plain, accented in _STROKES.items()}
    return stroked.get(sign) or unicodedata.normalize("NFD", sign)[0]


def _forms() -> dict[str, str]:
    """Each letter with its accented forms, as a class of a pattern."""
    forms: dict[str, str] = {}
    for sign in map(chr, range(0xC0, 0x180)):
        base = _base(sign)
        if base != sign:
            forms[base] = forms.get(base, base) + sign
    return {base: f"[{signs}]" for base, signs in forms.items()}


_FORMS = _forms()
