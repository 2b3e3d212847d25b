"""The texts of the documents that were read from last, unpacked."""

from veracite.index.catalog import Catalog
from veracite.index.documents import Document, Passage, Sentence
from veracite.index.errors import SourceError
from veracite.index.raw_sentences import sentences

_KEPT = 4


class KeptTexts:
    """The raw texts of a library's documents.

    A text is unpacked as a whole, and evidence often comes from the same few documents.

    Raises:
        SourceError: From every method: the library does not hold this version of the document any
            more.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._held: dict[Document, tuple[str, tuple[int, ...]]] = {}

    def raw(self, document: Document) -> str:
        """The document's extracted text."""
        return self._text_and_pages(document)[0]

    def sentences(self, passage: Passage) -> tuple[Sentence, ...]:
        """The passage's sentences, each with its span in the document's raw text."""
        text, pages = self._text_and_pages(passage.document)
        found = sentences(text, passage.start, passage.end, pages, passage.document.extractor)
        return tuple(found)

    def release(self) -> None:
        """Let go of the texts."""
        self._held.clear()

    def _text_and_pages(self, document: Document) -> tuple[str, tuple[int, ...]]:
        found = self._held.pop(document, None) or self._catalog.text_and_pages(document)
        if found is None:
            raise SourceError(
                f"{document.path} has changed or is gone since it was searched.",
                "Run the same command again.",
            )
        self._held[document] = found
        if len(self._held) > _KEPT:
            del self._held[next(iter(self._held))]
        return found
