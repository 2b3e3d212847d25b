"""The libraries of the items' documents: each item's own, or one of all items' documents."""

import hashlib
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from veracite.engine.errors import CheckError
from veracite.engine.evaluation.items import Source
from veracite.engine.paths import private_folder
from veracite.index.library import Library
from veracite.index.memory import MemoryLibrary, Text, Vectors
from veracite.index.progress import SyncEvent
from veracite.models.encoder import Encoder


def apart(sources: Sequence[tuple[Source, ...]], encoder: Encoder) -> list[MemoryLibrary]:
    """A library in memory for each item's documents; their passages are encoded together."""
    vectors = Vectors(encoder.encode)
    libraries = [
        MemoryLibrary(
            [Text(f"{item}/{number}", s.text, s.title) for number, s in enumerate(own)], vectors
        )
        for item, own in enumerate(sources)
    ]
    vectors.of([text for library in libraries for text in library.passage_texts])
    return libraries


def written(sources: Iterable[Source], folder: Path) -> dict[str, str]:
    """Write documents as HTML files, one for each distinct document; their names to ids.

    The name is a hash of the content: the same documents are the same files, whatever their order.

    Raises:
        CheckError: The folder cannot be written.
    """
    names: dict[str, str] = {}
    with saving("documents", folder):
        private_folder(folder)
        for source in sources:
            page = _page(source).encode("utf-8", "replace")
            name = f"{hashlib.sha256(page).hexdigest()[:24]}.html"
            names.setdefault(name, source.id)
            if not (folder / name).exists():
                partial = folder / f"{name}.partial"
                partial.write_bytes(page)
                partial.replace(folder / name)
    return names


@contextmanager
def saving(what: str, folder: Path) -> Iterator[None]:
    """Write inside.

    Raises:
        CheckError: The folder cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise CheckError(
            f"The {what} cannot be saved in {folder} ({error.strerror or error}).",
            "See that the folder is yours and its disk has room, then run the same command again.",
        ) from error


def together(
    sources: Sequence[Source], root: Path, encoder: Encoder, opened: ExitStack
) -> Iterator[SyncEvent | tuple[Library, dict[str, str]]]:
    """Open the one library of all documents and read them; last come it and its files' ids.

    Every run that has the same documents has the same library, in a folder below ``root``.
    """
    said = sorted({f"{source.title}\0{source.text}" for source in sources})
    digest = hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()
    place = root / digest[:12]
    ids = written(sources, place / "documents")
    library = Library(place / "index", encode=encoder.encode, encoder_id=encoder.id)
    opened.enter_context(library)
    library.add([place / "documents"])
    yield from library.sync()
    yield library, ids


def _page(source: Source) -> str:
    paragraphs = [p for p in re.split(r"\n\s*\n", source.text) if p.strip()]
    body = "\n".join(f"<p>{html.escape(p)}</p>" for p in paragraphs)
    title = f"<title>{html.escape(source.title)}</title>" if source.title else ""
    return f'<!doctype html><html lang="en"><meta charset="utf-8">{title}<body>\n{body}\n</body>\n'
