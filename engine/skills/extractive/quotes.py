"""What an answer may be made of: sentences, rows and lists, readable out of their context."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from veracite.engine.claims.checkability import is_fragment, why_not_checkable
from veracite.engine.claims.coreference import Context
from veracite.engine.claims.pronouns import is_dependent
from veracite.engine.judge.citations import RawText
from veracite.engine.skills.extractive.structures import Written, list_after, row
from veracite.engine.wording.overlap import content_words
from veracite.engine.wording.phrases import PRONOUNS, VERBS
from veracite.index.documents import Passage, Sentence
from veracite.index.embeddings import encoder_text
from veracite.index.sentences import sentence_spans

Sentences = Callable[[Passage], Sequence[Sentence]]
"""Cuts a passage into its sentences."""

_FOOTNOTE = re.compile(r"\A\d{1,3}(?=[A-Z][a-z])")
"""A number of the sentence before, which stands where this one begins: "7For example"."""
_BULLET = re.compile(r"\A[•‣▪●◦]\s*")
_OPENING = re.compile(r"[\"“‘'«` ]*(?P<word>[^\W_][\w'’-]*)")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_VERB_LIKE = re.compile(r"[a-z]{2,}(?:ed|s)$")
_SHORT = 8
"""Words from which on a sentence hardly lacks a verb."""
_RUN_ON = 50
"""Words in a row that no sentence has without a comma, a colon, a dash or a bracket."""
_LONGEST = 100
"""Words of a sentence, at most: what has more is a table."""
_CLAUSE = re.compile(
    r"(?:, (?:and|but) |; )(?P<clause>(?:the|an?) (?:[\w-]+ ){1,3}?(?P<verb>[a-z]{3,}) \S.*)"
)
_OPEN = re.compile(r"\b(?:it|its|he|his|him|she|her|hers|they|their|them|this|these)\b")
_PAUSE = re.compile(r"[,;:()–—]|\s-\s")


@dataclass(frozen=True)
class Quote:
    """A sentence of a passage, as an answer would write it."""

    place: int
    """Of its passage, from 0."""
    number: int
    """Of the sentence within the passage, from 0."""
    passage: Passage
    verbatim: str
    text: str
    """Verbatim, or with its subject's name for "she" or "the company" where that is sure."""
    stands_alone: bool = True
    """False if it opens with a pronoun that may mean anything."""
    told: str | None = None
    """What it is ranked by, if not by itself: a row of a table with what introduces that."""
    is_row: bool = False
    """Whether it is one of a table."""
    about: frozenset[str] = frozenset()
    """Stems of what its document is about, if that is asked of and its passage does not say it."""

    @property
    def encoded(self) -> str:
        """What the encoder reads of it."""
        return encoder_text(self.passage.heading, self.told or self.verbatim)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return frozenset(word.stem for word in content_words(self.text))

    @cached_property
    def headed_stems(self) -> frozenset[str]:
        """Of its words and its heading's, and what its document is about."""
        around = f"{self.passage.heading or ''} {self.told or ''}"
        return self.stems | self.about | {word.stem for word in content_words(around)}


def quotes_of(
    passages: Sequence[Passage], sentences: Sentences, raw_text: RawText | None = None
) -> tuple[Quote, ...]:
    """The sentences of passages that state something, in order.

    Args:
        passages: What is quoted.
        sentences: Cuts a passage into its sentences.
        raw_text: Gives a document's extracted text, to see the names of a table's columns; None
            leaves tables and lists out.
    """
    return tuple(
        quote
        for place, passage in enumerate(passages)
        for quote in _quotes(place, passage, sentences(passage), raw_text)
    )


def _quotes(
    place: int, passage: Passage, sentences: Sequence[Sentence], raw_text: RawText | None
) -> list[Quote]:
    context = Context()
    for level, heading in enumerate((passage.heading or "").split(" > "), start=1):
        context.enter(heading, level)
    found: list[Quote] = []
    for number, sentence in enumerate(sentences):
        is_row = raw_text is not None and _is_row(passage, sentence.text)
        if raw_text and (written := _structured(passage, sentences, number, raw_text)):
            text, told = written.text, written.told
            found.append(
                Quote(place, number, passage, sentence.text, text, told=told, is_row=is_row)
            )
        elif not is_row:
            text = _BULLET.sub("", _FOOTNOTE.sub("", sentence.text, count=1), count=1)
            resolved = context.read(text).resolved
            if _is_whole(text) and why_not_checkable(text) is None:
                alone = resolved is not None or not is_dependent(text)
                shown = resolved or text
                if not alone and not _follows_one(found, number) and (own := _clause_alone(text)):
                    alone, shown = True, own
                found.append(Quote(place, number, passage, sentence.text, shown, alone))
    return found


def _follows_one(found: Sequence[Quote], number: int) -> bool:
    """Whether the sentence before stands alone, and may be quoted with this one."""
    return bool(found) and found[-1].number == number - 1 and found[-1].stands_alone


def _clause_alone(text: str) -> str | None:
    """What a sentence says of another subject at its end: "It was lit, and the club sang."."""
    match = _CLAUSE.search(text)
    if match is None or not (match["verb"] in VERBS or match["verb"].endswith("ed")):
        return None
    clause = match["clause"][0].upper() + match["clause"][1:]
    return None if is_dependent(clause) or _OPEN.search(clause) else clause


def _structured(
    passage: Passage, sentences: Sequence[Sentence], number: int, raw_text: RawText
) -> Written | None:
    """A row of a table, or a list with what introduces it, if it reads as one sentence."""
    text = sentences[number].text
    written = None
    if _is_row(passage, text):
        markdown = passage.document.extractor.startswith("markdown/")
        written = row(sentences, number, raw_text(passage.document), markdown=markdown)
    elif text.endswith(":"):
        written = list_after(sentences, number)
    if written is None or why_not_checkable(written.text) or len(sentence_spans(written.text)) > 1:
        return None
    return written


def _is_row(passage: Passage, text: str) -> bool:
    """Whether a sentence is a row of a table: these readers set a bar between its cells."""
    return " | " in text and passage.document.extractor.startswith(("markdown/", "html/", "docx/"))


def _is_whole(text: str) -> bool:
    """Whether a text is a sentence from its beginning to its end: no note, no row of a table."""
    opening = _OPENING.match(text)
    if is_fragment(text) or opening is None or opening["word"].islower():
        return False
    longest = max(len(part.split()) for part in _PAUSE.split(text))
    return longest <= _RUN_ON and len(text.split()) <= _LONGEST and _has_verb(text)


def _has_verb(text: str) -> bool:
    """False only for a short sentence in which nothing looks like a verb."""
    first, *rest = _WORD.findall(text) or [""]
    return (
        len(rest) >= _SHORT
        or first.lower() in PRONOUNS
        or any(word.lower() in VERBS or _VERB_LIKE.match(word) for word in rest)
    )
