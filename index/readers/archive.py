"""The zip archives that office documents and e-books are: opened within limits."""

import io
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING

from veracite.index.errors import ReadError

if TYPE_CHECKING:
    from lxml.etree import _Element

_MOST_ENTRIES = 10_000
_MOST_BYTES = 500 * 1024 * 1024
"""Of all entries, unpacked."""
_MOST_XML = 100 * 1024 * 1024
_MOST_RATIO = 200
_RATIO_COUNTS_FROM = 20 * 1024 * 1024
_READ = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf")
"""What is read; how large pictures are matters as little as what they show."""
_OLD_OFFICE = b"\xd0\xcf\x11\xe0"


def opened(content: bytes, kind: str, program: str) -> zipfile.ZipFile:
    """Open an archive.

    Args:
        content: The file's bytes.
        kind: What it should be, as in "a DOCX document".
        program: What opens it otherwise, as in "Word or LibreOffice".

    Raises:
        ReadError: It is no archive, is encrypted, unpacks to far more than its size, or holds two
            parts of one name.
    """
    if content.startswith(_OLD_OFFICE):
        raise ReadError(
            "The document is encrypted or in an old Office format.",
            f"Save it without a password as {kind.rpartition(' ')[0].split()[-1]}.",
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise damaged(kind, program) from error
    entries = [e for e in archive.infolist() if e.filename.lower().endswith(_READ)]
    bomb = any(
        entry.file_size > _RATIO_COUNTS_FROM
        and entry.file_size > _MOST_RATIO * max(entry.compress_size, 1)
        for entry in entries
    )
    large_xml = any(
        entry.file_size > _MOST_XML and entry.filename.endswith((".xml", ".rels"))
        for entry in entries
    )
    size = sum(entry.file_size for entry in entries)
    if bomb or large_xml or size > _MOST_BYTES or len(entries) > _MOST_ENTRIES:
        raise ReadError(
            "The document unpacks to far more than its size and was not opened.",
            "Check where it comes from before you open it.",
        )
    if len({entry.filename for entry in entries}) < len({(e.filename, e.CRC) for e in entries}):
        raise ReadError(
            "Two parts of the document have the same name and say different things.",
            f"Open it in {program} and save it again.",
        )
    return archive


def slimmed(archive: zipfile.ZipFile, changed: Callable[[bytes], bytes] = bytes) -> io.BytesIO:
    """The archive without the content of pictures and the like, which a library would load.

    Args:
        changed: What to make of a part's XML.
    """
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w") as slim:
        for name in dict.fromkeys(archive.namelist()):
            read = name.lower().endswith(_READ)
            slim.writestr(name, changed(archive.read(name)) if read else b"")
    return result


def damaged(kind: str, program: str) -> ReadError:
    """What to raise for a package that cannot be made sense of."""
    return ReadError(
        f"The file is damaged or is not {kind}.", f"Open it in {program} and save it again."
    )


def part(archive: zipfile.ZipFile, name: str) -> "_Element":
    """An entry's XML; no entity of it is resolved.

    Raises:
        KeyError: There is no such entry.
        ValueError: It is not well-formed, or cannot be unpacked.
    """
    import zlib

    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True)
    try:
        return etree.fromstring(archive.read(name), parser)
    except (etree.LxmlError, zipfile.BadZipFile, zlib.error, RuntimeError, OSError) as error:
        raise ValueError(str(error)) from error
