"""Word documents come in order, with headings, lists, tables and notes; bad files say why."""

import zipfile
from pathlib import Path

import docx
import pytest

from veracite.index.errors import ReadError
from veracite.index.readers.docx import read


def saved(document: object, tmp_path: Path) -> Path:
    path = tmp_path / "a.docx"
    document.save(str(path))  # type: ignore[attr-defined]
    return path


def test_blocks_in_order(tmp_path: Path) -> None:
    document = docx.Document()
    document.core_properties.title = "Minutes"
    document.add_heading("Meeting", 0)
    document.add_heading("Present", 2)
    document.add_paragraph("Two  people\tcame.")
    document.add_paragraph("Ann", style="List Bullet")
    table = document.add_table(2, 2)
    for row, cells in zip(table.rows, [("Year", "Cost"), ("1990", "3")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.rows[1].cells[1].add_table(1, 1).rows[0].cells[0].text = "inner"
    document.add_paragraph("")
    document.add_paragraph("The end.")
    extraction = read(saved(document, tmp_path))
    assert extraction.title == "Minutes"
    assert [(b.kind, b.level, extraction.text[b.start : b.end]) for b in extraction.blocks] == [
        ("heading", 1, "Meeting"),
        ("heading", 2, "Present"),
        ("paragraph", 0, "Two  people came."),
        ("list_item", 0, "Ann"),
        ("table", 0, "Year | Cost"),
        ("table", 0, "1990 | 3 inner"),
        ("paragraph", 0, "The end."),
    ]


def test_strict_open_xml_is_read_like_any_other(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Meeting", 2)
    document.add_paragraph("The name is http://purl.oclc.org/ooxml/wordprocessingml/main/ there.")
    document.add_table(1, 1).rows[0].cells[0].text = "Cost"
    usual, strict = saved(document, tmp_path), tmp_path / "strict.docx"
    names = [
        (
            b'"http://schemas.openxmlformats.org/officeDocument/2006/relationships',
            b"officeDocument/relationships",
        ),
        (
            b'"http://schemas.openxmlformats.org/wordprocessingml/2006/main',
            b"wordprocessingml/main",
        ),
    ]
    with zipfile.ZipFile(usual) as old, zipfile.ZipFile(strict, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            for transitional, path in names:
                part = part.replace(transitional, b'"http://purl.oclc.org/ooxml/' + path)
            new.writestr(name, part)
    found = read(strict)
    assert found == read(usual)
    assert [(b.kind, b.level) for b in found.blocks] == [
        ("heading", 2),
        ("paragraph", 0),
        ("table", 0),
    ]


def test_a_file_that_is_no_zip(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(b"This was never a Word document.")
    with pytest.raises(ReadError, match="not a DOCX document"):
        read(path)


def test_every_truncation_is_refused_or_read(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Some text.")
    path = saved(document, tmp_path)
    content = path.read_bytes()
    for keep in range(1, len(content), len(content) // 15):
        path.write_bytes(content[:keep])
        with pytest.raises(ReadError, match="not a DOCX document"):
            read(path)


def test_a_zip_bomb_is_not_opened(tmp_path: Path) -> None:
    path = saved(docx.Document(), tmp_path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/media/image.bin", b"\0" * (40 * 1024 * 1024))
    with pytest.raises(ReadError, match="unpacks to far more"):
        read(path)


def test_an_entity_bomb_is_not_expanded(tmp_path: Path) -> None:
    source, path = saved(docx.Document(), tmp_path), tmp_path / "b.docx"
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    bomb = (
        f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">{entities}]>'
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        "<w:body><w:p><w:r><w:t>&e12;</w:t></w:r></w:p></w:body></w:document>"
    )
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, bomb if name == "word/document.xml" else old.read(name))
    with pytest.raises(ReadError):
        read(path)
