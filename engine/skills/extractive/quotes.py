"""What an answer may be made of: sentences, rows and lists, readable out of their context."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile

from veracite.engine.claims.checkability import is_fragment, why_not_checkable
from veracite.engine.claims.coreference import Context
from veracite.engine.claims.pronouns import is_dependent
from veracite.engine.judge.citations import RawText
from veracite.engine.wording.overlap import content_words
from veracite.engine.wording.phrases import PRONOUNS, VERBS
from veracite.index.cleaning import clean
from veracite.index.documents import Passage, Sentence
from veracite.index.embeddings import encoder_text
from veracite.index.sentences import sentence_spans

Sentences = Callable[[Passage], Sequence[Sentence]]
"""Cuts a passage into its sentences."""

_FOOTNOTE = re.compile(r"\A\d{1,3}(?=[A-Z][a-z])")
"""A number of the sentence before, which stands where this one begins: "7For example"."""
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
_BORDER = " | "
"""What stands between the cells of a row in cleaned text."""
_MARKDOWN_BORDER = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r"[\s>|:-]*-[\s>|:-]*")
"""The line under the header of a Markdown table."""
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_BULLET = re.compile(r"(?:[-*+•‣▪●◦–]|\(?\d{1,3}[.)])\s+")
_FAR = 20_000
"""Characters above a row in which its header is looked for."""
_LONGEST_NAME = 6
"""Words of a column's name, at most, where nothing but its place marks it."""
_LONGEST_ROW = 60
_LONGEST_LIST = 60
"""Words that are quoted of one, at most."""
_LONGEST_CAPTION = 20


@dataclass(frozen=True, slots=True)
class _Written:
    """What was no sentence, as an answer quotes it."""

    text: str
    told: str
    """The same with what introduces it, which tells what it is about."""


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

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of its words."""
        return frozenset(word.stem for word in content_words(self.text))

    @cached_property
    def headed_stems(self) -> frozenset[str]:
        """Of its words and its heading's."""
        around = f"{self.passage.heading or ''} {self.told or ''}"
        return self.stems | {word.stem for word in content_words(around)}


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
            text = _MARK.sub("", _FOOTNOTE.sub("", sentence.text, count=1), count=1)
            resolved = context.read(text).resolved
            if _is_whole(text) and why_not_checkable(text) is None:
                alone = resolved is not None or not is_dependent(text)
                found.append(Quote(place, number, passage, sentence.text, resolved or text, alone))
    return found


def _structured(
    passage: Passage, sentences: Sequence[Sentence], number: int, raw_text: RawText
) -> _Written | None:
    """A row of a table, or a list with what introduces it, if it reads as one sentence."""
    text = sentences[number].text
    written = None
    if _is_row(passage, text):
        markdown = passage.document.extractor.startswith("markdown/")
        written = _row(sentences, number, raw_text(passage.document), markdown=markdown)
    elif text.endswith(":"):
        written = _list_after(sentences, number)
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
        len(rest) >= _HAS_VERB
        or first.lower() in PRONOUNS
        or any(word.lower() in VERBS or _VERB_LIKE.match(word) for word in rest)
    )


def _row(
    sentences: Sequence[Sentence], number: int, raw: str, *, markdown: bool
) -> _Written | None:
    """A row of a table with the names of its columns: "Years: 1989 to 2016; Director: Prewett".

    None for the row of the names itself, for one with a single cell, and for one too long to read.
    Where the names are not known, the cells stand alone: "Kingdom: Animalia".

    Args:
        sentences: Of the row's passage.
        number: Of the row among them.
        raw: The document's whole text, or nothing.
        markdown: Whether that is Markdown, which marks the names. Where it is not, the first row
            may hold them.
    """
    own = sentences[number]
    start = raw.rfind("\n", 0, own.start) + 1
    above = _rows_above(raw[max(0, start - _FAR) : start], markdown)
    if markdown:
        line, below, *_ = [*raw[start : start + _FAR].split("\n", 2), ""]
        cells, names = _cells(line), _marked_names(above)
        is_header = _DELIMITER.fullmatch(below) is not None
    else:
        cells = own.text.split(_BORDER)
        below = sentences[number + 1].text if number + 1 < len(sentences) else ""
        names = _likely_names([own.text, *above]) if above else []
        names = ["", *names] if len(cells) == len(names) + 1 else names  # an empty corner
        is_header = not above and bool(_likely_names([below, own.text]))
    filled = [cell for cell in cells if cell.strip(" |")]
    if is_header or len(filled) < 2 or len(own.text.split()) > _LONGEST_ROW:
        return None
    is_known = len(cells) == len(names) or (markdown and len(cells) < len(names))
    if is_known and any(names[1:]):
        named = [
            (name.rstrip(" :"), cell) for name, cell in zip(names, cells, strict=False) if cell
        ]
        text = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named)
    else:
        first, *rest = filled
        text = f"{first.rstrip(' :')}: {rest[0]}" if len(rest) == 1 else "; ".join(filled)
    return _Written(text, f"{_caption(sentences, number)} {' '.join(names)} {text}".strip())


def _list_after(sentences: Sequence[Sentence], number: int) -> _Written | None:
    """What a sentence introduces, behind it: "We lend: torches; maps"; None if it is no list.

    Args:
        sentences: Of the passage.
        number: Of the sentence that ends in a colon.
    """
    lead = sentences[number].text
    if ":" in lead[:-1]:
        return None  # fields of a form, run together
    listed = list(takewhile(_is_item, (sentence.text for sentence in sentences[number + 1 :])))
    items = [_BULLET.sub("", text, count=1).rstrip(" ;,") for text in listed]
    while items and len(f"{lead} {' '.join(items)}".split()) > _LONGEST_LIST:
        items.pop()
    is_cut = len(items) < len(listed)
    if len(items) < 2:
        return None
    text = f"{lead} {'; '.join(items)}{'; …' if is_cut else ''}"
    return _Written(text, text)


def _is_item(text: str) -> bool:
    """Whether a text may be an item of a list, and is no sentence that can be quoted alone."""
    has_words = any(map(str.isalpha, text)) and _BORDER not in text
    return has_words and not text.endswith((".", "!", "?", ":", "…"))


def _marked_names(above: Sequence[str]) -> list[str]:
    """The cells over the delimiter of a Markdown table, whose lines come from below."""
    place = next((i for i, line in enumerate(above) if _DELIMITER.fullmatch(line)), len(above))
    return _cells(above[place + 1]) if place + 1 < len(above) else []


def _likely_names(rows: Sequence[str]) -> list[str]:
    """The cells of a table's first row if they may name columns, else none.

    Several short ones without a figure. Of two cells the first is as likely to name the second,
    unless the next row has one more.

    Args:
        rows: Some of one table, the first one last.
    """
    cells, following = rows[-1].split(_BORDER), rows[-2].split(_BORDER)
    is_wide = len(cells) > 2 or (len(cells) == 2 and len(following) == 3)
    is_named = all(
        len(cell.split()) <= _LONGEST_NAME
        and (_YEAR.fullmatch(cell) or not any(map(str.isdigit, cell)))
        for cell in cells
    )
    return cells if is_wide and len(following) > 1 and is_named else []


def _cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table, empty ones too, cleaned."""
    line = line.strip(" \t\r\n>")
    line = line.removeprefix("|")
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    return [clean(cell.strip(), "markdown").text for cell in _MARKDOWN_BORDER.split(line)]


def _rows_above(above: str, markdown: bool) -> list[str]:
    """The rows at the end of a text, the nearest first."""
    lines = reversed(above.rstrip().split("\n" if markdown else "\n\n"))
    return [line.strip() for line in takewhile(lambda line: "|" in line, lines)]


def _caption(sentences: Sequence[Sentence], number: int) -> str:
    """What stands over the table in the same passage, if it is short."""
    first = number
    while first > 0 and _BORDER in sentences[first].text:
        first -= 1
    text = sentences[first].text
    is_short = len(text.split()) <= _LONGEST_CAPTION
    over = _BORDER not in text and is_short and (text.endswith(":") or is_fragment(text))
    return text if over else ""
