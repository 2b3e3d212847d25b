"""Lexical search: BM25 over headings and passages, by Tantivy. The only door to tantivy.

An index is a folder of files or lives in memory. It knows passages by their id in the catalog and
holds nothing that cannot be built again from there.

Scores depend on the passages alone, not on how they came in: Tantivy counts deleted documents in
its statistics until segments happen to be merged, so callers build anew instead of deleting while
the library is of ordinary size (``veracite.index.derived``).
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracite.index.storage import disk_full, sync_file

if TYPE_CHECKING:
    import tantivy

HEADING_WEIGHT = 0.5
"""A word in the heading counts half of one in the text."""

_FULL = ("No space left", "File too large", "quota exceeded")
_TERM_BYTES = 64
_QUERY_TERMS = 1_000
_WRITER_THREADS = 2
_WRITER_BYTES = 64_000_000

Words = tuple[int, str | None, str]
"""A passage's id, heading and text."""


class LexicalError(OSError):
    """The index cannot be read or written; it has to be built again."""


class Lexical:
    """A BM25 index that is open.

    Args:
        folder: Where it lives (created if missing), or None for one in memory.

    Raises:
        LexicalError: What is in the folder is no index of this kind.
    """

    def __init__(self, folder: Path | None) -> None:
        import tantivy

        self._tantivy = tantivy
        self._folder = folder
        self._analyzer = _analyzer()
        if folder is not None:
            folder.mkdir(mode=0o700, exist_ok=True)
        builder = tantivy.SchemaBuilder()
        # Signed: ``delete_documents_by_term`` finds nothing in an unsigned field.
        builder.add_integer_field("passage", indexed=True, fast=True)
        builder.add_text_field("heading", tokenizer_name="words", index_option="freq")
        builder.add_text_field("text", tokenizer_name="words", index_option="freq")
        self._schema = builder.build()
        with _tantivy_errors(self._folder):
            self._index = tantivy.Index(self._schema, path=None if folder is None else str(folder))
            self._index.register_tokenizer("words", self._analyzer)
            self._searcher = self._index.searcher()

    def update(self, added: Iterable[Words], removed: Iterable[int] = ()) -> None:
        """Add and remove passages in one commit; all of it or nothing is searchable afterwards.

        Raises:
            LexicalError: It could not be written.
            StorageError: The disk is full.
        """
        with _tantivy_errors(self._folder):
            writer = self._index.writer(_WRITER_BYTES, _WRITER_THREADS)
            for passage in removed:
                writer.delete_documents_by_term("passage", passage)
            for passage, heading, text in added:
                document = self._tantivy.Document()
                document.add_integer("passage", passage)
                document.add_text("heading", _normalise(heading or ""))
                document.add_text("text", _normalise(text))
                writer.add_document(document)
            writer.commit()
            # Until the merges are done files come and go, and no digest would hold.
            writer.wait_merging_threads()
            self._index.reload()
            self._searcher = self._index.searcher()
        if self._folder is not None:
            for path in self._folder.iterdir():
                path.chmod(0o600)
                sync_file(path)
            sync_file(self._folder)

    def ids(self) -> set[int]:
        """The passages it holds."""
        with _tantivy_errors(self._folder):
            count = self._searcher.num_docs
            if not count:
                return set()
            found = self._searcher.search(self._tantivy.Query.all_query(), limit=count, count=False)
            return set(self._passages([address for _, address in found.hits]))

    def search(self, query: str, limit: int) -> list[tuple[int, float]]:
        """The best passages by BM25 as (id, score), best first, equal scores by id.

        Every word of the query may match, none has to; the query has no syntax.
        """
        parsed = self._parse(query)
        if parsed is None or limit < 1:
            return []
        asked = limit
        with _tantivy_errors(self._folder):
            while True:
                hits = self._searcher.search(parsed, limit=asked, count=False).hits
                # Tantivy breaks ties by where a segment put the document: look past them.
                if len(hits) < asked or hits[-1][0] < hits[limit - 1][0]:
                    break
                asked *= 2
            passages = self._passages([address for _, address in hits])
        scored = zip(passages, (score for score, _ in hits), strict=True)
        return sorted(scored, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def _passages(self, addresses: "list[tantivy.DocAddress]") -> list[int]:
        values = self._searcher.fast_field_values("passage", addresses)
        return [int(value) for value in values if value is not None]

    def _parse(self, query: str) -> "tantivy.Query | None":
        terms = Counter(self._analyzer.analyze(_normalise(query))).most_common(_QUERY_TERMS)
        if not terms:
            return None
        make = self._tantivy.Query
        should = self._tantivy.Occur.Should
        clauses: list[Any] = []
        for term, count in terms:
            for field, weight in (("text", 1.0), ("heading", HEADING_WEIGHT)):
                clause = make.term_query(self._schema, field, term, "freq")
                clauses.append((should, make.boost_query(clause, weight * count)))
        return make.boolean_query(clauses)


@contextmanager
def _tantivy_errors(folder: Path | None) -> Iterator[None]:
    try:
        yield
    except (ValueError, OSError) as error:
        # Tantivy's reasons arrive as text.
        if folder is not None and any(words in str(error) for words in _FULL):
            raise disk_full(folder.parent) from error
        raise LexicalError(str(error)) from error


def _analyzer() -> "tantivy.TextAnalyzer":
    import tantivy

    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(tantivy.Filter.remove_long(_TERM_BYTES))
        .filter(tantivy.Filter.lowercase())
        .filter(tantivy.Filter.ascii_fold())
        .filter(tantivy.Filter.stemmer("english"))
        .build()
    )


def _normalise(text: str) -> str:
    # Decomposed accents would split a word in two; lone surrogates cannot cross into Rust.
    return unicodedata.normalize("NFKC", text).encode("utf-8", "replace").decode("utf-8")
