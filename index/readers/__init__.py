"""One module a file format: each reads a file into an ``Extraction`` or raises ``ReadError``."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from veracite.index.documents import Extraction

__all__ = ["READERS", "Read", "known", "reader_of"]

Read = Callable[[Path], Extraction]

READERS: Mapping[str, str] = {
    ".txt": "plain",
    ".text": "plain",
    ".md": "markdown",
    ".markdown": "markdown",
    ".pdf": "pdf",
    ".docx": "docx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
"""Suffix, in lower case, to the module here that reads it."""


def known(path: Path) -> bool:
    """Whether the file's name says that it is of a format that can be read."""
    return path.suffix.lower() in READERS


def reader_of(path: Path) -> Read:
    """The function that reads the file's format; raises KeyError where it is not known."""
    module = import_module(f"veracite.index.readers.{READERS[path.suffix.lower()]}")
    read: Read = module.read
    return read
