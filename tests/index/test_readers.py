"""Each format becomes blocks in order, with exact spans; a file that cannot be read says why."""

import shutil
import zipfile
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import docx
import pypdfium2
import pytest
from docx.oxml import parse_xml
from fpdf import FPDF
from fpdf.enums import AccessPermission
from indexing import OpenLibrary, blocks, events, read, synced
from PIL import Image, ImageDraw, ImageFont
from small_pdf import small_pdf

from veracite.index import portable
from veracite.index.catalog import Catalog
from veracite.index.errors import ReadError
from veracite.index.passages import cut, sentences
from veracite.index.progress import Scanned, Synced
from veracite.index.reading import Reader


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where a test writes its file; its suffix is the test's to choose."""
    return tmp_path / "a"


# --- Plain text -------------------------------------------------------------------------------

TEXT = "Caf\u00e9 \u201cna\u00efve\u201d costs 5 \u20ac.\n\nSecond paragraph\nwith two lines."


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_text_is_read_in_every_usual_encoding(path: Path, encoding: str) -> None:
    found = read(path.with_suffix(".txt"), TEXT.encode(encoding))
    assert found.text == TEXT
    assert blocks(found) == [("paragraph", 0, part) for part in TEXT.split("\n\n")]


def test_what_is_no_file_and_what_is_too_large_is_refused(path: Path) -> None:
    path = path.with_suffix(".txt")
    with pytest.raises(ReadError, match="does not exist any more"):
        read(path)
    path.mkdir()
    with pytest.raises(ReadError, match="not a regular file"):
        read(path)
    path.rmdir()
    with path.open("wb") as file:
        file.truncate(201 * 1024 * 1024)  # sparse: takes no space
    with pytest.raises(ReadError, match="larger than 200 MB"):
        read(path)


# --- Markdown ---------------------------------------------------------------------------------

SOURCE = """---
title: "The *Report*"
author: nobody
---
# Costs of oil

Oil **rose** to $5 in [May](http://x.y/a.b). It fell
later.[^1]

- first item
- [x] second item. With two
  sentences

> A quoted line
> goes on.

{rows}Staff
-----

```python
price = 5
```

<!-- hidden -->
<div>Shown <b>text</b></div>

[^1]: A note.
"""
TABLE = "| Year | **Price** |\n|---|---|\n| 1990 | 3 |\n| | |\n| *1991* | 4 \\| 5 |\n\n"
MARKUP = "<table><tr><th>Pier<th>Dog<tr><td>East<td>Rex</table>\n\n"


def test_markdown_becomes_blocks_that_are_verbatim_in_the_file(path: Path) -> None:
    """But for tables, whose rows are told with the names of their columns."""
    rows = ["Year | **Price**", "Year: 1990 | **Price**: 3", "Year: *1991* | **Price**: 4 | 5"]
    told = ["Pier | Dog", "Pier: East | Dog: Rex"]
    found = read(path.with_suffix(".md"), SOURCE.format(rows=TABLE + MARKUP))
    expected = SOURCE.format(rows="".join("\n\n".join(own) + "\n\n\n" for own in (rows, told)))
    assert (found.text, found.title) == (expected, "The *Report*")
    assert blocks(found) == [
        ("heading", 1, "Costs of oil"),
        ("paragraph", 0, "Oil **rose** to $5 in [May](http://x.y/a.b). It fell\nlater.[^1]"),
        ("list_item", 0, "first item"), ("list_item", 0, "second item. With two\n  sentences"),
        ("paragraph", 0, "A quoted line\n> goes on."),
        *[("table", 0, row) for row in (*rows, *told)],
        ("heading", 2, "Staff"), ("code", 0, "price = 5"),
        ("paragraph", 0, "<div>Shown <b>text</b></div>"), ("paragraph", 0, "[^1]: A note."),
    ]  # fmt: skip
    first = cut(found)[0]
    read_again = sentences(found, first.start, first.end)
    assert [(s.text, found.text[s.start : s.end]) for s in read_again] == [
        ("Oil rose to $5 in May.", "Oil **rose** to $5 in [May](http://x.y/a.b)."),
        ("It fell later.", "It fell\nlater.[^1]"),
        ("first item", "first item"),
        ("second item.", "second item."),
        ("With two sentences", "With two\n  sentences"),
        ("A quoted line goes on.", "A quoted line\n> goes on."),
        ("Year | Price", rows[0]),
        ("Year: 1990 | Price: 3", rows[1]),
        ("Year: 1991 | Price: 4 | 5", rows[2]),
        *zip(told, told, strict=True),
    ]


# --- HTML -------------------------------------------------------------------------------------

PAGE = """<!doctype html><html><head><title>A  page</title><style>p {}</style></head><body>
<nav>Home | About</nav><script>alert(1)</script>
<h1>The <em>harbour</em></h1>
<p>Built in&nbsp;1890<sup>[1]</sup> by
John&#160;Coode.<br>It stands.</p>
<div hidden>secret</div><div style="display: none">secret</div>
<div>Loose text <p>Inner</p> after</div>
<ul><li>One <b>bold</b></li><li><p>Two</p></li></ul>
<table><tr><th>Year</th><th>Cost</th></tr><tr><td><p>1990</p></td><td>3<br>4</td></tr></table>
<pre>a  b
 c</pre></body></html>"""


def test_html_gives_what_a_browser_shows(path: Path) -> None:
    found = read(path.with_suffix(".html"), PAGE)
    assert found.title == "A page"
    assert blocks(found) == [
        ("heading", 1, "The harbour"),
        ("paragraph", 0, "Built in\u00a01890[1] by John\u00a0Coode.\nIt stands."),
        ("paragraph", 0, "Loose text"), ("paragraph", 0, "Inner"), ("paragraph", 0, "after"),
        ("list_item", 0, "One bold"), ("list_item", 0, "Two"), ("table", 0, "Year | Cost"),
        ("table", 0, "Year: 1990 | Cost: 3 4"), ("code", 0, "a  b\n c"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            "<thead><tr><th rowspan=3>Pier<th colspan=2>Summer<th>Winter<tr><th>Open<th>Shut"
            "<th>Open</thead><tr><td rowspan=0>East<td>6<td>22<td>8<tr><td>5<td rowspan=2>21<td>7"
            "<tr><td>4<td>9",
            ["Pier: East | Summer, Open: 6 | Summer, Shut: 22 | Winter, Open: 8",
             "Pier: East | Summer, Open: 5 | Summer, Shut: 21 | Winter, Open: 7",
             "Pier: East | Summer, Open: 4 | Summer, Shut: 21 | Winter, Open: 9"],
        ),
        (
            "<tr><th>Year<th>Ships<th>Boats<th colspan=2>Rafts<tr><td>1911<td colspan=2>3<td>4"
            "<tr><td>1912<td>5<td>6<td rowspan=2>7<tr><td>1913<td>8<td><td>9",
            ["Year: 1911 | Ships: 3 | Rafts: 4", "Year: 1912 | Ships: 5 | Boats: 6 | Rafts: 7",
             "Year: 1913 | Ships: 8 | Rafts: 7 | Rafts: 9"],
        ),
        ("<tr><td>Pier<td><table><tr><td>1</table><td>2<tr><td>3", ["1", "2", "3"]),
    ],
    ids=["rows", "columns", "nested"],
)  # fmt: skip
def test_cells_that_span_leave_every_other_behind_its_heading(
    path: Path, table: str, expected: list[str]
) -> None:
    found = read(path.with_suffix(".html"), f"<table>{table}</table>")
    assert [text for _, _, text in blocks(found)[-3:]] == expected


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ("", "utf-8"),
        ("", "utf-16"),
        ('<meta charset="windows-1252">', "cp1252"),
        ('<meta charset="iso-8859-1">', "cp1252"),
        ("", "cp1252"),
        ('<?xml version="1.0" encoding="windows-1252"?>', "cp1252"),
    ],
)
def test_html_is_read_in_the_encoding_that_it_names(path: Path, said: str, encoding: str) -> None:
    content = f"{said}<p>Café “x”</p>".encode(encoding)
    assert read(path.with_suffix(".html"), content).text == "Café “x”"


@pytest.mark.parametrize(
    "content",
    [
        "<p>open <b>never <i>closed <table><tr><td>cell",
        "<div>" * 150 + "deep",
        "<p>" + "x <b>" * 900,
        f"<p {' '.join(f'a{n}=1' for n in range(90_000))}>x",
        "<p>fine</p>\0\x01<p>also &#0; &#xFFFFFFFF;</p>",
        "no tags at all",
        "</p></p><p>text</html></p>",
    ],
)
def test_malformed_html_is_read(path: Path, content: str) -> None:
    assert read(path.with_suffix(".html"), content).blocks


# --- DOCX -------------------------------------------------------------------------------------


def saved(document: Any, path: Path) -> Path:
    document.save(str(path.with_suffix(".docx")))
    return path.with_suffix(".docx")


def copied(source: Path, target: Path, changed: dict[str, bytes]) -> Path:
    """A DOCX file with other parts."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            new.writestr(name, changed.get(name) or old.read(name))
    return target


def test_word_documents_come_in_order_with_lists_and_tables(path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Minutes"
    document.add_heading("Meeting", 0)
    document.styles.add_style("TOC 1", 1)
    document.add_paragraph("Present\t1", style="TOC 1")
    document.add_heading("Present", 2)
    document.add_paragraph("Two  people\tcame.")
    document.add_paragraph("Ann", style="List Bullet")
    table = document.add_table(2, 2)
    for row, cells in zip(table.rows, [("Year", "Cost"), ("1990", "3")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.rows[1].cells[1].add_table(1, 1).rows[0].cells[0].text = "inner"
    document.add_paragraph("")
    document.add_paragraph("The name is http://purl.oclc.org/ooxml/wordprocessingml/main/ there.")
    usual = saved(document, path)
    found = read(usual)
    assert found.title == "Minutes"
    assert blocks(found) == [
        ("heading", 1, "Meeting"),
        ("heading", 2, "Present"),
        ("paragraph", 0, "Two  people came."),
        ("list_item", 0, "Ann"),
        ("table", 0, "Year | Cost"),
        ("table", 0, "Year: 1990 | Cost: 3 inner"),
        ("paragraph", 0, "The name is http://purl.oclc.org/ooxml/wordprocessingml/main/ there."),
    ]
    with zipfile.ZipFile(usual) as archive:
        strict = {name: archive.read(name) for name in archive.namelist()}
    for name, part in strict.items():
        for place, kept in (
            (b"officeDocument/2006/relationships", b"officeDocument/relationships"),
            (b"wordprocessingml/2006/main", b"wordprocessingml/main"),
        ):
            usually = b'"http://schemas.openxmlformats.org/' + place
            part = part.replace(usually, b'"http://purl.oclc.org/ooxml/' + kept)
        strict[name] = part
    assert read(copied(usual, path.with_name("strict.docx"), strict)) == found


def test_equations_of_a_word_document_are_text(path: Path) -> None:
    def part(name: str, *inner: str) -> str:
        return f"<m:{name}>{''.join(inner)}</m:{name}>"

    def run(text: str) -> str:
        return part("r", part("t", text))

    power = part("sSup", part("e", run("v")), part("sup", run("2")))
    half = part("f", part("num", run("m"), power), part("den", run("1+1")))
    root = part("rad", part("deg"), part("e", run("k")))
    sign = '<m:naryPr><m:chr m:val="∑"/></m:naryPr>'
    total = part("nary", sign, part("sub", run("i=1")), part("sup", run("n")), part("e", run("x")))
    space = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    equation = f'<m:oMath xmlns:m="{space}">{run("E=")}{half}{run("+")}{root}{total}</m:oMath>'
    document = docx.Document()
    paragraph = document.add_paragraph("Energy is ")
    paragraph._p.append(parse_xml(equation))  # type: ignore[arg-type]
    paragraph.add_run(" here, 10")
    paragraph.add_run("6").font.superscript = True
    paragraph.add_run(" times")
    paragraph.add_run("2").font.superscript = True
    paragraph._p.append(parse_xml(equation))  # type: ignore[arg-type]
    paragraph._p.append(parse_xml(equation))  # type: ignore[arg-type]
    told = "E=(mv^2)/(1+1)+√k∑_(i=1)^nx"
    expected = f"Energy is {told} here, 10^6 times2{told} {told}"
    assert read(saved(document, path)).text == expected


def test_a_word_document_that_is_damaged_or_a_bomb_is_refused(path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Some text.")
    whole = saved(document, path)
    content = whole.read_bytes()
    for keep in range(1, len(content), len(content) // 15):
        with pytest.raises(ReadError, match="not a DOCX document"):
            read(path.with_name("cut.docx"), content[:keep])
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    bomb = (
        f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">{entities}]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        "<w:body><w:p><w:r><w:t>&e12;</w:t></w:r></w:p></w:body></w:document>"
    )
    with pytest.raises(ReadError):
        read(copied(whole, path.with_name("b.docx"), {"word/document.xml": bomb.encode()}))
    with zipfile.ZipFile(whole, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/image.bin", b"\0" * (40 * 1024 * 1024))
    assert read(whole).text == "Some text."
    with zipfile.ZipFile(whole, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("word/document.xml", "<other/>")
    with pytest.raises(ReadError, match="have the same name"):
        read(whole)


# --- PDF --------------------------------------------------------------------------------------

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


def chapter(pdf: FPDF, head: str, size: int, *paragraphs: str) -> None:
    """A bold line of that size and paragraphs below it."""
    pdf.set_font("Helvetica", "B", size)
    pdf.cell(0, 10, head, new_x="LMARGIN", new_y="NEXT")
    pdf.set_font("Helvetica", size=11)
    for text in paragraphs:
        pdf.multi_cell(110, 5, text, align="L", new_x="LMARGIN", new_y="NEXT")
        pdf.ln(4)


def report(pdf: FPDF) -> FPDF:
    for letter in "ABC":
        pdf.add_page()
        chapter(pdf, f"Chapter {letter}", 18, FIRST, SECOND)
    return pdf


def printed(pdf: FPDF, path: Path) -> Path:
    pdf.output(str(path.with_suffix(".pdf")))
    return path.with_suffix(".pdf")


def test_a_pdf_gives_paragraphs_headings_and_pages(path: Path) -> None:
    found = read(printed(report(Report()), path))
    assert [(kind, " ".join(text.split())) for kind, _, text in blocks(found)] == [
        block
        for letter in "ABC"
        for block in [("heading", f"Chapter {letter}"), ("paragraph", FIRST), ("paragraph", SECOND)]
    ]
    starts = [found.text[start : start + 9] for start in found.pages]
    assert starts == ["Chapter A", "Chapter B", "Chapter C"]
    headings = ["Chapter A", "Chapter A > Chapter B", "Chapter A > Chapter C"]
    assert [(c.page, c.heading) for c in cut(found)] == [*enumerate(headings, start=1)]


def test_a_bold_sentence_is_no_heading(path: Path) -> None:
    pdf = FPDF()
    pdf.add_page()
    for said in ("The harbour", 'It was closed for "bad weather."', "It is open now."):
        chapter(pdf, said, 11, FIRST)
    kinds = [kind for kind, _, _ in blocks(read(printed(pdf, path)))]
    assert kinds == ["heading", *["paragraph"] * 5]


def test_a_paragraph_goes_on_over_the_page_break(path: Path) -> None:
    pdf = Report()
    pdf.set_auto_page_break(True, margin=30)
    pdf.add_page()
    pdf.set_font("Times", size=12)
    words = ["sea", "wind", "sand", "storm", "pier", "boat", "town", "wall", "stone", "winter"]
    text = " ".join(f"the {words[n * n * 7 // 11 % 10]} of it" for n in range(500))
    pdf.multi_cell(0, 6, "It begins with " + text + ".", align="L")
    found = read(printed(pdf, path))
    assert (len(found.blocks), len(found.pages)) == (1, 2)
    assert found.text[found.pages[1] - 1] == "\n"


def test_a_paragraph_goes_on_whatever_its_lines_begin_with_and_however_far_apart(
    path: Path,
) -> None:
    pdf = FPDF()
    pdf.set_auto_page_break(False)
    pdf.add_page()
    words = "where the tide has run over sand and stone from the old quay to the new"
    for line in range(8):
        pdf.set_font("Times", size=7)
        pdf.text(20, 30 + 8 * line, "4" * (line == 4))
        pdf.set_font("Times", size=12)
        pdf.text(22, 30 + 8 * line, words)
    pdf.set_font("Times", size=8)
    for line in range(20):
        pdf.text(20, 110 + 3 * line, f"{words} and from the new to the old")
    found = read(printed(pdf, path))
    assert [text.count("tide") for _, _, text in blocks(found)] == [8, 20]


@pytest.mark.parametrize(
    ("said", "title"),
    [("The Harbour of Whitby", "The Harbour of Whitby"), ("Microsoft Word - d3.doc", "Chapter A")],
)
def test_the_title_of_a_pdf_is_the_one_that_it_states(path: Path, said: str, title: str) -> None:
    pdf = report(FPDF())
    pdf.set_title(said)
    assert read(printed(pdf, path)).title == title


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(path: Path, turn: int) -> None:
    pdf = FPDF(format=(300, 300))
    pdf.add_page()
    pdf.set_font("Helvetica", size=11)
    lines = [*wrap(FIRST, 92), "", *wrap(SECOND, 92)]
    with pdf.rotation(turn, 150, 150):
        for number, line in enumerate(lines):
            pdf.text(40, 100 + 5 * number, line)
    with pypdfium2.PdfDocument(printed(pdf, path)) as document:
        document[0].set_rotation(turn)
        document.save(path.with_suffix(".turned.pdf"))
    found = blocks(read(path.with_suffix(".turned.pdf")))
    assert [" ".join(text.split()) for _, _, text in found] == [FIRST, SECOND]


def test_a_pdf_that_cannot_be_read_says_why(path: Path) -> None:
    pdf = report(FPDF())
    content = printed(pdf, path).read_bytes()
    for keep in range(100, len(content), len(content) // 12):
        with suppress(ReadError):  # pdfium repairs what it can
            assert read(path.with_suffix(".pdf"), content[:keep]).blocks
    with pytest.raises(ReadError, match="damaged"):
        read(path.with_suffix(".pdf"), b"%PDF-1.7\nthis is not one")
    pdf = report(FPDF())
    pdf.set_encryption("owner", "user", permissions=AccessPermission.none())
    with pytest.raises(ReadError, match="is encrypted"):
        read(printed(pdf, path))
    pdf = FPDF()
    pdf.add_page()
    pdf.rect(20, 20, 100, 50, style="F")
    with pytest.raises(ReadError, match="neither text nor pictures"):
        read(printed(pdf, path))


def test_a_scan_is_read_by_tesseract_where_it_is_installed(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: OpenLibrary
) -> None:
    """A stand-in for the program: it keeps the picture that it is given."""
    pdf = FPDF()
    pdf.add_page()
    pdf.add_page()
    pdf.image(Image.new("L", (9, 9)), w=90)
    scan = printed(pdf, path)
    monkeypatch.setenv("PATH", str(tmp_path))
    library = opened(scan)
    assert synced(library).failed == 1
    (failed,) = library.status().failed
    assert "its pages are pictures" in failed.reason
    assert events(library)[0] == Scanned(1, 0)
    program = tmp_path / "tesseract"
    program.write_text(
        f'#!/bin/sh\n/bin/cat > {tmp_path}/picture\necho "The pier was sold.\n\nIn 1911."\n'
    )
    program.chmod(0o755)
    assert synced(library).failed == 0
    (hit,) = library.search("pier", k=1, mode="lexical")
    assert hit.passage.page == 2
    assert library.raw_text(hit.passage.document) == "The pier was sold.\n\nIn 1911."
    assert "with Tesseract" in library.extractors()["pdf"]
    head, size, *_ = (tmp_path / "picture").read_bytes().split(b" ", 2)
    assert (head, int(size) > 2_000) == (b"P5", True)
    program.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(ReadError, match="tesseract could not read"):
        read(scan)


def test_pages_that_are_pictures_are_told(path: Path, tmp_path: Path, opened: OpenLibrary) -> None:
    pdf = report(FPDF())
    for width in (180, 0, 20, 150):  # a scan, nothing, an ornament, another scan
        pdf.add_page()
        if width:
            pdf.image(Image.new("L", (9, 9)), w=width)
    scanned = printed(pdf, path)
    library, moved = opened(scanned), scanned.with_name("moved.pdf")
    assert synced(library).failed == 0
    (part,) = library.status().failed
    assert (part.file, part.partly) == (str(scanned), True)
    assert "2 of 7 pages" in part.reason
    assert part.reason.endswith(": 4, 7.")
    library.add([scanned.rename(moved)])
    library.remove([scanned])
    assert [type(event) for event in events(library)][-1] is Synced
    assert library.status().failed == (replace(part, file=str(moved)),)
    portable.write_copy(library._catalog, tmp_path / "copy.db")
    portable.adopt(tmp_path / "copy.db")
    with closing(Catalog(tmp_path / "copy.db")) as copy:
        assert copy.failures() == list(library.status().failed)
    assert library.verify() == []


@pytest.mark.long  # Tesseract takes all the time that a file gets where the machine is busy
@pytest.mark.skipif(not shutil.which("tesseract"), reason="Tesseract is not installed")
def test_tesseract_itself_reads_a_scan(path: Path) -> None:
    page = Image.new("L", (1_200, 300), 255)
    font = ImageFont.load_default(40)
    ImageDraw.Draw(page).text((40, 100), "The pier was sold in 1911 for 4,200 crowns.", font=font)
    pdf = FPDF()
    pdf.add_page()
    pdf.image(page, w=180)
    with Reader() as reader:
        found = next(reader.read(printed(pdf, path))).found
    assert found is not None
    assert found.text == "The pier was sold in 1911 for 4,200 crowns."


SHOWN = [
    (
        b"(Their eAorts and oA-the-shelf parts, A < B.) Tj",
        "Their efforts and off-the-shelf parts, ↵ < B.",
    ),
    (b"(up to ) Tj /F 7 Tf 5 Ts (1) Tj 0 Ts (C4) Tj /F 12 Tf ( inch) Tj", "up to 1\u20444 inch"),
    (
        b"(It holds 10) Tj /F 7 Tf 5 Ts (-6) Tj 0 Ts /F 12 Tf ( m, H) Tj /F 7 Tf -3 Ts (2) Tj 0 Ts"
        b" /F 12 Tf (O 4,200) Tj /F 7 Tf 5 Ts (12) Tj",
        "It holds 10^-6 m, H2O 4,200^12",
    ),
    (b"(It is so.) Tj 0 -40 Td (\1\2\3 \4\5) Tj 0 -40 Td (Or not.) Tj", "It is so.\n\nOr not."),
]
"""A ligature, letters that a font does not tell of, a fraction with a raised part, and powers."""


@pytest.mark.parametrize(("signs", "expected"), SHOWN)
def test_what_fonts_and_fractions_do_to_text_is_undone(
    path: Path, signs: bytes, expected: str
) -> None:
    text = b"BT /F 12 Tf 50 700 Td " + signs + b" ET"
    shown = b"<</Length %d>>stream\n%s\nendstream" % (len(text), text)
    font = (
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding"
        b"<</Type/Encoding/Differences[1/g1/g2/g3/g4/g5 65/carriagereturn 67/fraction]>>>>"
    )
    content = small_pdf(b"/Font<</F 5 0 R>>", shown, font)
    assert read(path.with_suffix(".pdf"), content).text == expected


def test_a_page_that_is_missing_is_not_searched_for_pictures(path: Path) -> None:
    content = small_pdf(b"", b"<</Length 0>>stream\n\nendstream")
    content = content.replace(b"[3 0 R]/Count 1", b"[3 0 R 9 0 R]/Count 2")
    with pytest.raises(ReadError, match="neither text nor pictures"):
        read(path.with_suffix(".pdf"), content)


def test_heads_that_alternate_and_stand_further_in_are_left_out(path: Path) -> None:
    pdf = FPDF(format=(200, 200))
    pdf.set_auto_page_break(False)
    for number in range(8):
        pdf.add_page()
        pdf.set_font("Helvetica", size=9)
        pdf.text(20, 30, f"{number} Shapiro and others" if number % 2 else f"A study of {number}")
        pdf.text(20, 32 + 9 * (number + 1), f"This is what page {'abcdefgh'[number]} says.")
        pdf.text(20, 170, "Report 7506" if number % 2 else "Press of Leeds")
    told = [text for _, _, text in blocks(read(printed(pdf, path)))]
    assert told == [f"This is what page {letter} says." for letter in "abcdefgh"]
