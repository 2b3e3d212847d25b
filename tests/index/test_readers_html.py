"""HTML gives what a browser shows, in any encoding, however malformed."""

from pathlib import Path

import pytest

from veracite.index.documents import Extraction
from veracite.index.errors import ReadError
from veracite.index.readers.html import read

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


def document(tmp_path: Path, content: str | bytes) -> Extraction:
    path = tmp_path / "a.html"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(path)


def test_blocks(tmp_path: Path) -> None:
    extraction = document(tmp_path, PAGE)
    assert extraction.title == "A page"
    assert [(b.kind, b.level, extraction.text[b.start : b.end]) for b in extraction.blocks] == [
        ("heading", 1, "The harbour"),
        ("paragraph", 0, "Built in\u00a01890[1] by John\u00a0Coode.\nIt stands."),
        ("paragraph", 0, "Loose text"),
        ("paragraph", 0, "Inner"),
        ("paragraph", 0, "after"),
        ("list_item", 0, "One bold"),
        ("list_item", 0, "Two"),
        ("table", 0, "Year | Cost"),
        ("table", 0, "1990 | 3 4"),
        ("code", 0, "a  b\n c"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        "<p>Café “x”</p>".encode(),
        "<p>Café “x”</p>".encode("utf-16"),
        '<meta charset="windows-1252"><p>Café “x”</p>'.encode("cp1252"),
        '<meta charset="iso-8859-1"><p>Café “x”</p>'.encode("cp1252"),
        "<p>Café “x”</p>".encode("cp1252"),
        '<?xml version="1.0" encoding="windows-1252"?><p>Café “x”</p>'.encode("cp1252"),
    ],
    ids=["utf-8", "utf-16", "meta", "latin1 means cp1252", "unsaid", "xml"],
)
def test_encodings(tmp_path: Path, content: bytes) -> None:
    assert document(tmp_path, content).text == "Café “x”"


@pytest.mark.parametrize(
    "content",
    [
        "<p>open <b>never <i>closed <table><tr><td>cell",
        "<div>" * 150 + "deep",
        "<p>" + "x <b>" * 30_000,
        "<p>fine</p>\0\x01<p>also &#0; &#xFFFFFFFF;</p>",
        "no tags at all",
        "</p></p><p>text</html></p>",
    ],
    ids=["unclosed", "deep", "nested inline", "control characters", "bare", "stray"],
)
def test_malformed_pages_are_read(tmp_path: Path, content: str) -> None:
    assert document(tmp_path, content).blocks


def test_a_page_that_shows_nothing(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="shows no text"):
        document(tmp_path, "<html><body><script>render()</script></body></html>")
    with pytest.raises(ReadError):
        document(tmp_path, "<!-- -->")
    with pytest.raises(ReadError):
        document(tmp_path, "<div>" * 50_000 + "deeper than any page")
