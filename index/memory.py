"""A library of texts in memory: no files, no catalog, searched as the library on disk is.

For a handful of documents that come with a question. Dense search is exact, BM25 counts these
documents alone, rankings are fused and cut as in ``veracite.index.retrieval``.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from veracite.index import embeddings
from veracite.index.documents import Document, Encode, Evidence, Extraction, Passage, Sentence
from veracite.index.lexical import Lexical
from veracite.index.passages import cut, sentences
from veracite.index.readers import paragraphs, plain
from veracite.index.retrieval import Mode, best, depth


@dataclass(frozen=True, slots=True)
class Text:
    """A document: what its evidence is named by, what it says, and its title."""

    path: str
    text: str
    title: str | None = None


class Vectors:
    """The embeddings of passages and queries, each text encoded once.

    Args:
        encode: The sentence encoder.
    """

    def __init__(self, encode: Encode) -> None:
        self._encode = encode
        self._known: dict[str, NDArray[np.float64]] = {}

    def of(self, texts: Sequence[str]) -> list[NDArray[np.float64]]:
        """Unit vectors of the texts, shape (dimension,) each; new ones are encoded together."""
        if new := [text for text in dict.fromkeys(texts) if text not in self._known]:
            encoded = embeddings.encode(self._encode, new).astype(np.float64)
            self._known.update(zip(new, encoded, strict=True))
        return [self._known[text] for text in texts]


class MemoryLibrary:
    """Documents that can be searched and quoted from.

    Args:
        texts: The documents; their paths differ.
        vectors: Gives embeddings; None searches by BM25 alone.
    """

    def __init__(self, texts: Sequence[Text], vectors: Vectors | None) -> None:
        self._found: dict[Document, Extraction] = {}
        self._vectors = vectors
        found: dict[str, Passage] = {}
        for text in texts:
            named = f"{text.title}\0{text.text}".encode("utf-8", "surrogatepass")
            digest = hashlib.sha256(named).hexdigest()
            document = Document(text.path, digest, plain.EXTRACTOR, text.title)
            blocks = paragraphs(text.text)
            read = Extraction(text.text, blocks, plain.EXTRACTOR, text.title)
            self._found[document] = read
            for one in cut(read):
                found.setdefault(one.id, Passage(document, *astuple(one)))
        self._passages = list(found.values())
        self._lexical: Lexical | None = None

    @property
    def passage_texts(self) -> list[str]:
        """What the encoder reads of each passage: to encode several libraries' together."""
        return [embeddings.encoder_text(p.heading, p.text) for p in self._passages]

    def search_many(
        self, queries: Sequence[str], *, k: int, mode: Mode = "hybrid"
    ) -> list[tuple[Evidence, ...]]:
        """The k best passages of each query; as ``Library.search_many``."""
        return [self._search(query, k, mode) for query in queries]

    def sentences(self, passage: Passage) -> tuple[Sentence, ...]:
        """The passage's sentences, each with its span in the document's text."""
        return tuple(sentences(self._found[passage.document], passage.start, passage.end))

    def raw_text(self, document: Document) -> str:
        """The document's text, which every offset refers to."""
        return self._found[document].text

    def _search(self, query: str, k: int, mode: Mode) -> tuple[Evidence, ...]:
        if not query.strip() or not self._passages:
            return ()
        cosines = self._cosines(query) if mode != "lexical" else {}
        bm25 = self._bm25(query, depth(k)) if mode != "dense" or not cosines else {}
        found = dict(enumerate(self._passages))
        near = sorted(cosines, key=lambda number: -cosines[number])[: depth(k)]
        return best(found, near, cosines, bm25, k=k, mode=mode)

    def _cosines(self, query: str) -> dict[int, float]:
        if self._vectors is None:
            return {}
        (wanted,) = self._vectors.of([query])
        return {
            number: float(np.dot(vector, wanted))
            for number, vector in enumerate(self._vectors.of(self.passage_texts))
        }

    def _bm25(self, query: str, limit: int) -> dict[int, float]:
        if self._lexical is None:
            self._lexical = Lexical(None)
            self._lexical.add((n, p.heading, p.text) for n, p in enumerate(self._passages))
        return dict(self._lexical.search(query, limit))
