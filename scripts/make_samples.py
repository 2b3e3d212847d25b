"""Writes the two sample documents that are not plain text: the annual report and the minutes.

Their words stand in ``scripts/samples``; run ``python scripts/make_samples.py`` after a change
there and commit what it wrote. The same versions of fpdf2 and python-docx write the same bytes
each time. All the samples are invented: there is no Kestrel Hill, and nobody of those names.
"""

import argparse
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Literal

from docx import Document
from fpdf import FPDF
from fpdf.enums import XPos, YPos

SOURCES = Path(__file__).resolve().parent / "samples"
LIBRARY = Path(__file__).resolve().parents[1] / "tests" / "samples" / "library"

SOCIETY = "Wenlow Astronomical Society"
REPORT = "annual-report-2023"
REPORT_TITLE = "Annual Report 2023"
REPORT_DATE = datetime(2024, 2, 19, 9, 0, tzinfo=UTC)
MINUTES = "minutes-2023-11-15"
MINUTES_TITLE = "Committee meeting"
MINUTES_DATE = datetime(2023, 11, 20, 18, 30, tzinfo=UTC)

SOFT_HYPHEN = "\u00ad"


@dataclass(frozen=True, slots=True)
class Piece:
    """One block of a document: a heading, paragraph, list item, or all rows of a table."""

    kind: Literal["heading", "paragraph", "item", "table"]
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def pieces(name: str) -> Iterator[Piece]:
    """Reads a source: "# " heads, "* " lists, "|" sets rows, "~" is where a word may be broken."""
    source = (SOURCES / f"{name}.txt").read_text(encoding="utf-8").replace("~", SOFT_HYPHEN)
    for paragraph in source.split("\n\n"):
        for mark, group in groupby(paragraph.strip().splitlines(), key=lambda line: line[0]):
            lines = list(group)
            if mark == "|":
                rows = (tuple(cell.strip() for cell in line[1:].split("|")) for line in lines)
                yield Piece("table", rows=tuple(rows))
            elif mark in "#*":
                kind: Literal["heading", "item"] = "heading" if mark == "#" else "item"
                yield from (Piece(kind, line[2:]) for line in lines)
        if paragraph.strip()[0] not in "#*|":
            yield Piece("paragraph", " ".join(paragraph.split()))


class Booklet(FPDF):
    """A5 pages with a running header and page numbers."""

    def header(self) -> None:
        self.set_font("Helvetica", "I", 8)
        self.cell(0, 5, SOCIETY)
        self.cell(0, 5, REPORT_TITLE, align="R", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.line(self.l_margin, self.get_y(), self.w - self.r_margin, self.get_y())
        self.ln(5)

    def footer(self) -> None:
        self.set_y(-13)
        self.set_font("Helvetica", "", 8)
        self.cell(0, 5, f"Page {self.page_no()} of {{nb}}", align="C")

    def write_piece(self, piece: Piece) -> None:
        """Sets one block below the last one, breaking the page where it must."""
        if piece.kind == "table":
            self.write_table(piece.rows)
            return
        if piece.kind == "heading":
            self.ln(2)
            self.set_font("Helvetica", "B", 12)
        else:
            self.set_font("Times", "", 11)
        bulleted = piece.kind == "item"
        self.multi_cell(
            0,
            4.9,
            f"- {piece.text}" if bulleted else piece.text,
            align="L" if bulleted or piece.kind == "heading" else "J",
            new_x=XPos.LMARGIN,
            new_y=YPos.NEXT,
        )
        self.ln(1 if bulleted else 2.5)

    def write_table(self, rows: tuple[tuple[str, ...], ...]) -> None:
        """Sets rows with a wide first column to the left and the numbers to the right."""
        self.set_font("Helvetica", "", 9)
        widths = (46, *(18 for _ in rows[0][1:]))
        sides = ("LEFT", *("RIGHT" for _ in rows[0][1:]))
        if self.will_page_break(5 * len(rows)):
            self.add_page()
        with self.table(
            width=sum(widths), col_widths=widths, text_align=sides, align="LEFT", line_height=5
        ) as table:
            for row in rows:
                table.row(row)
        self.ln(4)


def report_pdf() -> bytes:
    """The annual report: hyphenated lines, tables, paragraphs that run over a page break."""
    pdf = Booklet(format=(148, 210))
    pdf.set_creation_date(REPORT_DATE)
    pdf.set_title(f"{SOCIETY}: {REPORT_TITLE}")
    pdf.set_author(SOCIETY)
    pdf.set_lang("en-GB")
    pdf.set_margins(19, 12, 19)
    pdf.set_auto_page_break(auto=True, margin=18)
    pdf.add_page()
    pdf.set_font("Helvetica", "B", 18)
    pdf.multi_cell(0, 9, f"{SOCIETY}\n{REPORT_TITLE}", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    pdf.ln(4)
    for piece in pieces(REPORT):
        pdf.write_piece(piece)
    return bytes(pdf.output())


def minutes_docx() -> bytes:
    """The minutes: headings, a bullet list and a table, as a word processor saves them."""
    document = Document()
    properties = document.core_properties
    properties.title = f"{MINUTES_TITLE}, 15 November 2023"
    properties.author = "Imogen Clay"
    properties.created = properties.modified = MINUTES_DATE.replace(tzinfo=None)
    document.add_heading(MINUTES_TITLE, level=0)
    for piece in pieces(MINUTES):
        if piece.kind == "heading":
            document.add_heading(piece.text, level=1)
        elif piece.kind == "item":
            document.add_paragraph(piece.text, style="List Bullet")
        elif piece.kind == "paragraph":
            document.add_paragraph(piece.text)
        else:
            table = document.add_table(rows=0, cols=len(piece.rows[0]), style="Table Grid")
            for row in piece.rows:
                for cell, value in zip(table.add_row().cells, row, strict=True):
                    cell.text = value
    buffer = BytesIO()
    document.save(buffer)
    return with_fixed_dates(buffer.getvalue())


def with_fixed_dates(archive: bytes) -> bytes:
    """The same zip archive, its entries dated like the document and not by the clock."""
    result = BytesIO()
    with zipfile.ZipFile(BytesIO(archive)) as old, zipfile.ZipFile(result, "w") as new:
        for entry in old.infolist():
            info = zipfile.ZipInfo(entry.filename, date_time=MINUTES_DATE.timetuple()[:6])
            new.writestr(info, old.read(entry), compress_type=zipfile.ZIP_DEFLATED)
    return result.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the sample PDF and DOCX.")
    parser.add_argument("folder", nargs="?", type=Path, default=LIBRARY)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in ((f"{REPORT}.pdf", report_pdf()), (f"{MINUTES}.docx", minutes_docx())):
        (folder / name).write_bytes(content)
        print(folder / name)


if __name__ == "__main__":
    main()
