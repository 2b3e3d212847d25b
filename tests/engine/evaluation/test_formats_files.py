"""Reading upstream files: every kind, whole or damaged, and nothing dropped in silence."""

import csv
import gzip
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path

import openpyxl
import pytest

from veracite.engine.errors import InputError
from veracite.engine.evaluation.formats import load
from veracite.engine.evaluation.items import Statement

ROWS = [
    {"text": "Tin melts at 232 °C.", "label": "supported", "evidence": "Tin melts at 232 °C."},
    {"text": "Tin is a gas.", "label": "contradicted", "evidence": "Tin is a metal."},
]
HEADER = ("text", "label", "evidence")


def lines(rows: Iterable[object]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def statements(path: Path) -> list[Statement]:
    found = load("detect", [path]).items
    return [item for item in found if isinstance(item, Statement)]


def notes(path: Path) -> str:
    return " ".join(load("detect", [path]).notes)


def refusal(*paths: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        load("detect", paths)
    return caught.value


def workbook(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def table(path: Path, delimiter: str) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(HEADER)
        writer.writerows([row[name] for name in HEADER] for row in ROWS)
    return path


def every_kind(folder: Path) -> list[Path]:
    made = {
        "a.jsonl": lines(ROWS),
        "blank.jsonl": b"\xef\xbb\xbf\n" + lines(ROWS).replace(b"\n", b"\n\n"),
        "windows.jsonl": lines(ROWS).replace(b"\n", b"\r\n"),
        "named.json": lines(ROWS),
        "list.json": json.dumps(ROWS, indent=1).encode(),
        "wrapped.json": json.dumps({"data": ROWS, "args": {}}).encode(),
        "a.jsonl.gz": gzip.compress(lines(ROWS)),
        "misnamed.jsonl": gzip.compress(lines(ROWS)),
    }
    for name, content in made.items():
        (folder / name).write_bytes(content)
    table(folder / "a.csv", ",")
    table(folder / "a.tsv", "\t")
    table(folder / "tabs.csv", "\t")
    values: list[list[object]] = [[row[name] for name in HEADER] for row in ROWS]
    grid: list[list[object]] = [[*HEADER], *values]
    workbook(folder / "a.xlsx", {"first": grid[:2], "second": [grid[0], [None] * 3, grid[2]]})
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("set/rows.jsonl", lines(ROWS))
        archive.writestr("set/LICENSE.txt", "Do as you like.")
        archive.writestr("__MACOSX/set/._rows.jsonl", b"\0\1")
    return sorted(folder.iterdir())


def test_every_kind_of_file_gives_the_same_statements(tmp_path: Path) -> None:
    for path in every_kind(tmp_path):
        found = statements(path)
        assert [s.text for s in found] == [row["text"] for row in ROWS], path.name
        assert [s.truth for s in found] == [True, False], path.name
        assert [s.sources[0].text for s in found] == [row["evidence"] for row in ROWS], path.name


def test_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    text = "One\u2028two\u2029three\x85four\x0cfive"
    (tmp_path / "a.jsonl").write_bytes(lines([{"text": text, "label": True}]))
    (tmp_path / "a.tsv").write_bytes(f"text\tlabel\n{text}\ttrue\n".encode())
    assert [s.text for s in statements(tmp_path / "a.jsonl")] == [text]
    assert [s.text for s in statements(tmp_path / "a.tsv")] == [text]


def test_quotes_in_tab_separated_text_stay_where_no_writer_put_them(tmp_path: Path) -> None:
    said = ['"Yes," he said, "no."', 'He said "yes" twice', '"']
    (tmp_path / "a.tsv").write_text(
        "text\tlabel\n" + "".join(f"{one}\t1\n" for one in said) + '"a ""b"" c"\t1\n', "utf-8"
    )
    assert [s.text for s in statements(tmp_path / "a.tsv")] == [*said, 'a "b" c']


def test_a_field_of_a_csv_file_may_hold_lines_and_be_long(tmp_path: Path) -> None:
    long = "one\ntwo, " * 40_000
    (tmp_path / "a.csv").write_text(f'text,label\n"{long}",1\nshort,0\nbad\n', "utf-8")
    assert [s.text for s in statements(tmp_path / "a.csv")] == [long, "short"]
    assert "1 left out, not the header's 2 columns (a.csv line 40004)." in notes(tmp_path / "a.csv")


def test_rows_that_cannot_be_read_are_counted_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        b"".join(
            [
                lines(ROWS[:1]),
                b'{"text": "cut off\n',
                b'["no", "object"]\n',
                b"\xff\xfe\n",
                lines([{"text": "x"}, {"label": 1}, {"text": "x", "label": "maybe"}]),
                b"{broken}\n" * 3,
                lines(ROWS[1:]),
            ]
        )
    )
    assert [s.text for s in statements(path)] == [row["text"] for row in ROWS]
    said = notes(path)
    assert "5 left out, no valid JSON (a.jsonl line 2, line 4, line 8, ...)." in said
    assert "1 left out, no JSON object (a.jsonl line 3)." in said
    assert "1 left out, no label (a.jsonl line 5)." in said
    assert "1 left out, no text (a.jsonl line 6)." in said
    assert (
        "1 left out, the label 'maybe' stands for neither true nor false; say what it means with "
        "--label maybe=true (or =false) (a.jsonl line 7)" in said
    )


def test_a_broken_first_line_does_not_hide_the_rest(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"text": \n' + lines(ROWS))
    assert len(statements(tmp_path / "a.jsonl")) == 2
    (tmp_path / "b.jsonl").write_bytes(lines(ROWS[:1]) + b"oops\n" + lines(ROWS[1:]))
    assert "1 left out, no valid JSON (b.jsonl line 2)." in notes(tmp_path / "b.jsonl")


def test_bytes_that_are_no_utf_8(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(b"text\tlabel\ncaf\xe9\t1\ntea\t1\n")
    assert [s.text for s in statements(tmp_path / "a.tsv")] == ["tea"]
    assert "1 left out, no valid UTF-8 (a.tsv line 2)." in notes(tmp_path / "a.tsv")
    (tmp_path / "a.csv").write_bytes(b"text,label\ncaf\xe9,1\n")
    assert refusal(tmp_path / "a.csv").message == "a.csv is not UTF-8 text."


def test_a_damaged_file_is_refused_whole(tmp_path: Path) -> None:
    whole = gzip.compress(lines([{"text": str(n), "label": 1} for n in range(5000)]))
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "a.json").write_bytes(json.dumps(ROWS, indent=1).encode()[:-20])
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 no archive")
    assert "cut.jsonl.gz is damaged" in refusal(tmp_path / "cut.jsonl.gz").message
    assert "a.json is not valid JSON" in refusal(tmp_path / "a.json").message
    assert "a.xlsx is a damaged workbook" in refusal(tmp_path / "a.xlsx").message
    assert "a.zip is damaged or no zip archive" in refusal(tmp_path / "a.zip").message


def test_what_is_no_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "notes.txt").write_text("Tin melts.\nLead too.\n", "utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "README.md").write_text("# Tin", "utf-8")
    assert "has no row that can be read" in refusal(tmp_path / "empty.jsonl").message
    assert "neither JSON, JSON lines, CSV" in refusal(tmp_path / "notes.txt").message
    assert "holds no file of labelled data" in refusal(tmp_path / "folder").message
    assert "There is no file" in refusal(tmp_path / "nowhere.jsonl").message
    assert refusal().message == "No file is given."


def test_files_are_read_as_one_set_with_their_names(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / f"{name}.jsonl").write_bytes(lines(ROWS))
    (tmp_path / "zz.json").write_text('{"about": "the set"}', "utf-8")
    found = load("detect", [tmp_path])
    assert [(i.id, i.part) for i in found.items if isinstance(i, Statement)] == [
        ("a:1", "a"),
        ("a:2", "a"),
        ("b:1", "b"),
        ("b:2", "b"),
    ]
    assert "Not read: zz.json." in found.notes


def test_ids_are_the_sets_own_and_differ(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    known = ["x", None, "2", "x", "x"]
    path.write_bytes(lines({**ROWS[0], **({"id": one} if one else {})} for one in known))
    ids = [s.id for s in statements(path)]
    assert ids == ["x", "2", "2#2", "x#2", "x#3"]


def test_the_label_map_can_be_changed_and_says_what_was_used(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines([{"text": "x", "label": n} for n in ("Not_Found", "supported", "odd")]))
    found = load("detect", [path], None, {"not found": True, "odd": False, "none": True})
    assert found.label_map == {"Not_Found": True, "supported": True, "odd": False}
    assert [i.truth for i in found.items if isinstance(i, Statement)] == [True, True, False]
    assert "No row has the label 'none'." in found.notes
    assert found.unmet_labels == ("none",)


def test_a_set_with_one_label_or_without_documents_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(lines([{"text": "x", "label": 0}] * 2))
    said = notes(tmp_path / "a.jsonl")
    assert "All labels are false: nothing can be told apart, and figures that need true" in said
    assert "2 of 2 come without documents." in said
