"""``veracite check --jsonl``: a report for each line, whatever is in the others."""

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
from typing import Any
from unittest.mock import patch

import pytest
from command_line import Commands
from mill import DRAFT, TRUE, UNFOUNDED
from reports import validator

from veracite.engine.libraries import open_library


def lines(*told: object) -> str:
    return "".join(one if isinstance(one, str) else json.dumps(one) + "\n" for one in told)


def reports(out: str) -> list[dict[str, Any]]:
    assert out.endswith("\n")
    return [json.loads(line) for line in out.split("\n")[:-1]]


def test_each_line_has_the_report_that_a_check_of_its_own_gives(kept: Commands) -> None:
    alone = [kept.check("--json", text=text).out for text in (DRAFT, TRUE)]
    with patch("veracite.engine.models.open_library", wraps=open_library) as opened:
        ran = kept.check("--jsonl", text=lines({"id": "a", "text": DRAFT}, "\n", {"text": TRUE}))
    assert ran.code == 1
    first, second = reports(ran.out)
    assert (first.pop("id"), second.pop("id")) == ("a", None)
    assert [first, second] == [json.loads(one) for one in alone]
    validator().validate(first)
    opened.assert_called_once()


def test_the_exit_code_is_that_of_the_worst_line(kept: Commands) -> None:
    well = {"id": 1, "text": TRUE}
    assert kept.check("--jsonl", text=lines(well, well)).code == 0
    numbers = [-7, 2.5, 10**15]
    ran = kept.check("--jsonl", text=lines(*({"id": n, "text": TRUE} for n in numbers)))
    assert [one["id"] for one in reports(ran.out)] == numbers
    assert kept.check("--jsonl", text=lines(well, {"text": UNFOUNDED}, well)).code == 1
    assert kept.check("--jsonl", text=lines({"text": UNFOUNDED}, "{\n", well)).code == 3
    assert kept.check("--jsonl", text="").code == 0


BAD = (
    ("not JSON", None),
    ('["text"]', None),
    ('{"id": 7, "text": " \\n"}', 7),
    ('{"id": "x", "text": 3}', "x"),
    ('{"id": NaN, "text": "A mill."}', None),
    ('{"id": 1e999, "text": "A mill."}', None),
    ('{"id": "\\ud800", "text": "A mill."}', None),
    ("[" * 100_000, None),
    ('{"id": {"a": 1}, "text": "A mill."}', None),
    ('{"id": ["a"], "text": "A mill."}', None),
    ('{"id": true, "text": "A mill."}', None),
)


def test_bad_lines_are_answered_and_the_others_are_checked(kept: Commands) -> None:
    well = {"id": 2, "text": TRUE}
    ran = kept.check("--jsonl", text=lines(*(one for bad, _ in BAD for one in (f"{bad}\n", well))))
    told = reports(ran.out)
    assert (ran.code, len(told)) == (3, 2 * len(BAD))
    for place, (line, name) in enumerate(BAD):
        wrong, right = told[2 * place : 2 * place + 2]
        assert (wrong["id"], wrong["line"], right["id"]) == (name, 2 * place + 1, 2)
        assert set(wrong["error"]) == {"message", "advice"}
        assert ("id" in wrong["error"]["message"]) == bool(re.search(r'"id": [\[{t].*"text"', line))
        assert right["claims"]


@pytest.mark.parametrize(
    ("waits", "unbuffered"), [("for a line", ""), ("for a reader", ""), ("for a reader", "1")]
)
def test_an_interrupt_leaves_whole_lines(kept: Commands, waits: str, unbuffered: str) -> None:
    command = ("check", "--jsonl", "--against", kept.documents)
    reading, writing = os.pipe()
    room = fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(
        [sys.executable, "-m", "veracite.tui", *map(str, command)],
        env={**os.environ, **kept.environ, "PYTHONUNBUFFERED": unbuffered},
        stdin=subprocess.PIPE,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    assert process.stdin is not None
    process.stdin.write(lines({"id": 1, "text": DRAFT * 4}).encode())
    process.stdin.flush()
    with open(reading, "rb", buffering=0) as out:
        # A whole line has been read, so the next is waited for; or the first byte, so the rest, for
        # which the pipe has no room, is being written.
        begun = out.readline() if waits == "for a line" else out.read(1)
        process.send_signal(signal.SIGINT)
        told = begun + out.read()
    _, err = process.communicate()
    assert len(told) > 2 * room
    assert (process.returncode, "Traceback" in err.decode()) == (130, False)
    (report,) = reports(told.decode())
    assert report["id"] == 1
