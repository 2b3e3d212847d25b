"""Org mode: headings with what stands below them, rows of tables behind names of columns."""

import re
from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.readers import Assembly, file_bytes, paragraphs
from veracite.index.readers.plain import decoded

EXTRACTOR = "outline/4"

_KEYWORD = re.compile(r"^[ \t]*(?:#\+.*|:[\w-]+:(?:[ \t].*)?)$", re.M)


def read(path: Path) -> Extraction:
    """Read an outline; raises ReadError where it is no text or empty."""
    import orgparse

    root, assembly = orgparse.loads(decoded(file_bytes(path))), Assembly()
    for node in root:
        if not node.is_root():
            assembly.add("heading", node.get_heading("plain"), node.level)
        body = _KEYWORD.sub("", node.get_body("plain"))
        for block in paragraphs(body):
            text = body[block.start : block.end]
            if text.startswith("|"):
                _add_table(assembly, text)
            else:
                assembly.add("paragraph", text)
    return assembly.whole(EXTRACTOR, root.get_file_property("TITLE"))


def _add_table(assembly: Assembly, text: str) -> None:
    rows = [line.strip().strip("|").split("|") for line in text.split("\n")]
    # The rows above the first rule name the columns.
    rules = [at for at, row in enumerate(rows) if row[0].startswith("-")]
    told = [row for at, row in enumerate(rows) if at not in rules]
    assembly.add_table(told, rules[0] if rules else 0)
