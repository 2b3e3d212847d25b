"""Without colours: what is chosen, and which claim is looked at, must be seen all the same."""

import pytest
from screens import checked
from scripted import FALSE, TRUE, Script

from veracite.tui.app import VeraciteApp
from veracite.tui.widgets.text_pane import MarkedText


@pytest.fixture(autouse=True)
def _no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")


async def test_without_colours_the_current_claim_is_reversed_and_no_other() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        assert reversed_text(screen.text.reader) == ""
        await pilot.press("n")
        await pilot.pause()
        assert reversed_text(screen.text.reader) == f"✗ {FALSE}"
        await pilot.press("e")
        await pilot.pause()
        assert FALSE in reversed_text(screen.text.editor)
        assert TRUE not in reversed_text(screen.text.editor)


def reversed_text(area: MarkedText) -> str:
    """What is drawn with letters and background changed for each other."""
    lines = (area.render_line(y) for y in range(area.size.height))
    return "".join(
        segment.text
        for line in lines
        for segment in line
        if segment.style and segment.style.reverse
    )
