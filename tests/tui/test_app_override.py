"""A person's own verdicts, and the report that is written from the app."""

import json
from pathlib import Path

import pytest
from screens import checked, messages, settle, sheet, shown, status, symbols
from scripted import UNFOUNDED, Script
from textual.pilot import Pilot
from textual.widgets import Input

from veracite.engine.paths import Paths
from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.check import CheckScreen


def paths(folder: Path) -> Paths:
    return Paths(folder / "data", folder / "cache", folder / "config.toml")


async def override(pilot: Pilot[None], *keys: str, note: str) -> None:
    """Say something about the claim that is shown."""
    await pilot.press("v", *keys, "enter")
    pilot.app.screen.query_one(Input).value = note
    await pilot.press("enter")
    await pilot.pause()


async def test_an_override_shows_counts_and_can_be_taken_back() -> None:
    async with VeraciteApp(Script()).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "n")
        await override(pilot, "up", "up", note="I [b]know[/b] him.")
        assert symbols(screen.text.reader)[UNFOUNDED] == "✓*"
        assert "✓ Supported  overridden by hand" in shown(screen)
        assert "Overridden by you: I [b]know[/b] him. (The check said: not found, 80 %.)" in shown(
            screen
        )
        assert screen.state.counts[Label.SUPPORTED] == 2
        assert "   1 by hand, 1 document, 1 failed (F8)" in status(screen)  # all of it fits
        await pilot.resize_terminal(150, 40)
        await settle(pilot)
        assert "1 overridden by hand, 1 document" in status(screen)
        await pilot.press("f8")
        await settle(pilot)
        assert "1 of them overridden by hand." in sheet(pilot)
        await pilot.press("escape", "escape")
        assert "1 of them overridden by hand." in shown(screen)
        await pilot.press("right", "right", "right", "right")
        await pilot.press("y")
        assert "Overridden by hand" in pilot.app.clipboard
        await pilot.press("f5")  # the next check remembers
        await settle(pilot)
        assert symbols(screen.text.reader)[UNFOUNDED] == "✓*"
        await pilot.press("v", "ctrl+t")
        await pilot.pause()
        assert symbols(screen.text.reader)[UNFOUNDED] == "? "
        assert "by hand" not in status(screen)


async def test_an_override_needs_a_note_and_escape_says_nothing() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "v", "enter", "enter")
        assert "Say why" in str(pilot.app.screen.query_one("#said").content)  # type: ignore[attr-defined]
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, CheckScreen)
        assert "overridden" not in shown(screen)


async def test_the_next_run_of_the_app_knows_it(tmp_path: Path) -> None:
    for run in range(2):
        async with VeraciteApp(Script(), paths=paths(tmp_path)).run_test() as pilot:
            screen = await checked(pilot, UNFOUNDED)
            await pilot.press("right")
            if run == 0:
                await override(pilot, "up", "up", note="I know.")
            assert symbols(screen.text.reader) == {UNFOUNDED: "✓*"}


@pytest.mark.parametrize(("name", "holds"), [("a.json", '"note": "Yes."'), ("b.html", "Yes.")])
async def test_the_report_is_written_with_what_was_said(
    tmp_path: Path, name: str, holds: str
) -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await checked(pilot)
        await pilot.press("n")
        await override(pilot, "up", note="Yes.")
        await pilot.press("x")
        pilot.app.screen.query_one(Input).value = str(tmp_path / name)
        await pilot.press("enter")
        await settle(pilot)
        assert messages(pilot)[-1] == f"Wrote {tmp_path / name}."
    assert holds in (tmp_path / name).read_text()
    if name == "a.json":
        assert len(json.loads((tmp_path / name).read_text())["claims"]) == 5
