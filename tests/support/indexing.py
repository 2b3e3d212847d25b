"""What the library's tests need: a tiny encoder, a reader without a worker, documents to read.

Run as a script it syncs a library, for tests of what stops it.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from veracite.index.dense import EXACT, SEGMENT
from veracite.index.documents import Cut, Evidence, Extraction
from veracite.index.errors import LibraryError
from veracite.index.library import Library
from veracite.index.progress import Synced, SyncEvent
from veracite.index.readers import module_of
from veracite.index.reading import Answer, Reader, answer
from veracite.index.sync import OpenReader

OpenLibrary = Callable[..., Library]

DIMENSION = 32
ENCODER = "hashed/1"
LARGE: dict[str, Any] = {"exact": 50, "segment": 40}
"""Has a library of a hundred passages work as one of a million does."""


Blocks = list[tuple[str, int, str]]


def read(path: Path, content: str | bytes | None = None) -> Extraction:
    """What the reader of the format makes of a file, with this content if any is given."""
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found: Extraction = module_of(path).read(path)
    return found


def blocks(found: Extraction) -> Blocks:
    """Kind, level and text of each block."""
    return [(b.kind, b.level, found.text[b.start : b.end]) for b in found.blocks]


@cache
def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    return np.random.default_rng(seed).normal(size=DIMENSION)


def hashed(texts: Sequence[str]) -> NDArray[np.float32]:
    """An encoder: each word has a fixed random direction, a text is the sum of its words."""
    vectors = np.zeros((len(texts), DIMENSION))
    for row, text in zip(vectors, texts, strict=True):
        for word in re.findall(r"\w+", text.lower()):
            row += _direction(word)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit


class Counting:
    """An encoder that remembers what it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return hashed(texts)


class DirectReader(Reader):
    """Reads in this process: the readers themselves have their own tests."""

    def _ask(self, path: Path, scratch: Path) -> Answer:
        return answer(path, scratch)


def open_library(
    folder: Path,
    *follows: Path,
    open_reader: OpenReader = DirectReader,
    exact: int = EXACT,
    segment: int = SEGMENT,
    **settings: object,
) -> Library:
    """A library with the tiny encoder and the direct reader, unless told otherwise.

    Args:
        follows: Sources that it is to follow, too.
        open_reader: Makes what reads files.
        exact: Passages up to which every embedding is compared as it is.
        segment: Most embeddings in a file.
    """
    chosen = {"encode": hashed, "encoder_id": ENCODER} | settings
    library = Library(folder, **chosen)  # type: ignore[arg-type]
    library._open_reader = open_reader
    if library._dense:
        library._dense._most, library._dense._segment = exact, segment
    if follows:
        library.add(follows)
    return library


def synced(library: Library) -> Synced:
    """Sync to the end; the last event."""
    return events(library)[-1]  # type: ignore[return-value]


def events(library: Library) -> list[SyncEvent]:
    """Everything that a sync says."""
    return list(library.sync(wait_seconds=0))


def failures(library: Library) -> dict[str, str]:
    """The reason for each file that could not be read, by its name."""
    return {Path(one.file).name: one.reason for one in library.status().failed}


def texts(found: Sequence[Evidence]) -> list[str]:
    return [evidence.passage.text for evidence in found]


def require_as_new(library: Library, new: Library, asked: Sequence[str], *sources: Path) -> None:
    """What is found is what is found where all these sources were read just now."""
    new.add(sources)
    synced(new)
    assert library.search_many(asked, k=5) == new.search_many(asked, k=5)


def write_corpus(folder: Path, documents: int = 12, paragraphs: int = 12) -> list[Path]:
    """Text files of made-up words, the same on every call; every paragraph is a passage."""
    random = Random(7)
    words = ["".join(random.choices("abcdefghijklmnop", k=6)) for _ in range(3_000)]
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(documents):
        path = folder / f"document-{number:02}.txt"
        parts = (" ".join(random.choices(words, k=90)).capitalize() for _ in range(paragraphs))
        path.write_text("\n\n".join(f"{part}." for part in parts), encoding="utf-8")
        paths.append(path)
    return paths


def queries(paths: Sequence[Path]) -> list[str]:
    """For each document a few words from its middle."""
    return [" ".join(path.read_text(encoding="utf-8").split()[500:512]) for path in paths]


def cut_of(text: str) -> Cut:
    """A passage of a document that holds nothing else."""
    return Cut(0, len(text), None, None, text, hashlib.sha256(text.encode()).hexdigest())


def without_writing(folder: Path, command: Sequence[str]) -> str:
    """What a command prints while nothing can be written into a folder, whoever runs it.

    Raises:
        Skipped: The system does not let us have such a folder.
    """
    return mounted('mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"', folder, command)


def mounted(how: str, folder: Path, command: Sequence[str]) -> str:
    """What a command prints for which alone something is mounted at a folder, ``$0``.

    Raises:
        Skipped: The system does not let us do that.
    """
    script = f'{how} && exec "$@"'
    alone = ["unshare", "--mount", "--map-root-user", "sh", "-c", script, str(folder)]
    if shutil.which("unshare") is None or subprocess.run([*alone, "true"]).returncode:
        pytest.skip("nothing can be mounted here")
    here = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run([*alone, *command], capture_output=True, text=True, env=here)
    assert done.returncode == 0, done.stderr
    return done.stdout


def main(folder: str, source: str) -> int:
    """Sync; exit 3 with the message of a failure."""
    try:
        with open_library(Path(folder), Path(source)) as library:
            synced(library)
    except LibraryError as error:
        print(f"{type(error).__name__}: {error}", flush=True)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
