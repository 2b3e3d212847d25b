"""PDF text comes in paragraphs with pages and headings; files that cannot be read say why."""

from contextlib import suppress
from pathlib import Path

import pytest
from fpdf import FPDF
from fpdf.enums import AccessPermission

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.passages import cut
from veracite.index.readers.pdf import read

FIRST = (
    "The harbour was built between 1871 and 1890 by the engineer John Coode. It has two piers, of"
    " which the northern one is longer, and it cost the town more than any building before it."
)
SECOND = (
    "Nobody had asked the fishermen. They had used the beach for centuries, and when the harbour"
    " was opened they went on using it until the storm of 1901 took most of their boats away."
)


class Report(FPDF):
    """A report with a running head and page numbers."""

    def header(self) -> None:
        self.set_font("Helvetica", size=8)
        self.cell(0, 5, "Harbour report, confidential")
        self.ln(15)

    def footer(self) -> None:
        self.set_y(-15)
        self.set_font("Helvetica", size=8)
        self.cell(0, 5, f"Page {self.page_no()} of 3", align="C")


def report(pdf: FPDF) -> FPDF:
    for number in range(1, 4):
        pdf.add_page()
        pdf.set_font("Helvetica", "B", 18)
        pdf.cell(0, 10, f"Chapter {'ABC'[number - 1]}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("Helvetica", size=11)
        pdf.multi_cell(110, 5, FIRST, align="L", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(4)
        pdf.multi_cell(110, 5, SECOND, align="L", new_x="LMARGIN", new_y="NEXT")
    return pdf


def saved(pdf: FPDF, tmp_path: Path) -> Path:
    path = tmp_path / "a.pdf"
    pdf.output(str(path))
    return path


def blocks(extraction: Extraction) -> list[tuple[str, str]]:
    return [
        (block.kind, " ".join(extraction.text[block.start : block.end].split()))
        for block in extraction.blocks
    ]


def test_paragraphs_headings_and_pages(tmp_path: Path) -> None:
    extraction = read(saved(report(Report()), tmp_path))
    assert blocks(extraction) == [
        block
        for letter in "ABC"
        for block in (
            ("heading", f"Chapter {letter}"),
            ("paragraph", FIRST),
            ("paragraph", SECOND),
        )
    ]
    assert [extraction.text[start : start + 9] for start in extraction.pages] == [
        "Chapter A",
        "Chapter B",
        "Chapter C",
    ]
    assert [(c.page, c.heading) for c in cut(extraction)] == [
        (1, "Chapter A"),
        (2, "Chapter A > Chapter B"),
        (3, "Chapter A > Chapter C"),
    ]


def test_a_paragraph_goes_on_over_the_page_break(tmp_path: Path) -> None:
    pdf = Report()
    pdf.set_auto_page_break(True, margin=30)
    pdf.add_page()
    pdf.set_font("Times", size=12)
    words = ["sea", "wind", "sand", "storm", "pier", "boat", "town", "wall", "stone", "winter"]
    text = " ".join(f"the {words[n * n * 7 // 11 % 10]} of it" for n in range(500))
    pdf.multi_cell(0, 6, "It begins with " + text + ".", align="L")
    extraction = read(saved(pdf, tmp_path))
    assert len(extraction.blocks) == 1
    assert len(extraction.pages) == 2
    assert extraction.text[extraction.pages[1] - 1] == "\n"


def test_the_title_is_the_stated_one(tmp_path: Path) -> None:
    pdf = report(FPDF())
    pdf.set_title("The Harbour of Whitby")
    assert read(saved(pdf, tmp_path)).title == "The Harbour of Whitby"
    pdf = report(FPDF())
    pdf.set_title("Microsoft Word - draft3.doc")
    assert read(saved(pdf, tmp_path)).title == "Chapter A"


def test_an_encrypted_pdf(tmp_path: Path) -> None:
    pdf = report(FPDF())
    pdf.set_encryption("owner", "user", permissions=AccessPermission.none())
    with pytest.raises(ReadError, match="is encrypted"):
        read(saved(pdf, tmp_path))


def test_a_pdf_without_text(tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.rect(20, 20, 100, 50, style="F")
    with pytest.raises(ReadError, match=r"has no text.*OCR program"):
        read(saved(pdf, tmp_path))


def test_a_broken_pdf(tmp_path: Path) -> None:
    path = saved(report(FPDF()), tmp_path)
    content = path.read_bytes()
    path.write_bytes(b"%PDF-1.7\nthis is not one")
    with pytest.raises(ReadError, match="damaged"):
        read(path)
    for keep in range(100, len(content), len(content) // 12):
        path.write_bytes(content[:keep])
        with suppress(ReadError):  # pdfium repairs what it can
            assert read(path).blocks
