"""Plain text in any encoding a person's files come in, and nothing that is no text."""

from pathlib import Path

import pytest

from veracite.index.errors import ReadError
from veracite.index.readers.plain import read

TEXT = "Caf\u00e9 \u201cna\u00efve\u201d costs 5 \u20ac.\n\nSecond paragraph\nwith two lines."


@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode("utf-8"),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
        TEXT.encode("cp1252"),
    ],
    ids=["utf-8", "utf-8 bom", "utf-16 bom", "utf-16-le", "utf-16-be", "utf-32 bom", "cp1252"],
)
def test_every_usual_encoding(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    extraction = read(path)
    assert extraction.text == TEXT
    assert [extraction.text[b.start : b.end] for b in extraction.blocks] == TEXT.split("\n\n")


@pytest.mark.parametrize(
    "content",
    [bytes(range(256)) * 40, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\0\x01\xff" * 99, b"\0" * 64],
    ids=["all bytes", "png", "zeros"],
)
def test_a_binary_file_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(ReadError, match="not a text file"):
        read(path)


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(ReadError, match="does not exist any more"):
        read(path)
    path.write_bytes(b"")
    with pytest.raises(ReadError, match="empty"):
        read(path)
    path.write_bytes(b" \n\n ")
    with pytest.raises(ReadError, match="no text"):
        read(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(ReadError, match="not a regular file"):
        read(path)


def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with path.open("wb") as file:
        file.truncate(201 * 1024 * 1024)  # sparse: takes no space
    with pytest.raises(ReadError, match="larger than 200 MB"):
        read(path)
