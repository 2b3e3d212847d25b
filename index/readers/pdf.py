"""PDF: pdfium gives lines and their places, ``layout`` makes paragraphs and headings of them."""

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers import Assembly, file_bytes
from veracite.index.readers.layout import Line, laid_out
from veracite.index.readers.programs import found, run

if TYPE_CHECKING:
    import pypdfium2

EXTRACTOR = "pdf/7"

_MOST_PAGES = 20_000
_OCR = "tesseract"
_OCR_DPI = 300
"""Of a page, for Tesseract."""
_NUMBER = re.compile(r"\d[\d.,]*[-−]?\d")
_SMALL = 0.85
"""What is lower than so much of a figure before it, and stands higher, is raised."""
_LARGE = 0.25
"""A picture of so much of a page is what the page shows."""
_SHOWN = 10
"""Pages that are named; more are counted."""
_ADVICE = "Add the text with an OCR program such as ocrmypdf, or save the file anew from a viewer."
_BOLD = re.compile(rb"bold|black|heavy|demi|[a-z]bx\d|-medi\b", re.I)
_FRACTION = r"(?<=\d)[\r\n]+(?=\u2044)"
"""The raised part of a fraction ends no line, though pdfium says so."""
_LINE = re.compile(rf"(?:[^\r\n]|{_FRACTION})+")
_NO_TITLE = re.compile(
    r"untitled|microsoft (?:word|powerpoint|excel)|powerpoint presentation|\.\w{2,5}$|^[^\s]{25,}$"
    r"|^\W*$|^document\d*$|^title$",
    re.I,
)
# pdfium writes one of these, and no line break, for a hyphen at the end of a line.
_BROKEN_WORD = re.compile("[\ufffe\uffff\x02]")
# What TeX's fonts show for a ligature where they do not say what it stands for.
_LIGATURE = re.compile(r"(?<=[A-Za-z])↵(?=[a-z-])")


def read(path: Path) -> Extraction:
    """Read a PDF's text layer, or the pictures of one that has none.

    Raises:
        ReadError: Encrypted, damaged, or without any text that can be found.
    """
    import pypdfium2

    content = file_bytes(path)
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower() or "security" in str(error).lower():
            raise ReadError(
                "The PDF is encrypted and needs a password.", "Save a copy without the password."
            ) from error
        raise ReadError(
            "The file is damaged or is not a PDF.", "Open it in a viewer and save it again."
        ) from error
    try:
        pages = list(_pages(document))
        title = _title(document)
        extraction = laid_out([lines or [] for lines in pages], EXTRACTOR, title)
        if not extraction.blocks:
            return _recognised(document, pages, title)
        unread = _unread(document, pages)
        return replace(extraction, unread=unread, advice=_ADVICE if unread else "")
    finally:
        document.close()


def _recognised(
    document: "pypdfium2.PdfDocument", pages: Sequence[list[Line] | None], title: str | None
) -> Extraction:
    """The text of a PDF without any, read off its pictures where there is a program for it."""
    scanned = [n for n, lines in enumerate(pages) if lines is not None and _pictured(document[n])]
    if not scanned:
        raise ReadError(
            "The PDF holds neither text nor pictures that could show any.",
            "Open it in a viewer and print it to a new PDF, or leave it out.",
        )
    program, assembly = found(_OCR), Assembly()
    if program is None:
        raise ReadError(
            "The PDF has no text; its pages are pictures, such as scans.",
            "Install Tesseract, or add the text with an OCR program such as ocrmypdf.",
            _OCR,
        )
    for number in range(len(document)):
        assembly.start_page()
        if number not in scanned:
            continue
        picture = document[number].render(scale=_OCR_DPI / 72, grayscale=True)
        rows = bytes(picture.buffer)
        pixels = b"".join(
            rows[at : at + picture.width] for at in range(0, len(rows), picture.stride)
        )
        head = b"P5 %d %d 255\n" % (picture.width, picture.height)
        text = run([program, "stdin", "stdout"], head + pixels).decode("utf-8")
        assembly.add_paragraphs(text)
    return assembly.whole(
        f"{EXTRACTOR} with Tesseract",
        title,
        *("The PDF has no text, and Tesseract found none on its pictures.", "Leave it out."),
    )


def _unread(document: "pypdfium2.PdfDocument", pages: Sequence[list[Line] | None]) -> str:
    """Which pages have no text although they show something."""
    damaged = [number for number, lines in enumerate(pages) if lines is None]
    pictures = [
        number
        for number, lines in enumerate(pages)
        if lines == [] and _pictured(document[number]) >= _LARGE
    ]
    told = ((pictures, "a picture", "pictures"), (damaged, "damaged", "damaged"))
    return " ".join(_of_pages(numbers, len(pages), *what) for numbers, *what in told if numbers)


def _of_pages(numbers: Sequence[int], total: int, one: str, several: str) -> str:
    what = f"pages are {several}" if len(numbers) > 1 else f"pages is {one}"
    shown = ", ".join(str(number + 1) for number in numbers[:_SHOWN])
    more = f" and {len(numbers) - _SHOWN} more" if len(numbers) > _SHOWN else ""
    return f"{len(numbers)} of {total} {what}: {shown}{more}."


def _pictured(page: "pypdfium2.PdfPage") -> float:
    """The share of a page that its largest picture takes; 0 if there is none."""
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    sizes = [0.0]
    for picture in page.get_objects([pdfium.FPDF_PAGEOBJ_IMAGE]):
        left, bottom, right, top = picture.get_bounds()
        sizes.append((right - left) * (top - bottom))
    return float(max(sizes) / (width * height))


def _title(document: "pypdfium2.PdfDocument") -> str | None:
    title = " ".join(str(document.get_metadata_value("Title") or "").split())
    return title if len(title) > 3 and not _NO_TITLE.search(title) else None


def _pages(document: "pypdfium2.PdfDocument") -> Iterator[list[Line] | None]:
    """The lines of each page; None for one that is damaged."""
    import pypdfium2

    if len(document) > _MOST_PAGES:
        raise ReadError(f"The PDF has more than {_MOST_PAGES} pages.", "Split it.")
    failed = 0
    for number in range(len(document)):
        lines: list[Line] | None = None
        try:
            page = document[number]
            lines = list(_lines(page.get_textpage(), page.get_height()))
        except pypdfium2.PdfiumError:
            failed += 1
        yield lines
    if failed and failed == len(document):
        raise ReadError(
            "None of the PDF's pages could be read.", "Open it in a viewer and save it again."
        )


def _lines(text_page: "pypdfium2.PdfTextPage", page_height: float) -> Iterator[Line]:
    """The lines of one page in pdfium's order."""
    if text_page.count_chars() <= 0:
        return
    text = text_page.get_text_range(errors="replace")
    for start, end in _positions(text):
        line = text[start:end]
        if not (words := line.strip()) or not _is_legible(words):
            continue
        first = start + line.index(words[0])
        last = start + len(line.rstrip()) - 1
        middle = first + (last - first) // 2
        while text[middle].isspace():
            middle += 1
        boxes = [_box(text_page, place) for place in (first, middle, last)]
        # A line may begin with a raised figure, or end with a sign of another font.
        bottom, top = sorted(boxes, key=lambda box: box[3] - box[1])[1][1::2]
        words = _with_powers(text_page, line, start).strip()
        yield Line(
            text=_LIGATURE.sub("ff", _BROKEN_WORD.sub("-", re.sub(_FRACTION, "", words))),
            left=boxes[0][0],
            right=boxes[-1][2],
            bottom=bottom,
            height=max(top - bottom, 0.1),
            bold=_is_bold(text_page, first) and _is_bold(text_page, last),
            page_height=page_height,
        )


def _with_powers(text_page: "pypdfium2.PdfTextPage", line: str, start: int) -> str:
    """A line with a sign before what is raised behind a figure: "106" would be another number."""
    for number in reversed([*_NUMBER.finditer(line)]):
        _, bottom, _, top = _box(text_page, start + number.start())
        for place in range(number.end() - 1, number.start(), -1):
            _, foot, _, head = _box(text_page, start + place)
            if foot <= bottom or head - foot >= _SMALL * (top - bottom):
                place += 1
                break
        if place < number.end():
            line = f"{line[:place]}^{line[place:]}"
    return line


def _is_legible(words: str) -> bool:
    """Whether a line is text; a font that does not say what its signs stand for gives codes."""
    return 3 * sum(unicodedata.category(sign) == "Cc" for sign in words) <= len(words)


def _positions(text: str) -> Iterator[tuple[int, int]]:
    """Where lines stand in the text; a broken word ends one too."""
    for match in _LINE.finditer(text):
        start = match.start()
        for broken in _BROKEN_WORD.finditer(match.group()):
            yield start, match.start() + broken.end()
            start = match.start() + broken.end()
        if start < match.end():
            yield start, match.end()


def _box(text_page: "pypdfium2.PdfTextPage", index: int) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a character, on a turned page as that is shown."""
    import pypdfium2.raw as pdfium

    position = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, index)
    box = pdfium.FS_RECTF()
    if not pdfium.FPDFText_GetLooseCharBox(text_page, max(position, 0), ctypes.byref(box)):
        return 0.0, 0.0, 0.0, 0.0
    left, bottom, right, top = box.left, box.bottom, box.right, box.top
    angle = pdfium.FPDFText_GetCharAngle(text_page, max(position, 0))
    turn = text_page.page.get_rotation() if angle else 0
    if not turn or abs(math.degrees(angle) + turn - 360) >= 1:  # or on its side as it is shown
        return left, bottom, right, top
    x, y = text_page.page.get_size()
    return {
        90: (bottom, y - right, top, y - left), 180: (x - right, y - top, x - left, y - bottom),
        270: (x - top, left, x - bottom, right),
    }[turn]  # fmt: skip


def _is_bold(text_page: "pypdfium2.PdfTextPage", index: int) -> bool:
    import pypdfium2.raw as pdfium

    position = pdfium.FPDFText_GetCharIndexFromTextIndex(text_page, index)
    if pdfium.FPDFText_GetFontWeight(text_page, position) >= 600:
        return True
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFText_GetFontInfo(text_page, position, name, 128, ctypes.byref(ctypes.c_int()))
    return bool(_BOLD.search(name.value))
