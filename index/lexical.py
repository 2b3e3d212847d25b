"""Lexical search: BM25 over headings and passages, by Tantivy. The only door to tantivy.

An index is a folder of files or lives in memory. It knows passages by their id in the catalog and
holds nothing that cannot be built again from there. It holds each distinct passage once, so that
copies of a file change no score. Passages are added to it; where some are gone it is made anew:
Tantivy would count them in its statistics until segments happen to be merged.
"""

import hashlib
import json
import math
import os
import re
import shutil
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from veracite.index.catalog import Catalog
from veracite.index.storage import disk_full, storage_errors, sync_file

if TYPE_CHECKING:
    import tantivy

HEADING_WEIGHT = 0.5
"""A word in the heading counts half of one in the text."""

_FULL = ("No space left", "File too large", "quota exceeded")
_TERM_BYTES = 64
_QUERY_TERMS = 1_000
_WRITER_THREADS = 2
_WRITER_BYTES = 64_000_000
_DAY = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")

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
        builder.add_integer_field("passage", indexed=True, fast=True)
        builder.add_text_field("heading", tokenizer_name="words", index_option="freq")
        builder.add_text_field("text", tokenizer_name="words", index_option="freq")
        self._schema = builder.build()
        with _tantivy_errors(self._folder):
            self._index = tantivy.Index(self._schema, path=None if folder is None else str(folder))
            self._index.register_tokenizer("words", self._analyzer)
            self._searcher = self._index.searcher()

    def add(self, passages: Iterable[Words]) -> None:
        """Add passages in one commit; all of them or none are searchable afterwards.

        Raises:
            LexicalError: It could not be written.
            StorageError: The disk is full.
        """
        with _tantivy_errors(self._folder):
            writer = self._index.writer(_WRITER_BYTES, _WRITER_THREADS)
            for passage, heading, text in passages:
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

    def search(self, query: str, limit: int) -> list[tuple[int, float]]:
        """The best passages by BM25 as (id, score), best first, equal scores by id.

        Every word of the query may match, none has to; the query has no syntax. Where the limit
        would part equal scores, all of them are left out, unless that takes more than half: ids
        follow the order in which documents came.
        """
        parsed = self._parse(query)
        if parsed is None or limit < 1:
            return []
        asked = 2 * limit
        with _tantivy_errors(self._folder):
            while True:
                hits = self._searcher.search(parsed, limit=asked, count=False).hits
                # Tantivy breaks ties by where a segment put the document: look past them.
                if len(hits) < asked or hits[-1][0] < hits[limit - 1][0]:
                    break
                asked *= 2
            values = self._searcher.fast_field_values("passage", [address for _, address in hits])
        scored = [
            (int(value), score)
            for value, (score, _) in zip(values, hits, strict=True)
            if value is not None
        ]
        scored.sort(key=lambda hit: (-hit[1], hit[0]))
        kept = scored[:limit]
        if len(scored) > limit and scored[limit][1] == kept[-1][1]:
            better = [hit for hit in kept if hit[1] > kept[-1][1]]
            return better if 2 * len(better) >= limit else kept
        return kept

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


class Names:
    """What documents are called and when they were changed, to be searched by words and days.

    Args:
        documents: Path and time of change (in ns; -1 for none) of each.
    """

    def __init__(self, documents: Iterable[tuple[str, int]]) -> None:
        self._analyzer = _analyzer()
        self._called: dict[str, list[str]] = defaultdict(list)
        self._count = 0
        for path, changed in documents:
            name = os.path.basename(path).encode("utf-8", "replace").decode()
            day = f"{datetime.fromtimestamp(changed / 1e9):%Y%m%d}" if changed >= 0 else ""
            self._count += 1
            for term in {*self._terms(name), day} - {""}:
                self._called[term].append(path)

    def search(self, query: str) -> dict[str, float]:
        """How much of a query the name and day of each document have, 0..1; rare words are more.

        Days are written as 2024-12-31; documents that have nothing of the query are left out.
        """
        terms = self._terms(_DAY.sub(r"\1\2\3", query))
        found = {term: self._called.get(term, []) for term in terms}
        worth = {term: math.log(1 + self._count / (1 + len(found[term]))) for term in terms}
        shares: dict[str, float] = defaultdict(float)
        for term in sorted(terms):
            for path in found[term]:
                shares[path] += worth[term] / sum(worth.values())
        return shares

    def _terms(self, text: str) -> set[str]:
        days = ("".join(day) for day in _DAY.findall(text))
        return {*self._analyzer.analyze(_normalise(text)), *days}


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


_SETTINGS = "lexical/1"
_NAME = "lexical"
"""In the catalog; the names of files begin with it."""


@dataclass(frozen=True, slots=True)
class _Record:
    """What the catalog says of the index on the disk."""

    generation: int
    """Of the passages that it was made from."""
    file: str
    """Name within the library's folder."""
    sha256: str
    """Of its content; checked before every load."""
    made_with: str
    """Library versions and settings: another value means another file format."""
    passages: int = -1
    """How many it holds; -1 where an earlier version did not say."""
    last: int = 0
    """The last passage of the catalog when it was made."""


class Kept:
    """The lexical index of a library, kept in step with the catalog that it is derived from.

    The one on the disk is opened only if it is what the catalog says it is: present, made by this
    version, and with the recorded SHA-256. Another one is written beside it and takes its place
    when the catalog says so. Without the right to write (another process is at work, the disk is
    full) search goes on with what is there, or in memory.
    """

    def __init__(self, catalog: Catalog, folder: Path) -> None:
        self._catalog = catalog
        self._folder = folder
        self._links: TemporaryDirectory[str] | None = None
        self.release()

    def release(self) -> None:
        """Let go of memory and open files; the next refresh opens the index again."""
        self._links = None
        self.index: Lexical | None = None
        """As of the last refresh."""
        self._record: _Record | None = None
        """Of the index that is open; None for one in memory."""
        self._seen = -1
        """The generation of the catalog that the open index reflects."""

    @property
    def current(self) -> bool:
        """Whether what is open stands where the catalog stands."""
        return self._seen == self._catalog.generation("passages")

    def behind(self) -> list[str]:
        """A sentence if what is on the disk lags: a run was interrupted before it came to this."""
        generation = self._catalog.generation("passages")
        record = self._recorded()
        if not generation or (record and record.generation == generation):
            return []
        return ["The keyword index lacked the newest changes and was brought up to date."]

    def problem(self) -> str:
        """What is wrong with the index on the disk; empty if nothing is, or there is none yet."""
        while True:
            record = self._recorded()
            found = self._open(record) if record else ""
            self.release()
            # Another process may have put another one in its place.
            if not found or record == self._recorded():
                return found

    def forget(self) -> None:
        """Have the index built again with the next sync."""
        self.release()
        self._catalog.set_meta(_NAME, "")

    def _recorded(self) -> _Record | None:
        said = self._catalog.meta(_NAME)
        return _Record(*json.loads(said)) if said else None

    def refresh(self, *, write: bool) -> list[str]:
        """Bring the index up to date; what was out of the ordinary.

        Args:
            write: This process holds the library's lock and may change files. Otherwise an index
                that is behind is used as it is, and one that is unfit is replaced in memory.

        Raises:
            StorageError: It cannot be written.
        """
        generation = self._catalog.generation("passages")
        if write:
            self._discard_others()
        if self._seen == generation and (self._record or not write):
            return []
        problem = ""
        record = self._recorded()
        if self.index is None or record != self._record:
            self.release()
            if record is not None and not (problem := self._open(record)):
                self._record, self._seen = record, record.generation
        if write and (self._record is None or self._seen != generation):
            self._write(generation)
        elif self.index is None:
            index = Lexical(None)
            index.add(self._catalog.distinct_passages())
            self.index, self._seen = index, generation
        return [f"The keyword index {problem} and was built again."] if problem and write else []

    def _open(self, record: _Record) -> str:
        """Open what is on the disk; what is wrong with it, if anything is."""
        if record.made_with != _made_with():
            return "was made by another version"
        path = self._folder / record.file
        try:
            if digest(path) != record.sha256:
                return "was damaged or half-written"
            self.index = Lexical(path if os.access(path, os.W_OK) else self._linked(path))
        except FileNotFoundError:
            return "was missing"
        except OSError:
            return "could not be read"
        return ""

    def _linked(self, path: Path) -> Path:
        """Links to an index that cannot be written: Tantivy locks even what it only reads."""
        self._links = TemporaryDirectory()
        for part in _content(path):
            Path(self._links.name, part.name).symlink_to(part.absolute())
        return Path(self._links.name)

    def _write(self, generation: int) -> None:
        file = f"{_NAME}-{generation}"
        with storage_errors(self._folder):
            path, after, last = self._folder / file, 0, self._catalog.last_passage()
            _discard(path)
            before = self._record
            if before and self._catalog.count_distinct(before.last) == before.passages:
                # Nothing is gone, so what is there stays right: its files never change.
                old, after = self._folder / before.file, before.last
                shutil.copytree(
                    old, path, ignore=shutil.ignore_patterns("*.lock"), copy_function=_link
                )
            index = Lexical(path)
            index.add(self._catalog.distinct_passages(after))
            count = self._catalog.count_distinct(last)
            record = _Record(generation, file, digest(path), _made_with(), count, last)
            self._catalog.set_meta(_NAME, json.dumps(astuple(record)))
            self._discard_others()
        self.index, self._record, self._seen = index, record, generation

    def _discard_others(self) -> None:
        """Remove what the catalog does not speak of: what a killed process left behind, too."""
        record = self._recorded()
        for other in self._folder.glob(f"{_NAME}-*"):
            if record is None or other.name != record.file:
                _discard(other)


def _link(old: str, new: str) -> None:
    """Have a file under another name too; where the disk knows no links, a copy of it."""
    try:
        os.link(old, new)
    except OSError:
        shutil.copyfile(old, new)


def _made_with() -> str:
    return f"{_SETTINGS} tantivy/{version('tantivy')}"


def digest(path: Path) -> str:
    """SHA-256 of a file, or over the names and bytes of a folder's files.

    Raises:
        OSError: Something cannot be read.
    """
    if not path.is_dir():
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    whole = hashlib.sha256()
    for part in _content(path):
        whole.update(f"{part.name}\n{digest(part)}\n".encode())
    return whole.hexdigest()


def _content(path: Path) -> list[Path]:
    """The files of an index, without Tantivy's locks."""
    return sorted(part for part in path.iterdir() if not part.name.endswith(".lock"))


def _discard(path: Path) -> None:
    """Remove a file, or a folder with its files, whatever state it is in."""
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
