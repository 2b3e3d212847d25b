"""What leaves the app: names that are suggested for files, what is said of them, the clipboard."""

from pathlib import Path

import pytest
from conversing import asked
from screens import checked, messages, settle
from scripted import Script
from textual.pilot import Pilot
from textual.widgets import Input

from veracite.tui.app import VeraciteApp
from veracite.tui.screens.prompts import Prompt
from veracite.tui.screens.prompts import conversation_name as named_after


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where one is, and where everything is kept."""
    (tmp_path / "config.toml").touch()
    monkeypatch.setenv("VERACITE_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setenv("VERACITE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def suggested(pilot: Pilot[None]) -> str:
    """What stands in the prompt."""
    assert isinstance(pilot.app.screen, Prompt)
    return pilot.app.screen.query_one(Input).value


async def test_the_export_of_a_conversation_is_named_after_its_first_question(home: Path) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await asked(pilot, "What became of the mill?")
        await asked(pilot, "And then?")
        await pilot.press("ctrl+s")
        assert suggested(pilot) == "what-became-of-the-mill.html"
        await pilot.press("enter")
        await settle(pilot)
        assert messages(pilot) == ["Wrote ~/what-became-of-the-mill.html."]
    assert (home / "what-became-of-the-mill.html").stat().st_size


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Où est l'été / ../x?", "où-est-l-été-x"),
        ("谁 建造了 磨坊?", "谁-建造了-磨坊"),
        ("?!", "conversation"),
        ("word " * 40, "word-word-word-word-word-word-word-word-word-word-word-word"),
    ],
)
def test_what_no_file_may_be_called_is_left_out_of_its_name(question: str, name: str) -> None:
    assert named_after(question) == Path(f"{name}.html")


async def test_what_the_mouse_selects_is_copied_and_that_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    async with VeraciteApp(Script()).run_test(size=(120, 36)) as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        await settle(pilot)
        head = screen.evidence.query_one("#evidence-head")
        await pilot.mouse_down(head, offset=(0, 1))
        await pilot.hover(head, offset=(10, 1))
        await pilot.mouse_up(head, offset=(25, 1))
        await pilot.press("ctrl+c")
        await settle(pilot)
        assert pilot.app.clipboard == "Because it is contradicted"[: len(pilot.app.clipboard)]
        assert len(pilot.app.clipboard) > 20
        told = "Sent the selection to the terminal. If it allows that, it is on the clipboard now."
        assert messages(pilot) == [told]
