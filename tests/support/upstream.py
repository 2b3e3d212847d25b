"""Upstream files made for a test, and what was read from them."""

import csv
import json
from pathlib import Path

from veracite.engine.evaluation.items import Loaded, Question, Statement


def written(path: Path, *rows: object) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows), "utf-8")
    return path


def table(path: Path, *rows: dict[str, object]) -> Path:
    """A CSV file with a header."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def statements(loaded: Loaded) -> list[Statement]:
    return [item for item in loaded.items if isinstance(item, Statement)]


def questions(loaded: Loaded) -> list[Question]:
    return [item for item in loaded.items if isinstance(item, Question)]


def gold(question: Question) -> list[str]:
    """The texts of the sources that answer it."""
    return [source.text for source in question.sources if source.id in question.gold]
