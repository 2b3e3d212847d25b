"""What is seen while the work goes on: how far it is, the time left, what is being written."""

import io
import sys
import time
from unittest.mock import patch

import pytest
from command_line import Terminal
from reports import verdict

from veracite.engine.events import Judged, Streamed
from veracite.engine.types import Label
from veracite.tui.progress import Pace, Progress, Step

JUDGED = Judged(0, verdict("It burned.", Label.SUPPORTED, source="It burned."), False, 1, 2)


def shown(terminal: Terminal) -> str:
    """What stands in the line that was written last."""
    terminal.flush()
    assert isinstance(terminal.buffer, io.BytesIO)
    return terminal.buffer.getvalue().decode().rpartition("\r\x1b[K")[2]


def test_the_end_of_what_is_written_is_shown_until_something_else_happens() -> None:
    made = Terminal(io.BytesIO(), encoding="utf-8")
    environ = {"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": "", "COLUMNS": "60", "LINES": "24"}
    with (
        patch.multiple(sys, stdout=made, stderr=made),
        patch.dict("os.environ", environ),
        patch.object(time, "monotonic", side_effect=map(float, range(1000))),
    ):
        progress = Progress(quiet=False)
        for word in "The mill burned down in 1904 and nobody\x1b[2J rebuilt\nit".split(" "):
            progress.update(Streamed(f"{word} "))
        assert shown(made).startswith("A draft, not verified yet: … ")
        assert shown(made).isprintable()
        assert "rebuilt" in shown(made)
        assert len(shown(made)) < 60
        progress.update(JUDGED)
        assert shown(made) == "judging 1/2  claims"
        progress.update(Streamed("Anew."))
        assert shown(made) == "A draft, not verified yet: … Anew."
        progress.clear()
        assert shown(made) == ""


@pytest.mark.parametrize(
    "told",
    [
        {(500, 0.0): "", (600, 10.0): "3 min left", (1800, 20.0): "4 s left", (2000, 21.0): ""},
        # what comes at once is no merit, and before two seconds nothing is told
        {(12, 0.0): "", (1000, 0.3): "", (1020, 1.9): "", (1050, 10.3): "4 min left"},
    ],
)
def test_the_time_left_follows_the_measured_pace(told: dict[tuple[int, float], str]) -> None:
    pace = Pace()
    pace.left(Step("Reading", 1, 2), -9.0)  # another stage
    for (done, now), words in told.items():
        assert pace.left(Step("Judging", done, 2000), now) == words
