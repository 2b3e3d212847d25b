"""Tell whether sentences of texts that only measure stand in the pairs that train.

A sentence of ``SHORTEST`` words or more, without case, punctuation and spacing, must not be in any
premise or claim.
"""

import gzip
import json
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

SHORTEST = 6
_SENTENCE = re.compile(r"(?<=[a-z0-9]{2}[.!?])[\"'\u201d\u2019)]*\s+|\n+|\\n|\t|\s\u2026\s| \| ")
_MARKED = re.compile(r"^(?:[SNCP#]:?|\W+|\d+[.)])\s+")


def plain(text: str) -> str:
    """Return the text's words alone, in small letters."""
    return " ".join(re.findall(r"\w+", unicodedata.normalize("NFKC", text).lower()))


def sentences(text: str) -> Iterator[str]:
    """Yield the plain sentences of a text that are long enough to be known again."""
    for part in _SENTENCE.split(text):
        found = plain(_MARKED.sub("", part))
        if found.count(" ") >= SHORTEST - 1:
            yield found


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _content(name: str, content: bytes) -> Iterator[str]:
    if name.endswith(".gz"):
        yield from _content(name[:-3], gzip.decompress(content))
    elif name.endswith((".json", ".jsonl", ".jsonlines")):
        text = content.decode("utf-8")
        for one in text.split("\n") if not name.endswith(".json") else [text]:
            if one.strip():
                yield from _strings(json.loads(one))
    elif name.endswith((".txt", ".tsv", ".csv", ".md", ".html", ".rst")):
        yield content.decode("utf-8", "replace")


def texts(paths: Iterable[Path]) -> Iterator[str]:
    """Yield every text of files and of the files of folders, unpacked."""
    for given in paths:
        for path in sorted(given.rglob("*")) if given.is_dir() else [given]:
            if path.suffix == ".zip":
                with zipfile.ZipFile(path) as archive:
                    for name in archive.namelist():
                        yield from _content(name, archive.read(name))
            elif path.is_file() and "LICENSE" not in path.name:
                yield from _content(path.name, path.read_bytes())
