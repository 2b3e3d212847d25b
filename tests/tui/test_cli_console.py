"""Colours, streams and exit codes."""

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from veracite.engine.errors import CheckError, SettingsError
from veracite.tui import console
from veracite.tui.console import Look, guarded


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


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
def test_colours_only_where_they_are_wanted(
    environ: dict[str, str], terminal: bool, pipe: bool
) -> None:
    assert Look.of(Terminal(), environ).colour is terminal
    assert Look.of(io.StringIO(), environ).colour is pipe


@pytest.mark.parametrize(
    ("columns", "width"), [("120", 120), ("40", 40), ("5", 20), ("", 80), ("wide", 80), ("0", 80)]
)
def test_a_pipe_gets_the_columns_that_are_asked_for(columns: str, width: int) -> None:
    assert Look.of(io.StringIO(), {"COLUMNS": columns}).width == width


def test_symbols_need_an_encoding_that_has_them() -> None:
    latin = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    assert not Look.of(latin, {}).unicode
    assert Look.of(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), {}).unicode


def run(error: BaseException, crashes: Path, debug: bool = False) -> int:
    def work() -> int:
        raise error

    return guarded(work, debug=lambda: debug, crashes=str(crashes))


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (CheckError("No verdicts.", "Try again."), 3, "Error: No verdicts.\nTry again.\n"),
        (SettingsError("k is 0.", "Say 1."), 2, "Error: k is 0.\nSay 1.\n"),
        (console.UsageError("No text.", "Name one."), 2, "Error: No text.\nName one.\n"),
        (console.OutputError("Full.", "Make room."), 3, "Error: Full.\nMake room.\n"),
        (CheckError("\x1b[31mred.", "\u202eTry."), 3, "Error: \\x1b[31mred.\n\\u202eTry.\n"),
    ],
)
def test_expected_errors_are_two_sentences(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, error: Exception, code: int, says: str
) -> None:
    assert run(error, tmp_path) == code
    assert capsys.readouterr() == ("", says)


def test_an_interrupt_says_what_is_kept(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(KeyboardInterrupt(), tmp_path) == 130
    assert "What was finished is kept" in capsys.readouterr().err


def test_an_unexpected_error_is_one_sentence_and_a_private_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(ZeroDivisionError("by \x1bnaught"), tmp_path / "crashes") == 3
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "ZeroDivisionError: by \\x1bnaught" in err
    (details,) = (tmp_path / "crashes").iterdir()
    assert str(details) in err
    assert "Traceback" in details.read_text()
    assert stat.S_IMODE(details.stat().st_mode) == 0o600


def test_a_full_disk_at_standard_output_is_an_error(tmp_path: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "veracite.tui", "locate"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 3
    assert "cannot be written to standard output (No space left on device)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_away_is_no_failure() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "veracite.tui", "completion", "bash"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")
