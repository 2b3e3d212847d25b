"""Quotes of any length, such as a table without a line end: what decides is on the screen."""

from dataclasses import replace

import pytest
import reports
from screens import checked, settle
from scripted import Script
from textual.pilot import Pilot
from textual.widgets import Static

from veracite.engine.types import Label
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.passage import QuoteScreen
from veracite.tui.widgets.evidence import Quote

CLAIM = "The mill closed down in 1955."
SAYS = "and the mill closed in 1955"
FILLED = {
    "without blanks": "x" * 60_000 + f" {SAYS}.",
    "of words": "Nobody knew that. " * 900 + f"{SAYS}, " + "Nobody knew that. " * 900,
    "of figures": "1904;12;0.5;" * 3_000 + f" {SAYS} " + "1904;12;0.5;" * 3_000,
}


def drawn(pilot: Pilot[None]) -> str:
    """The words on the screen, without the lines of boxes between them."""
    rows = (strip.text for strip in pilot.app.screen._compositor.render_strips())
    return " ".join("".join(rows).replace("│", " ").split())


def judging(label: Label, quote: str) -> Script:
    found = reports.verdict(CLAIM, label, reports.citation(quote, context=quote), source=CLAIM)
    return Script(judge=lambda claim: replace(found, claim=claim))


@pytest.mark.parametrize("quote", FILLED.values(), ids=FILLED.keys())
async def test_of_a_long_quote_the_pane_and_the_reader_show_what_agrees(quote: str) -> None:
    async with VeraciteApp(judging(Label.SUPPORTED, quote)).run_test(size=(80, 24)) as pilot:
        screen = await checked(pilot, CLAIM)
        await pilot.press("right")
        await settle(pilot)
        passage = screen.evidence.query_one(Quote).passage.plain
        assert SAYS in passage
        assert len(passage) < 500
        assert passage.startswith("…")
        assert passage.rstrip().endswith("…") is (quote is not FILLED["without blanks"])
        await pilot.press("space")
        await settle(pilot)
        assert "closed in 1955" in drawn(pilot), "after one page at most"
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(pilot.app.screen, QuoteScreen)
        assert "closed in 1955" in drawn(pilot)
        assert len(str(pilot.app.screen.query_one("#quote", Static).content)) < 10_000


async def test_on_a_small_screen_the_sentence_that_decides_is_in_view() -> None:
    quote = f"Nobody knew that, {SAYS}."
    found = reports.verdict(
        CLAIM, Label.SUPPORTED, reports.citation(quote, context=quote), source=CLAIM
    )
    found = replace(found, explanation="Nothing else speaks of it. " * 30)
    script = Script(judge=lambda claim: replace(found, claim=claim))
    async with VeraciteApp(script).run_test(size=(80, 24)) as pilot:
        screen = await checked(pilot, CLAIM)
        await pilot.press("right")
        await settle(pilot)
        assert SAYS in drawn(pilot)
        await pilot.press("home")
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert screen.evidence.scroll_offset.y == 0
