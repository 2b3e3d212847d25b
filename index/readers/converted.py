"""Formats that a library turns into plain text or HTML: RTF, reStructuredText, LaTeX, subtitles."""

import re
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.html import add_page
from veracite.index.readers.plain import decoded, paragraphs
from veracite.index.readers.tables import lines

EXTRACTOR = "converted/2"

_LATEX_LEVELS = ("chapter", "section", "subsection", "subsubsection", "paragraph")
_LATEX_HEADING = re.compile(
    r"\\(?P<level>chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?"
    r"\{(?P<title>(?:[^{}]|\{[^{}]*\})*)\}"
)
_CELL_END = re.compile(r"\s*\n\|")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_NO_TEXT = re.compile(r"\\(?:maketitle|tableofcontents|(?:label|vspace|input|include)\{[^{}]*\})")


def read(path: Path) -> Extraction:
    """Read the file; raises ReadError where it is no text, damaged, or empty."""
    text, assembly = decoded(file_bytes(path)), Assembly()
    try:
        is_rtf = text.lstrip().startswith("{\\rtf")
        (_rich_text if is_rtf else _FORMATS[path.suffix.lower()])(assembly, text)
    except (MemoryError, ReadError):
        raise
    except Exception as error:
        # Each library has errors of its own, and lets others through.
        raise ReadError(
            f"The file is damaged or not of the format that {path.suffix} says.",
            "Open it in its program and save it again, or save it as text.",
        ) from error
    extraction = assembly.extraction(EXTRACTOR, None)
    if not extraction.blocks:
        raise ReadError("The file holds no text.", "Leave it out.")
    return extraction


def _rich_text(assembly: Assembly, text: str) -> None:
    from striprtf import striprtf

    told = striprtf.rtf_to_text(text, errors="replace")
    # A bar ends each cell, wherever the paragraphs of a cell end.
    told = _CELL_END.sub("|", told)
    for is_row, group in groupby(told.split("\n"), lambda line: line.endswith("|")):
        if is_row:
            for row in lines([line[:-1].split("|") for line in group]):
                assembly.add("table", row)
        else:
            _add(assembly, "\n\n".join(group))


def _restructured(assembly: Assembly, text: str) -> None:
    from docutils.core import publish_string

    settings = {
        "file_insertion_enabled": False,
        "raw_enabled": False,
        "report_level": 5,
        "halt_level": 6,
        "_disable_config": True,
        "doctitle_xform": False,
        "initial_header_level": 1,
        "embed_stylesheet": False,
    }
    add_page(assembly, publish_string(text, writer="html5", settings_overrides=settings))


def _latex(assembly: Assembly, text: str) -> None:
    from pylatexenc.latex2text import LatexNodes2Text

    converter = LatexNodes2Text(math_mode="text", keep_comments=False)
    preamble, begin, body = text.partition(r"\begin{document}")
    body = (body if begin else preamble).partition(r"\end{document}")[0]
    # Piece by piece: the converter's time grows faster than what it reads.
    at, depth, heading = 0, 1, ""
    for match in (*_LATEX_HEADING.finditer(body), None):
        if heading:
            assembly.add("heading", " ".join(converter.latex_to_text(heading).split()), depth)
        for piece in _BLANK_LINES.split(body[at : match.start() if match else len(body)]):
            _add(assembly, converter.latex_to_text(_NO_TEXT.sub("", piece)))
        if match:
            at, depth = match.end(), _LATEX_LEVELS.index(match["level"]) + 1
            heading = match["title"]


def _subtitles(assembly: Assembly, text: str) -> None:
    import pysubs2

    for line in pysubs2.SSAFile.from_string(text):
        assembly.add("paragraph", line.plaintext)


def _add(assembly: Assembly, text: str) -> None:
    for block in paragraphs(text):
        assembly.add("paragraph", text[block.start : block.end])


_FORMATS: Mapping[str, Callable[[Assembly, str], None]] = {
    ".rst": _restructured,
    ".tex": _latex,
    ".srt": _subtitles,
    ".vtt": _subtitles,
}
