"""``veracite check`` from the command line to the report, with the real engine."""

import json
import stat
from itertools import chain
from pathlib import Path

import openpyxl
import pytest
from command_line import Commands
from mill import DRAFT, FALSE, QUESTION, TRUE, UNFOUNDED, write_documents
from reports import valid

SAMPLES = Path(__file__).parents[1] / "samples"
GERMAN = (
    "Die Mühle brannte im Jahr 1904 vollständig ab und wurde danach nie wieder aufgebaut. "
    "Ihre Besitzerin war eine Frau aus der Stadt, die sie von ihrem Onkel gekauft hatte."
)
FRENCH = "Le moulin a complètement brûlé pendant la nuit et il n'a jamais été reconstruit ensuite."
SOME = "The Wilk telescope was installed in October 1989. Wilk lived in Penmouth. Adults pay £7."


def labels(out: str) -> dict[str, str]:
    return {claim["text"]: claim["label"] for claim in json.loads(out)["claims"]}


def test_the_number_of_threads_changes_no_report(veracite: Commands, tmp_path: Path) -> None:
    veracite.draft.write_text(SOME)
    against = [("-a", SAMPLES / "library" / name) for name in ("history.md", "visiting.html")]
    command = ("check", veracite.draft, *chain(*against))

    def reports(threads: int) -> list[str]:
        """Of the formats; the first is judged anew, the others are of what it remembered."""
        given = ("--threads", threads)
        environ = {"VERACITE_CACHE_DIR": f"{tmp_path}/{threads}"}
        kinds = ("json", "json", "html")
        return [veracite(*command, "--format", k, *given, environ=environ).out for k in kinds]

    one, *others = (reports(threads) for threads in (1, 4))
    assert others == [one]
    assert all(one)
    assert one[0] == one[1], "a second check gives the same bytes"
    claims = json.loads(one[0])["claims"]
    assert {claim["label"] for claim in claims} == {"supported", "contradicted", "not_found"}


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


def test_json_keeps_to_the_schema_and_places_are_those_of_the_draft(veracite: Commands) -> None:
    (veracite.documents / "broken.pdf").write_bytes(b"no pdf")
    trace = veracite.draft.with_name("trace.jsonl")
    ran = veracite.check("--json", "--trace", trace)
    made = valid(ran.out)
    assert labels(ran.out) == {
        TRUE: "supported",
        FALSE: "contradicted",
        UNFOUNDED: "not_found",
        QUESTION: "not_checkable",
    }
    for claim in made["claims"]:
        assert DRAFT[claim["start"] : claim["end"]] == claim["text"]
    assert made["documents"]["read"] == 2
    assert [Path(f["file"]).name for f in made["documents"]["failed"]] == ["broken.pdf"]
    assert ran.err == "1 document could not be read; the report names each with its reason.\n"
    assert stat.S_IMODE(trace.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("suffix", "begins"), [(".html", "<!doctype html>"), (".txt", "4 claims: 1 supported")]
)
def test_a_report_goes_to_a_file_in_the_format_of_its_suffix(
    kept: Commands, tmp_path: Path, suffix: str, begins: str
) -> None:
    target = tmp_path / f"report{suffix}"
    ran = kept.check("-o", target)
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    assert target.read_text().startswith(begins)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_only_chosen_labels_are_shown_and_all_are_counted(kept: Commands) -> None:
    ran = kept.check("--only", "supported,not-found")
    assert "Shown: 2 of 4 claims, those supported or not found." in ran.out
    assert "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable" in ran.out
    assert "supports it:" in ran.out
    assert "contradicts it" not in ran.out
    assert ran.code == 1, "what is not shown is a finding all the same"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        (GERMAN, 3, "2 of 2 sentences are in German, which"),
        (f"{TRUE} {FALSE} {TRUE}\n\n{GERMAN}\n", 0, "2 of 5 sentences are in German, which"),
        (f"{TRUE}\n\n{GERMAN}\n\n{FRENCH}", 0, "3 of 4 sentences are in German and French, which"),
        (f"{TRUE}\n\n{FRENCH}", 0, "do not read; it was not checked."),
    ],
)
def test_another_language_is_no_success(kept: Commands, text: str, code: int, told: str) -> None:
    ran = kept.check("--json", "--fail-on", "none", text=text)
    made = json.loads(ran.out)
    (note,) = made["notes"]
    assert told in note
    assert (ran.code, ran.err) == (code, f"Warning: {note}\n")
    assert made["text"]["path"] is None


def test_an_unknown_variable_is_warned_about(kept: Commands) -> None:
    assert "VERACITE_TRESHOLD is not known" in kept.check(environ={"VERACITE_TRESHOLD": "0.4"}).err
    assert kept.check("--quiet", environ={"VERACITE_TRESHOLD": "0.4"}).err == ""


def test_progress_and_colours_only_on_a_terminal(veracite: Commands) -> None:
    shown = veracite.check(terminal=True)
    assert shown.err.endswith("\r\x1b[K")
    assert "\x1b[1;31m✗ contradicted" in shown.out
    assert veracite.check("--quiet", terminal=True).err == ""


def test_another_encoding_of_the_terminal_gets_what_it_can_show(kept: Commands) -> None:
    text = f"{TRUE} Größe 日本."
    ran = kept.check(text=text, encoding="latin-1")
    assert "Größe \\u65e5\\u672c" in ran.out
    as_json = kept.check("--json", text=text, encoding="latin-1")
    assert "日本" in as_json.out.encode("latin-1").decode("utf-8")


def test_a_draft_may_be_a_document(veracite: Commands) -> None:
    against = write_documents(veracite.home / "documents", {"bees.txt": "Bees hum."})
    for name in ("annual-report-2023.pdf", "minutes-2023-11-15.docx", "instruments.html"):
        command = ("check", SAMPLES / "library" / name, "--against", against, "--json")
        ran = veracite(*command, "--retrieval", "lexical")
        made = json.loads(ran.out)
        source = made["text"]["source"]
        assert [source[one["start"] : one["end"]] for one in made["claims"]] == [*labels(ran.out)]
        assert len(made["claims"]) > 5, name
        assert any("Positions of claims" in note for note in made["notes"])


def test_a_citation_of_a_sheet_names_the_cells(veracite: Commands) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Visitors")
    for row in (("Year", "Boats", "Keeper"), (1911, 12, "Ida Roth"), (1912, 15, "Max Brandt")):
        sheet.append(row)
    veracite.home.joinpath("books").mkdir()
    book.save(veracite.home / "books" / "lock.xlsx")
    veracite.draft.write_text("In 1912 there were 15 boats.\n\nIn 1911 there were 19 boats.")
    command = ("check", veracite.draft, "--against", veracite.home / "books")
    claims = json.loads(veracite(*command, "--json").out)["claims"]
    found = [claim["citations"][0] for claim in claims]
    assert [(one["sheet"], one["cells"]) for one in found] == [
        ("Visitors", "A3, B3"), ("Visitors", "A2:C2"),
    ]  # fmt: skip
    for kind in ("text", "md", "html"):
        told = " ".join(veracite(*command, "--format", kind).out.split())
        assert "lock.xlsx, sheet Visitors, A2:C2" in told
