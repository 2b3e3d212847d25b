"""Files of every further format that the library reads, made here, as blocks."""

import io
import json
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import docx
import pytest
from attacks import zipped
from indexing import Blocks, blocks, read
from openpyxl import Workbook
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from veracite.index.errors import ReadError
from veracite.index.passages import cut, sentences
from veracite.index.readers.tables import lines
from veracite.index.reading import Reader

OFFICE = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
        ("style", "style"),
    )
)  # fmt: skip


def open_document(body: str, styles: str = "", **more: str) -> bytes:
    content = f"<office:document-content {OFFICE}>{styles}<office:body>{body}</office:body>"
    return zipped({"content.xml": f"{content}</office:document-content>", **more})


def saved(made: Any) -> bytes:
    """A workbook, presentation or document as its file."""
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


def text_document() -> bytes:
    return open_document(
        "<office:text><text:tracked-changes><text:p>Gone</text:p></text:tracked-changes>"
        '<text:h text:outline-level="2">Staff</text:h>'
        '<text:p>The crane<text:s text:c="2"/>lifts <text:span>nine</text:span> tonnes.'
        "<text:note><text:note-body><text:p>By law.</text:p></text:note-body></text:note></text:p>"
        "<text:list><text:list-item><text:p>Ropes</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell>"
        "<table:table-cell><text:p>Boats</text:p></table:table-cell></table:table-row>"
        "<table:table-row><table:table-cell><text:p>1911</text:p></table:table-cell>"
        "<table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>"
        "</office:text>"
    )


def sheets() -> bytes:
    return open_document(
        '<office:spreadsheet><table:table table:name="Costs"><table:table-row>'
        "<table:table-cell><text:p>Item</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-repeated="2"><text:p>Price</text:p>'
        "</table:table-cell></table:table-row><table:table-row>"
        "<table:table-cell><text:p>Rope</text:p></table:table-cell>"
        "<table:table-cell/><table:table-cell><text:p>41.50</text:p></table:table-cell>"
        '</table:table-row><table:table-row table:number-rows-repeated="1048000">'
        '<table:table-cell table:number-columns-repeated="1024"/></table:table-row>'
        "</table:table></office:spreadsheet>"
    )


def workbook() -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Visitors"
    rows = [
        ("Visitors of the mill",), ("Day", "Paid", "Share"), (date(2023, 5, 1), 41.5, 0.25),
        (), ("Keeper", "Ada Corvi"),
    ]  # fmt: skip
    for row in rows:
        sheet.append(row)
    sheet["C3"].number_format = "0%"
    return saved(book)


def slides() -> bytes:
    show = Presentation()
    for title in ("Harbour", "Fees"):
        slide = show.slides.add_slide(show.slide_layouts[5])
        slide.shapes.title.text = title
    box = slide.shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    box.text_frame.text = "Berths cost nine crowns."
    table = slide.shapes.add_table(2, 2, *map(Inches, (1, 2, 3, 1))).table
    for row, told in enumerate((("Boat", "Fee"), ("8", "12"))):
        for column, text in enumerate(told):
            table.cell(row, column).text = text
    data = CategoryChartData()
    data.categories = ["East", "West"]
    data.add_series("Boats", (4, 6.5))
    kind = XL_CHART_TYPE.COLUMN_CLUSTERED
    slide.shapes.add_chart(kind, *map(Inches, (1, 4, 3, 3)), data)
    slide.notes_slide.notes_text_frame.text = "Say thanks."
    return saved(show)


def wide() -> bytes:
    book = Workbook()
    book.active.append([*range(1_001)])
    return saved(book)


def book() -> bytes:
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Ferry</dc:title></metadata>'
        '<manifest><item id="b" href="two.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="a" href="a%20one.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        '</manifest><spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine>'
        "</package>"
    )
    return zipped(
        {
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="o/p.opf"/>'
            "</rootfiles></container>",
            "o/p.opf": package,
            "o/nav.xhtml": "<html><body><p>Contents</p></body></html>",
            "o/a one.xhtml": "<html><body><h1>One</h1><p>It rained.</p></body></html>",
            "o/two.xhtml": "<html><body><p>It cleared.</p></body></html>",
        }
    )


MESSAGE = (
    "From: Ida Roth <ida@example.org>\nTo: a@example.org\nDate: Mon, 1 May 2023 10:00:00 +0000\n"
    "Subject: =?utf-8?q?The_k=C3=A4ys?=\nMIME-Version: 1.0\n"
)
HEADERS = (
    "From: Ida Roth <ida@example.org>\nTo: a@example.org\nDate: Mon, 01 May 2023 10:00:00 +0000"
)
MAIL = (
    MESSAGE + "Content-Type: multipart/mixed; boundary=x\n\n"
    "--x\nContent-Type: text/plain; charset=utf-8\n\nThe keys are here.\n\n> Where?\n"
    "--x\nContent-Type: application/pdf\nContent-Disposition: attachment; filename=plan.pdf\n\n"
    "AAAA\n--x\n\nTake the lift.\n--x--\n"
)
PAGE = (
    "From: <Saved>\nSubject: Mill\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=y\n"
    "\n--y\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n"
    "<html><body><h1>Mill</h1><p>It has =\nfour wheels.</p></body></html>\n--y--\n"
)
FRAME = [
    "<div>\n<style scoped>\n  td {}\n\n  th {}\n</style>\n<table>\n<tr><th></th><th>Port</th>",
    "<th>Tide</th></tr>\n\n<tr><th>0</th><td>Hull</td><td>7</td></tr>\n</table>\n</div>",
]
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Tides\n", "\n", "The *spring* tide."]},
        {"cell_type": "code", "source": "print(7)", "outputs": [{"text": ["7 metres\n"]}]},
        {"cell_type": "code", "source": "tides", "outputs": [{"data": {"text/html": FRAME}}]},
    ]
}
TALK = "1\n00:00:01,000 --> 00:00:02,500\n<i>We sail</i>\nat nine.\n"
XML = (
    '<!DOCTYPE r [<!ENTITY a "aaaa">]><report><title>Locks</title><section><p>The lock is <b>old'
    "</b> and slow.</p><depth>4 m</depth><table><tr><th>Lock</th><th>Year</th></tr>"
    "<tr><td>4</td><td>1790</td></tr></table></section><fees>"
    "<fee><boat>Punt</boat><pence>4</pence></fee><fee><boat>Barge</boat><pence>9</pence></fee>"
    "</fees></report>"
)
FORMATS: dict[str, tuple[bytes | str, Blocks]] = {
    "a.odt": (text_document(), [
        ("heading", 2, "Staff"), ("paragraph", 0, "The crane  lifts nine tonnes."),
        ("paragraph", 0, "By law."), ("list_item", 0, "Ropes"), ("table", 0, "Year | Boats"),
        ("table", 0, "Year: 1911 | Boats: 12"),
    ]),
    "a.ods": (sheets(), [
        ("heading", 1, "Costs"), ("table", 0, "Item | Price | Price"),
        ("table", 0, "Item: Rope | Price: 41.50"),
    ]),
    "a.xlsx": (workbook(), [
        ("heading", 1, "Visitors"), ("table", 0, "Visitors of the mill"),
        ("table", 0, "Day | Paid | Share"),
        ("table", 0, "Day: 2023-05-01 | Paid: 41.5 | Share: 25 %"),
        ("table", 0, "Keeper | Ada Corvi"),
    ]),
    "a.csv": ('Name;Crew;Note\n"Sea; Gull";4;"fast,\nlight"\n', [
        ("table", 0, "Name | Crew | Note"),
        ("table", 0, "Name: Sea; Gull | Crew: 4 | Note: fast, light"),
    ]),
    "a.tsv": ("a\tb\n1\t2\n", [("table", 0, "a | b"), ("table", 0, "a: 1 | b: 2")]),
    "a.pptx": (slides(), [
        ("heading", 1, "Harbour"), ("heading", 1, "Fees"),
        ("paragraph", 0, "Berths cost nine crowns."), ("table", 0, "Boat | Fee"),
        ("table", 0, "Boat: 8 | Fee: 12"), ("table", 0, "Category | Boats"),
        ("table", 0, "Category: East | Boats: 4"), ("table", 0, "Category: West | Boats: 6.5"),
        ("paragraph", 0, "Say thanks."),
    ]),
    "a.epub": (book(), [
        ("heading", 1, "One"), ("paragraph", 0, "It rained."), ("paragraph", 0, "It cleared."),
    ]),
    "a.eml": (MAIL, [
        ("heading", 1, "The käys"), ("paragraph", 0, HEADERS),
        ("paragraph", 0, "The keys are here."), ("paragraph", 0, "Where?"),
        ("paragraph", 0, "Take the lift."), ("paragraph", 0, "Attachments: plan.pdf"),
    ]),
    "a.mbox": (
        f"From ida Mon May  1\n{MESSAGE}\nOne.\n\nFrom ida Mon May  1\nSubject: B\n\nTwo.\n",
        [("heading", 1, "The käys"), ("paragraph", 0, HEADERS), ("paragraph", 0, "One."),
         ("heading", 1, "B"), ("paragraph", 0, "Two.")],
    ),
    "a.mhtml": (PAGE, [("heading", 1, "Mill"), ("paragraph", 0, "It has four wheels.")]),
    "a.rtf": (
        r"{\rtf1\ansi{\fonttbl{\f0 Arial;}}Caf\'e9 at the \b quay\b0.\par It closed.\par}",
        [("paragraph", 0, "Café at the quay."), ("paragraph", 0, "It closed.")],
    ),
    "a.rst": (
        "Dykes\n=====\n\nThe *dyke* holds.\n\n.. include:: /etc/hostname\n\n- one\n- two\n",
        [("heading", 1, "Dykes"), ("paragraph", 0, "The dyke holds."), ("list_item", 0, "one"),
         ("list_item", 0, "two")],
    ),
    "a.tex": (
        r"\documentclass{a}\title{T}\begin{document}\maketitle\section*{Mud \emph{flats}}"
        "\n\nThe flats are \\textbf{wide}. % not this\n\nThey \\cite{a} dry.\n\\end{document}x",
        [("heading", 2, "Mud flats"), ("paragraph", 0, "The flats are wide."),
         ("paragraph", 0, "They <cit.> dry.")],
    ),
    "a.org": (
        "#+TITLE: Log\n* TODO Oil the [[http://x.org][winch]]\n  It creaks.\n** Parts\n   A cog.\n",
        [("heading", 1, "Oil the winch"), ("paragraph", 0, "It creaks."), ("heading", 2, "Parts"),
         ("paragraph", 0, "A cog.")],
    ),
    "a.srt": (TALK, [("paragraph", 0, "We sail\nat nine.")]),
    "a.vtt": (f"WEBVTT\n\n{TALK.replace(',', '.')}", [("paragraph", 0, "We sail\nat nine.")]),
    "a.json": (
        '{"name": "Gull", "crew": [1, 2], "log": [{"day": "Mon", "calm": true}], "x": null}',
        [("table", 0, "name: Gull | crew: 1, 2"), ("table", 0, "log | day: Mon | calm: yes")],
    ),
    "a.jsonl": ('{"a": 1}\n\n{"a": "two"}\n', [("table", 0, "a: 1"), ("table", 0, "a: two")]),
    "a.ipynb": (json.dumps(NOTEBOOK), [
        ("heading", 1, "Tides"), ("paragraph", 0, "The *spring* tide."), ("code", 0, "print(7)"),
        ("paragraph", 0, "7 metres"), ("code", 0, "tides"), ("table", 0, "Port | Tide"),
        ("table", 0, "0 | Port: Hull | Tide: 7"),
    ]),
    "a.xml": (XML, [
        ("heading", 1, "Locks"), ("paragraph", 0, "The lock is old and slow."),
        ("paragraph", 0, "depth: 4 m"), ("table", 0, "Lock | Year"),
        ("table", 0, "Lock: 4 | Year: 1790"), ("table", 0, "boat: Punt | pence: 4"),
        ("table", 0, "boat: Barge | pence: 9"),
    ]),
    "a.py": ("x = 1\n\n# y\n", [("paragraph", 0, "x = 1"), ("paragraph", 0, "# y")]),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_read_in_blocks(name: str, tmp_path: Path) -> None:
    content, expected = FORMATS[name]
    assert blocks(read(tmp_path / name, content)) == expected


BESIDE = """Pier;Boats;;Keeper;Age
East;4;;Ida;41
West;6;;Rex | Max;30

;;;"Two
lines"
"""


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.ods", sheets(), [("Costs", "A1 B1 C1"), ("Costs", "A2 C2")]),
        ("a.csv", BESIDE, [
            (None, "A1 B1"), (None, "A2 B2"), (None, "A3 B3"), (None, "D1 E1"), (None, "D2 E2"),
            (None, "D3:E3"), (None, "D5"),
        ]),
    ],
)  # fmt: skip
def test_a_sentence_of_a_sheet_knows_its_cells(
    name: str, content: str | bytes, expected: list[tuple[str | None, str]], tmp_path: Path
) -> None:
    found = read(tmp_path / name, content)
    told = [s for p in cut(found) for s in sentences(found, p.start, p.end)]
    assert [(s.sheet, " ".join(cell.name for cell in s.cells)) for s in told] == expected


def test_tables_side_by_side_have_names_of_their_own(tmp_path: Path) -> None:
    told = [text for _, _, text in blocks(read(tmp_path / "a.csv", BESIDE))]
    assert told == [
        "Pier | Boats", "Pier: East | Boats: 4", "Pier: West | Boats: 6", "Keeper | Age",
        "Keeper: Ida | Age: 41", "Keeper: Rex | Max | Age: 30", "Two lines",
    ]  # fmt: skip
    spaced = "Pier,,2019,2020\nEast,,4,5\nWest,,6,7\n"
    assert blocks(read(tmp_path / "a.csv", spaced))[1][2] == "Pier: East | 2019: 4 | 2020: 5"


def test_slides_and_sheets_are_pages(tmp_path: Path) -> None:
    found = read(tmp_path / "a.pptx", slides())
    assert [found.text[start:].split("\n")[0] for start in found.pages] == ["Harbour", "Fees"]


def test_a_book_with_a_damaged_chapter_is_told_as_damaged(tmp_path: Path) -> None:
    content = bytearray(book())
    entry = content.rfind(b"PK\1\2", 0, content.rfind(b"o/two.xhtml"))
    content[entry + 16] ^= 1  # of its checksum
    with pytest.raises(ReadError, match="damaged"):
        read(tmp_path / "a.epub", bytes(content))


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx", ".odt", ".epub", ".txt"])
@pytest.mark.parametrize("inner", ["a.rtf", "a.xlsx", "a.odt"])
def test_content_tells_the_format_where_the_name_is_wrong(
    inner: str, suffix: str, tmp_path: Path
) -> None:
    content, expected = FORMATS[inner]
    assert blocks(read(tmp_path / f"wrong{suffix}", content)) == expected


@pytest.mark.parametrize("name", [n for n in FORMATS if not n.endswith((".py", ".srt", ".vtt"))])
@pytest.mark.parametrize(
    "damage",
    [lambda content: content[: len(content) // 3], lambda content: b"\0\1" * 400],
    ids=["cut off", "binary"],
)
def test_a_damaged_file_is_refused_or_read_as_far_as_it_goes(
    name: str, damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    content = FORMATS[name][0]
    path = tmp_path / name
    path.write_bytes(damage(content if isinstance(content, bytes) else content.encode()))
    told = ""
    with suppress(ReadError):
        found = read(path)
        told = found.text[found.blocks[0].start : found.blocks[-1].end]
    assert "\0" not in told


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.txt", bytes(range(256)) * 40, "not a text file"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0\x01\xff" * 99, "not a text file"),
        ("a.txt", b"\0" * 64, "not a text file"),
        ("a.txt", b"", "empty"),
        ("a.txt", b" \n\n ", "no text"),
        ("a.html", "<html><body><script>render()</script></body></html>", "shows no text"),
        ("a.html", "<!-- -->", "no readable HTML"),
        ("a.html", "<div>" * 50_000 + "deeper than any page", "nested too deeply"),
        ("a.json", "[" * 99_999, "nested too deeply"),
        ("a.xlsx", wide(), "more than 1,000 columns"),
        ("a.xlsx", zipped({"xl/workbook.xml": "0" * 30_000_000}), "unpacks to far more"),
        ("a.pdf", "../b.pdf\n", "only the name of another"),
        ("a.md", "version https://git-lfs.github.com/spec/v1\n", "only the name of another"),
    ],
)
def test_the_reason_is_true(name: str, content: str | bytes, reason: str, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=reason):
        read(tmp_path / name, content)


@pytest.mark.parametrize("declared", ['SYSTEM "file:///etc/hostname"', '"Harrow Ltd"'])
def test_an_entity_that_may_be_anything_is_told_of(declared: str, tmp_path: Path) -> None:
    kind = f"<!DOCTYPE r [<!ENTITY s {declared}>]>"
    said = "<r><p>Before &s; after it is read.</p></r>"
    with pytest.raises(ReadError, match="an entity, &s;,"):
        read(tmp_path / "a.xml", kind + said)
    plain = '<!DOCTYPE r SYSTEM "jats.dtd">' + said.replace("&s;", "<b>caf&eacute;&mdash;</b>&amp;")
    assert read(tmp_path / "b.xml", plain).text == "Before café—& after it is read."


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["Year", "2019", "2020"], ["Boats", "4", "6"]],
         ["Year | 2019 | 2020", "Year: Boats | 2019: 4 | 2020: 6"]),
        ([["", "Summer", "", "Winter", ""], ["Pier", "Open", "Shut", "Open", "Shut"],
          ["East", "6", "22", "8", "17"]],
         ["Summer | Winter", "Pier | Open | Shut | Open | Shut",
          "Pier: East | Summer, Open: 6 | Summer, Shut: 22 | Winter, Open: 8 | Winter, Shut: 17"]),
        ([["Owner", "Ida Roth"], ["Built", "1911"]], ["Owner | Ida Roth", "Built | 1911"]),
        ([["", "Keeper", "Dog"], ["East", "Ida", "Rex"]],
         ["Keeper | Dog", "East | Keeper: Ida | Dog: Rex"]),
        ([["1", "2"], ["3", "4"]], ["1 | 2", "3 | 4"]),
        ([["Name", "Role", "Since"], ["Ana Bell", "Sales", "2016"], ["Bo Carr", "Finance", "2018"]],
         ["Name | Role | Since", "Name: Ana Bell | Role: Sales | Since: 2016",
          "Name: Bo Carr | Role: Finance | Since: 2018"]),
        ([["", "Role", "Since"], ["Ana", "Sales", "2016"], ["Bo", "Cash", "2018"]],
         ["Role | Since", "Ana | Role: Sales | Since: 2016", "Bo | Role: Cash | Since: 2018"]),
        ([["Boat", "Built", "Crew"], ["Gull", "unknown", ""], ["Tern", "1911", "4"]],
         ["Boat | Built | Crew", "Boat: Gull | Built: unknown",
          "Boat: Tern | Built: 1911 | Crew: 4"]),
        ([["", "Boats", "Crew"], ["Pier", "2019", "2020"], ["East", "4", "6"]],
         ["Boats | Crew", "Pier | 2019 | 2020", "Pier: East | Boats, 2019: 4 | Crew, 2020: 6"]),
        ([["", "Men", "Women"], ["Country", "Gold", "Gold"], ["Norway", "4", "5"]],
         ["Men | Women", "Country | Gold | Gold",
          "Country: Norway | Men, Gold: 4 | Women, Gold: 5"]),
        ([["", "Length", "Mass"], ["", "m", "kg"], ["Gull", "5", "7"]],
         ["Length | Mass", "m | kg", "Gull | Length, m: 5 | Mass, kg: 7"]),
        ([["", "Norway", ""], ["", "2019", "2020"], ["Site", "Boats", "Boats"], ["Halm", "4", "5"]],
         ["Norway", "2019 | 2020", "Site | Boats | Boats",
          "Site: Halm | 2019, Boats: 4 | 2020, Boats: 5"]),
        ([["", "Born", "Died"], ["Anna Berg", "1870", "1950"], ["Otto", "12 May 1866", "1931"]],
         ["Born | Died", "Anna Berg | Born: 1870 | Died: 1950",
          "Otto | Born: 12 May 1866 | Died: 1931"]),
        ([["", "Role", "Since"], ["Ana", "Sales", "unknown"], ["Bo", "Cash", "2018"]],
         ["Role | Since", "Ana | Role: Sales | Since: unknown", "Bo | Role: Cash | Since: 2018"]),
        ([["Site", "Length", "Mass"], ["Unit", "(m)", "(kg)"], ["Halm", "5", "7"]],
         ["Site | Length | Mass", "Unit | (m) | (kg)",
          "Site, Unit: Halm | Length: 5 m | Mass: 7 kg"]),
        ([["Boat", "Length", "Mass"], ["", "(m)", "(kg)"], ["Gull", "12", "900"]],
         ["Boat | Length | Mass", "(m) | (kg)", "Boat: Gull | Length: 12 m | Mass: 900 kg"]),
        ([["Span (m)", "Share [%]", "Cost ($ million)", "Lost (1911)"], ["4,100", "25", "3.1", "6"],
          ["c. 88", "40", "12", "7"]],
         ["Span (m) | Share [%] | Cost ($ million) | Lost (1911)",
          "Span: 4,100 m | Share: 25 % | Cost: $3.1 million | Lost (1911): 6",
          "Span (m): c. 88 | Share: 40 % | Cost: $12 million | Lost (1911): 7"]),
    ],
)  # fmt: skip
def test_rows_carry_the_names_of_their_columns(rows: list[list[str]], expected: list[str]) -> None:
    assert lines(rows) == expected


def test_old_documents_are_read_by_libreoffice_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stand-in for the program: it converts to what it is asked for, as LibreOffice does."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ReadError, match="only LibreOffice reads"):
        read(tmp_path / "list.xls", b"\xd0\xcf\x11\xe0 old")
    (tmp_path / "new.xlsx").write_bytes(workbook())
    program = tmp_path / "soffice"
    program.write_text(f'#!/bin/sh\n/bin/cp {tmp_path}/new.xlsx "$6"/list."$4"\n')
    program.chmod(0o755)
    assert blocks(read(tmp_path / "list.xls")) == FORMATS["a.xlsx"][1]
    program.write_text("#!/bin/sh\nexit 1\n")
    with pytest.raises(ReadError, match="could not read"):
        read(tmp_path / "list.xls")


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_libreoffice_itself_reads_an_old_workbook(tmp_path: Path) -> None:
    new = tmp_path / "list.xlsx"
    new.write_bytes(workbook())
    profile = f"-env:UserInstallation={Path(tmp_path, 'profile').as_uri()}"
    command = ["soffice", profile, "--headless", "--convert-to", "xls", "--outdir"]
    subprocess.run([*command, str(tmp_path), str(new)], check=True, capture_output=True)
    with Reader() as reader:
        found = next(reader.read(new.with_suffix(".xls"))).found
    assert found is not None
    assert blocks(found) == FORMATS["a.xlsx"][1]
    assert found.extractor.endswith("with LibreOffice")


LANGUAGES = "<ul><li><a hreflang=de>Deutsch</a><li>In <a hreflang=de>German</a>, it is so.</ul>"
WIKI = (
    "<a class='mw-jump-link x' href='#b'>Jump</a><div role=search>Find</div><h1>Piers</h1>"
    "<span class='x mw-editsection'>[<a>edit</a>]</span><p>Two. <b class=mw-x>Three.</b>"
)


def letter(kind: str, *parts: tuple[str, str]) -> str:
    """A message whose text stands in it several times."""
    told = "".join(f"--x\nContent-Type: text/{form}\n\n{text}\n" for form, text in parts)
    return f"Subject: Piers\nContent-Type: multipart/{kind}; boundary=x\n\n{told}--x--\n"


PLAIN = ("plain", "The piers <https://example.org/p> were sold to Ida Roth.\n\nOf the dogs\none.")
PAGE_OF = "<p>The <a>piers</a> were sold to Ida Roth.</p><p>Of the dogs one.</p>"
MORE = "<table><tr><th>Pier<th>Boats<tr><td>East<td>4</table>"


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.eml", letter("alternative", PLAIN, ("html", PAGE_OF + MORE)),
         ["Piers", *PLAIN[1].split("\n\n"), "Pier | Boats", "Pier: East | Boats: 4"]),
        ("a.eml", letter("mixed", ("html", PAGE_OF + MORE), PLAIN, ("html", "")),
         ["Piers", *PLAIN[1].split("\n\n"), "Pier | Boats", "Pier: East | Boats: 4"]),
        ("a.rtf", r"{\rtf1 Seen:\par\trowd\pard\intbl\cell Dog\cell Cat\cell\trowd\row"
         r"\trowd\intbl East\par pier\cell Rex\cell Mia\cell\row\pard Last.}",
         ["Seen:", "Dog | Cat", "East pier | Dog: Rex | Cat: Mia", "Last."]),
        ("a.tex", r"Seen: \begin{tabular}{|l|p{3cm}|r|}\hline & \multicolumn{2}{c}{Ships} \\"
         r"\cmidrule(lr){2-3} Pier & Old \& new & Lost \\[2pt] East & 4"
         r" & \textbf{6} \\ \end{tabular} Last.",
         ["Seen:", "Ships", "Pier | Old & new | Lost", "Pier: East | Old & new: 4 | Lost: 6",
          "Last."]),
        ("a.org", "#+CAPTION: Piers\n| Pier | Dog |\n|------+-----|\n| East | Rex |\n\n"
         "#+BEGIN_QUOTE\nThey are two.\n#+END_QUOTE\n",
         ["Pier | Dog", "Pier: East | Dog: Rex", "They are two."]),
        ("a.html", LANGUAGES, ["In German, it is so."]),
        ("a.html", WIKI, ["Piers", "Two. Three."]),
        ("a.html", "10<sup>6</sup> m<sup>2</sup>, the 5<sup>th</sup>", ["10^6 m2, the 5th"]),
        ("a.html", "<table><tr><th>Pier<th>Dog<tr><td>East<td>Rex</table>"
         "<table><tr><th colspan=2>Piers<tr><th>Dog<td>Rex</table>",
         ["Pier | Dog", "Pier: East | Dog: Rex", "Piers", "Dog | Rex"]),
        ("a.md", "#\n\n# Piers\n\nThey are two.", ["Piers", "They are two."]),
        ("a.txt", "£5 – so".encode().decode("latin-1").encode(), ["£5 – so"]),
        ("a.txt", "It’s £5".encode().decode("cp1252").encode(), ["It’s £5"]),
        ("a.txt", "Ã© is é, gone wrong.", ["Ã© is é, gone wrong."]),
    ],
)  # fmt: skip
def test_what_was_seen_wrong_beside_the_originals(
    name: str, content: str | bytes, expected: list[str], tmp_path: Path
) -> None:
    found = read(tmp_path / name, content)
    assert [text for _, _, text in blocks(found)] == expected
    assert found.title in (None, "Piers")


MERGED = [["Pier", "Dog", "Age"], ["East", "Rex", "3"], ["", "Mia", "4"], ["West", "Ida", "5"]]


WIDE = [["Pier", "Boats", "", "Dog"], ["East", "6", "8", "Rex"]]


def merged_text(table: list[list[str]], long: str, spans: str) -> bytes:
    told = "<table:table-cell{}><text:p>{}</text:p></table:table-cell>"
    rows = "".join(
        f"<table:table-row>{''.join(told.format(spans * (t == long), t) for t in row)}"
        "</table:table-row>"
        for row in table
    ).replace(told.format("", ""), "<table:covered-table-cell/>")
    return open_document(f"<office:text><table:table>{rows}</table:table></office:text>")


def merged(made: Any, add: Any, table: list[list[str]], *corners: tuple[int, int]) -> bytes:
    grid = add(len(table), len(table[0]))
    for number, row in enumerate(table):
        for column, text in enumerate(row):
            grid.cell(number, column).text = text
    first, last = corners
    grid.cell(*first).merge(grid.cell(*last))
    return saved(made)


@pytest.mark.parametrize(
    ("table", "long", "spans", "corners", "expected"),
    [
        (MERGED, "East", "rows", ((1, 0), (2, 0)), "Pier: East | Dog: Mia | Age: 4"),
        (WIDE, "Boats", "columns", ((0, 1), (0, 2)), "Pier: East | Boats: 6 | Boats: 8 | Dog: Rex"),
    ],
)
def test_a_cell_that_reaches_over_others_stands_in_each(
    table: list[list[str]], long: str, spans: str, corners: Any, expected: str, tmp_path: Path
) -> None:
    document, show = docx.Document(), Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    size = (Inches(0), Inches(0), Inches(6), Inches(2))

    def on_slide(*cells: int) -> Any:
        return slide.shapes.add_table(*cells, *size).table

    files = {
        "a.odt": merged_text(table, long, f' table:number-{spans}-spanned="2"'),
        "a.docx": merged(document, document.add_table, table, *corners),
        "a.pptx": merged(show, on_slide, table, *corners),
    }
    for name, content in files.items():
        assert expected in read(tmp_path / name, content).text.split("\n\n"), name


def test_a_raised_figure_is_no_part_of_the_number_before_it(tmp_path: Path) -> None:
    show = Presentation()
    frame = show.slides.add_slide(show.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9).text_frame
    for text in ("It holds 10", "6", " m", "2", "."):
        run = frame.paragraphs[0].add_run()
        run.text = text
        run.font._element.set("baseline", "30000" if text.isdigit() else "0")
    span = '<text:span text:style-name="S">{}</text:span>'
    files: dict[str, str | bytes] = {
        "a.pptx": saved(show),
        "a.odt": open_document(
            f"<office:text><text:p>It holds 10{span.format(6)} m{span.format(2)}."
            "</text:p></office:text>",
            '<office:automatic-styles><style:style style:name="S"><style:text-properties'
            ' style:text-position="super 58%"/></style:style></office:automatic-styles>',
        ),
        "a.rtf": r"{\rtf1 It holds 10{\super 6} m{\super 2}.}",
    }
    for name, made in files.items():
        assert read(tmp_path / name, made).text == "It holds 10^6 m2.", name


def test_formulas_and_names_of_columns_in_a_text_document(tmp_path: Path) -> None:
    row = "<table:table-row>" + "<table:table-cell><text:p>{}</text:p></table:table-cell>" * 2
    rows = [row.format(*told) + "</table:table-row>" for told in (("Pier", "Dog"), ("East", "Rex"))]
    body = (
        '<office:text><text:p>It is <draw:frame><draw:object xmlns:x="http://www.w3.org/1999/xlink"'
        ' x:href="./Object 1"/></draw:frame>.</text:p><table:table><table:table-header-rows>'
        f"{rows[0]}</table:table-header-rows>{rows[1]}</table:table></office:text>"
    )
    formula = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mi>E</mi>'
        '<annotation encoding="StarMath 5.0">E = m cdot c^2</annotation></semantics></math>'
    )
    content = open_document(body, **{"Object 1/content.xml": formula})
    told = [text for _, _, text in blocks(read(tmp_path / "a.odt", content))]
    assert told == ["It is E = m cdot c^2.", "Pier | Dog", "Pier: East | Dog: Rex"]
