"""EPUB: the chapters of an e-book in reading order, each read as a web page."""

from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.archive import damaged, opened, part
from veracite.index.readers.html import add_page

EXTRACTOR = "epub/2"

_CONTAINER = "META-INF/container.xml"
_ENCRYPTED = "META-INF/encryption.xml"
_KIND, _PROGRAM = "an EPUB book", "an e-book program"
_OPF = "{http://www.idpf.org/2007/opf}"
_TITLE = ".//{http://purl.org/dc/elements/1.1/}title"


def read(path: Path) -> Extraction:
    """Read an e-book; raises ReadError where it is damaged, locked by its seller, or empty."""
    assembly = Assembly()
    with opened(file_bytes(path), _KIND, _PROGRAM) as archive:
        try:
            rootfile = part(archive, _CONTAINER).find(".//{*}rootfile")
            place = rootfile.get("full-path", "") if rootfile is not None else ""
            package = part(archive, place)
        except (KeyError, ValueError) as error:
            raise damaged(_KIND, _PROGRAM) from error
        items = {item.get("id"): item for item in package.iter(_OPF + "item")}
        for reference in package.iter(_OPF + "itemref"):
            item = items.get(reference.get("idref"))
            if item is None or "html" not in item.get("media-type", ""):
                continue
            name = normpath(join(dirname(place), unquote(item.get("href", ""))))
            if "nav" not in item.get("properties", "").split() and name in archive.namelist():
                add_page(assembly, archive.read(name))
        locked = _ENCRYPTED in archive.namelist()
    extraction = assembly.extraction(EXTRACTOR, package.findtext(_TITLE))
    if not extraction.blocks:
        if locked:
            raise ReadError(
                "The book is locked by its seller.", "Use a copy without such a protection."
            )
        raise ReadError("The book holds no text.", "Leave it out.")
    return extraction
