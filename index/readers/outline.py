"""Org mode: headings with what stands below them."""

from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.plain import decoded, paragraphs

EXTRACTOR = "outline/1"


def read(path: Path) -> Extraction:
    """Read an outline; raises ReadError where it is no text or empty."""
    import orgparse

    root, assembly = orgparse.loads(decoded(file_bytes(path))), Assembly()
    for node in root:
        if not node.is_root():
            assembly.add("heading", node.get_heading("plain"), node.level)
        body = node.get_body("plain")
        for block in paragraphs(body):
            text = body[block.start : block.end]
            if not text.lower().startswith(("#+", ":properties:")):
                assembly.add("paragraph", text)
    extraction = assembly.extraction(EXTRACTOR, root.get_file_property("TITLE"))
    if not extraction.blocks:
        raise ReadError("The file holds no text.", "Leave it out.")
    return extraction
