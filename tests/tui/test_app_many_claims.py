"""A report of thousands of claims: what is not on the screen is not drawn."""

import asyncio

import pytest
from rich.text import Text
from screens import checked, finish, screen_of, settle, status
from scripted import FALSE, TRUE, UNFOUNDED, VAGUE, Script

from veracite.tui.app import VeraciteApp
from veracite.tui.widgets.status_line import StatusLine
from veracite.tui.widgets.text_pane import Reader

MANY = 500
"""Paragraphs of four claims."""


async def test_of_two_thousand_claims_only_the_lines_in_view_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[int] = []
    get_line = Reader.get_line

    def counted(reader: Reader, line_index: int) -> Text:
        drawn.append(line_index)
        return get_line(reader, line_index)

    monkeypatch.setattr(Reader, "get_line", counted)
    text = "\n\n".join([f"{TRUE} {FALSE} {UNFOUNDED} {VAGUE}"] * MANY)
    async with VeraciteApp(Script()).run_test(size=(120, 36)) as pilot:
        screen = await checked(pilot, text)
        reader = screen_of(pilot).text.reader
        assert len(reader.marks) == 4 * MANY
        assert f"✗ {MANY}" in status(screen)
        for key in ("n", "pagedown", "end", "p", "3", "0", "up", "pageup"):
            await settle(pilot)
            drawn.clear()
            await pilot.press(key)
            await settle(pilot)
            assert 0 < len(drawn) <= 3 * reader.size.height, key


async def test_of_a_text_of_thousands_of_lines_it_is_said_what_takes_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said: list[str] = []
    say = StatusLine.say

    def heard(line: StatusLine, message: str, *, error: bool = False) -> None:
        said.append(message)
        say(line, message, error=error)

    monkeypatch.setattr(StatusLine, "say", heard)
    script = Script(wait_at=0)
    async with VeraciteApp(script).run_test() as pilot:
        screen = screen_of(pilot)
        screen.text.editor.insert("\n".join([f"{TRUE} Nobody doubts that any more."] * 2_000))
        said.clear()
        await pilot.press("f5")
        await asyncio.to_thread(script.reached.wait)
        await pilot.pause()
        assert said[0] == "Finding the claims in 2,000 lines …"
        assert max(map(len, screen.text.reader.text.split("\n"))) <= 5_000
        await pilot.press("escape")
        script.go_on.set()
        await finish(pilot)
