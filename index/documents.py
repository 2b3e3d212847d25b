"""The words of the library: what was read, how it was cut, what was found.

Offsets are character offsets into ``Extraction.text``, the raw text of a named extractor version,
half-open: ``text[start:end]``. Nothing here holds cleaned text next to raw offsets: a passage's
``text`` is ``clean(raw[start:end])`` (see ``veracite.index.cleaning``), for models and for display.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:  # the words of the library load without numpy
    import numpy as np
    from numpy.typing import NDArray

BlockKind = Literal["heading", "paragraph", "list_item", "table", "code"]


class Encode(Protocol):
    """What the library needs of an encoder."""

    def __call__(self, texts: Sequence[str], /) -> "NDArray[np.float32]":
        """Unit vectors of the texts, shape (len(texts), dimension)."""


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a document's raw text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A structural piece of a document: one heading, paragraph, list item, table or code block."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    """The depth of a heading, from 1; 0 for everything else."""


BAR = " | "
"""What stands between the cells of a row."""


class Row(NamedTuple):
    """A row of a sheet, which is a line of the raw text."""

    start: int
    """Where the line starts."""
    number: int
    """Of the row, from 1, as spreadsheet programs count."""
    columns: int
    """A bit for each column that a cell of the line stands in, the lowest for A."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a sheet."""

    name: str
    """Such as ``"B14"``; ``"A14:F14"`` where the cells of a row cannot be told apart."""
    text: str
    """Its part of the raw text, with the name of its column."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a reader found in a file."""

    text: str
    """The raw text that every offset refers to."""
    blocks: tuple[Block, ...]
    """In order of position, not overlapping; together they hold everything worth reading."""
    extractor: str
    """Name and version of the reader, such as ``"pdf/1"``."""
    title: str | None = None
    """The document's own title, where it states one."""
    pages: tuple[int, ...] = ()
    """Where each page starts in ``text``, from page 1; empty where the format has no pages.

    A block or a sentence may run on over a page break.
    """
    rows: tuple[Row, ...] = ()
    """Of the sheets of a spreadsheet, in order of position; each sheet is a page, or there is but
    one without a name."""
    unread: str = ""
    """What of the file could not be read, one sentence; empty where all could."""
    advice: str = ""
    """What to do about that."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read into the library."""

    path: str
    """Absolute path of the file."""
    sha256: str
    """Of the file's bytes."""
    extractor: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class FailedDocument:
    """A file that could not be read, wholly or in part, or a source or folder that could not be
    looked at."""

    file: str
    """Absolute path."""
    reason: str
    """What happened, one sentence."""
    advice: str = ""
    """What to do about it, one sentence; empty where nobody said."""
    partly: bool = False
    """Whether the rest of it was read."""


def lost(failed: Iterable[FailedDocument]) -> int:
    """How many of them could not be read at all."""
    return sum(not one.partly for one in failed)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage."""

    start: int
    end: int
    page: int | None
    text: str
    """Cleaned, as in ``Passage.text``."""
    sheet: str | None = None
    """The name of the sheet that it stands in, of a spreadsheet that has sheets."""
    cells: tuple[Cell, ...] = ()
    """The cells that it runs over, of a spreadsheet."""
    lines: tuple[str, ...] = ()
    """The lines that it runs over, cleaned, where they are several."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A passage without its document; fields as in ``Passage``."""

    start: int
    end: int
    page: int | None
    heading: str | None
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Part:
    """A document that a file is or holds, as it was read and cut."""

    name: str
    """Its place in the file, such as ``"minutes/may.docx"``; empty for the file itself."""
    sha256: str
    """Of its bytes; empty for the file itself."""
    found: Extraction | None
    """None if it could not be read. An archive itself is one without text."""
    passages: tuple[Cut, ...] = ()
    reason: str = ""
    """Why it could not be read."""
    advice: str = ""
    """What to do about that."""


@dataclass(frozen=True, slots=True)
class Passage:
    """About 100 words of a document, cut on sentence borders."""

    document: Document
    start: int
    end: int
    page: int | None
    """The page it starts on, from 1; None where the format has no pages."""
    heading: str | None
    """Document title and the headings above the passage, outermost first, joined by " > "."""
    text: str
    """Cleaned: no line breaks within sentences, no end-of-line hyphenation, single spaces."""
    id: str
    """SHA-256 of heading and text: the same words anywhere have the same id and one embedding."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that was found for a query, with its scores."""

    passage: Passage
    rank: int
    """Place among the results, from 1."""
    score: float
    """Fused of the rankings it stood in, or what a reranker gave it; in both cases good for an
    order, and no probability."""
    cosine: float | None
    """Similarity to the query under the encoder, -1..1; None if dense search did not see it."""
    bm25: float | None
    """Tantivy's BM25 score; None if lexical search did not return it."""
