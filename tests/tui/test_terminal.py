"""The app in a real terminal: it opens, checks, leaves at once, and leaves nothing behind."""

import os
import select
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from command_line import Commands
from tmux import PATIENCE, Terminal, terminal

SAMPLES = Path(__file__).parents[1] / "samples"
VERACITE = Path(sys.executable).with_name("veracite")
SIZE = (90, 40)
DRAFT = """Who has never looked up? Their society, the Wenlow Astronomical Society, dates from March
1957. The Wilk telescope was installed in October 1989.
"""
SCRIPT = 'stty -g >before; {}; code=$?; stty -g >after; echo "It ended with $code."; exec cat'
"""Notes what the terminal was set to before and afterwards, and keeps it open."""
BLOCKED = """
import threading
from veracite.engine.events import Segmented
from veracite.engine.paths import Paths
from veracite.tui import app

def check(*given, **named):
    yield Segmented(())
    threading.Event().wait()

app.LocalEngine.check = check
app.run(Paths.resolve())
"""
LATIN = """
import sys
from veracite.tui.cli import main

sys.__stderr__.reconfigure(encoding="latin-1")
sys.exit(main([]))
"""

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None, reason="tmux is not here: apt-get install tmux"
)


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return Commands(tmp_path).environ | {"HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}


def running(*command: str) -> tuple[str, ...]:
    return "sh", "-c", SCRIPT.format(shlex.join(command))


def check(tmux: Terminal, *marked: str) -> None:
    """Check what is open, and read the verdicts: some in its text, and what one rests on."""
    tmux.wait_for("draft.md against ~/library", "Verdicts appear here")
    tmux.press("F5")
    tmux.wait_for("11 documents", "The library disagrees with itself", *marked)
    tmux.press("2")  # only what is contradicted
    tmux.wait_for("✗ Contradicts it", "history.md")


def require_tidy(tmux: Terminal, folder: Path) -> None:
    """The terminal is as it was before, and nothing of the app is left on it."""
    assert tmux.wait_for("It ended with") == "It ended with 0."
    assert tmux.told("alternate_on", "cursor_flag", "mouse_any_flag") == ["0", "1", "0"]
    assert (folder / "after").read_text() == (folder / "before").read_text()


def test_a_draft_is_there_next_time(tmp_path: Path, environ: dict[str, str]) -> None:
    (tmp_path / "draft.md").write_text(DRAFT)
    shutil.copytree(SAMPLES / "library", tmp_path / "library")
    command = running(str(VERACITE))
    with terminal(command, SIZE, environ, tmp_path) as tmux:
        tmux.wait_for("F5 Check")
        tmux.answer("C-o", "Open a text", "~/draft.md")
        tmux.wait_for("Who has never looked up?")
        tmux.answer("C-l", "Check against", "~/library")
        check(tmux, "· Who has never looked up?", "~ Their society")
        assert tmux.told("alternate_on") == ["1"]
        tmux.press("C-q")
        require_tidy(tmux, tmp_path)
    with terminal(command, SIZE, environ, tmp_path) as tmux:
        check(tmux)


def test_a_given_text_is_there_to_its_last_word(tmp_path: Path, environ: dict[str, str]) -> None:
    # Two lines at any width: what is drawn first is too wide for the pane.
    text = "The society was founded in 1957. " * 3 + "It was given its last telescope in 1994."
    (tmp_path / "draft.md").write_text(f"{text}\n")
    for view in ("F3", "F2"):  # the second time, another view was the last one
        with terminal(running(str(VERACITE), "draft.md"), SIZE, environ, tmp_path) as tmux:
            tmux.wait_for("its last telescope in 1994.", "F5 Check")
            tmux.press(view)
            tmux.press("C-q")
            tmux.wait_for("It ended with 0.")


def test_edits_outlive_the_terminal(tmp_path: Path, environ: dict[str, str]) -> None:
    (tmp_path / "draft.md").write_text(DRAFT)
    os.mkfifo(tmp_path / "over")
    over = os.open(tmp_path / "over", os.O_RDONLY | os.O_NONBLOCK)
    command = f"exec {shlex.quote(str(VERACITE))} draft.md 3>over"  # closed when it has ended
    with terminal(("sh", "-c", command), SIZE, environ, tmp_path) as tmux:
        tmux.wait_for("Who has never looked up?", "F5 Check")
        tmux.type("Nobody? ")
        tmux.wait_for("Nobody? Who has never")
    assert select.select([over], [], [], PATIENCE)[0]
    os.close(over)
    assert (tmp_path / "draft.md").read_text() == DRAFT
    with terminal(running(str(VERACITE)), SIZE, environ, tmp_path) as tmux:
        tmux.wait_for("Nobody? Who has never looked up?", "draft.md (edited)")


def test_quitting_ends_a_step_that_never_ends(tmp_path: Path, environ: dict[str, str]) -> None:
    with terminal(running(sys.executable, "-c", BLOCKED), SIZE, environ, tmp_path) as tmux:
        tmux.wait_for("F5 Check")
        tmux.type("One claim.")
        tmux.press("F5")
        tmux.wait_for("Looking for documents")
        tmux.press("C-q")
        tmux.wait_for("is not saved")
        tmux.press("d")
        require_tidy(tmux, tmp_path)


def test_a_terminal_without_unicode_is_told(tmp_path: Path, environ: dict[str, str]) -> None:
    with terminal(running(sys.executable, "-c", LATIN), SIZE, environ, tmp_path) as tmux:
        tmux.wait_for("Set LANG to one of UTF-8", "It ended with 2.")
        assert tmux.told("alternate_on") == ["0"]
