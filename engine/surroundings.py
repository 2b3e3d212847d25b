"""The text of a document around a quote, for who wants to read on."""

from dataclasses import dataclass

from veracite.engine.errors import InputError
from veracite.engine.types import Citation
from veracite.index.documents import Document, Passage
from veracite.index.library import Library

_FARTHEST = 12_000
"""Characters on either side of a quote, at most."""
_FAR = 3_000
"""Characters on either side where there are no pages."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A stretch of a document's raw text with a quote in it."""

    text: str
    start: int
    """Where the quote starts in the text."""
    end: int
    pages: tuple[tuple[int, int], ...] = ()
    """Where each page starts in the text, and its number."""


def around(library: Library, citation: Citation) -> Surroundings:
    """The page of a quote with the page before and the page after; without pages, what is near.

    Raises:
        InputError: The library does not hold this version of the document any more.
        LibraryError: It cannot be read.
    """
    document = _document(library, citation)
    text = library.raw_text(document)
    far = _FAR if citation.page is None else _FARTHEST
    start, end = max(0, citation.start - far), min(len(text), citation.end + far)
    near = library.sentences(Passage(document, start, end, None, None, "", ""))
    if citation.page is not None:
        near = tuple(s for s in near if s.page and abs(s.page - citation.page) <= 1)
    start = min([citation.start, *(s.start for s in near)])
    end = max([citation.end, *(s.end for s in near)])
    pages = {s.page: s.start - start for s in reversed(near) if s.page is not None}
    return Surroundings(
        text[start:end],
        citation.start - start,
        citation.end - start,
        tuple(sorted((place, page) for page, place in pages.items())),
    )


def _document(library: Library, citation: Citation) -> Document:
    for document in library.documents():
        if (document.path, document.sha256) == (citation.file, citation.document_sha256):
            return document
    raise InputError(
        f"{citation.file} has changed or is gone since it was checked.", "Check the text again."
    )
