"""Markdown becomes blocks whose spans are verbatim in the file."""

from pathlib import Path

from veracite.index.documents import Extraction
from veracite.index.passages import cut, sentences
from veracite.index.readers.markdown import read

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

| Year | Price |
|------|-------|
| 1990 | 3 |

Staff
-----

```python
price = 5
```

<!-- hidden -->
<div>Shown <b>text</b></div>

[^1]: A note.
"""


def document(tmp_path: Path, source: str) -> Extraction:
    path = tmp_path / "a.md"
    path.write_text(source, encoding="utf-8", newline="")
    return read(path)


def test_blocks(tmp_path: Path) -> None:
    extraction = document(tmp_path, SOURCE)
    assert extraction.text == SOURCE
    assert extraction.title == "The *Report*"
    assert [(b.kind, b.level, SOURCE[b.start : b.end]) for b in extraction.blocks] == [
        ("heading", 1, "Costs of oil"),
        ("paragraph", 0, "Oil **rose** to $5 in [May](http://x.y/a.b). It fell\nlater.[^1]"),
        ("list_item", 0, "first item"),
        ("list_item", 0, "second item. With two\n  sentences"),
        ("paragraph", 0, "A quoted line\n> goes on."),
        ("table", 0, "Year | Price"),
        ("table", 0, "1990 | 3"),
        ("heading", 2, "Staff"),
        ("code", 0, "price = 5"),
        ("paragraph", 0, "<div>Shown <b>text</b></div>"),
        ("paragraph", 0, "[^1]: A note."),
    ]


def test_passages_show_no_markup_and_their_sentences_are_verbatim(tmp_path: Path) -> None:
    extraction = document(tmp_path, SOURCE)
    first = cut(extraction)[0]
    found = sentences(extraction.text, first.start, first.end, (), extraction.extractor)
    assert [(s.text, SOURCE[s.start : s.end]) for s in found] == [
        ("Oil rose to $5 in May.", "Oil **rose** to $5 in [May](http://x.y/a.b)."),
        ("It fell later.", "It fell\nlater.[^1]"),
        ("first item", "first item"),
        ("second item.", "second item."),
        ("With two sentences", "With two\n  sentences"),
        ("A quoted line goes on.", "A quoted line\n> goes on."),
        ("Year | Price", "Year | Price"),
        ("1990 | 3", "1990 | 3"),
    ]


def test_hostile_nesting_is_read(tmp_path: Path) -> None:
    for source in (">" * 5000 + " deep", "- " * 3000 + "deep", "[" * 5000 + "x" + "](" * 5000):
        extraction = document(tmp_path, source)
        assert cut(extraction)
