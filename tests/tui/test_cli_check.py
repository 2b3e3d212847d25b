"""``veracite check`` from the command line to the report, with the real engine."""

import json
import stat
from importlib.resources import files
from pathlib import Path
from typing import Any

import docx
import fpdf
import jsonschema
import pytest
from command_line import Commands
from mill import DRAFT, FALSE, QUESTION, TRUE, UNFOUNDED

GERMAN = (
    "Die Mühle brannte im Jahr 1904 vollständig ab und wurde danach nie wieder aufgebaut. "
    "Ihre Besitzerin war eine Frau aus der Stadt, die sie von ihrem Onkel gekauft hatte."
)
WHO = "Anna Berg, who owned it, had bought the mill from her uncle in 1889."


@pytest.fixture
def veracite(kept: Commands) -> Commands:
    """For what changes no settings; others take ``fresh`` and ``own`` documents."""
    return kept


@pytest.fixture
def documents(kept_documents: Path) -> Path:
    return kept_documents


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "draft.md"
    path.write_text(DRAFT)
    return path


def labels(out: str) -> dict[str, str]:
    return {claim["text"]: claim["label"] for claim in json.loads(out)["claims"]}


def test_the_number_of_threads_changes_nothing_of_a_report(fresh: Commands, tmp_path: Path) -> None:
    samples = Path(__file__).parents[1] / "samples"
    command = ("check", samples / "draft.md", "--against", samples / "library", "--json")
    reports = {
        fresh(
            *command, "--threads", threads, environ={"VERACITE_CACHE_DIR": f"{tmp_path}/{threads}"}
        ).out
        for threads in (1, 2, 3)
    }

    (report,) = reports
    claims = json.loads(report)["claims"]
    assert {claim["label"] for claim in claims} >= {"supported", "contradicted", "uncertain"}


def test_a_draft_is_checked_against_a_folder(
    veracite: Commands, draft: Path, documents: Path
) -> None:
    ran = veracite("check", draft, "--against", documents)
    assert (ran.code, ran.err) == (1, "")
    assert "supports it: documents/mill.md, characters 19-55" in ran.out
    assert "    “The Harrow mill burned down in 1904.”" in ran.out
    assert "contradicts it: documents/mill.md, characters 19-55" in ran.out
    assert ran.out.endswith(
        "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable.\n"
        "2 documents read, none failed.\n"
    )


def test_what_was_overridden_in_the_app_holds_here_and_is_marked(
    fresh: Commands, draft: Path, own: Path
) -> None:
    kept = fresh.home / "data" / "overrides.json"
    kept.parent.mkdir(exist_ok=True)
    said = {"documents": str(own), "claim": FALSE, "label": "supported", "note": "I dug."}
    kept.write_text(json.dumps({"schema": "veracite.overrides/1", "overrides": [said]}))
    ran = fresh("check", draft, "--against", own, "--fail-on", "contradicted")
    assert (ran.code, ran.err) == (0, "")
    assert "✓ supported (overridden by hand)" in ran.out
    assert "I dug. (The check said: contradicted" in ran.out
    assert "2 supported, 1 not found, 1 not checkable (1 overridden by hand)." in ran.out
    kept.write_text("no")
    ran = fresh("check", draft, "--against", own, "--fail-on", "contradicted")
    assert ran.code == 1
    assert "overrides.json, cannot be read" in ran.err


def test_json_keeps_to_the_schema_and_quotes_are_found_in_the_documents(
    fresh: Commands, draft: Path, own: Path
) -> None:
    (own / "broken.pdf").write_bytes(b"no pdf")
    trace = draft.with_name("trace.jsonl")
    ran = fresh("check", draft, "--against", own, "--json", "--trace", trace)
    made: dict[str, Any] = json.loads(ran.out)
    schema = files("veracite.engine.report").joinpath("report-1.schema.json").read_text("utf-8")
    jsonschema.Draft202012Validator(json.loads(schema)).validate(made)
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


def test_the_second_run_gives_the_same_bytes(
    veracite: Commands, draft: Path, documents: Path, tmp_path: Path
) -> None:
    command = ("check", draft, "--against", documents, "--json")
    first = veracite(*command)
    assert veracite(*command).out == first.out
    elsewhere = {"VERACITE_CACHE_DIR": str(tmp_path / "fresh")}
    assert veracite(*command, environ=elsewhere).out == first.out


def test_standard_input_is_a_text_too(veracite: Commands, documents: Path) -> None:
    ran = veracite("check", "-", "--against", documents, "--json", stdin=TRUE.encode())
    assert json.loads(ran.out)["text"]["path"] is None
    assert list(labels(ran.out)) == [TRUE]


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
def test_what_counts_as_a_finding_can_be_chosen(
    veracite: Commands, draft: Path, documents: Path, fail_on: str, code: int
) -> None:
    ran = veracite("check", draft, "--against", documents, "--fail-on", fail_on)
    assert ran.code == code


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
    veracite: Commands, draft: Path, documents: Path, tmp_path: Path, suffix: str, begins: str
) -> None:
    target = tmp_path / f"report{suffix}"
    ran = veracite("check", draft, "--against", documents, "-o", target)
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    assert target.read_text().startswith(begins)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


@pytest.mark.parametrize("kind", ["text", "md", "html"])
def test_only_chosen_labels_are_shown_and_all_are_counted(
    veracite: Commands, draft: Path, documents: Path, kind: str
) -> None:
    command = ("check", draft, "-a", documents, "--format", kind, "--only", "supported,not-found")
    ran = veracite(*command)
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
def test_a_text_in_another_language_is_no_success_and_a_part_of_it_is_noted(
    veracite: Commands, documents: Path, text: str, code: int, note: str
) -> None:
    note = note.format(unread="which the bundled models do not read;")
    command = ("check", "-", "-a", documents, "--json", "--fail-on", "none")
    ran = veracite(*command, stdin=text.encode())
    assert (ran.code, ran.err) == (code, f"Warning: {note}\n")
    assert json.loads(ran.out)["notes"] == [note]


def test_an_unknown_variable_is_warned_about(
    veracite: Commands, draft: Path, documents: Path
) -> None:
    command = ("check", draft, "-a", documents)
    ran = veracite(*command, environ={"VERACITE_TRESHOLD": "0.4"})
    assert ran.err == (
        "The environment variable VERACITE_TRESHOLD is not known to Veracite. "
        "Did you mean VERACITE_THRESHOLD?\n"
    )
    assert veracite(*command, "--quiet", environ={"VERACITE_TRESHOLD": "0.4"}).err == ""


def test_progress_and_colours_only_on_a_terminal(fresh: Commands, draft: Path, own: Path) -> None:
    shown = fresh("check", draft, "--against", own, terminal=True)
    assert "\r\x1b[K" in shown.err
    assert shown.err.endswith("\r\x1b[K")
    assert "\x1b[1;31m✗ contradicted" in shown.out
    quiet = fresh("check", draft, "--against", own, "--quiet", terminal=True)
    assert quiet.err == ""
    plain = fresh("check", draft, "--against", own, terminal=True, environ={"NO_COLOR": "1"})
    assert "\x1b" not in plain.out


def test_another_encoding_of_the_terminal_gets_what_it_can_show(
    veracite: Commands, documents: Path
) -> None:
    text = f"{TRUE} Größe 日本.".encode()
    ran = veracite("check", "-", "--against", documents, stdin=text, encoding="latin-1")
    assert "Größe \\u65e5\\u672c" in ran.out
    as_json = veracite(
        "check", "-", "--against", documents, "--json", stdin=text, encoding="latin-1"
    )
    assert "日本" in as_json.out.encode("latin-1").decode("utf-8")


def test_a_draft_may_be_a_document(veracite: Commands, documents: Path, tmp_path: Path) -> None:
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
        ran = veracite("check", tmp_path / name, "--against", documents, "--json")
        assert list(labels(ran.out)) == [TRUE], name
        assert any("Positions of claims" in note for note in json.loads(ran.out)["notes"])


def test_documents_cannot_write_to_the_terminal(veracite: Commands, tmp_path: Path) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "evil\x1b[2J\u202e.txt").write_text(
        f"\x1b]0;owned\x07 {TRUE} \u202eerom on \x9b31m\n"
    )
    (folder / "\x1b[31mbroken.pdf").write_bytes(b"no pdf")
    ran = veracite("check", "-", "--against", folder, stdin=TRUE.encode())
    assert "1904" in ran.out
    assert ran.out.replace("\n", "").isprintable()
    assert ran.err.replace("\n", "").isprintable()
