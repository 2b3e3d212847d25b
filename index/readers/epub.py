"""EPUB: the chapters of an e-book in reading order, each read as a web page."""

from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from veracite.index.documents import Extraction
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.archive import opened, parsed, unless_damaged
from veracite.index.readers.html import add_page

EXTRACTOR = "epub/5"

_CONTAINER = "META-INF/container.xml"
_ENCRYPTED = "META-INF/encryption.xml"
_KIND, _PROGRAM = "an EPUB book", "an e-book program"
_OPF = "{http://www.idpf.org/2007/opf}"
_TITLE = ".//{http://purl.org/dc/elements/1.1/}title"


def read(path: Path) -> Extraction:
    """Read an e-book; raises ReadError where it is damaged, locked by its seller, or empty."""
    assembly = Assembly()
    with opened(file_bytes(path), _KIND, _PROGRAM) as archive:
        with unless_damaged(_KIND, _PROGRAM):
            rootfile = parsed(archive.read(_CONTAINER)).find(".//{*}rootfile")
            place = rootfile.get("full-path", "") if rootfile is not None else ""
            package = parsed(archive.read(place))
        items = {item.get("id"): item for item in package.iter(_OPF + "item")}
        for reference in package.iter(_OPF + "itemref"):
            item = items.get(reference.get("idref"))
            if item is None or "html" not in item.get("media-type", ""):
                continue
            name = normpath(join(dirname(place), unquote(item.get("href", ""))))
            if "nav" not in item.get("properties", "").split() and name in archive.namelist():
                with unless_damaged(_KIND, _PROGRAM):
                    chapter = archive.read(name)
                add_page(assembly, chapter)
        locked = _ENCRYPTED in archive.namelist()
    why = ("The book holds no text.", "Leave it out.")
    if locked:
        why = ("The book is locked by its seller.", "Use a copy without such a protection.")
    return assembly.whole(EXTRACTOR, package.findtext(_TITLE), *why)
