"""What is seen while the work goes on: the time left, the draft, and what is verified of it."""

import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from reports import verdict

from veracite.engine.events import Event, Judged, Streamed
from veracite.engine.methods.events import Settled
from veracite.engine.types import Answer, Label
from veracite.tui.progress import Pace, Progress

BURNED = "The mill burned."
JUDGED = Judged(0, verdict(BURNED, Label.SUPPORTED, source=BURNED), False, 1, 2)


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True

    def written(self) -> str:
        self.flush()
        buffer = self.buffer
        assert isinstance(buffer, io.BytesIO)
        return buffer.getvalue().decode()


@contextmanager
def terminal() -> Iterator[Terminal]:
    """Standard output and error on a terminal of 40 columns."""
    made = Terminal(io.BytesIO(), encoding="utf-8")
    environ = {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "40", "LINES": "24"}
    with patch.multiple(sys, stdout=made, stderr=made), patch.dict("os.environ", environ):
        yield made


def screen(written: str) -> list[str]:
    """The lines that stay on a terminal that obeys what it is told here."""
    lines, row, column = [""], 0, 0
    rest = written
    while rest:
        if rest.startswith("\x1b["):
            end = next(i for i, c in enumerate(rest) if c.isalpha())
            code, rest = rest[2 : end + 1], rest[end + 1 :]
            if code == "K":
                lines[row] = lines[row][:column]
            elif code == "J":
                lines[row:] = [lines[row][:column]]
            elif code.endswith("A"):
                row -= int(code[:-1])
                assert row >= 0
            else:
                assert code.endswith("m")
            continue
        character, rest = rest[0], rest[1:]
        if character == "\n":
            row, column = row + 1, 0
            lines += [""] * (row == len(lines))
        elif character == "\r":
            column = 0
        else:
            lines[row] = lines[row][:column] + character + lines[row][column + 1 :]
            column += 1
            assert column < 40, "a line that the terminal would break"
    return lines


def shown(events: Iterable[Event], **options: bool) -> Progress:
    ticks = iter(range(1000))
    progress = Progress(quiet=False, clock=lambda: float(next(ticks)), **options)
    for event in events:
        progress.update(event)
    return progress


def test_a_draft_is_shown_while_it_is_written_and_then_taken_away() -> None:
    with terminal() as shown_on:
        words = "The mill burned down in the year 1904 and nobody\x1b[2J rebuilt it".split()
        progress = shown((Streamed(f"{word} ") for word in words), drafts=True)
        progress.update(JUDGED)
        assert screen(shown_on.written()) == [
            "A draft, not verified yet:",
            "  The mill burned down in the year 1904",
            "  and nobody\\x1b[2J rebuilt it",
            "judging 1/2  claims",
        ]
        progress.update(Streamed("Anew."))
        assert screen(shown_on.written())[:2] == ["A draft, not verified yet:", "  Anew."]
        progress.clear()
        assert screen(shown_on.written()) == [""]
        progress.update(JUDGED)
        assert screen(shown_on.written()) == ["judging 1/2  claims"]


def test_of_a_long_draft_the_end_is_shown() -> None:
    with terminal() as shown_on:
        shown([Streamed(f"Sentence number {n} is here. ") for n in range(99)], drafts=True)
        lines = screen(shown_on.written())
        assert len(lines) < 12
        assert "98" in " ".join(lines)


def test_no_draft_is_shown_where_nobody_asks_for_it() -> None:
    with terminal() as shown_on:
        shown([Streamed("Perhaps.")])
        assert shown_on.written() == ""


def test_what_is_verified_so_far_is_shown_until_more_is_written() -> None:
    with terminal() as shown_on:
        verified = Settled(Answer("What burned?", "The mill burned.", ()))
        progress = shown([Streamed("The mill"), verified, JUDGED], drafts=True)
        assert screen(shown_on.written())[:2] == ["Verified so far:", "  The mill burned."]
        progress.update(Streamed("Bees hum."))
        assert screen(shown_on.written())[:2] == ["A draft, not verified yet:", "  Bees hum."]


def test_the_time_left_is_told_at_the_pace_that_was_measured() -> None:
    pace = Pace()
    assert pace.left(500, 2000, 0.0) == ""
    assert pace.left(600, 2000, 10.0) == "3 min left"
    assert pace.left(1800, 2000, 20.0) == "4 s left"


def test_nothing_is_told_before_something_costly_was_measured() -> None:
    pace = Pace()
    assert pace.left(12, 37, 0.0) == ""
    assert pace.left(14, 37, 0.9) == ""
    assert pace.left(16, 37, 6.0) == "32 s left"


def test_the_time_left_follows_a_pace_that_changes() -> None:
    pace = Pace()
    for second in range(0, 21, 2):
        pace.left(32 * second, 6400, float(second))
    slower = [pace.left(640 + second, 6400, 20.0 + second) for second in range(2, 24, 2)]
    assert slower[0] == "4 min left"
    assert slower[-1] == "1.6 h left", "of what was fast nothing is left in the last 20 seconds"


def test_a_long_piece_of_work_goes_by_the_last_half_of_it() -> None:
    pace = Pace()
    for minute in range(10):
        pace.left(minute, 100, 60.0 * minute)
    assert pace.left(10, 100, 600.0) == "1.5 h left"
    assert pace.left(11, 100, 601.0) == "1.2 h left"
