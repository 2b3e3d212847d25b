"""What a catalog holds, in a form that travels: texts, where they were cut, and embeddings.

A passage's words are made of the text again on arrival, and everything derived is built there, so
that what is quoted and what is searched always agree, whoever wrote the file in between.
"""

import json
import os
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from veracite.index.catalog import Catalog
from veracite.index.cleaning import clean
from veracite.index.documents import Extraction
from veracite.index.passages import passage_id
from veracite.index.raw_sentences import markup_of, page_of
from veracite.index.records import FileStamp, NewPassage

_LARGEST = 2**62
_LONGEST_PATH = 4096
_SHA256 = re.compile(r"[0-9a-f]{64}")


class NotPortable(ValueError):
    """What arrived cannot be what was sent; says why in a few words."""


def file_lines(catalog: Catalog) -> Iterator[bytes]:
    """A line of JSON for each file that was read or failed, by path."""
    rows = catalog.query(
        "SELECT id, path, size, sha256, reader, reason, extractor, title, text, pages"
        " FROM documents ORDER BY path"
    )
    for number, path, size, sha256, reader, reason, extractor, title, text, pages in rows:
        said = {"path": os.fsdecode(path), "size": size, "sha256": sha256, "reader": reader}
        if text is None:
            said |= {"reason": reason}
        else:
            said |= {"extractor": extractor, "title": title, "pages": json.loads(pages)}
            said |= {"bytes": len(zlib.decompress(text)), "passages": _cuts(catalog, number)}
        yield json.dumps(said).encode("ascii") + b"\n"


def _cuts(catalog: Catalog, document: int) -> list[tuple[int, int, str | None]]:
    """Start, end and heading of a document's passages."""
    return catalog.query(
        "SELECT start, stop, heading FROM passages WHERE document = ? ORDER BY start", (document,)
    ).fetchall()


def text_size(line: bytes) -> int:
    """How many bytes of ``file_texts`` belong to a line of ``file_lines``."""
    return int(json.loads(line).get("bytes", 0))


def file_texts(catalog: Catalog) -> Iterator[bytes]:
    """The texts of the files that were read, in the order of ``file_lines``, as UTF-8."""
    for (text,) in catalog.query("SELECT text FROM documents WHERE text NOT NULL ORDER BY path"):
        yield zlib.decompress(text)


def store_file(catalog: Catalog, line: bytes, text_bytes: Callable[[int], bytes]) -> str:
    """Put a file into a catalog, as ``file_lines`` told of it; returns its path.

    Args:
        text_bytes: Gives the next so many bytes of ``file_texts``.

    Raises:
        NotPortable: It cannot be stored.
    """
    try:
        said = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise NotPortable("a line about a file is no JSON") from error
    match said:
        case {"path": str(path), "size": int(size), "sha256": str(sha256), "reader": str(reader)}:
            stamp = FileStamp(_number(size, _LARGEST), -1, sha256)
        case _:
            raise NotPortable("a line does not say which file it is about")
    require_path(path)
    if not _SHA256.fullmatch(sha256) and (sha256 or "reason" not in said):
        raise NotPortable(f"the hash of {path!a} is impossible")
    if "reason" in said:
        catalog.store_failure(path, stamp, reader, _text(said["reason"]))
        return path
    found = _extraction(said, text_bytes)
    catalog.store(path, stamp, reader, found, _passages(said.get("passages"), found))
    return path


def _extraction(said: dict[str, Any], text_bytes: Callable[[int], bytes]) -> Extraction:
    try:
        raw = text_bytes(_number(said.get("bytes"), _LARGEST)).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise NotPortable("a text is not UTF-8") from error
    title, pages = said.get("title"), said.get("pages")
    if not isinstance(pages, list):
        raise NotPortable("the pages of a file are missing")
    starts = tuple(_number(page, len(raw)) for page in pages)
    if list(starts) != sorted(starts):
        raise NotPortable("the pages of a file are not in order")
    return Extraction(
        text=raw,
        blocks=(),
        extractor=_text(said.get("extractor")),
        title=None if title is None else _text(title),
        pages=starts,
    )


def _passages(said: Any, found: Extraction) -> list[NewPassage]:
    if not isinstance(said, list):
        raise NotPortable("the passages of a file are missing")
    passages, last = [], 0
    for cut in said:
        match cut:
            case [int(start), int(end), (str() | None) as heading] if last <= start < end:
                last = _number(end, len(found.text))
            case _:
                raise NotPortable("a passage is where none can be")
        text = clean(found.text[start:end], markup_of(found.extractor)).text
        if not text:
            raise NotPortable("a passage is empty")
        page = page_of(found.pages, start)
        passages.append(NewPassage(start, end, page, heading, text, passage_id(heading, text)))
    return passages


def require_path(path: object) -> None:
    """An absolute path that means nothing but itself, so that it can be listed and cited.

    Raises:
        NotPortable: It is something else.
    """
    try:
        plain = (
            isinstance(path, str)
            and len(path) <= _LONGEST_PATH
            and os.path.isabs(path)
            and os.path.normpath(path) == path
            and b"\0" not in os.fsencode(path)
        )
    except ValueError:
        plain = False
    if not plain:
        raise NotPortable(f"{str(path)[:100]!a} is no path of a file")


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise NotPortable("a value about a file is of the wrong type")
    return said


def _number(said: Any, most: int) -> int:
    if type(said) is not int or not 0 <= said <= most:
        raise NotPortable("a number about a file is impossible")
    return said
