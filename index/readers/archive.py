"""The zip archives that office documents and e-books are: opened within limits."""

import io
import re
import zipfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from html.entities import html5
from typing import TYPE_CHECKING, Any

from veracite.index.errors import ReadError
from veracite.index.readers import damage_told

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
_ENTITY = re.compile(rb"<\0?!\0?E\0?N\0?T\0?I\0?T\0?Y")
"""In UTF-8 and UTF-16; no office program writes one."""
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
    with unless_damaged(kind, program):
        archive = zipfile.ZipFile(io.BytesIO(content))
    entries = [e for e in archive.infolist() if e.filename.lower().endswith(_READ)]
    bomb = any(
        entry.file_size > max(_RATIO_COUNTS_FROM, _MOST_RATIO * max(entry.compress_size, 1))
        or (entry.file_size > _MOST_XML and entry.filename.endswith((".xml", ".rels")))
        for entry in entries
    )
    size = sum(entry.file_size for entry in entries)
    if bomb or size > _MOST_BYTES or len(entries) > _MOST_ENTRIES:
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
            content = archive.read(name) if name.lower().endswith(_READ) else b""
            if _ENTITY.search(content):
                raise _unresolved("one that it declares")
            slim.writestr(name, changed(content) if content else content)
    return result


def parsed(content: bytes) -> "_Element":
    """The root of an XML text.

    Raises:
        MemoryError: It asks for more than there is.
        ReadError: It has an entity that HTML has not: what it stands for may be anything, and
            leaving it out would leave out text in silence.
        ValueError: It is not well-formed.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=True, remove_comments=True
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        if error.code == etree.ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from error
        raise ValueError(str(error)) from error
    if root is None:
        raise ValueError("it is no XML")
    return _resolved(root)


def _resolved(root: "_Element") -> "_Element":
    """An element whose entities, which a parser left as they are, are text."""
    from lxml import etree

    declared = root.getroottree().docinfo.internalDTD
    own = set() if declared is None else {one.name for one in declared.iterentities()}
    entities: list[Any] = list(root.iter(etree.Entity))
    for entity in entities:
        shown = None if entity.name in own else html5.get(f"{entity.name};")
        parent = entity.getparent()
        if shown is None or parent is None:
            raise _unresolved(f"&{entity.name};")
        before, text = entity.getprevious(), shown + (entity.tail or "")
        if before is None:
            parent.text = (parent.text or "") + text
        else:
            before.tail = (before.tail or "") + text
        entity.tail = None
        parent.remove(entity)
    return root


def _unresolved(entity: str) -> ReadError:
    return ReadError(
        f"The text has an entity, {entity}, which may stand for anything and is not resolved.",
        "Save it again from the program that made it, with the text in the entity's place.",
    )


def unless_damaged(kind: str, program: str) -> AbstractContextManager[None]:
    """Within it a package that cannot be made sense of is told as such; arguments as ``opened``."""
    return damage_told(
        f"The file is damaged or is not {kind}.", f"Open it in {program} and save it again."
    )
