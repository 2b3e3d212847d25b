"""Where an evaluation's evidence comes from: each item's own documents, or all in one library."""

import hashlib
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

from veracite.engine.errors import CheckError
from veracite.engine.evaluation.items import Source
from veracite.engine.paths import private_folder
from veracite.engine.retrieve import Searchable
from veracite.engine.skills.extractive import SentenceEncoder
from veracite.index.documents import Document, Evidence, Passage, Sentence
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.progress import SyncEvent


class Quotable(Searchable, Protocol):
    """A library, on disk or in memory."""

    def sentences(self, passage: Passage, /) -> tuple[Sentence, ...]:
        """A passage's sentences."""
        ...

    def raw_text(self, document: Document, /) -> str:
        """A document's text."""
        ...


class Collection:
    """The libraries of a group of items, asked by document."""

    def __init__(self, libraries: Sequence[Quotable]) -> None:
        self.libraries = libraries
        """One for each item, in their order; the same one again and again for scope "all"."""
        self._owners: dict[Document, Quotable] = {}

    def own(self, item: int, found: Iterable[Evidence]) -> None:
        """Remember which item's library found what."""
        for evidence in found:
            self._owners[evidence.passage.document] = self.libraries[item]

    def sentences(self, passage: Passage) -> Sequence[Sentence]:
        """The sentences of a passage that was found."""
        return self._owners[passage.document].sentences(passage)

    def raw_text(self, document: Document) -> str:
        """The text of a document that was found."""
        return self._owners[document].raw_text(document)


def apart(sources: Sequence[tuple[Source, ...]], encoder: SentenceEncoder) -> Collection:
    """A library in memory for each item's documents; their passages are encoded together."""
    vectors = Vectors(encoder.encode)
    libraries = [
        MemoryLibrary(
            [Text(f"{item}/{number}", s.text, s.title) for number, s in enumerate(own)], vectors
        )
        for item, own in enumerate(sources)
    ]
    vectors.of([text for library in libraries for text in library.passage_texts])
    return Collection(libraries)


def shelf(sources: Iterable[Source], root: Path) -> Path:
    """The folder for one library of these documents: the same one for every run that has them."""
    names = "\n".join(sorted({_name(_page(source)) for source in sources}))
    return root / hashlib.sha256(names.encode()).hexdigest()[:12]


def written(sources: Iterable[Source], folder: Path) -> dict[str, str]:
    """Write documents as HTML files, one for each distinct document; their names to ids.

    The name is a hash of the content: the same documents are the same files, whatever their order.

    Raises:
        CheckError: The folder cannot be written.
    """
    names: dict[str, str] = {}
    try:
        private_folder(folder)
        for source in sources:
            page = _page(source)
            name = _name(page)
            names.setdefault(name, source.id)
            if not (folder / name).exists():
                partial = folder / f"{name}.partial"
                partial.write_bytes(page.encode("utf-8", "replace"))
                partial.replace(folder / name)
        for left in folder.iterdir():
            if left.name not in names:
                left.unlink()
    except OSError as error:
        raise CheckError(
            f"The documents cannot be saved in {folder} ({error.strerror or error}).",
            "Free some space on its disk, then run the same command again.",
        ) from error
    return names


def together(
    documents: Path, index: Path, encoder: SentenceEncoder, opened: ExitStack
) -> Iterator[SyncEvent | Library]:
    """Open the one library of all documents and read them; the last thing it yields is it."""
    library = opened.enter_context(
        Library.open(index, encode=encoder.encode, encoder_id=encoder.id)
    )
    library.add([documents])
    yield from library.sync()
    yield library


def _name(page: str) -> str:
    return hashlib.sha256(page.encode("utf-8", "surrogatepass")).hexdigest()[:24] + ".html"


def _page(source: Source) -> str:
    paragraphs = [p for p in re.split(r"\n\s*\n", source.text) if p.strip()]
    body = "\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs)
    title = f"<title>{html.escape(source.title)}</title>" if source.title else ""
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<body>\n{body}\n</body>\n'
