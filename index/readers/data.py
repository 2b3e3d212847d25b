"""Data as text: JSON, JSON lines and XML.

An object's values stand behind their names, "title: Tide tables | year: 1911", one line an object;
so do those of an XML element that holds nothing but short ones with a name and a text each. Every
other element with text of its own is a paragraph, and a row of a table is one.
"""

import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.archive import parsed
from veracite.index.readers.plain import decoded

EXTRACTOR = "data/5"

_DEEPEST = 60
_HEADINGS = frozenset(["title", "article-title", "subtitle", "head", "h1", "h2", "h3"])
_PARAGRAPHS = frozenset(["p", "para", "td", "th", "v", "li"])
_LONGEST_VALUE = 200
"""Characters of a value of an object, at most."""
_FEW = 3
"""Words that say little without the name of their element."""
_INLINE = frozenset(
    "a b bold em emphasis ext-link i italic monospace named-content span strike strong style sub"
    " sup tt u underline xref".split()
)


def read(path: Path) -> Extraction:
    """Read a file of data; raises ReadError where it is damaged or holds no text."""
    suffix = path.suffix.lower()
    content, assembly = file_bytes(path), Assembly()
    try:
        if suffix == ".json":
            _add_value(assembly, json.loads(decoded(content)))
        elif suffix in (".jsonl", ".ndjson"):
            for line in decoded(content).split("\n"):
                if line.strip():
                    _add_value(assembly, json.loads(line))
        else:
            _add_xml(assembly, content)
    except RecursionError as error:
        raise ReadError(
            "Its values are nested too deeply.", "Save it in a flatter form."
        ) from error
    except ValueError as error:
        raise ReadError(
            f"The file is damaged: {error}.".replace("..", "."),
            "Save it again from the program that made it.",
        ) from error
    return assembly.whole(EXTRACTOR)


def _add_value(assembly: Assembly, value: Any) -> None:
    for line in _lines(value, "", 0):
        assembly.add("table", line)


def _lines(value: Any, name: str, depth: int) -> Iterator[str]:
    """One line for the plain values of each object, then the objects in it."""
    if depth > _DEEPEST:
        return
    if isinstance(value, dict):
        plain = {key: told for key, one in value.items() if (told := _plain(one)) is not None}
        if cells := " | ".join(f"{key}: {told}" for key, told in plain.items() if told):
            yield f"{name} | {cells}" if name else cells
        for key, one in value.items():
            if key not in plain:
                yield from _lines(one, str(key), depth + 1)
    elif isinstance(value, list):
        for one in value:
            yield from _lines(one, name, depth + 1)
    elif (told := _plain(value)) is not None and told:
        yield f"{name}: {told}" if name else told


def _plain(value: Any) -> str | None:
    """A value that a line can hold; None for objects and lists of objects."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        told = [_plain(one) for one in value]
        return ", ".join(map(str, told)) if all(one is not None for one in told) else None
    return None if isinstance(value, dict) else "" if value is None else str(value)


def _add_xml(assembly: Assembly, content: bytes) -> None:
    from lxml import etree

    walk = etree.iterwalk(parsed(content), events=("start",), tag=etree.Element)
    for _, element in walk:
        if _name(element) == "tr":
            walk.skip_subtree()
        elif _name(element) == "table":
            rows = [row for row in element.iter(etree.Element) if _name(row) == "tr"]
            assembly.add_table(["".join(cell.itertext()) for cell in row] for row in rows)
        elif _is_record(element):
            cells = (f"{_name(child)}: {told}" for child in element if (told := _told(child)))
            assembly.add("table", " | ".join(cells))
            walk.skip_subtree()
        elif _name(element) not in _INLINE:
            _add_element(assembly, element)


def _is_record(element: Any) -> bool:
    """Whether an element is an object: others like it beside it, of names with a short value."""
    twins = chain(
        element.itersiblings(element.tag), element.itersiblings(element.tag, preceding=True)
    )
    return (
        len(element) > 1
        and next(twins, None) is not None
        and not (element.text or "").strip()
        and len({child.tag for child in element}) == len(element)
        and all(_is_value(child) for child in element)
    )


def _is_value(element: Any) -> bool:
    name, is_plain = _name(element), not len(element) and not (element.tail or "").strip()
    return is_plain and name not in _PARAGRAPHS | _INLINE and len(_told(element)) <= _LONGEST_VALUE


def _told(element: Any) -> str:
    return " ".join(_own_text(element).split())


def _add_element(assembly: Assembly, element: Any) -> None:
    text, name = _told(element), _name(element)
    if text and name in _HEADINGS:
        depth = sum(1 for _ in element.iterancestors())
        assembly.add("heading", text, min(6, max(1, depth - 1)))
    elif text:
        is_told = len(text.split()) > _FEW or name in _PARAGRAPHS
        assembly.add("paragraph", text if is_told else f"{name}: {text}")


def _own_text(element: Any) -> str:
    """Its text with that of the inline elements in it, without that of other elements."""
    parts = [element.text or ""]
    for child in element:
        if _name(child) in _INLINE:
            parts.append(_own_text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _name(element: Any) -> str:
    return str(element.tag).rpartition("}")[2].lower()
