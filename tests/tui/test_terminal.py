"""The app from end to end in a real terminal, on the sample draft and the samples' library."""

import shutil
import sys
from pathlib import Path

import pytest
from tmux import Terminal, terminal

SAMPLES = Path(__file__).parents[1] / "samples"
VERACITE = Path(sys.executable).with_name("veracite")
SIZE = (90, 40)
SCRIPT = 'stty -g >before; "$0"; code=$?; stty -g >after; echo "It ended with $code."; exec cat'
"""Notes what the terminal was set to before and afterwards, and keeps it open."""
CONTRADICTED = (
    "✗ Contradicts it",
    "history.md",
)

pytestmark = pytest.mark.skipif(
    shutil.which("tmux") is None, reason="tmux is not here: apt-get install tmux"
)


def enter(tmux: Terminal, key: str, prompt: str, value: str) -> None:
    """Answer the prompt that a key opens, which is there with these words of its own."""
    tmux.press(key)
    tmux.wait_for(prompt)
    tmux.type(value)
    tmux.wait_for(value)
    tmux.press("Enter")


def check(tmux: Terminal, *marked: str) -> None:
    """Check what is open, and read the verdicts: some in its text, and what one rests on."""
    tmux.wait_for("draft.md against ~/library", "Verdicts appear here")
    tmux.press("F5")
    tmux.wait_for("11 documents", "✗ 2", *marked)
    tmux.press("2")  # only what is contradicted
    tmux.wait_for(*CONTRADICTED)


def leave(tmux: Terminal, folder: Path) -> None:
    """Quit; the terminal is as it was before, and nothing of the app is left on it."""
    assert tmux.told("alternate_on") == ["1"]
    tmux.press("C-q")
    assert tmux.wait_for("It ended with") == "It ended with 0."
    assert tmux.told("alternate_on", "cursor_flag", "mouse_any_flag") == ["0", "1", "0"]
    assert (folder / "after").read_text() == (folder / "before").read_text()


def test_the_sample_draft_is_checked_and_is_there_again_at_the_next_start(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "draft.md", tmp_path)
    shutil.copytree(SAMPLES / "library", tmp_path / "library")
    places = {"DATA_DIR": "data", "CACHE_DIR": "cache", "CONFIG": "config.toml"}
    environ = {f"VERACITE_{name}": str(tmp_path / place) for name, place in places.items()}
    (tmp_path / "config.toml").touch()
    environ |= {"HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    command = ("sh", "-c", SCRIPT, str(VERACITE))
    with terminal(command, SIZE, environ, tmp_path) as tmux:
        tmux.wait_for("F5 Check")
        enter(tmux, "C-o", "Open a text", "~/draft.md")
        tmux.wait_for("Sixty years of looking up")
        enter(tmux, "C-l", "Check against", "~/library")
        check(tmux, "· Who has never stood in the dark", "~ Their society")
        leave(tmux, tmp_path)
    with terminal(command, SIZE, environ, tmp_path) as tmux:
        check(tmux)
        leave(tmux, tmp_path)
