"""What an answer may be made of: sentences, rows and lists, readable out of their context."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile

from veracite.engine.claims.checkability import as_statement, is_fragment, why_not_checkable
from veracite.engine.claims.coreference import Context, pronoun_of, refers_back
from veracite.engine.wording.lists import PRONOUNS, VERBS
from veracite.engine.wording.overlap import stems
from veracite.index.documents import BAR, Passage, Sentence
from veracite.index.embeddings import encoder_text
from veracite.index.sentences import sentence_spans

Sentences = Callable[[Passage], Sequence[Sentence]]
"""Cuts a passage into its sentences."""

_MARK = re.compile(r"\A[•‣▪●◦]\s*")
_OPENING = re.compile(r"[\"“‘'«` ]*(?P<word>[^\W_][\w'’-]*)")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_VERB_LIKE = re.compile(r"[a-z]{2,}(?:ed|s)$")
_HAS_VERB = 8
"""Words from which on a sentence hardly lacks a verb."""
_RUN_ON = 50
"""Words in a row that no sentence has without a comma, a colon, a dash or a bracket."""
_LONGEST = 100
"""Words of a sentence, at most: what has more is a table."""
_PAUSE = re.compile(r"[,;:()–—]|\s-\s")
_BULLET = re.compile(r"(?:[-*+•‣▪●◦–＊]|\(?\d{1,3}[.)])\s+")
_LONGEST_ROW = 60
_LONGEST_LIST = 60
"""Words that are quoted of one, at most."""
_LONGEST_CAPTION = 20
_FIELDS = 12
"""Words of lines that are no sentences, after which no other line joins them."""


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

    @property
    def encoded(self) -> str:
        """What the encoder reads of it."""
        return encoder_text(self.passage.heading, self.told or self.verbatim)

    @property
    def premise(self) -> str:
        """What the verifier reads of it."""
        heading, text = self.passage.heading, self.told or self.text
        return f"{heading}: {text}" if heading else text

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return stems(self.text)

    @cached_property
    def headed_stems(self) -> frozenset[str]:
        """Of its words and its heading's."""
        around = f"{self.passage.heading or ''} {self.told or ''}"
        return self.stems | stems(around)


def quotes_of(
    passages: Sequence[Passage], sentences: Sentences, *, structures: bool, lines: bool = False
) -> tuple[Quote, ...]:
    """The sentences of passages that state something, in order.

    Args:
        passages: What is quoted.
        sentences: Cuts a passage into its sentences.
        structures: Whether rows of tables and lists are quoted, too.
        lines: Whether lines that are no sentences are: the fields of a form, a menu's entries.
    """
    return tuple(
        quote
        for place, passage in enumerate(passages)
        for quote in _quotes(place, passage, sentences(passage), structures, lines)
    )


def _quotes(
    place: int, passage: Passage, sentences: Sequence[Sentence], structures: bool, lines: bool
) -> Iterator[Quote]:
    sentences = [part for one in sentences for part in _parts(one)] if lines else sentences
    loose: dict[int, str] = {}
    context = Context()
    for level, heading in enumerate((passage.heading or "").split(" > "), start=1):
        context.enter(heading, level)
    for number, sentence in enumerate(sentences):
        is_row = structures and _is_row(passage, sentence.text)
        if structures and (written := _structured(passage, sentences, number, 2 - lines)):
            text, told = written
            yield Quote(place, number, passage, sentence.text, text, told=told, is_row=is_row)
        elif not is_row:
            text = _MARK.sub("", sentence.text, count=1)
            resolved = context.read(text).resolved
            if is_whole(text) and why_not_checkable(text) is None:
                opens = pronoun_of(text) is not None or refers_back(text)
                alone = resolved is not None or not opens
                yield Quote(place, number, passage, sentence.text, resolved or text, alone)
            elif lines and _is_loose(text):
                loose[number] = _BULLET.sub("", text, count=1)
    for number, text in _joined(loose):
        yield Quote(place, number, passage, text, text)


def _is_loose(text: str) -> bool:
    """Whether a text may be a field of a form, a term, or an entry of a list."""
    is_field = is_fragment(text) or as_statement(text)
    return is_field and (not _WORD.search(text) or why_not_checkable(text) is None)


def _parts(sentence: Sentence) -> Sequence[Sentence]:
    """The lines of a sentence that is a form or a list without blank lines; else itself."""
    told = [as_statement(one) or _BULLET.match(one) is not None for one in sentence.lines]
    loose = all(is_fragment(one) and not one[0].islower() for one in sentence.lines)
    is_prose = sentence.text.endswith((".", "!", "?"))
    if not sentence.lines or is_prose or not (loose or 2 * sum(told) >= len(told)):
        return (sentence,)
    return [replace(sentence, text=line, lines=()) for line in sentence.lines]


def _joined(loose: Mapping[int, str]) -> Iterator[tuple[int, str]]:
    """Such lines, by the number of the last one: those that follow each other as one.

    A term stands before what it means, a name above its address. One alone is a heading or a
    caption, unless it has a figure or names what it tells.
    """
    run: list[str] = []
    for number, text in loose.items():
        run += [text] if any(map(str.isalpha, text)) else []
        is_long = len(" ".join(run).split()) >= _FIELDS
        if run and (is_long or number + 1 not in loose):
            if len(run) > 1 or any(map(str.isdigit, run[0])) or as_statement(run[0]):
                yield number, "; ".join(run)
            run = []


def _structured(
    passage: Passage, sentences: Sequence[Sentence], number: int, least: int
) -> tuple[str, str] | None:
    """A row of a table, or a list with what introduces it, if it reads as one sentence; and the
    same with all that tells what it is about."""
    text = sentences[number].text
    written = None
    if _is_row(passage, text):
        written = _row([sentence.text for sentence in sentences], number)
    elif text.endswith(":"):
        written = _list_after(sentences, number, least)
    if written is None or why_not_checkable(written[0]) or len(sentence_spans(written[0])) > 1:
        return None
    return written


def _is_row(passage: Passage, text: str) -> bool:
    """Whether a sentence is a row of a table: these readers set a bar between its cells."""
    return BAR in text and not passage.document.extractor.startswith(("pdf/", "plain/"))


def is_whole(text: str) -> bool:
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
        len(rest) >= _HAS_VERB
        or first.lower() in PRONOUNS
        or any(word.lower() in VERBS or _VERB_LIKE.match(word) for word in rest)
    )


def _row(texts: Sequence[str], number: int) -> tuple[str, str] | None:
    """A row of a table, "Years: 1989 to 2016; Director: Prewett"; the readers name its columns.

    None for the row of the names itself, and for one too long to read. Where the names are not
    known, the cells stand alone: "Kingdom: Animalia".

    Args:
        texts: Of the passage's sentences.
        number: Of the row among them.
    """
    first, cells = number, texts[number].split(BAR)
    while first and BAR in texts[first - 1]:
        first -= 1
    following = texts[number + 1] if number + 1 < len(texts) else ""
    are_names = any(f"{cell}: " in following for cell in cells)
    if are_names or len(texts[number].split()) > _LONGEST_ROW:
        return None
    over = texts[first - 1] if first else ""
    is_caption = len(over.split()) <= _LONGEST_CAPTION
    is_caption = is_caption and (over.endswith(":") or is_fragment(over))
    if len(cells) == 2 and ": " not in cells[0]:
        text = f"{cells[0].rstrip(' :')}: {cells[1]}"
    else:
        text = "; ".join(cells)
    return text, f"{over} {text}" if is_caption else text


def _list_after(sentences: Sequence[Sentence], number: int, least: int) -> tuple[str, str] | None:
    """What a sentence introduces, behind it: "We lend: torches; maps"; None if it is no list.

    Args:
        sentences: Of the passage.
        number: Of the sentence that ends in a colon.
        least: Items that make a list.
    """
    lead = sentences[number].text
    if ":" in lead[:-1]:
        return None  # fields of a form, run together
    listed = list(takewhile(_is_item, (sentence.text for sentence in sentences[number + 1 :])))
    listed = list(takewhile(_BULLET.match, listed)) or listed
    items = [_BULLET.sub("", text, count=1).rstrip(" ;,") for text in listed]
    while items and len(f"{lead} {' '.join(items)}".split()) > _LONGEST_LIST:
        items.pop()
    if len(items) < least:
        return None
    text = f"{lead} {'; '.join(items)}{'; …' * (len(items) < len(listed))}"
    return text, text


def _is_item(text: str) -> bool:
    """Whether a text may be an item of a list, and is no sentence that can be quoted alone."""
    has_words = any(map(str.isalpha, text)) and BAR not in text
    return has_words and not text.endswith((".", "!", "?", ":", "…"))
