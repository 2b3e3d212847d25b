"""Jupyter notebooks: their texts, code and printed results, as one Markdown text."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veracite.index.documents import Extraction
from veracite.index.readers import damage_told, file_bytes, markdown
from veracite.index.readers.plain import decoded

EXTRACTOR = "notebook/3"


def read(path: Path) -> Extraction:
    """Read a notebook; raises ReadError where it is damaged or holds nothing."""
    content = file_bytes(path)
    with damage_told(
        "The file is damaged or is not a notebook.", "Open it in Jupyter and save it again."
    ):
        parts = [*_parts(json.loads(decoded(content))["cells"])]
    return markdown.extraction("\n\n".join(parts))


def _parts(cells: list[dict[str, Any]]) -> Iterator[str]:
    for cell in cells:
        source = _joined(cell.get("source", ""))
        if cell.get("cell_type") != "code":
            yield source
            continue
        yield f"```\n{source}\n```"
        for output in cell.get("outputs", ()):
            yield _joined(output.get("text") or output.get("data", {}).get("text/plain", ""))


def _joined(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source)
