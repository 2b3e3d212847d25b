"""Which quotes can bear on a question at all: those that are not plainly about something else.

By names alone, and only where both the question and the quote name what they are about. Another
ship of the same yard, another company's year: near the question in every word but the one that
matters. A quote without a name of its own stays, and so does one that may answer "who".
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veracite.engine.claims.pronouns import noun_of, pronoun_of, subject_of
from veracite.engine.facts.names import Name, designations, names, stands_in
from veracite.engine.judge.citations import RawText
from veracite.engine.skills.extractive.questions import Question
from veracite.engine.skills.extractive.quotes import Quote
from veracite.engine.wording.name_kinds import Subject, named
from veracite.engine.wording.overlap import content_words, coverage, words
from veracite.engine.wording.subject_words import HUMANS
from veracite.index.documents import Document

_OPEN = re.compile(r"\b(?:it|him|her|them)\b")
_ASKS_OF_SUBJECT = re.compile(
    r"(?:how|why|did|does|do|was|were|is|are|has|have|had|what (?:did|does|do|happened))\b",
    re.IGNORECASE,
)
"""How a question begins that the subject of a sentence cannot answer."""
_WHOSE = re.compile(r"(?P<name>[A-Z][\w.’' -]*?)(?:['’]s|(?<=s)['’]) ")
_HEAD = 500
"""Characters at the beginning of a document, which tell what it is about."""
_SHORT = 2
"""Letters of a name that tells nothing apart."""


def bearing(question: Question, quotes: Sequence[Quote], raw_text: RawText) -> tuple[Quote, ...]:
    """The quotes that may answer, in order; one that calls its subject as the question does ("the
    club") stands alone.

    Args:
        question: What is asked.
        quotes: Of the passages that were found for it.
        raw_text: Gives a document's text, to see whether it speaks of what is asked.
    """
    asked = [name for name in names(question.text) if _tells(name)]
    foreign = _foreign(asked, quotes, raw_text)
    rows = _own_words(question, quotes)
    return tuple(
        replace(quote, stands_alone=True) if _is_called_so(question, quote) else quote
        for quote, (share, most) in zip(quotes, rows, strict=True)
        if share == most
        and quote.passage.document not in foreign
        and not _is_of_another(question, asked, quote)
    )


def about(question: Question, quotes: Sequence[Quote], raw_text: RawText) -> tuple[Quote, ...]:
    """The quotes with those names of the question that their document begins with.

    A report names its place and its subject at its head, and says "the pilot" from then on.
    """
    asked = [name for name in names(question.text) if _tells(name)]
    documents = {quote.passage.document for quote in quotes if asked}
    heads = {one: _head(one, raw_text(one)) for one in documents}
    known = frozenset(stem for name in asked for stem in name.stems)
    said = {quote.passage: _stems(quote.passage.text) for quote in quotes if asked}
    return tuple(
        replace(quote, about=(known & heads[quote.passage.document]) - said[quote.passage])
        if asked
        else quote
        for quote in quotes
    )


def _head(document: Document, text: str) -> frozenset[str]:
    title = re.sub(r"[\W_]+", " ", Path(document.path).stem)
    return _stems(f"{title} {text[:_HEAD]}")


def _stems(text: str) -> frozenset[str]:
    return frozenset(word.stem for word in words(text))


def _foreign(
    asked: Sequence[Name], quotes: Sequence[Quote], raw_text: RawText
) -> frozenset[Document]:
    """The documents that mention no name of the question, if another one does."""
    headings: dict[Document, set[str]] = {}
    for quote in quotes if asked else ():
        headings.setdefault(quote.passage.document, set()).add(quote.passage.heading or "")
    texts = {
        document: "\n".join([Path(document.path).name, *sorted(above), raw_text(document)])
        for document, above in headings.items()
    }
    if not any(_longest(name) in text for name in asked for text in texts.values()):
        return frozenset()
    return frozenset(document for document, text in texts.items() if not _mentions(asked, text))


def _mentions(asked: Sequence[Name], text: str) -> bool:
    """Whether a text has the longest word of one of the names, or its initials."""
    lowered = text.lower()
    return any(
        _longest(name).lower() in lowered
        or (len(initials := _initials(name)) > 1 and re.search(rf"\b{initials}\b", text))
        for name in asked
    )


def _tells(name: Name) -> bool:
    """False for "TV" and "U.S.", which may stand in any text."""
    return sum(map(str.isalnum, _longest(name))) > _SHORT


def _longest(name: Name) -> str:
    """The longest word of a name."""
    return max((word.text for word in words(name.text)), key=len)


def _initials(name: Name) -> str:
    return "".join(word.text[0] for word in words(name.text) if word.text[0].isupper())


def _is_of_another(question: Question, asked: Sequence[Name], quote: Quote) -> bool:
    """Whether a quote says what is asked of one name of another one of its kind."""
    if quote.told is not None:
        return False
    if _another_number(question, quote) or _is_of_a_relative(question, asked, quote):
        return True
    subject = subject_of(quote.text)
    if not asked or subject is None or _OPEN.search(quote.text) or not _is_name(subject, quote):
        return False
    if stands_in(asked[0], quote.text) or _may_answer(question, subject):
        return False
    of_names = frozenset().union(*(name.stems for name in asked))
    own = {word.stem for word in content_words(subject.name)}
    shared = (question.stems & quote.stems) - of_names - own
    same_kind = named(asked[0].text).person == subject.person
    return same_kind and bool(shared) and own.isdisjoint(question.stems)


def _is_of_a_relative(question: Question, asked: Sequence[Name], quote: Quote) -> bool:
    """Whether a quote speaks of the brother or the boss of whom the question asks of."""
    opening = _WHOSE.match(quote.text)
    other = HUMANS.search(quote.text, opening.end()) if opening else None
    if opening is None or other is None or question.asks_who:
        return False
    before = quote.text[opening.end() : other.start()]
    is_subject = not before.strip() or before.strip().isalpha()
    is_asked_of = any(name.stems <= _stems(opening["name"]) for name in asked[:1])
    return is_subject and is_asked_of and not _stems(other.group()) & question.stems


def _is_name(subject: Subject, quote: Quote) -> bool:
    """Whether a subject is surely a name: one word at a sentence's start need not be."""
    if subject.is_sure:
        return True
    amid = rf"[a-z,;] (?:the )?{re.escape(subject.name)}\b"
    return pronoun_of(quote.text) is None and re.search(amid, quote.passage.text) is not None


def _another_number(question: Question, quote: Quote) -> bool:
    """Whether a quote speaks of "Apollo 12" alone where "Apollo 11" is asked of."""
    told = designations(quote.text)
    return any(
        any(one.name == other.name for other in told)
        and all(one.name != other.name or one.code != other.code for other in told)
        for one in designations(question.text)
    )


def _may_answer(question: Question, subject: Subject) -> bool:
    """Whether the subject of a quote may be what is asked for."""
    if question.asks_who:
        return subject.person
    return question.kind in (None, "name") and not _ASKS_OF_SUBJECT.match(question.text)


def _own_words(question: Question, quotes: Sequence[Quote]) -> list[tuple[float, float]]:
    """Of a row, its share of the question's words, and the highest of its section's rows.

    Of a table only the rows that have most are about what is asked; zeros for what is no row.
    """
    sections = [(quote.passage.document.path, quote.passage.heading) for quote in quotes]
    shares = [coverage(question.words, quote.stems) if quote.is_row else 0.0 for quote in quotes]
    most: dict[tuple[str, str | None], float] = {}
    for section, share in zip(sections, shares, strict=True):
        most[section] = max(most.get(section, 0.0), share)
    return [
        (share, most[section] if quote.is_row else share)
        for quote, section, share in zip(quotes, sections, shares, strict=True)
    ]


def _is_called_so(question: Question, quote: Quote) -> bool:
    noun = None if quote.stands_alone else noun_of(quote.text)
    pattern = rf"\bthe (?:[\w-]+ )?{noun}\b"
    return noun is not None and re.search(pattern, question.text, re.IGNORECASE) is not None
