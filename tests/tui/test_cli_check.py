"""``veracite check`` from the command line to the report, with the real engine."""

import json
import stat
from pathlib import Path
from typing import Any

import docx
import fpdf
import openpyxl
import pytest
from command_line import Commands
from mill import DRAFT, FALSE, QUESTION, TRUE, UNFOUNDED
from reports import validator

GERMAN = (
    "Die Mühle brannte im Jahr 1904 vollständig ab und wurde danach nie wieder aufgebaut. "
    "Ihre Besitzerin war eine Frau aus der Stadt, die sie von ihrem Onkel gekauft hatte."
)
WHO = "Anna Berg, who owned it, had bought the mill from her uncle in 1889."


def labels(out: str) -> dict[str, str]:
    return {claim["text"]: claim["label"] for claim in json.loads(out)["claims"]}


def test_the_number_of_threads_changes_no_report(veracite: Commands, tmp_path: Path) -> None:
    samples = Path(__file__).parents[1] / "samples"
    command = ("check", samples / "draft.md", "--against", samples / "library")

    def reports(threads: int) -> list[str]:
        """Of the formats; the first is judged anew, the others are of what it remembered."""
        given = ("--threads", threads)
        environ = {"VERACITE_CACHE_DIR": f"{tmp_path}/{threads}"}
        kinds = ("json", "html", "sarif", "md", "junit")
        return [veracite(*command, "--format", k, *given, environ=environ).out for k in kinds]

    one, *others = (reports(threads) for threads in (1, 2, 4))
    assert others == [one, one]
    assert all(one)
    claims = json.loads(one[0])["claims"]
    assert {claim["label"] for claim in claims} >= {"supported", "contradicted", "uncertain"}


def test_a_draft_is_checked_against_a_folder(kept: Commands) -> None:
    ran = kept.check()
    assert (ran.code, ran.err) == (1, "")
    assert "supports it: documents/mill.md, characters 19-55" in ran.out
    assert "    “The Harrow mill burned down in 1904.”" in ran.out
    assert "contradicts it: documents/mill.md, characters 19-55" in ran.out
    assert ran.out.endswith(
        "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable.\n"
        "2 documents read, none failed.\n"
    )


def test_what_was_overridden_in_the_app_holds_here_and_is_marked(veracite: Commands) -> None:
    kept = veracite.home / "data" / "overrides.json"
    kept.parent.mkdir(exist_ok=True)
    said = {"claim": FALSE, "label": "supported", "note": "I dug."}
    said["documents"] = str(veracite.documents)
    kept.write_text(json.dumps({"schema": "veracite.overrides/1", "overrides": [said]}))
    ran = veracite.check("--fail-on", "contradicted")
    assert (ran.code, ran.err) == (0, "")
    assert "✓ supported (overridden by hand)" in ran.out
    assert "I dug. (The check said: contradicted" in ran.out
    assert "2 supported, 1 not found, 1 not checkable (1 overridden by hand)." in ran.out
    kept.write_text("no")
    ran = veracite.check("--fail-on", "contradicted")
    assert ran.code == 1
    assert "overrides.json, cannot be read" in ran.err


def test_json_keeps_to_the_schema_and_quotes_are_found_in_the_documents(veracite: Commands) -> None:
    (veracite.documents / "broken.pdf").write_bytes(b"no pdf")
    trace = veracite.draft.with_name("trace.jsonl")
    ran = veracite.check("--json", "--trace", trace)
    made: dict[str, Any] = json.loads(ran.out)
    validator().validate(made)
    assert labels(ran.out) == {
        TRUE: "supported",
        FALSE: "contradicted",
        UNFOUNDED: "not_found",
        QUESTION: "not_checkable",
    }
    for claim in made["claims"]:
        assert DRAFT[claim["start"] : claim["end"]] == claim["text"]
        for citation in claim["citations"]:
            text = Path(citation["file"]).read_text()
            assert text[citation["start"] : citation["end"]] == citation["quote"]
    assert made["documents"]["read"] == 2
    assert [Path(f["file"]).name for f in made["documents"]["failed"]] == ["broken.pdf"]
    assert ran.err == "1 document could not be read; the report names each with its reason.\n"
    names = [json.loads(line)["event"] for line in trace.read_text().splitlines()]
    assert (names[0], names[-1]) == ("Segmented", "Finished")
    assert {"Scanned", "FileRead", "Synced", "Retrieved", "Judged"} <= set(names)
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600


def test_the_second_run_gives_the_same_bytes(kept: Commands, tmp_path: Path) -> None:
    first = kept.check("--json")
    assert kept.check("--json").out == first.out
    elsewhere = {"VERACITE_CACHE_DIR": str(tmp_path / "fresh")}
    assert kept.check("--json", environ=elsewhere).out == first.out


@pytest.mark.parametrize(
    ("fail_on", "code"),
    [
        ("contradicted", 1),
        ("not_found", 1),
        ("not-found,uncertain", 1),
        ("not_checkable", 1),
        ("uncertain", 0),
        ("none", 0),
    ],
)
def test_what_counts_as_a_finding_can_be_chosen(kept: Commands, fail_on: str, code: int) -> None:
    assert kept.check("--fail-on", fail_on).code == code


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [
        (".json", "{"),
        (".md", "# Checked"),
        (".html", "<!doctype html>"),
        (".txt", "4 claims: 1 supported"),
    ],
)
def test_a_report_goes_to_a_file_in_the_format_of_its_suffix(
    kept: Commands, tmp_path: Path, suffix: str, begins: str
) -> None:
    target = tmp_path / f"report{suffix}"
    ran = kept.check("-o", target)
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    assert target.read_text().startswith(begins)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


@pytest.mark.parametrize("kind", ["text", "md", "html"])
def test_only_chosen_labels_are_shown_and_all_are_counted(kept: Commands, kind: str) -> None:
    ran = kept.check("--format", kind, "--only", "supported,not-found")
    assert "Shown: 2 of 4 claims, those supported or not found." in ran.out
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable" in ran.out
    assert "supports it:" in ran.out or "supports it ·" in ran.out
    assert "contradicts it" not in ran.out
    assert ran.code == 1, "what is not shown is a finding all the same"


@pytest.mark.parametrize(
    ("text", "code", "note"),
    [
        (GERMAN, 3, "2 of 2 sentences are in German, {unread} nothing was checked."),
        (
            f"{TRUE} {WHO} {TRUE}\n\n{GERMAN}\n",
            0,
            "2 of 5 sentences are in German, {unread} they were not checked.",
        ),
    ],
)
def test_another_language_is_no_success(kept: Commands, text: str, code: int, note: str) -> None:
    note = note.format(unread="which the bundled models do not read;")
    ran = kept.check("--json", "--fail-on", "none", text=text)
    assert (ran.code, ran.err) == (code, f"Warning: {note}\n")
    made = json.loads(ran.out)
    assert (made["notes"], made["text"]["path"]) == ([note], None)


def test_an_unknown_variable_is_warned_about(kept: Commands) -> None:
    assert "VERACITE_TRESHOLD is not known" in kept.check(environ={"VERACITE_TRESHOLD": "0.4"}).err
    assert kept.check("--quiet", environ={"VERACITE_TRESHOLD": "0.4"}).err == ""


def test_progress_and_colours_only_on_a_terminal(veracite: Commands) -> None:
    shown = veracite.check(terminal=True)
    assert "\r\x1b[K" in shown.err
    assert shown.err.endswith("\r\x1b[K")
    assert "\x1b[1;31m✗ contradicted" in shown.out
    assert veracite.check("--quiet", terminal=True).err == ""
    assert "\x1b" not in veracite.check(terminal=True, environ={"NO_COLOR": "1"}).out


def test_another_encoding_of_the_terminal_gets_what_it_can_show(kept: Commands) -> None:
    text = f"{TRUE} Größe 日本."
    ran = kept.check(text=text, encoding="latin-1")
    assert "Größe \\u65e5\\u672c" in ran.out
    as_json = kept.check("--json", text=text, encoding="latin-1")
    assert "日本" in as_json.out.encode("latin-1").decode("utf-8")


def test_a_draft_may_be_a_document(kept: Commands, tmp_path: Path) -> None:
    word = docx.Document()
    word.add_paragraph(TRUE)
    word.save(str(tmp_path / "draft.docx"))
    pdf = fpdf.FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=12)
    pdf.multi_cell(0, text=TRUE)
    pdf.output(str(tmp_path / "draft.pdf"))
    (tmp_path / "draft.html").write_text(f"<!doctype html><title>x</title><p>{TRUE}</p>")
    for name in ("draft.docx", "draft.pdf", "draft.html"):
        ran = kept("check", tmp_path / name, "--against", kept.documents, "--json")
        assert list(labels(ran.out)) == [TRUE], name
        assert any("Positions of claims" in note for note in json.loads(ran.out)["notes"])


def test_a_citation_of_a_sheet_names_the_cells(veracite: Commands) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Visitors")
    for row in (("Year", "Boats", "Keeper"), (1911, 12, "Ida Roth"), (1912, 15, "Max Brandt")):
        sheet.append(row)
    veracite.home.joinpath("books").mkdir()
    book.save(veracite.home / "books" / "lock.xlsx")
    veracite.draft.write_text("In 1912 there were 15 boats.\n\nIn 1911 there were 19 boats.")
    command = ("check", veracite.draft, "--against", veracite.home / "books")
    ran = veracite(*command)
    assert "books/lock.xlsx, sheet Visitors, A3, B3, characters" in " ".join(ran.out.split())
    found = [
        claim["citations"][0] for claim in json.loads(veracite(*command, "--json").out)["claims"]
    ]
    assert [(one["sheet"], one["cells"]) for one in found] == [
        ("Visitors", "A3, B3"), ("Visitors", "A2:C2"),
    ]  # fmt: skip
    for kind in ("md", "html"):
        assert "lock.xlsx, sheet Visitors, A2:C2" in veracite(*command, "--format", kind).out


@pytest.mark.parametrize("option", ["--output", "--trace"])
def test_no_document_is_overwritten(veracite: Commands, documents: Path, option: str) -> None:
    (document, *_) = sorted(path for path in documents.iterdir() if path.is_file())
    before = document.read_bytes()
    draft = documents.parent / "draft.txt"
    draft.write_text("The mill burned down in 1902.\n")
    ran = veracite("check", draft, "--against", documents, option, document)
    ran.fails(2, "is among the documents", "outside their folder")
    assert document.read_bytes() == before
