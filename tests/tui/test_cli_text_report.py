"""The report for people: readable at 80 columns, and honest about what was not read."""

import io
import os
import re
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Terminal
from reports import citation, disagreed, report, verdict

from veracite.engine.display import width_of
from veracite.engine.errors import CheckError
from veracite.engine.report.phrases import base_name, percent
from veracite.engine.types import Answer, Label, Report
from veracite.tui.console import Look, guarded
from veracite.tui.text_report import render

PLAIN = Look(colour=False, unicode=True, width=80)


TEXT = "The mill burned. It was rebuilt. Bees hum in spring."
NEAR = tuple(citation(f"Hive {n}.", "nearest", start=n, end=n + 7) for n in range(200, 203))
VERDICTS = (
    verdict("The mill burned.", Label.SUPPORTED, citation("It burned."), source=TEXT),
    verdict("It was rebuilt.", Label.CONTRADICTED, citation("No.", "contradicts"), source=TEXT),
    verdict("Bees hum in spring.", Label.NOT_FOUND, *NEAR, source=TEXT),
)


def answered(**changes: object) -> Report:
    answer = replace(Answer("What burned?", TEXT, VERDICTS), **changes)  # type: ignore[arg-type]
    return replace(report(*answer.verdicts, source=TEXT), method="vtg", answer=answer)


def test_a_report_from_its_verdicts_to_what_could_not_be_read() -> None:
    lines = render(report(), PLAIN).splitlines()
    assert "✓ supported (93 %)" in lines
    assert "? not found (93 %)" in lines
    start = lines.index("· not checkable (a question)")
    assert lines[start + 1 : start + 3] == ["  Who paid?", ""]
    start = lines.index("✗ contradicted (93 %)")
    assert lines[start + 1 : start + 7] == [
        "  It was rebuilt in 1911.",
        "  The quoted sentence says so.",
        "  not in the quote: 1911",
        "    The claim says     “It was rebuilt in 1911.”",
        "    The document says  “It was never rebuilt.”",
        "    “It was never rebuilt.”",
    ]
    assert "      supports it: mill.pdf, page 3, characters 120-138" in lines
    assert "      nearest: mill.pdf, page 3, characters 120-133" in lines
    assert "Note: Search goes by words alone." in lines
    assert lines[-5:-1] == [
        "4 claims: 1 supported, 1 contradicted, 1 not found, 1 not checkable.",
        "12 documents read, 1 could not be read.",
        "  broken.pdf: The file is encrypted. Open it.",
        "`veracite library status`, with the same folders or name, lists what was not",
    ]


def test_both_sides_of_a_disagreement_stand_together() -> None:
    out = render(disagreed(), PLAIN)
    assert "\nThe library disagrees with itself on 1 claim.\n" in out
    lines = out.splitlines()
    start = lines.index("    The library disagrees with itself:")
    assert lines[start + 1 : start + 6] == [
        "    “It burned in 1904.”",
        "      supports it: mill.pdf, page 3, characters 120-138",
        "    “The fire was in 1905.”",
        "      contradicts it: leaflet.pdf, page 1, characters 120-141",
        "",
    ]


def test_only_what_is_supported_stands_without_a_mark() -> None:
    lines = render(answered(), PLAIN, base_name).splitlines()
    assert lines[2:6] == [
        "The mill burned. [1]",
        "✗ contradicted (93 %): It was rebuilt. (contradicted by [2])",
        "  The quoted sentence says so.",
        "? not found (93 %): Bees hum in spring. (nearest: [3])",
    ]
    assert "[1] mill.pdf, page 3, characters 120-130" in lines
    assert "    “It burned.”" in lines
    assert "3 sentences: 1 supported, 1 contradicted, 1 not found." in lines
    assert "[4] " not in "\n".join(lines)
    verbose = render(answered(), PLAIN, base_name, verbose=True)
    assert "(nearest: [3][4][5])" in verbose
    assert verbose.count("The quoted sentence says so.") == 3


@pytest.mark.parametrize("label", [Label.NOT_FOUND, Label.UNCERTAIN])
def test_of_what_settles_nothing_only_the_nearest_is_quoted(label: Label) -> None:
    quotes = [citation(f"{word} " * 70, "nearest") for word in ("near", "far", "farther")]
    out = render(report(verdict("Who paid?", label, *quotes)), PLAIN)
    assert "“near" in out
    assert "far " not in out
    quoted = " ".join(out.partition("“")[2].partition("”")[0].split())
    assert len(quoted) <= 240
    assert "2 more near quotes are left out; --verbose shows them." in out
    verbose = render(report(verdict("Who paid?", label, *quotes)), PLAIN, verbose=True)
    assert len(re.findall(r"\b(?:near|far|farther) ", " ".join(verbose.split()))) > 190
    assert "--verbose" not in verbose


@pytest.mark.parametrize("width", [20, 40, 80, 100])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    for text in ("word " * 60, "x" * 300, "日本語の文は空白がない。" * 20):
        claim = verdict(text, Label.SUPPORTED, citation(text), source=text)
        for made in (report(claim, source=text), answered(nearest=NEAR, probability=0.3)):
            out = render(made, Look(True, True, width), base_name)
            bare = re.sub(r"\x1b\[[0-9;]*m", "", out)
            assert max(map(width_of, bare.splitlines())) <= width


def test_without_unicode_only_ascii_is_used() -> None:
    ascii_only = Look(colour=False, unicode=False, width=80)
    out = render(report(), ascii_only)
    assert out.isascii()
    assert "x contradicted (93 %)" in out
    assert '    "It was never rebuilt."' in out
    assert render(answered(nearest=NEAR), ascii_only).isascii()


def test_certainty_is_not_claimed_by_rounding() -> None:
    assert [percent(p) for p in (0.9951, 1.0, 0.004)] == ["99 %", "100 %", "0 %"]


@pytest.mark.parametrize(
    ("environ", "terminal", "pipe"),
    [
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "0", "TERM": "xterm"}, False, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colours_where_they_are_wanted(environ: dict[str, str], terminal: bool, pipe: bool) -> None:
    assert Look.of(Terminal(io.BytesIO(), encoding="utf-8"), environ).colour is terminal
    assert Look.of(io.StringIO(), environ).colour is pipe


@pytest.mark.parametrize(
    ("columns", "width"), [("120", 120), ("40", 40), ("5", 20), ("", 80), ("wide", 80), ("0", 80)]
)
def test_a_pipe_gets_the_columns_that_are_asked_for(columns: str, width: int) -> None:
    assert Look.of(io.StringIO(), {"COLUMNS": columns}).width == width


def run(error: BaseException, crashes: Path) -> int:
    def work() -> int:
        raise error

    return guarded(work, debug=lambda: False, crashes=crashes)


def test_an_expected_error_is_two_harmless_sentences(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(CheckError("\x1b[31mred.", "\u202eTry."), tmp_path) == 3
    assert capsys.readouterr() == ("", "Error: \\x1b[31mred.\n\\u202eTry.\n")


def test_a_crash_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(ZeroDivisionError("by \x1bnaught"), tmp_path / "crashes") == 3
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "ZeroDivisionError: by \\x1bnaught" in err
    (details,) = (tmp_path / "crashes").iterdir()
    assert str(details) in err
    assert "Traceback" in details.read_text()
    assert stat.S_IMODE(details.stat().st_mode) == 0o600


def writing_to(stdout: int, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "veracite.tui", *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
def test_a_full_disk_at_standard_output_is_an_error() -> None:
    with open("/dev/full", "wb") as full:
        done = writing_to(full.fileno(), "locate")
    assert done.returncode == 3
    assert "cannot be written to standard output (No space left on device)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_failure() -> None:
    read, write = os.pipe()
    os.close(read)
    done = writing_to(write, "completion", "bash")
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")
