"""The pane beside the text, driven as a person drives it, and what is copied from it."""

from dataclasses import replace
from pathlib import Path

import pytest
import reports
from screens import checked, messages, settle, sheet, shown
from scripted import CONTEXT, Script
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Static

from veracite.engine.types import Citation, Label
from veracite.tui.app import VeraciteApp
from veracite.tui.screens.check import CheckScreen
from veracite.tui.widgets.evidence import Quote, SideBySide

BURNED = "The mill of Harrow burned in 1904 in the dead of night."
SIZES = [(80, 24), (120, 40), (40, 12)]


def judging(label: Label, *citations: Citation, statement: str = BURNED) -> Script:
    """A check that finds this, whatever the claim."""
    found = reports.verdict(statement, label, *citations, source=statement)
    return Script(judge=lambda claim: replace(found, claim=replace(claim, statement=statement)))


async def pointed(pilot: Pilot[None]) -> CheckScreen:
    """Check a text of one claim and go there."""
    screen = await checked(pilot, BURNED)
    await pilot.press("right")
    await pilot.pause()
    return screen


def halves(screen: CheckScreen) -> list[tuple[Static, Static]]:
    """What stands side by side, from the top down."""
    rows = (row.query("Horizontal Static") for row in screen.evidence.query(SideBySide))
    return [(row.first(Static), row.last(Static)) for row in rows]


def styled(static: Static) -> list[tuple[str, str]]:
    """The stretches of a text that have a style, each with its style."""
    content = static.content
    assert isinstance(content, Content)
    return [(content.plain[s.start : s.end], str(s.style)) for s in content.spans]


async def test_the_next_finding_shows_its_quote_in_the_passage_with_its_place() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        screen = await checked(pilot)
        await pilot.press("n")
        await pilot.pause()
        assert "Contradicted" in shown(screen)
        assert "Because it is contradicted." in shown(screen)
        assert "mill.pdf, page 3" in shown(screen)
        assert "Harrow > The mill" in shown(screen)
        passage = screen.evidence.query_one(Quote).quotation.passage
        assert passage.plain == CONTEXT
        loud = [passage.plain[s.start : s.end] for s in passage.spans if "bold" in str(s.style)]
        assert loud == ["The mill burned down in 1904 and was never rebuilt."]


@pytest.mark.parametrize(
    ("label", "quote", "lines"),
    [
        (
            Label.UNCERTAIN,
            reports.citation("The Harrow mill burned in 1905.", "nearest"),
            ["= agrees: Harrow", "≠ differs: 1904 → 1905", "∅ not in the quote: dead of night"],
        ),
        (
            Label.SUPPORTED,
            reports.citation("In 1904 the Harrow mill did burn, while all were asleep."),
            ["= agrees: Harrow, 1904", "≈ in other words: dead of night"],
        ),
    ],
)
async def test_each_fate_of_the_words_has_its_symbol_word_and_colour(
    label: Label, quote: Citation, lines: list[str]
) -> None:
    async with VeraciteApp(judging(label, quote)).run_test() as pilot:
        screen = await pointed(pilot)
        head = screen.evidence.query_one("#evidence-head", Static)
        assert str(head.content).splitlines()[2:] == lines
        colours = {style for text, style in styled(head) if f"{text} " in "".join(lines)}
        assert len(colours) == len(lines)


@pytest.mark.parametrize("size", SIZES)
async def test_what_conflicts_stands_side_by_side(size: tuple[int, int]) -> None:
    quote = reports.citation("It burned in 1905, at noon.", "contradicts")
    async with VeraciteApp(judging(Label.CONTRADICTED, quote)).run_test(size=size) as pilot:
        screen = await pointed(pilot)
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


DISAGREED = (
    reports.citation("The Harrow mill burned in 1904."),
    reports.citation("The fire was in 1905.", "contradicts", file="/papers/leaflet.pdf", page=1),
)


async def test_both_sides_of_a_disagreement_are_seen_at_once() -> None:
    async with VeraciteApp(judging(Label.SUPPORTED, *DISAGREED)).run_test(size=(80, 24)) as pilot:
        screen = await checked(pilot, BURNED)
        assert "The library disagrees with itself on 1 claim." in shown(screen)  # the overview
        await pilot.press("n")  # supported, but worth a look
        await pilot.pause()
        assert "\nThe library disagrees with itself\n" in shown(screen)
        (sides,) = halves(screen)
        assert [str(side.content) for side in sides] == [
            "✓ Supports it  mill.pdf, page 3\n“The Harrow mill burned in 1904.”",
            "✗ Contradicts it  leaflet.pdf, page 1\n“The fire was in 1905.”",
        ]
        assert all(screen.evidence.region.contains_region(side.region) for side in sides)
        assert len(screen.evidence.query(Quote)) == 2
        await pilot.press("f8")
        assert "The library disagrees with itself on 1 claim." in sheet(pilot)


async def test_y_copies_the_claim_with_its_citation() -> None:
    async with VeraciteApp(Script()).run_test() as pilot:
        await checked(pilot)
        await pilot.press("n", "y")
        copied = pilot.app.clipboard
        assert copied.startswith("**✗ contradicted (80 %)**\n\nIt was rebuilt in **1911**.\n")
        assert "> The mill burned down in 1904" in copied
        assert "contradicts it: /papers/mill.pdf, page 3, characters" in copied


async def test_a_quote_with_invisible_characters_stands_out_in_its_passage() -> None:
    said, passage = "The \u202ellim\u202c burned.", "The llim burned. It rained."
    near = reports.citation(said, "nearest", context=passage)
    async with VeraciteApp(judging(Label.NOT_FOUND, near)).run_test() as pilot:
        screen = await pointed(pilot)
        shown_passage = screen.evidence.query_one(Quote).quotation.passage
        assert shown_passage.plain == passage
        loud = [s for s in shown_passage.spans if "bold" in str(s.style)]
        assert [passage[s.start : s.end] for s in loud] == ["The llim burned."]


@pytest.mark.parametrize("there", [True, False])
async def test_what_is_copied_is_told_as_far_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("PATH", str(tmp_path))
    if there:
        tool = tmp_path / "wl-copy"
        tool.write_text(f"#!/bin/sh\n/bin/cat > {tmp_path}/copied\n")
        tool.chmod(0o700)
    async with VeraciteApp(Script()).run_test() as pilot:
        await checked(pilot)
        await pilot.press("n", "y")
        await settle(pilot)
        told = messages(pilot)[-1]
        assert "rebuilt in **1911**" in pilot.app.clipboard
        assert told.startswith("Copied the claim" if there else "Sent the claim")
        if there:
            assert (tmp_path / "copied").read_text("utf-8") == pilot.app.clipboard
