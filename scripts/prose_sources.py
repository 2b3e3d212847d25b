"""Real prose that may be published: paragraphs of documentation under permissive licences."""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PYTHON_PARTS = ("whatsnew", "faq", "tutorial", "howto", "license.rst.txt", "library", "using")
_ABBREVIATED = re.compile(r"(?:e\.g|i\.e|etc|vs|cf|St|Mr|Dr|[A-Z])\.$")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph's sentences, its heading and the document it is from."""

    source: str
    heading: str
    sentences: tuple[str, ...]


def plain(text: str) -> str:
    """reStructuredText's inline marks taken off."""
    text = re.sub(r":(pep|rfc):`0*(\d+)`", lambda m: f"{m[1].upper()} {m[2]}", text)
    text = re.sub(r":issue:`(\d+)`", r"issue \1", text)
    text = re.sub(r":[\w:+-]+:`[!~]?([^`<]+?)(?:\s*<[^`>]*>)?`", r"\1", text)
    text = re.sub(r"`([^`<]+?)\s*<[^`>]*>`_{1,2}", r"\1", text)
    text = re.sub(r"``([^`]+)``", r"\1", text)
    text = re.sub(r"`([^`]+)`_?_?", r"\1", text)
    text = re.sub(r"(?<!\w)\*{1,2}([^*\s][^*]*?)\*{1,2}(?!\w)", r"\1", text)
    return re.sub(r"\s+", " ", text).strip()


def sentences(text: str) -> list[str]:
    """A paragraph's sentences; what follows in brackets stays with the sentence before it."""
    parts: list[str] = []
    for piece in re.split(r"(?<=[.!?])\s+(?=[A-Z])|(?<=\.\))\s+(?=[A-Z])", text):
        if parts and _ABBREVIATED.search(parts[-1]):
            parts[-1] += " " + piece
        else:
            parts.append(piece)
    return parts


def _title(lines: list[str]) -> str | None:
    marks = [line for line in lines if re.fullmatch(r"([=\-*~^#\"'])\1{3,}", line)]
    words = [line for line in lines if line not in marks]
    return plain(words[0]) if marks and len(words) == 1 else None


def python_docs(folder: Path) -> Iterator[Paragraph]:
    """Paragraphs of prose of Python's documentation."""
    files = [f for part in PYTHON_PARTS for f in sorted(folder.glob(f"{part}*"))]
    files = [g for f in files for g in (sorted(f.glob("*.txt")) if f.is_dir() else [f])]
    for file in files:
        if file.name.startswith("changelog"):
            continue
        page = file.relative_to(folder).as_posix().removesuffix(".rst.txt")
        yield from _prose(file.read_text("utf-8"), f"Python 3.11.2 documentation, {page}")


def sklearn_descriptions(folder: Path) -> Iterator[Paragraph]:
    """Paragraphs of prose of scikit-learn's descriptions of its data sets."""
    for file in sorted(folder.glob("*.rst")):
        yield from _prose(
            file.read_text("utf-8"), f"scikit-learn dataset descriptions, {file.stem}"
        )


def _prose(text: str, source: str) -> Iterator[Paragraph]:
    heading = title = ""
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip("\n").split("\n")
        found = _title([line.strip() for line in lines])
        if found:
            title = title or found
            heading = found if found == title else f"{title} > {found}"
        elif not block.startswith((" ", "\t", "..", "*", "-", "#", ">>>", "|", "+", ":", "=")):
            yield Paragraph(source, heading, tuple(sentences(plain(block))))


def tz_news(file: Path) -> Iterator[Paragraph]:
    """Paragraphs of the news of the tz database."""
    raw = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
    release = section = ""
    for block in raw.decode("utf-8").split("\n\n"):
        lines = block.strip("\n").split("\n")
        if found := re.match(r"Release (\S+) ", lines[0]):
            release = found[1]
        elif len(lines) == 1 and re.match(r"  \S", lines[0]):
            section = lines[0].strip().rstrip(":")
        elif all(re.match(r"    \S", line) for line in lines) and section != "Briefly":
            text = re.sub(r"\s+", " ", block).strip()
            source = f"tz database NEWS, release {release}"
            yield Paragraph(source, f"tz {release} > {section}", tuple(sentences(text)))
