"""Every report lists the files that were not read once, by reason."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from reports import report

from veracite.engine.report import html, json, junit, markdown
from veracite.engine.types import Report
from veracite.index.documents import FailedDocument
from veracite.index.errors import ReadError
from veracite.index.readers import module_of
from veracite.tui.console import Look
from veracite.tui.text_report import render

LOCKED, EMPTY = ("It is encrypted.", "Unlock it."), ("It is empty.", "Restore it.")
UNREAD = report(
    failed=(
        FailedDocument("/papers/void.txt", *EMPTY),
        FailedDocument("/papers/one.pdf", *LOCKED),
        FailedDocument("/papers/two.pdf", *LOCKED),
    ),
    others=("/papers/a.mp4", "/papers/b.mp4", "/papers/c.EXE", "/papers/noname"),
)
PARTLY = FailedDocument("/papers/three.pdf", "2 of 9 pages are pictures: 4, 7.", "Add it.", True)
GROUPS = (
    "2 files: It is encrypted. Unlock it.",
    "void.txt: It is empty. Restore it.",
    "4 files: Not of a kind that is read: .mp4 (2), .exe (1), no suffix (1).",
)


@pytest.mark.parametrize(
    ("write", "lists"),
    [
        (html.render, True),
        (lambda made: markdown.render(made).replace("\\", ""), True),
        (lambda made: render(made, Look(False, True, 200)), False),
    ],
)
def test_files_that_were_not_read_are_told_by_reason(
    write: Callable[[Report], str], lists: bool
) -> None:
    told = write(UNREAD)
    places = [told.index(words) for words in GROUPS]
    assert places == sorted(places)
    assert told.count("It is encrypted.") == 1
    assert ("one.pdf" in told and "two.pdf" in told) == lists
    assert "12 documents read, 3 could not be read, 4 of other kinds." in told
    assert "a.mp4" not in told
    assert "a.mp4" in json.render(UNREAD)
    assert "noname: Not of a kind" in write(report(others=("/papers/noname",))).replace("\\", "")


@pytest.mark.parametrize("write", [html.render, markdown.render])
def test_a_file_that_was_read_in_part_is_told_and_not_counted_as_lost(
    write: Callable[[Report], str],
) -> None:
    told = write(report(failed=(PARTLY,))).replace("\\", "")
    assert "12 documents read, 1 read in part." in told
    assert told.count("three.pdf: 2 of 9 pages are pictures: 4, 7. Add it.") == 1


@pytest.mark.parametrize(
    ("render", "suffix"), [(html, "html"), (markdown, "md"), (json, "json"), (junit, "xml")]
)
def test_a_report_is_no_document(tmp_path: Path, render: ModuleType, suffix: str) -> None:
    path = tmp_path / f"draft.report.{suffix}"
    path.write_text(render.render(report()), encoding="utf-8")
    with pytest.raises(ReadError, match="a report of Veracite's"):
        module_of(path).read(path)
