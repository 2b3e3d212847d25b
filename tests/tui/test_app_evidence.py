"""The pane beside the text, driven as a person drives it, and what is copied from it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import reports
from check_view import checked, checking, colours, place, shown, status, symbols
from mill import write_documents
from screens import drawn, enter, messages, press, settle, sheet
from scripted import FALSE, QUOTE, TRUE, UNFOUNDED, Script
from textual.pilot import Pilot
from textual.widgets import Input, Static

from veracite.engine.errors import InputError
from veracite.engine.paths import Paths
from veracite.engine.types import Citation, Label
from veracite.tui.app import VeraciteApp
from veracite.tui.local_engine import LocalEngine
from veracite.tui.screens.check import CheckScreen
from veracite.tui.screens.passage import PassageScreen
from veracite.tui.widgets.evidence import Quote, SideBySide
from veracite.tui.widgets.text_pane import MarkedText

BURNED = "The mill of Harrow burned in 1904 in the dead of night."


def judging(label: Label, *citations: Citation, statement: str = BURNED, **changes: Any) -> Script:
    """A check that finds this, whatever the claim."""
    found = reports.verdict(statement, label, *citations, source=statement)
    found = replace(found, **changes)
    return Script(judge=lambda claim: replace(found, claim=replace(claim, statement=statement)))


def halves(screen: CheckScreen) -> list[tuple[Static, Static]]:
    """What stands side by side, from the top down."""
    rows = (row.query("Horizontal Static") for row in screen.evidence.query(SideBySide))
    return [(row.first(Static), row.last(Static)) for row in rows]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_what_conflicts_stands_side_by_side(size: tuple[int, int]) -> None:
    quote = reports.citation("It burned in 1905, at noon.", "contradicts")
    script = judging(Label.CONTRADICTED, quote)
    async with checking(script, BURNED, size=size) as (pilot, screen):
        await press(pilot, "right")
        assert [(str(left.content), str(right.content)) for left, right in halves(screen)] == [
            ("The claim says", "The document says"),
            ("… Harrow burned in 1904 in the dead …", "It burned in 1905, at noon."),
        ]
        for left, right in halves(screen):
            assert left.region.y == right.region.y
            assert left.region.right <= right.region.x < right.region.right
            assert right.region.right <= screen.evidence.region.right
            assert abs(left.region.width - right.region.width) <= 1
        assert "differs" not in shown(screen)  # told once


async def test_both_sides_of_a_disagreement_are_seen_at_once() -> None:
    quote = reports.citation("The Harrow mill burned in 1904.")
    other = replace(
        quote, quote="The fire was in 1905.", relation="contradicts", file="/papers/leaflet.pdf"
    )
    script = judging(Label.SUPPORTED, quote, other)
    async with checking(script, BURNED, size=(80, 24)) as (pilot, screen):
        assert "The library disagrees with itself on 1 claim." in shown(screen)  # the overview
        await pilot.press("n")  # supported, but worth a look
        await pilot.pause()
        assert "\nThe library disagrees with itself\n" in shown(screen)
        (sides,) = halves(screen)
        assert [str(side.content) for side in sides] == [
            "✓ Supports it  mill.pdf, page 3\n“The Harrow mill burned in 1904.”",
            "✗ Contradicts it  leaflet.pdf, page 3\n“The fire was in 1905.”",
        ]
        assert all(screen.evidence.region.contains_region(side.region) for side in sides)
        assert len(screen.evidence.query(Quote)) == 2


@pytest.mark.parametrize("there", [True, False])
async def test_what_keys_and_mouse_copy_is_told_as_far_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("PATH", str(tmp_path))
    if there:
        tool = tmp_path / "wl-copy"
        tool.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/copied\n")
        tool.chmod(0o700)
    async with checking(Script(), size=(120, 36)) as (pilot, screen):
        await press(pilot, "n", "y")
        assert "rebuilt in **1911**" in pilot.app.clipboard
        assert messages(pilot)[-1].startswith("Copied the claim" if there else "Sent the claim")
        if there:
            assert (tmp_path / "copied").read_text("utf-8") == pilot.app.clipboard
        head = screen.evidence.query_one("#evidence-head")
        await pilot.mouse_down(head, offset=(0, 1))
        await pilot.hover(head, offset=(10, 1))
        await pilot.mouse_up(head, offset=(25, 1))
        await press(pilot, "ctrl+c")
        assert pilot.app.clipboard == "Because it is contradicted"[: len(pilot.app.clipboard)]
        assert len(pilot.app.clipboard) > 20
        told = "Copied the selection" if there else "Sent the selection to the terminal. If"
        assert messages(pilot)[-1].startswith(told)


async def test_an_override_shows_counts_is_exported_remembered_and_taken_back(home: Path) -> None:
    paths = Paths.resolve()
    async with VeraciteApp(Script(), paths=paths).run_test(size=(120, 40)) as pilot:
        screen = await checked(pilot)
        await pilot.press("n", "n", "v", "enter", "enter")
        assert "Say why" in str(pilot.app.screen.query_one("#said", Static).content)
        await pilot.press("escape")
        assert "overridden" not in shown(screen)
        await pilot.press("v", "up", "up", "enter")
        await enter(pilot, "I [b]know[/b] him.")
        assert symbols(screen.text.reader)[UNFOUNDED] == "✓*"
        assert "✓ Supported  overridden by hand" in shown(screen)
        why = "I [b]know[/b] him. (The check said: not found, 80 %.)"
        assert f"Overridden by you: {why}" in shown(screen)
        assert screen.state.counts[Label.SUPPORTED] == 2
        assert "   1 by hand, 1 document, 1 failed (F8)" in status(screen)
        await pilot.press("y")
        assert "Overridden by hand" in pilot.app.clipboard
        await press(pilot, "f8")
        assert "1 of them overridden by hand." in sheet(pilot)
        await pilot.press("escape", "x")
        await enter(pilot, home / "a.json")
        assert messages(pilot)[-1] == "Wrote ~/a.json."
    claims = json.loads((home / "a.json").read_text())["claims"]
    notes = [claim["override"]["note"] for claim in claims if claim.get("override")]
    assert notes == ["I [b]know[/b] him."]
    async with VeraciteApp(Script(), paths=paths).run_test() as pilot:
        screen = await checked(pilot, UNFOUNDED)
        await pilot.press("right")
        assert symbols(screen.text.reader) == {UNFOUNDED: "✓*"}
        await press(pilot, "v", "ctrl+t")
        assert symbols(screen.text.reader) == {UNFOUNDED: "? "}
        assert "by hand" not in status(screen)


def passage(pilot: Pilot[None]) -> str:
    assert isinstance(pilot.app.screen, PassageScreen)
    return "\n".join(str(static.content) for static in pilot.app.screen.query(Static))


async def test_one_label_is_looked_at_by_key_and_by_click_and_the_others_stand_back() -> None:
    async with checking(Script(), size=(120, 40)) as (pilot, screen):
        await pilot.press("3")
        assert screen.state.only is Label.NOT_FOUND
        assert place(screen) == UNFOUNDED
        assert "only ? not found" in str(screen.top.content)
        muted = colours(screen.text.reader)[TRUE]
        await pilot.press("n")
        assert place(screen) == UNFOUNDED  # the only one
        await pilot.press("0", "right")
        assert screen.state.only is None
        assert colours(screen.text.reader)[TRUE] != muted
        await pilot.click("#status", offset=(3, 0))
        assert screen.state.only is Label.SUPPORTED
        assert place(screen) == TRUE


async def test_words_are_found_while_one_types_and_their_claim_is_shown() -> None:
    async with checking(Script()) as (pilot, screen):
        await pilot.press("slash", *"IT")
        screen.find_bar.query_one(Input).value = "IT  was"
        await pilot.pause()
        assert str(screen.find_bar.said.content) == "1 of 1"
        assert screen.text.reader.selected_text == "It was"
        assert "Contradicted" in shown(screen)
        screen.find_bar.query_one(Input).value = "the m"
        await pilot.pause()
        assert str(screen.find_bar.said.content) == "2 of 2"
        assert place(screen) == UNFOUNDED
        await pilot.press("enter")
        assert place(screen) == TRUE
        await pilot.press("up", "escape")
        assert screen.text.reader.has_focus
        assert place(screen) == UNFOUNDED
        await pilot.press("e", "ctrl+f", *"zebra")
        assert str(screen.find_bar.said.content) == "not found"


async def test_enter_opens_the_quote_and_o_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    monkeypatch.setattr("veracite.tui.desktop.open_document", opened.append)
    script = Script()
    async with checking(script) as (pilot, _):
        await press(pilot, "n", "enter")
        assert "What stood before.\n── page 3 ──\nNobody knew." in passage(pilot)
        assert "The end." in passage(pilot)
        quote = pilot.app.screen.query_one("#quote", Static).content
        loud = [str(quote)[s.start : s.end] for s in quote.spans if "bold" in str(s.style)]  # type: ignore[union-attr]
        assert loud == [QUOTE]
        await press(pilot, "o", "escape", "y", "o")
        assert "contradicted" in pilot.app.clipboard
        assert isinstance(pilot.app.screen, CheckScreen)
        assert opened == [Path("/papers/mill.pdf")] * 2
        script.gone = InputError("It has changed.", "Check again.")
        await press(pilot, "enter")
        assert "It has changed. Check again." in passage(pilot)
        assert "Harrow had a mill." in passage(pilot)  # what is left of it


def test_the_engine_reads_what_stands_around_a_quote(engine: LocalEngine, home: Path) -> None:
    """Of a real document, without pages; and says when it has changed."""
    text = "# Mill\n\nIt stood in Harrow.\n\nThe mill burned down in 1904.\n\nBees live there.\n"
    papers = write_documents(home / "papers", {"mill.md": text})
    events = list(engine.check(TRUE, (papers,)))
    citation = events[-1].report.verdicts[0].citations[0]  # type: ignore[union-attr]
    found = engine.around(citation, (papers,))
    assert found.text[found.start : found.end] == citation.quote == TRUE
    (papers / "mill.md").write_text("Another.")
    list(engine.check(TRUE, (papers,)))
    with pytest.raises(InputError, match="has changed or is gone"):
        engine.around(citation, (papers,))


CLAIM = "The mill closed down in 1955."
SAYS = "and the mill closed in 1955"
FILLED = {
    "without blanks": "x" * 60_000 + f" {SAYS}.",
    "of words": "Nobody knew that. " * 900 + f"{SAYS}, " + "Nobody knew that. " * 900,
    "of figures": "1904;12;0.5;" * 600 + f" {SAYS} " + "1904;12;0.5;" * 600,
}


def words(pilot: Pilot[None]) -> str:
    """What is on the screen, without the lines of boxes between its words."""
    return " ".join(drawn(pilot).replace("│", " ").split())


@pytest.mark.parametrize("quote", FILLED.values(), ids=FILLED.keys())
async def test_of_a_long_quote_the_pane_and_the_reader_show_what_agrees(quote: str) -> None:
    script = judging(Label.SUPPORTED, reports.citation(quote, context=quote), statement=CLAIM)
    async with checking(script, CLAIM, size=(80, 24)) as (pilot, screen):
        await press(pilot, "right")
        passage = screen.evidence.query_one(Quote).passage.plain
        assert SAYS in passage
        assert len(passage) < 500
        assert passage.startswith("…")
        assert passage.rstrip().endswith("…") is (quote is not FILLED["without blanks"])
        await press(pilot, "space")
        assert "closed in 1955" in words(pilot), "after one page at most"
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, PassageScreen)
        assert "closed in 1955" in words(pilot)
        assert len(str(pilot.app.screen.query_one("#quote", Static).content)) < 10_000


async def test_on_a_small_screen_the_sentence_that_decides_is_in_view() -> None:
    quote = f"Nobody knew that, {SAYS}."
    script = judging(
        Label.SUPPORTED,
        reports.citation(quote, context=quote),
        statement=CLAIM,
        explanation="Nothing else speaks of it. " * 30,
    )
    async with checking(script, CLAIM, size=(80, 24)) as (pilot, screen):
        await press(pilot, "right")
        assert SAYS in words(pilot)
        await pilot.press("home")
        await pilot.resize_terminal(120, 40)
        await settle(pilot)
        assert screen.evidence.scroll_offset.y == 0


def reversed_text(area: MarkedText) -> str:
    """What is drawn with letters and background changed for each other."""
    segments = [each for y in range(area.size.height) for each in area.render_line(y)]
    return "".join(each.text for each in segments if each.style and each.style.reverse)


async def test_without_colours_one_claim_is_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with checking(Script()) as (pilot, screen):
        assert reversed_text(screen.text.reader) == ""
        await press(pilot, "n")
        assert reversed_text(screen.text.reader) == f"✗ {FALSE}"
        await press(pilot, "e")
        assert FALSE in reversed_text(screen.text.editor)
        assert TRUE not in reversed_text(screen.text.editor)
