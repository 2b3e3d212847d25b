"""What goes into the catalog and comes out of it, besides documents and passages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What a file looked like when it was read."""

    size: int
    """In bytes."""
    mtime_ns: int
    """-1 where a later change could leave it as it is: such a file is hashed again next time."""
    sha256: str


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What the catalog knows of one file."""

    stamp: FileStamp
    reader: str
    """Name and version of the reader that read it or failed to."""


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A passage on its way into the catalog; fields as in ``documents.Passage``."""

    start: int
    end: int
    page: int | None
    heading: str | None
    text: str
    id: str


@dataclass(frozen=True, slots=True)
class Derived:
    """Which file a derived index lives in, and what it was made from."""

    generation: int
    file: str
    """Name within the library's folder."""
    sha256: str
    """Of its content; checked before every load."""
    made_with: str
    """Library versions and settings: another value means another file format."""
