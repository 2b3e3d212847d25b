"""Jupyter notebooks: their texts, code and printed results, as one Markdown text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veracite.index.documents import Extraction
from veracite.index.readers import damage_told, file_bytes, markdown
from veracite.index.readers.plain import decoded

EXTRACTOR = "notebook/5"

_NO_ROWS = re.compile(r"<style.*?</style>|\n\s*(?=\n)", re.S)
"""Of a result that is a table, what would end it in Markdown."""


def read(path: Path) -> Extraction:
    """Read a notebook; raises ReadError where it is damaged or holds nothing."""
    with damage_told(
        "The file is damaged or is not a notebook.", "Open it in Jupyter and save it again."
    ):
        parts = [*_parts(json.loads(decoded(file_bytes(path)))["cells"])]
    return markdown.extraction("\n\n".join(parts))


def _parts(cells: list[dict[str, Any]]) -> Iterator[str]:
    for cell in cells:
        source = _joined(cell.get("source", ""))
        if cell.get("cell_type") != "code":
            yield source
            continue
        yield f"```\n{source}\n```"
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            page = _NO_ROWS.sub("", _joined(data.get("text/html", "")))
            plain = _joined(output.get("text") or data.get("text/plain", ""))
            yield page if "<tr" in page else plain


def _joined(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source)
