"""Formats that a library turns into plain text or HTML: RTF, reStructuredText, LaTeX, subtitles."""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.readers import Assembly, damage_told, file_bytes
from veracite.index.readers.html import add_page
from veracite.index.readers.plain import decoded
from veracite.index.readers.tables import ACROSS

EXTRACTOR = "converted/5"

_LATEX_LEVELS = ("chapter", "section", "subsection", "subsubsection", "paragraph")
_LATEX_HEADING = re.compile(
    r"\\(?P<level>chapter|(?:sub){0,2}section|paragraph)\*?(?:\[[^\]]*\])?"
    r"\{(?P<title>(?:[^{}]|\{[^{}]*\})*)\}"
)
_RTF_WORD = re.compile(r"\\(trowd|row|super)(?![a-z])")
_RTF_MARKS = {"trowd": r"\'1e", "row": r"\'1f", "super": r"\'1d"}
"""Control characters before where a row begins, where it ends, and what is raised."""
_POWER = re.compile(r"(?<=\d)\x1d(?=\d)")
_MARKED_ROW = re.compile("\x1e([^\x1f]*)\x1f")
_ARGUMENT = r"\s*(?:\[[^\]]*\]\s*)?\{(?:[^{}]|\{[^{}]*\})*\}"
_TABULAR = re.compile(
    rf"\\begin\{{(?P<kind>(?:tabular|longtable)(?P<wide>[*x])?)\}}{_ARGUMENT}(?(wide){_ARGUMENT})"
    r"(?P<rows>(?s:.){0,50000}?)\\end\{(?P=kind)\}"
)
_PARTIAL_RULE = re.compile(r"\\c(?:line|midrule)(?:\[[^\]]*\]|\([lr]*\))*\{[^{}]*\}")
_LATEX_ROW_END = re.compile(r"\\\\(?:\[[^\]]*\])?|\\tabularnewline\b")
_LATEX_CELL_END = re.compile(r"(?<!\\)&")
_SPANNING = re.compile(r"[^&]*?\\multicolumn\s*\{(\d{1,2})\}\s*\{(?:[^{}]|\{[^{}]*\})*\}")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_NO_TEXT = re.compile(r"\\(?:maketitle|tableofcontents|(?:label|vspace|input|include)\{[^{}]*\})")


def read(path: Path) -> Extraction:
    """Read the file; raises ReadError where it is no text, damaged, or empty."""
    text, assembly = decoded(file_bytes(path)), Assembly()
    is_rtf = text.lstrip().startswith("{\\rtf")
    with damage_told(
        f"The file is damaged or not of the format that {path.suffix} says.",
        "Open it in its program and save it again, or save it as text.",
    ):
        (_rich_text if is_rtf else _FORMATS[path.suffix.lower()])(assembly, text)
    return assembly.whole(EXTRACTOR)


def _rich_text(assembly: Assembly, text: str) -> None:
    from striprtf import striprtf

    # A bar ends each cell; where rows begin and end has to be marked before that is lost.
    marked = _RTF_WORD.sub(lambda match: _RTF_MARKS[match[1]] + match[0], text)
    told = striprtf.rtf_to_text(marked, errors="replace")
    told = _POWER.sub("^", told).replace("\x1d", "")
    rows: list[list[str]] = []
    for number, part in enumerate(_MARKED_ROW.split(told)):
        if number % 2:
            rows.append(part.replace("\x1e", "").strip().removesuffix("|").split("|"))
        elif part.strip():
            assembly.add_table(rows)
            rows = []
            assembly.add_paragraphs(part.replace("\n", "\n\n"))
    assembly.add_table(rows)


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
        section = body[at : match.start() if match else len(body)]
        start = 0
        for table in (*_TABULAR.finditer(section), None):
            for piece in _BLANK_LINES.split(section[start : table.start() if table else None]):
                assembly.add_paragraphs(converter.latex_to_text(_NO_TEXT.sub("", piece)))
            if table:
                start = table.end()
                assembly.add_table(_latex_rows(table["rows"], converter.latex_to_text))
        if match:
            at, depth = match.end(), _LATEX_LEVELS.index(match["level"]) + 1
            heading = match["title"]


def _latex_rows(source: str, told: Callable[[str], str]) -> Iterator[list[str]]:
    """The cells of a table."""
    for row in _LATEX_ROW_END.split(_PARTIAL_RULE.sub("", source)):
        cells: list[str] = []
        for cell in _LATEX_CELL_END.split(row):
            spans = _SPANNING.match(cell)
            cells.append(told(cell[spans.end() :] if spans else cell))
            cells += [ACROSS] * (int(spans[1]) - 1 if spans else 0)
        yield cells


def _subtitles(assembly: Assembly, text: str) -> None:
    import pysubs2

    for line in pysubs2.SSAFile.from_string(text):
        assembly.add("paragraph", line.plaintext)


_FORMATS: Mapping[str, Callable[[Assembly, str], None]] = {
    ".rst": _restructured,
    ".tex": _latex,
    ".srt": _subtitles,
    ".vtt": _subtitles,
}
